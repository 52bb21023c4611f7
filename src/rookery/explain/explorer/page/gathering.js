// What PEXT gathers, drawn: a line for each bit of the index, with the square that it comes from.

function gatherings(step) {
    const wordOfPart = (name) => step.parts.find(({ text }) => text === name).word;
    return step.parts.flatMap(({ text }) => {
        const found = /^pext\((\w+), (\w+)\)$/.exec(text);
        return found ? [gatheringPlan(text, wordOfPart(found[1]), wordOfPart(found[2]))] : [];
    });
}

function gatheringPlan(text, word, mask) {
    return {
        key: `${text} ${mask} ${state.mapping}`,
        make: () => {
            const head = element("tr", {}, ...["index", "square", "occupied"].map((name) => element("th", { scope: "col" }, name)));
            return element("table", { className: "gathering" }, element("caption", {}, element("code", {}, text)),
                element("thead", {}, head), element("tbody", {}));
        },
        fill: (table) => arrange(table.tBodies[0], bitsOf(mask).map((from, bit) => gatheredBit(bit, from, (word >> BigInt(from)) & 1n))),
    };
}

function gatheredBit(bit, from, isSet) {
    const square = places().indexOf(from);
    const blocker = blockers.get(square) ?? 0;
    return textPlan([bit, isSet, blocker].join(), () => {
        const row = element("tr", isSet ? { className: "set", style: blockerStyle(blocker) } : {},
            element("th", { scope: "row" }, `bit ${bit}`), element("td", {}, NAMES[square]), element("td", {}, String(isSet)));
        if (isSet) {
            row.dataset.blocker = square;
        }
        return row;
    });
}
