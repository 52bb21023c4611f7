// All techniques on the position, to be sorted by any column.

const COLUMNS = [
    ["technique", (row) => row.name], ["operations", (row) => row.operations ?? Infinity],
    ["steps", (row) => row.steps ?? Infinity], ["tables, bytes", (row) => row.bytes],
    ["million queens/s", (row) => -(row.speed ?? 0)], ["answer", (row) => row.answer],
];
let rows = [];
let compared = ""; // the position that they are of

function fillRow(row) {
    const values = [row.operations, row.steps, row.bytes, row.speed, row.answer];
    row.element.replaceChildren(element("th", { scope: "row" }, row.name), ...values.map((value) =>
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
}
