// The steps: forward, back, to any, and one after the other by themselves; grouped into a few ideas, or every call.

const OPERATOR_SIGNS = { "*": "×", "-": "−" };
let explanation = { steps: [], operations: 0 };
let told = []; // the ideas that the steps are grouped into
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

// A part of a step by its place; -1 is the step's value.
function partAt(step, place) {
    if (place >= 0) {
        return step.parts[place];
    }
    const { word, kind, turn } = step;
    const own = { text: step.what === "assigned" ? step.variable : "the answer", word, kind, turn, own: true };
    const entry = step.parts.at(-1);
    return entry?.table && entry.word === word ? { ...own, table: entry.table, slot: entry.slot, slots: entry.slots } : own;
}

// What a variable has lost or gained by a step, where it has done only one of both.
function changes(step, part) {
    if (step.what !== "assigned" || !part.own || step.previous === null || step.previous === step.word) {
        return {};
    }
    const [taken, fresh] = [step.previous & ~step.word, step.word & ~step.previous];
    return taken && fresh ? {} : { taken, fresh: step.previous ? fresh : 0n };
}

// Where the piece's square is on a board that may be turned over; a product has no squares.
function chosenOf(part) {
    return part.turn < 0 || part.text.includes(" * ") ? undefined : places().indexOf(squareBit() ^ (part.turn ?? 0));
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
        chosen: board ? board.at : chosenOf(part), letter: shown ? SLIDERS[state.piece] : "", shapes: data.shapes,
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

// What stands in a formula: a board, a number with its name, or an operator.
function itemOf(step, item, width) {
    if (typeof item === "string") {
        return element("span", { className: "operator" }, OPERATOR_SIGNS[item] ?? item);
    }
    const part = partAt(step, item);
    if (part.kind === "board") {
        return figureOf(pictureOf(step, part), element("code", {}, part.text), part.table ? ` ${placeText(part)}` : "",
            element("br"), element("code", { className: "word" }, hex(part.word)));
    }
    const [name, ...value] = numberText(part, part.own ? width : 0).split(" = ");
    const caption = /^(0x)?\d/.test(part.text) ? [] : [element("br"), element("small", {}, name)];
    return element("span", { className: "number" }, element("code", {}, value.join(" = ")), ...caption);
}

function numbersOf(step, width) {
    const numbers = step.numbers.map((place) => partAt(step, place));
    return numbers.length ? [element("ul", {}, ...numbers.map((part) =>
        element("li", {}, element("code", {}, numberText(part, part.own ? width : 0)))))] : [];
}

function formulasOf(step, width) {
    return step.rows.map((row) => {
        const isFormula = row.includes("=");
        return element("div", { className: isFormula ? "formula" : "boards" }, ...row.map((item) => itemOf(step, item, width)));
    });
}

function indexWidth(step) {
    return bitsOf(step.parts.find(({ marked }) => marked)?.marked ?? 0n).length;
}

// Where the player is: in the list of all calls the number of the step, else that of the idea.
function playerPlace() {
    if (state.calls) {
        return { at: state.step, of: explanation.steps.length };
    }
    const found = told.findIndex(({ places }) => places.at(-1) + 1 >= state.step);
    return { at: (found < 0 ? told.length - 1 : found) + 1, of: told.length };
}

function drawIdea({ sentence, places }) {
    byId("step").replaceChildren(element("h3", { className: "idea" }, sentence));
    byId("step-boards").replaceChildren(...places.flatMap((place) => {
        const step = explanation.steps[place];
        const width = indexWidth(step);
        const line = step.what === "given" ? [] : [element("p", { className: "line" }, element("code", {}, step.code), " ",
            element("small", {}, `step ${place + 1}: ${step.name}`))];
        return [...line, ...numbersOf(step, width), ...formulasOf(step, width), ...gatherings(step)];
    }));
}

function drawCall(step) {
    const width = indexWidth(step);
    byId("step").replaceChildren(
        element("h3", {}, element("code", {}, step.code)),
        element("p", {}, step.sentence, " ", element("small", {}, `${step.module}, line ${step.line}`)),
        ...numbersOf(step, width),
    );
    byId("step-boards").replaceChildren(...formulasOf(step, width), ...gatherings(step));
}

function drawStep() {
    const { at, of } = playerPlace();
    const slider = byId("slider");
    slider.max = of;
    slider.value = at;
    byId("count").textContent = `${at} of ${of}`;
    byId("calls").checked = state.calls;
    // A button that is disabled would lose the focus.
    byId("back").setAttribute("aria-disabled", String(at === 1));
    byId("forward").setAttribute("aria-disabled", String(at === of));
    if (state.calls) {
        drawCall(explanation.steps[state.step - 1]);
        drawSource(explanation.steps[state.step - 1]);
    } else {
        drawIdea(told[at - 1]);
        drawSource(explanation.steps[told[at - 1].places.at(-1)]);
    }
}

// Go to a step, or to an idea where the player shows these.
function goTo(number) {
    const chosen = Math.max(1, Math.min(playerPlace().of, number));
    state.step = state.calls ? chosen : told[chosen - 1].places.at(-1) + 1;
    drawStep();
    writeAddress();
}

function move(by) {
    goTo(playerPlace().at + by);
}

// Later rounds of a loop go by faster.
function playOn() {
    const { at, of } = playerPlace();
    if (at >= of) {
        play(false);
        return;
    }
    move(1);
    const isLaterRound = state.calls && explanation.steps[state.step - 1].round > 1;
    playing = setTimeout(playOn, isLaterRound ? 200 : state.calls ? 900 : 2000);
}

function play(on) {
    clearTimeout(playing);
    playing = 0;
    byId("play").setAttribute("aria-pressed", String(on));
    byId("play").textContent = on ? "Stop" : "Play";
    if (on) {
        if (playerPlace().at === playerPlace().of) {
            goTo(1);
        }
        playing = setTimeout(playOn, 900);
    }
}

function stepKey(event) {
    const { at, of } = playerPlace();
    const goes = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 1, End: of };
    // The slider and the source have uses of their own for these keys.
    if (!["slider", "source"].includes(event.target.id) && event.key in goes) {
        goTo(goes[event.key]);
        event.preventDefault();
    }
}
