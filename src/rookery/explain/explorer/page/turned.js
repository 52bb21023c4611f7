// Turned boards: where each bit goes, and where the lines lie that the boards are turned for.

// By what the boards are called: two bits on one of its lines, whether two bits share one, and which piece asks for it.
const TURNED = {
    r90: { pair: [0, 8], shares: (a, b) => (a & 7) === (b & 7), piece: "rook" },
    r45: { pair: [0, 9], shares: (a, b) => (a >> 3) - (a & 7) === (b >> 3) - (b & 7), piece: "bishop" },
    l45: { pair: [7, 14], shares: (a, b) => (a >> 3) + (a & 7) === (b >> 3) + (b & 7), piece: "bishop" },
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
            for (const step of technique.explained("queen", 0, 1n << BigInt(bit)).steps) {
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

// What the line through two bits is called: that depends on the mapping.
function lineName(pair) {
    const [a, b] = pair.map((bit) => places().indexOf(bit));
    const [right, up] = [(b % 8) - (a % 8), (b >> 3) - (a >> 3)];
    return right === 0 ? "file" : up === 0 ? "rank" : right === up ? "diagonal" : "anti-diagonal";
}

// `at` is the square of the picture to which the piece's square goes.
function turnedBoards(technique, square) {
    const found = {};
    for (const [name, goes] of Object.entries(permutationsOf(technique))) {
        const { pair, shares, piece } = TURNED[name];
        const before = goes.map((_, bit) => bit).filter((bit) => shares(bit, square));
        const after = before.map((bit) => goes[bit]).sort((a, b) => a - b);
        const line = after.reduce((word, bit) => word | (1n << BigInt(bit)), 0n);
        found[name] = { name, what: lineName(pair), piece, goes, before, after, line, at: places().indexOf(goes[square]) };
    }
    return found;
}

// The squares' names, each where its bit has gone.
function turnedTexts(board) {
    const texts = [];
    NAMES.forEach((name, square) => {
        texts[places().indexOf(board.goes[places()[square]])] = name;
    });
    return Array.from({ length: 64 }, (_, square) => texts[square] ?? "");
}

function drawTurned() {
    const boards = Object.values(turned).filter(({ piece }) => [piece, "queen"].includes(state.piece));
    byId("turned").hidden = !boards.length;
    if (boards.length) {
        write(byId("turned-text"), linesText());
    }
    arrange(byId("turned-boards"), boards.map(turnedPair));
}

// What needs no turned board, and what the piece does not ask for.
function linesText() {
    const first = squareBit() & ~7;
    const plain = `The ${lineName([0, 1])} of ${NAMES[state.square]} needs no turned board: it is bits ${first} to ${first + 7} of the`
        + ` occupancy, which lie side by side.`;
    const rest = `The boards for ${state.piece === "rook" ? "bishops" : "rooks"} are not needed here, and the steps do not make them.`;
    return [state.piece !== "bishop" && plain, state.piece !== "queen" && rest].filter(Boolean).join(" ");
}

function turnedWord({ goes }, word) {
    return bitsOf(word).reduce((sum, bit) => sum | (1n << BigInt(goes[bit])), 0n);
}

function turnedPair({ name, what, before, after, line, ...board }) {
    const here = before.reduce((word, bit) => word | (1n << BigInt(bit)), 0n);
    const occupied = occupiedWord();
    const plain = boardPlan({
        word: occupied, places: places(), marked: here, chosen: state.square, texts: NAMES,
        title: `the occupancy, with the ${what} of ${NAMES[state.square]} marked`,
    }, "the occupancy");
    const picture = boardPlan({
        word: turnedWord(board, occupied), places: places(), marked: line, chosen: board.at, texts: turnedTexts(board),
        title: `${name}: the same turned, with the ${what} marked`,
    }, name, () => [element("code", {}, name)]);
    return {
        key: [state.technique, state.mapping, state.square, name].join(),
        make: () => element("div", { className: "pair" },
            element("p", {}, `The ${what} of ${NAMES[state.square]} is bits ${before.join(", ")} of the occupancy: no shift brings`
                + ` them side by side. On `, element("code", {}, name), ` they are bits ${after[0]} to ${after.at(-1)}: a shift by`
                + ` ${after[0]} and a mask make them a number, which finds the attacks in a table.`),
            element("div", { className: "boards" })),
        fill: (pair) => arrange(pair.lastElementChild, [plain, picture]),
    };
}
