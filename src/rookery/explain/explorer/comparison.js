// All techniques on the position, to be sorted by any column.

const COLUMNS = [
    ["technique", (row) => row.name], ["operations", (row) => row.operations ?? Infinity],
    ["steps", (row) => row.steps ?? Infinity], ["tables, bytes", (row) => row.bytes],
    ["million queens/s", (row) => -(row.speed ?? 0)], ["answer", (row) => row.answer],
];
let rows = [];
let sortedBy = -1;

function drawComparison() {
    const head = COLUMNS.map(([text], i) => {
        const button = element("button", { type: "button" }, text);
        button.addEventListener("click", () => {
            sortedBy = i;
            drawComparison();
            document.querySelectorAll("#comparison thead button")[i].focus();
        });
        const cell = element("th", { scope: "col" }, button);
        if (i === sortedBy) {
            cell.setAttribute("aria-sort", text.startsWith("million") ? "descending" : "ascending");
        }
        return cell;
    });
    const by = COLUMNS[sortedBy]?.[1];
    const sorted = by ? rows.toSorted((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0)) : rows;
    const body = sorted.map((row) => element("tr", { className: row.name === state.technique ? "here" : "" },
        element("th", { scope: "row" }, row.name), ...[row.operations, row.steps, row.bytes, row.speed, row.answer].map((value) =>
            element("td", {}, typeof value === "number" ? value.toLocaleString("en") : value ?? ""))));
    byId("comparison").replaceChildren(element("table", {},
        element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)));
}

async function compare() {
    const [square, occupied, piece] = [squareBit(), occupiedWord(), state.piece];
    const expected = told.steps.at(-1).word;
    rows = data.cards.map(({ name, bytes, speed }) => ({ name, bytes, speed, answer: "..." }));
    const mine = rows;
    drawComparison();
    for (const row of mine) {
        const technique = loaded.get(row.name) ?? await load(row.name);
        const { steps, operations } = stepsOf(technique, piece, square, occupied);
        Object.assign(row, { steps: steps.length, operations, answer: steps.at(-1).word === expected ? "agrees" : "DIFFERS" });
        if (mine !== rows) {
            return;
        }
        drawComparison();
    }
}
