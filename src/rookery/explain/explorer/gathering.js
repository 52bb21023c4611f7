// What PEXT gathers, drawn: a line for each bit of the index, with the square that it comes from.

function gatherings(step) {
    const wordOfPart = (name) => step.parts.find(({ text }) => text === name).word;
    return step.parts.flatMap(({ text }) => {
        const found = /^pext\((\w+), (\w+)\)$/.exec(text);
        return found ? [gatheringTable(text, wordOfPart(found[1]), wordOfPart(found[2]))] : [];
    });
}

function gatheringTable(text, word, mask) {
    const rows = bitsOf(mask).map((from, bit) => {
        const isSet = (word >> BigInt(from)) & 1n;
        return element("tr", { className: isSet ? "set" : "" }, element("th", { scope: "row" }, `bit ${bit}`),
            element("td", {}, NAMES[places().indexOf(from)]), element("td", {}, String(isSet)));
    });
    const head = element("tr", {}, ...["index", "square", "occupied"].map((name) => element("th", { scope: "col" }, name)));
    return element("table", { className: "gathering" }, element("caption", {}, element("code", {}, text)),
        element("thead", {}, head), element("tbody", {}, ...rows));
}
