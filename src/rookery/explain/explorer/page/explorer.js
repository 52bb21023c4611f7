// The page, put together: what one does, and what it asks anew.

let requests = 0;
let announce = () => {}; // what a frame tells the page around it when it is drawn

function show(technique) {
    const [square, occupied] = [squareBit(), occupiedWord()];
    fillFor(technique, square);
    explanation = { ...technique.explained(state.piece, square, occupied), sources: technique.program.sources };
    const answer = attacksOf(technique, state.piece, square, occupied);
    lines = attacksOf(technique, state.piece, square, 0n) | occupied | (1n << BigInt(square));
    blockers = numbered(technique, state.piece, square, occupied);
    turned = explanation.steps.some((step) => turnedName(step.variable)) ? turnedBoards(technique, square) : {};
    if (explanation.steps.at(-1).word !== answer) {
        say("The steps and the exported kernel differ: please report this page's address.");
    }
    told = placesOfIdeas(technique.program.ideas[state.piece], explanation.steps);
    keepIdea();
    state.step = Math.min(state.step, explanation.steps.length);
    const card = data.cards.find(({ name }) => name === state.technique);
    write(byId("about"), `${card.name}: ${card.summary}. ${card.origin}`);
    drawPosition(answer);
    drawStep();
    drawTurned();
    drawMagic(technique);
    forgetComparison();
    writeAddress();
    announce();
}

// At once where the technique is there already.
function ask() {
    const mine = ++requests;
    const technique = loaded.get(state.technique);
    if (technique) {
        show(technique);
    } else {
        load(state.technique).then((found) => mine === requests && show(found));
    }
}

function options(id, names) {
    byId(id).append(...names.map((name) => element("option", {}, name)));
}

function on(id, what, act) {
    byId(id).addEventListener(what, act);
}

function changed(change, complain = say) {
    return (event) => {
        event.preventDefault?.();
        try {
            change(event);
            say("");
            ask();
        } catch (fault) {
            complain(fault.message);
        }
    };
}

function changedTo(name) {
    return changed(({ target }) => Object.assign(state, { [name]: target.value, step: 1, idea: null, factor: null }));
}

options("technique", data.cards.map(({ name }) => name));
options("mapping", Object.keys(data.mappings));
byId("machine").textContent = data.machine;
byId("here").hidden = !data.kernels;
readAddress();
makeBoard();
drawPosition(0n);
for (const name of ["technique", "piece", "mapping"]) {
    on(name, "change", changedTo(name));
}
on("bits", "change", changed(({ target }) => {
    state.bits = target.checked;
}));
on("controls", "submit", changed(() => {
    state.pieces = readFen(byId("fen").value);
}));
on("clear", "click", changed(() => {
    state.pieces = new Map();
}));
on("factor-form", "submit", changed(() => {
    state.factor = readFactor(byId("factor").value);
}, (fault) => {
    byId("verdict").className = "bad";
    byId("verdict").textContent = fault;
}));
on("own-factor", "click", changed(() => {
    byId("own-factor").focus();
    state.factor = null;
}));
on("back", "click", () => move(-1));
on("forward", "click", () => move(1));
on("slider", "input", ({ target }) => goTo(Number(target.value)));
on("calls", "change", ({ target }) => {
    state.calls = target.checked;
    goTo(playerPlace().at);
});
on("play", "click", () => play(!playing));
on("player", "keydown", stepKey);
on("compare", "click", compare);
for (const what of ["pointerover", "focusin"]) {
    document.addEventListener(what, lightBlocker);
}
window.addEventListener("hashchange", ({ newURL }) => {
    const wasEmbedded = state.embed;
    readAddress(newURL); // what is written with a delay may have taken its place
    if (state.embed !== wasEmbedded) {
        fold();
    }
    ask();
});
// In a frame on a phone the steps come first: what one sets besides the board is folded away.
const narrow = matchMedia("(max-width: 42rem)");
function fold() {
    byId("settings").open = !(state.embed && narrow.matches);
}
narrow.addEventListener("change", fold);
fold();
document.addEventListener("DOMContentLoaded", ask);
if (state.embed && window.parent !== window) {
    // The page around a frame cannot look into it: so the frame sends its height, once, and the page sends its theme.
    window.addEventListener("message", ({ source, data: message }) => {
        if (source === window.parent && ["light", "dark", "auto"].includes(message?.explorerTheme)) {
            document.documentElement.dataset.theme = message.explorerTheme;
        }
    });
    announce = () => {
        announce = () => {};
        requestAnimationFrame(() =>
            window.parent.postMessage({ explorerHeight: Math.ceil(document.body.offsetHeight) + 4 }, "*"));
    };
}
