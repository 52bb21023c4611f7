// All techniques on the position, to be sorted by any column.

const COLUMNS = [
    ["technique", (row) => row.name], ["operations", (row) => row.operations ?? Infinity],
    ["steps", (row) => row.steps ?? Infinity], ["tables, bytes", (row) => row.bytes],
    ["million queens/s", (row) => -(row.speed ?? 0)], ...(data.kernels ? [["million here/s", (row) => -(row.here ?? 0)]] : []),
    ["answer", (row) => row.answer],
];
let rows = [];
let compared = ""; // the position that they are of

function fillRow(row) {
    const values = [row.operations, row.steps, row.bytes, row.speed, ...(data.kernels ? [row.here] : []), row.answer];
    const name = data.kernels && data.portable.includes(row.name) ? `${row.name} *` : row.name;
    row.element.replaceChildren(element("th", { scope: "row" }, name), ...values.map((value) =>
        element("td", {}, typeof value === "number" ? value.toLocaleString("en") : value ?? "")));
}

function sortBy(column, heading) {
    const by = COLUMNS[column][1];
    const body = heading.closest("table").tBodies[0];
    body.append(...rows.toSorted((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0)).map((row) => row.element));
    heading.closest("tr").querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", COLUMNS[column][0].startsWith("million") ? "descending" : "ascending");
}

function comparisonTable() {
    const headings = COLUMNS.map(([text], column) => {
        const button = element("button", { type: "button" }, text);
        const heading = element("th", { scope: "col" }, button);
        button.addEventListener("click", () => sortBy(column, heading));
        return heading;
    });
    return element("table", {}, element("thead", {}, element("tr", {}, ...headings)),
        element("tbody", {}, ...rows.map((row) => row.element)));
}

function positionKey() {
    return [state.piece, state.square, state.mapping, writeFen()].join();
}

// Remove results that belong to another position.
function forgetComparison() {
    if (compared !== positionKey()) {
        rows = [];
        byId("comparison").replaceChildren();
    }
}

async function compare() {
    compared = positionKey();
    const [square, occupied, piece] = [squareBit(), occupiedWord(), state.piece];
    const expected = explanation.steps.at(-1).word;
    const mine = rows = data.cards.map(({ name, bytes, speed }) => {
        const className = name === state.technique ? "here" : "";
        return { name, bytes, speed, answer: "...", element: element("tr", { className }) };
    });
    mine.forEach(fillRow);
    byId("comparison").replaceChildren(comparisonTable());
    const loading = mine.map(({ name }) => loaded.get(name) ?? load(name)); // all at once: they are unpacked beside each other
    for (const [i, row] of mine.entries()) {
        const technique = await loading[i];
        if (mine !== rows) {
            return;
        }
        fillFor(technique, square);
        const { steps, operations, answer } = technique.counted(piece, square, occupied);
        fillRow(Object.assign(row, { steps, operations, answer: answer === expected ? "agrees" : "DIFFERS" }));
    }
    if (kernels) {
        await measure(mine);
    }
}

// Queens by each technique over the same arrays of squares and random boards.
async function measure(mine) {
    const [squares, boards] = [new Uint8Array(1 << 13), new BigUint64Array(1 << 13)];
    let random = 1n;
    boards.forEach((_, i) => {
        random = BigInt.asUintN(64, random * 6364136223846793005n + 1442695040888963407n);
        squares[i] = i & 63;
        boards[i] = random & (random >> 9n) & BigInt.asUintN(64, random << 7n);
    });
    for (const row of mine) {
        row.here = Math.round(kernels.speed(row.name, "queen", squares, boards, 10));
        fillRow(row);
        await new Promise((done) => setTimeout(done));
        if (mine !== rows) {
            return;
        }
    }
}
