// The multiplication of a magic look-up, drawn: the relevant squares, the copies of the factor, the slot and who shares it.

// 32 occupancies for 16 slots, one of which this one shares.
const COLLISIONS = {
    technique: "magic-reduced", piece: "bishop", square: NAMES.indexOf("b1"), pieces: readFen("8/8/6p1/8/4p3/8/8/1B6"),
    mapping: "rank-little-little", step: 7, factor: null,
};
const MOST = 8; // occupancies that are drawn
let tried = { key: "", result: null }; // the last trial: it does not depend on what is occupied
let masked = ""; // what the mask was drawn for
let unfolded = { key: "", square: 0 }; // and the square whose record it used

function triedFactor(technique, piece, square, how, magic) {
    const key = [technique.name, piece, square, state.mapping, how.mask, how.fill, how.shift, magic].join();
    if (tried.key !== key) {
        tried = { key, result: trial(how, magic, (occupied) => attacksOf(technique, piece, square, occupied)) };
    }
    return tried.result;
}

function lookedUp(technique, how) {
    const key = [technique.name, state.piece, squareBit(), state.mapping].join();
    if (unfolded.key !== key) {
        unfolded = { key, square: recordSquare(technique, state.piece, squareBit(), how) };
    }
    return unfolded.square;
}

function drawMask(technique, piece, square, how) {
    const key = [technique.name, piece, square, state.mapping].join();
    if (masked === key) {
        return;
    }
    masked = key;
    const whole = attacksOf(technique, piece, square, 0n);
    const [relevant, ends] = [namesOf(how.mask, places()), namesOf(whole & ~how.mask, places())];
    arrange(byId("mask"), [boardPlan({
        word: how.mask, taken: whole & ~how.mask, places: places(), chosen: places().indexOf(square),
        title: `relevant: ${relevant}; left out: ${ends}`,
    }, "discs: relevant; crosses: left out")]);
    const count = squaresOf(how.mask, places()).length;
    byId("mask-text").textContent = `The mask keeps the squares on which a blocker makes a difference. What stands on the last`
        + ` square of a ray (${ends}) makes none: the ${piece} attacks it in any case, and nothing lies behind. Only these ends are`
        + ` left out, not the whole border: a rook on a1 still asks for a2 to a7 and b1 to g1. ${many(count, "square is", "squares are")}`
        + ` relevant here, so there are ${many(2 ** count, "relevant occupancy", "relevant occupancies")}.`
        + (how.fill ? " Black magic sets all other squares, where others clear them." : "");
}

function copyPlan(key, name, word, width, { className = "", square } = {}) {
    return {
        key: `${key} ${word}`,
        make: () => {
            const bits = word.toString(2).padStart(64, "0").replaceAll("0", "·");
            return element("tr", { className }, element("th", { scope: "row" }, name),
                element("td", { className: "index" }, bits.slice(0, width)), element("td", {}, bits.slice(width)));
        },
        fill: (row) => {
            const blocker = blockers.get(square);
            if (blocker !== undefined && row.blocker !== blocker) {
                row.blocker = blocker;
                row.style = blockerStyle(blocker);
                row.dataset.blocker = square;
            }
        },
    };
}

function indexText(index, width) {
    return `${index.toLocaleString("en")} = ${binary(index, width)}`;
}

function drawCopies(square, how, magic, index) {
    const width = 64 - Number(how.shift);
    const isTurned = square !== squareBit(); // a folded look-up: its squares are not those of the position
    const copies = squaresOf(multiplied(how.occupied, how), places()).map((from) => {
        const bit = places()[from];
        const name = `${NAMES[from]} is bit ${bit}: factor << ${bit}`;
        return copyPlan(name, name, BigInt.asUintN(64, magic << BigInt(bit)), width, isTurned ? {} : { square: from });
    });
    arrange(byId("copies"), [{
        key: [width, isTurned].join(),
        make: () => element("table", {}, element("thead", {}, element("tr", {}, element("td", {}),
            ...["index", "shifted away"].map((text) => element("th", { scope: "col" }, text)))), element("tbody", {})),
        fill: (table) => arrange(table.tBodies[0], [copyPlan("", "the factor", magic, width), ...copies,
            copyPlan("sum", "the sum", productOf(how.occupied, how, magic), width, { className: "sum" })]),
    }]);
    const entry = explanation.steps.at(-1).parts.at(-1);
    const slot = entry?.table
        ? ` The square's own offset is added: slot ${entry.slot.toLocaleString("en")} of ${entry.slots.toLocaleString("en")}.`
        : "";
    const own = ` The technique's own factor gives ${indexText(indexOf(how.occupied, how), width)}.`;
    write(byId("index-text"), `To multiply is to add: each occupied relevant square adds a copy of the factor, shifted by the`
        + ` number of its bit. A factor is magic if occupancies that lead to different attacks never get the same top ${width} bits`
        + ` of the sum. These are the index: ${indexText(index, width)}.${state.factor === null ? slot : own}`);
    byId("factor").value = document.activeElement === byId("factor") ? byId("factor").value : hex(magic);
}

