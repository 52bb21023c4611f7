// The steps: forward, back, to any, and one after the other by themselves.

let explanation = { steps: [], operations: 0 };
let lines = 0n; // what the piece sees on the empty board, its square, and all that is occupied
let turned = {}; // by the name of a turned board: where the line through the piece lies on it, and where each bit
let playing = 0;

function placeText(part) {
    return part.table ? `${part.table}[${part.slot.toLocaleString("en")}] of ${part.slots.toLocaleString("en")}` : "";
}

// An index is shown with all its `width` bits.
function numberText(part, width) {
    const name = part.table ? `${part.text} (${placeText(part)})` : part.text;
    if (part.kind === "square" && /^(sq|s|square)_?$/.test(part.text) && part.word < 64n) {
        return `${name} = ${part.word} (${NAMES[places().indexOf(Number(part.word))]})`;
    }
    const inBinary = (width || part.word > 9n) && part.word < 1n << 20n ? ` = ${binary(part.word, width)}` : "";
    const value = part.word >= 1n << 20n ? hex(part.word) : part.word.toLocaleString("en");
    return `${name} = ${value}${inBinary}`;
}

function partsOf(step) {
    const parts = [...step.parts];
    if (step.what === "assigned" || step.what === "returned") {
        const own = { text: step.what === "assigned" ? step.variable : "the answer", word: step.word, kind: step.kind, own: true };
        const entry = parts.at(-1);
        if (entry?.table && entry.word === step.word) {
            parts.pop();
            Object.assign(own, { table: entry.table, slot: entry.slot, slots: entry.slots });
        }
        parts.push(own);
    }
    return [...new Map(parts.map((part) => [part.text, part])).values()];
}

// What a variable has lost or gained by a step, where it has done only one of both.
function changes(step, part) {
    if (step.what !== "assigned" || !part.own || step.previous === null || step.previous === step.word) {
        return {};
    }
    const [taken, fresh] = [step.previous & ~step.word, step.word & ~step.previous];
    return taken && fresh ? {} : { taken, fresh: step.previous ? fresh : 0n };
}

function pictureOf(step, part) {
    // What lies elsewhere, a product or a turned board, has nothing to do with what stands on the squares.
    const board = turned[turnedName(part.text)];
    const marked = part.marked || board?.line || 0n;
    const elsewhere = marked || part.text.includes(" * ") || part.word & ~lines;
    const shown = ["occupied", "the answer"].includes(part.text);
    const at = step.kind === "square" && step.word < 64n ? places().indexOf(Number(step.word)) : -1;
    return boardPicture({
        word: part.word, places: places(), occupied: elsewhere ? [] : [...state.pieces.keys()], marked,
        ...changes(step, part), found: at >= 0 && step.what === "assigned" ? at : undefined,
        chosen: board ? board.at : state.square, letter: shown ? SLIDERS[state.piece] : "", shapes: data.shapes,
        texts: board ? turnedTexts(board) : state.bits ? places() : undefined,
        title: `${part.text}: ${namesOf(part.word, places()) || "empty"}`,
    });
}

function drawSource(step) {
    const source = explanation.sources?.[`${step.module}.${step.name}`];
    const panel = byId("source");
    if (!source) {
        panel.replaceChildren();
        return;
    }
    const [first, text] = source;
    const last = step.line + step.code.split("\n").length - 1;
    panel.replaceChildren(...text.split("\n").map((line, i) => {
        const here = first + i >= step.line && first + i <= last;
        return element("span", { className: here ? "here" : "" }, `${here ? "▶" : " "} ${line}\n`);
    }));
}

function drawStep() {
    const step = explanation.steps[state.step - 1];
    const slider = byId("slider");
    slider.max = explanation.steps.length;
    slider.value = state.step;
    byId("count").textContent = `${state.step} of ${explanation.steps.length}`;
    // A button that is disabled would lose the focus.
    byId("back").setAttribute("aria-disabled", String(state.step === 1));
    byId("forward").setAttribute("aria-disabled", String(state.step === explanation.steps.length));
    const parts = partsOf(step);
    const boards = parts.filter(({ kind }) => kind === "board").map((part) => figureOf(pictureOf(step, part),
        element("code", {}, part.text), part.table ? ` ${placeText(part)}` : "", element("br"), element("code", {}, hex(part.word))));
    const width = bitsOf(step.parts.find(({ marked }) => marked)?.marked ?? 0n).length;
    const numbers = parts.filter(({ kind }) => kind !== "board").map((part) =>
        element("li", {}, element("code", {}, numberText(part, part.own ? width : 0))));
    byId("step").replaceChildren(
        element("h3", {}, element("code", {}, step.code)),
        element("p", {}, step.sentence, " ", element("small", {}, `${step.module}, line ${step.line}`)),
        ...(numbers.length ? [element("ul", {}, ...numbers)] : []),
    );
    byId("step-boards").replaceChildren(...boards, ...gatherings(step));
    drawSource(step);
}

function goTo(step) {
    state.step = Math.max(1, Math.min(explanation.steps.length, step));
    drawStep();
    writeAddress();
}

// Later rounds of a loop go by faster.
function playOn() {
    if (state.step >= explanation.steps.length) {
        play(false);
        return;
    }
    goTo(state.step + 1);
    playing = setTimeout(playOn, explanation.steps[state.step - 1].round > 1 ? 200 : 900);
}

function play(on) {
    clearTimeout(playing);
    playing = 0;
    byId("play").setAttribute("aria-pressed", String(on));
    byId("play").textContent = on ? "Stop" : "Play";
    if (on) {
        if (state.step === explanation.steps.length) {
            goTo(1);
        }
        playing = setTimeout(playOn, 900);
    }
}

function stepKey(event) {
    const goes = { ArrowLeft: state.step - 1, ArrowRight: state.step + 1, Home: 1, End: explanation.steps.length };
    // The slider and the source have uses of their own for these keys.
    if (!["slider", "source"].includes(event.target.id) && event.key in goes) {
        goTo(goes[event.key]);
        event.preventDefault();
    }
}
