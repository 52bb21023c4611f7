// What is shown, and how it is read and written. All that is typed or stands in the address is read strictly.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const START = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
const PANELS = ["position", "steps", "turned", "magic", "comparison"]; // parts that can stand alone, with the board
const state = {
    technique: "magic-fancy", piece: "rook", square: 27, mapping: "rank-little-little", pieces: readFen(START),
    step: 1, idea: null, factor: null, bits: false, embed: false, calls: false, panel: "",
};

function readFen(text) {
    const ranks = text.trim().split(/\s+/)[0].split("/");
    if (ranks.length !== 8) {
        throw new Error(`FEN: "${text}" has ${many(ranks.length, "rank", "ranks")}, expected 8 with / between them`);
    }
    const pieces = new Map();
    ranks.forEach((rank, i) => {
        let file = 0;
        for (const sign of rank) {
            if (/[1-8]/.test(sign)) {
                file += Number(sign);
            } else if (/[pnbrqk]/i.test(sign)) {
                pieces.set(8 * (7 - i) + file++, sign);
            } else {
                throw new Error(`FEN, rank ${8 - i}: unexpected "${sign}", expected one of PNBRQKpnbrqk or 1 to 8`);
            }
        }
        if (file !== 8) {
            throw new Error(`FEN, rank ${8 - i}: "${rank}" has ${many(file, "square", "squares")}, expected 8`);
        }
    });
    return pieces;
}

function writeFen(pieces = state.pieces) {
    const ranks = [];
    for (let rank = 7; rank >= 0; rank--) {
        let text = "";
        for (let file = 0; file < 8; file++) {
            text += pieces.get(8 * rank + file) ?? "1";
        }
        ranks.push(text.replace(/1+/g, (empty) => String(empty.length)));
    }
    return ranks.join("/");
}

function readFactor(text) {
    if (!/^0x[0-9a-f]{1,16}$/i.test(text.trim())) {
        throw new Error(`Factor: "${text}": expected 0x and 1 to 16 hexadecimal digits, like 0x0008001010010200`);
    }
    return BigInt(text.trim());
}

function readAddress(address = location.href) {
    const given = new URLSearchParams(new URL(address).hash.slice(1));
    const one = (name, known) => (known.includes(given.get(name)) ? given.get(name) : state[name]);
    state.technique = one("technique", data.cards.map((card) => card.name));
    state.piece = one("piece", Object.keys(SLIDERS));
    state.mapping = one("mapping", Object.keys(data.mappings));
    const square = NAMES.indexOf(given.get("square"));
    state.square = square < 0 ? state.square : square;
    const step = Number(given.get("step"));
    state.step = Number.isInteger(step) && step > 0 ? step : 1;
    state.idea = null;
    state.bits = given.get("bits") === "1";
    state.embed = given.get("embed") === "1";
    state.calls = given.get("calls") === "1";
    state.panel = PANELS.includes(given.get("panel")) ? given.get("panel") : "";
    try {
        state.pieces = given.has("fen") ? readFen(given.get("fen").slice(0, 120)) : state.pieces;
        state.factor = given.has("factor") ? readFactor(given.get("factor")) : null;
    } catch (fault) {
        say(`Address: ${fault.message}`);
    }
}

let written = 0;

// The end of the address at which a state is shown.
function addressOf({ technique, piece, square, pieces, mapping, step, factor, bits, embed, calls, panel }) {
    const words = new URLSearchParams({ technique, piece, square: NAMES[square], fen: writeFen(pieces), mapping, step });
    const others = {
        factor: factor === null ? "" : hex(factor), bits: bits && "1", embed: embed && "1", calls: calls && "1", panel,
    };
    for (const [name, value] of Object.entries(others)) {
        if (value) {
            words.set(name, value);
        }
    }
    return `#${words}`;
}

// At most five times per second: browsers refuse more in the long run.
function writeAddress() {
    clearTimeout(written);
    written = setTimeout(() => history.replaceState(null, "", addressOf(state)), 200);
}

function say(text) {
    byId("message").textContent = text;
}

function places() {
    return data.mappings[state.mapping];
}

function squareBit() {
    return places()[state.square];
}

function occupiedWord() {
    return wordOf([...state.pieces.keys()], places());
}