function occupancyPlan(technique, piece, square, occupied, text, className = "") {
    const attacks = attacksOf(technique, piece, square, occupied);
    return boardPlan({
        word: attacks | occupied, places: places(), occupied: squaresOf(occupied, places()),
        chosen: places().indexOf(square), colours: square === squareBit() ? blockers : new Map(),
        title: `blockers ${namesOf(occupied, places()) || "none"}, attacked ${namesOf(attacks, places())}`,
    }, `${className} ${text}`, () => [element("span", { className }, text)]);
}

function drawSharers(technique, piece, square, how, magic, { slots, sets, clash, size }) {
    const relevant = how.occupied & how.mask;
    const slot = slots.get(indexOf(relevant, how, magic)).occupied;
    const alike = sets.get(attacksOf(technique, piece, square, relevant));
    byId("shared").textContent = `Different occupancies may lead to the same attacks, since nothing behind a blocker counts:`
        + ` ${size.toLocaleString("en")} occupancies here lead to only ${many(sets.size, "set", "different sets")} of squares, and`
        + ` ${many(alike.length - 1, "other leads", "others lead")} to the same as this one. Only occupancies with the same attacks may`
        + ` share a slot (a constructive collision), since a slot holds one answer. With this factor,`
        + ` ${many(slot.length - 1, "other occupancy gets", "other occupancies get")} this index.`;
    if (slots.size === size) {
        byId("shared").append(" Each occupancy has a slot of its own. A narrower index makes collisions necessary: ",
            element("a", { href: addressOf({ ...state, ...COLLISIONS }) }, "a bishop on b1 by magic-reduced"), ".");
    }
    const all = [...new Set([relevant, ...slot, ...alike])];
    const others = all.slice(0, MOST);
    if (all.length > MOST) {
        byId("shared").append(` ${MOST - 1} of these others are drawn; ${many(all.length - MOST, "more exists", "more exist")}.`);
    }
    arrange(byId("sharing"), others.map((other) => {
        const index = `index ${indexOf(other, how, magic).toLocaleString("en")}`;
        const same = alike.includes(other) ? "attacks the same" : "attacks other squares";
        const text = other === relevant ? "this one" : slot.includes(other) ? `shares the slot, ${same}` : same;
        const kind = !alike.includes(other) ? "bad" : slot.includes(other) ? "good" : "";
        return occupancyPlan(technique, piece, square, other, `${text}: ${index}`, kind);
    }));
    const sharing = [...slots.values()].map(({ occupied }) => occupied.length).filter((count) => count > 1);
    byId("verdict").className = clash ? "bad" : "good";
    write(byId("verdict"), clash
        ? `This factor fails: two occupancies that attack different squares have the index ${clash.index.toLocaleString("en")}.`
        : `This factor works: ${size.toLocaleString("en")} relevant occupancies in ${many(slots.size, "slot", "slots")}: `
            + `${sharing.length ? `${sharing.reduce((a, b) => a + b).toLocaleString("en")} share theirs` : "none shares its slot"}.`);
    arrange(byId("clash"), (clash?.occupied ?? []).map((one) =>
        occupancyPlan(technique, piece, square, one, `clashes: index ${clash.index.toLocaleString("en")}`, "bad")));
}

function drawMagic(technique) {
    const how = multiplication(explanation.steps);
    byId("magic").hidden = !how;
    byId("own-steps").textContent = how && state.factor !== null
        ? `The steps run with the technique's own factor, not with ${hex(state.factor)}, which is tried below.` : "";
    if (!how) {
        return;
    }
    const square = lookedUp(technique, how);
    const piece = how.mask & ~attacksOf(technique, "rook", square, 0n) ? "bishop" : "rook";
    const [magic, name] = [state.factor ?? how.magic, NAMES[places().indexOf(square)]];
    write(byId("lookup"), `The look-up of the ${piece} on ${name}.`
        + (state.piece === "queen" ? " A queen is a rook and a bishop; this is her first look-up." : "")
        + (square === squareBit() ? "" : " Look-ups are folded here: the board is turned over, and then the answer back."));
    drawMask(technique, piece, square, how);
    drawCopies(square, how, magic, indexOf(how.occupied, how, magic));
    drawSharers(technique, piece, square, how, magic, triedFactor(technique, piece, square, how, magic));
}
