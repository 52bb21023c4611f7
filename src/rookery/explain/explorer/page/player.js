// The steps: forward, back, to any, and one after the other by themselves; grouped into a few ideas, or every call.

const OPERATOR_SIGNS = { "*": "×", "-": "−" };
let explanation = { steps: [], operations: 0 };
let told = []; // the ideas that the steps are grouped into
let blockers = new Map(); // the occupied squares that the piece sees on the empty board, each with the number of its colour
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

// What the value of a step is called: a variable, an index, another number by its function, or the answer, a set of squares.
function ownName({ what, variable, kind, name }) {
    return what === "assigned" ? variable : kind === "board" ? "the answer" : name.includes("index") ? "index" : name;
}

// A part of a step by its place; -1 is the step's value.
function partAt(step, place) {
    if (place >= 0) {
        return step.parts[place];
    }
    const { word, kind, turn } = step;
    const own = { text: ownName(step), word, kind, turn, own: true };
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
    const turn = Math.max(part.turn ?? 0, 0);
    const here = turn ? bitsOf(lines).reduce((word, bit) => word | (1n << BigInt(bit ^ turn)), 0n) : lines;
    const elsewhere = marked || part.text.includes(" * ") || part.word & ~here;
    const shown = ["occupied", "the answer"].includes(part.text);
    const at = step.kind === "square" && step.word < 64n ? places().indexOf(Number(step.word)) : -1;
    return {
        word: part.word, places: places(), turn, occupied: elsewhere ? [] : [...state.pieces.keys()], marked,
        ...changes(step, part), found: at >= 0 && step.what === "assigned" ? at : undefined,
        chosen: board ? board.at : chosenOf(part), letter: shown ? SLIDERS[state.piece] : "",
        texts: board ? turnedTexts(board) : state.bits ? places() : undefined,
        title: `${part.text}: ${namesOf(part.word, places()) || "empty"}`,
    };
}

function drawSource(step) {
    const name = `${step.module}.${step.name}`;
    const [first, text] = explanation.sources?.[name] ?? [0, ""];
    const last = step.line + step.code.split("\n").length - 1;
    arrange(byId("source"), text ? text.split("\n").map((line, i) => ({
        key: `${name} ${i}`,
        make: () => element("span", {}, `${line}\n`),
        fill: (span) => span.classList.toggle("here", first + i >= step.line && first + i <= last),
    })) : []);
}

function textPlan(key, make) {
    return { key, make };
}

// Code whose lines break before an operator or after a parenthesis: an operator is tied to what follows it.
function codeElement(text) {
    const parts = text.split(/((?<= )(?:[-+*/&|^]|<<|>>|=) \S)/);
    return element("code", {}, ...parts.flatMap((part, i) => (i % 2 ? [element("span", { className: "tied" }, part)]
        : part.split(/(?<=\()/).flatMap((piece, j) => (j ? [element("wbr"), piece] : [piece])))));
}

// What stands in a formula: a board, a number with its name, or an operator.
function itemPlan(step, item, width) {
    if (typeof item === "string") {
        return textPlan(item, () => element("span", { className: "operator" }, OPERATOR_SIGNS[item] ?? item));
    }
    const part = partAt(step, item);
    if (part.kind === "board") {
        const place = part.table ? ` ${placeText(part)}` : "";
        return boardPlan(pictureOf(step, part), `${part.text}${place} ${hex(part.word)}`, () => [codeElement(part.text), place,
            element("br"), element("code", { className: "word" }, hex(part.word))]);
    }
    const [name, ...value] = numberText(part, part.own ? width : 0).split(" = ");
    const named = !/^(0x)?\d/.test(part.text);
    return textPlan(`${name} = ${value} ${named}`, () => element("span", { className: "number" }, element("code", {}, value.join(" = ")),
        ...(named ? [element("br"), element("small", {}, name)] : [])));
}

function numberPlans(step, width) {
    const texts = step.numbers.map((place) => partAt(step, place)).map((part) => numberText(part, part.own ? width : 0));
    return texts.length ? [textPlan(texts.join(), () =>
        element("ul", {}, ...texts.map((text) => element("li", {}, element("code", {}, text)))))] : [];
}

function formulaPlans(step, width) {
    return step.rows.map((row) => {
        const className = row.includes("=") ? "formula" : "boards";
        return {
            key: className,
            make: () => element("div", { className }),
            fill: (div) => arrange(div, termPlans(row.map((item) => itemPlan(step, item, width)), row)),
        };
    });
}

// An operator and what follows it are one term, so that the lines of a formula break before operators.
function termPlans(plans, row) {
    const isOperator = (i) => typeof row[i] === "string" && /^\W+$/.test(row[i]) && row[i] !== ",";
    return plans.flatMap((plan, i) => {
        if (i && isOperator(i - 1)) {
            return [];
        }
        const term = isOperator(i) && i + 1 < plans.length ? [plan, plans[i + 1]] : [plan];
        return term.length === 1 ? term : [{
            key: `term ${term.map(({ key }) => key).join(" ")}`,
            make: () => element("div", { className: "term" }),
            fill: (div) => arrange(div, term),
        }];
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
    const here = told.findIndex(({ places }) => places.includes(state.step - 1));
    const found = here < 0 ? told.findIndex(({ places }) => places.at(-1) + 1 >= state.step) : here;
    return { at: (found < 0 ? told.length - 1 : found) + 1, of: told.length };
}

// With another occupancy a loop may take more or fewer steps: the reader stays at the same idea.
function keepIdea() {
    if (!state.calls && state.idea !== null) {
        state.step = (told.find(({ number }) => number >= state.idea) ?? told.at(-1)).places.at(-1) + 1;
    }
}

function drawIdea({ sentence, places, about }) {
    arrange(byId("step"), [textPlan(sentence, () => element("h3", { className: "idea" }, sentence))]);
    arrange(byId("step-boards"), places.flatMap((place) => {
        const step = explanation.steps[place];
        const width = indexWidth(step);
        const [where, why] = [`step ${place + 1}: ${step.name}`, about.get(step.site)];
        const line = textPlan(`${step.code} ${where}`, () => element("p", { className: "line" }, codeElement(step.code), " ",
            element("small", {}, where), ...(why ? [element("br"), why] : [])));
        return [...(step.what === "given" ? [] : [line]), ...numberPlans(step, width), ...formulaPlans(step, width), ...gatherings(step)];
    }));
}

function drawCall(step) {
    const width = indexWidth(step);
    arrange(byId("step"), [
        textPlan(step.code, () => element("h3", {}, codeElement(step.code))),
        textPlan(`${step.sentence} ${step.module} ${step.line}`, () =>
            element("p", {}, step.sentence, " ", element("small", {}, `${step.module}, line ${step.line}`))),
        ...numberPlans(step, width),
    ]);
    arrange(byId("step-boards"), [...formulaPlans(step, width), ...gatherings(step)]);
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
        state.idea = told[at - 1].number;
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
