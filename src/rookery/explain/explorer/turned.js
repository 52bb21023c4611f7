// Turned boards: where each bit goes, and where the lines lie that the boards are turned for.

// By what the boards are called: what the line is, and whether two bits share one.
const TURNED = {
    r90: ["file", (a, b) => (a & 7) === (b & 7)],
    r45: ["diagonal", (a, b) => (a >> 3) - (a & 7) === (b >> 3) - (b & 7)],
    l45: ["anti-diagonal", (a, b) => (a >> 3) + (a & 7) === (b >> 3) + (b & 7)],
};
const permutations = new Map();

// `r45` of `r45` and of `o_r45`.
function turnedName(text) {
    return /^(?:o_)?(r90|r45|l45)_?$/.exec(text)?.[1];
}

// Where each bit goes on each board: what the boards are when nothing else is occupied.
function permutationsOf(technique) {
    if (!permutations.has(technique.name)) {
        const found = {};
        for (let bit = 0; bit < 64; bit++) {
            for (const step of stepsOf(technique, "queen", 0, 1n << BigInt(bit)).steps) {
                for (const { text, word } of [...step.parts, { text: step.variable, word: step.word }]) {
                    const name = turnedName(text);
                    if (name && word) {
                        (found[name] ??= [])[bit] = bitsOf(word)[0];
                    }
                }
            }
        }
        permutations.set(technique.name, found);
    }
    return permutations.get(technique.name);
}

function turnedBoards(technique, square) {
    const found = {};
    for (const [name, places] of Object.entries(permutationsOf(technique))) {
        const [what, shares] = TURNED[name];
        const before = places.map((_, bit) => bit).filter((bit) => shares(bit, square));
        const after = before.map((bit) => places[bit]).sort((a, b) => a - b);
        const line = after.reduce((word, bit) => word | (1n << BigInt(bit)), 0n);
        found[name] = { name, what, places, before, after, line };
    }
    return found;
}

// The squares' names, each where its bit has gone.
function turnedTexts(board) {
    const texts = [];
    NAMES.forEach((name, square) => {
        texts[places().indexOf(board.places[places()[square]])] = name;
    });
    return Array.from({ length: 64 }, (_, square) => texts[square] ?? "");
}

let drawnTurned = ""; // what the boards were drawn for: with another occupancy only their bits change

function drawTurned() {
    const boards = Object.values(turned);
    byId("turned").hidden = !boards.length;
    const key = [state.technique, state.square, state.mapping, Object.keys(turned)].join();
    const occupied = occupiedWord();
    if (key !== drawnTurned) {
        byId("turned-boards").replaceChildren(...boards.map(turnedPair));
        drawnTurned = key;
    }
    const figures = byId("turned-boards").querySelectorAll("svg");
    boards.flatMap((board) => [occupied, turnedWord(board, occupied)]).forEach((word, i) =>
        figures[i].querySelector(".bits").replaceWith(bitMarks({ word, places: places(), texts: true })));
}

function turnedWord({ places: goes }, word) {
    return bitsOf(word).reduce((sum, bit) => sum | (1n << BigInt(goes[bit])), 0n);
}

function turnedPair({ name, what, before, after, line, ...board }) {
    const here = before.reduce((word, bit) => word | (1n << BigInt(bit)), 0n);
    const plain = boardPicture({
        word: 0n, places: places(), marked: here, chosen: state.square, shapes: data.shapes, texts: NAMES,
        title: `the occupancy, with the ${what} of ${NAMES[state.square]} marked`,
    });
    const picture = boardPicture({
        word: 0n, places: places(), marked: line, shapes: data.shapes, texts: turnedTexts(board),
        title: `${name}: the same turned, with the ${what} marked`,
    });
    return element("div", { className: "pair" },
        element("p", {}, `The ${what} of ${NAMES[state.square]} is bits ${before.join(", ")} of the occupancy: no shift brings`
            + ` them side by side. On `, element("code", {}, name), ` they are bits ${after[0]} to ${after.at(-1)}: a shift by`
            + ` ${after[0]} and a mask make them a number, which finds the attacks in a table.`),
        element("div", { className: "boards" }, figureOf(plain, "the occupancy"), figureOf(picture, element("code", {}, name))));
}
