// The page: what is set, shown and written to the address.

const byId = (id) => document.getElementById(id);
const PIECE_NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const state = {
    fen: START, square: 4, show: "moves", piece: "rook", depth: 4, mapping: "rank-little-little", number: 0xffn, applied: [],
};
let rookery, counter; // two modules: perft counts in one while the other answers
let moves = [], pieces = new Map();
let brush = "P";

const say = (text) => {
    byId("message").textContent = text;
};
const pieceText = (letter) => `${letter === letter.toUpperCase() ? "white" : "black"} ${PIECE_NAMES[letter.toLowerCase()]}`;
const places = () => data.mappings[state.mapping];

function readPieces(fen) {
    const found = new Map();
    fen.split(/\s+/)[0].split("/").forEach((rank, i) => {
        let file = 0;
        for (const sign of rank) {
            if (/\d/.test(sign)) {
                file += Number(sign);
            } else {
                found.set(8 * (7 - i) + file++, sign);
            }
        }
    });
    return found;
}

function writePieces() {
    return [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => [...Array(8).keys()].map((file) => pieces.get(8 * rank + file) ?? "1").join("")
        .replace(/1+/g, (empty) => String(empty.length))).join("/");
}

// Castling rights whose king and rook are at home, after pieces were put or taken.
function rightsLeft() {
    const homes = { K: [4, "K", 7, "R"], Q: [4, "K", 0, "R"], k: [60, "k", 63, "r"], q: [60, "k", 56, "r"] };
    const kept = [...state.fen.split(" ")[2]].filter((sign) => {
        const [king, k, rook, r] = homes[sign] ?? [];
        return pieces.get(king) === k && pieces.get(rook) === r;
    });
    return kept.join("") || "-";
}

// Set a position, or say why the text is none.
function setFen(text) {
    try {
        rookery.setPosition(text);
    } catch (fault) {
        say(fault.message);
        return false;
    }
    state.fen = rookery.fen();
    say("");
    refresh();
    return true;
}

function putPiece(square) {
    if (brush === "" || pieces.get(square) === brush) {
        pieces.delete(square);
    } else {
        pieces.set(square, brush);
    }
    state.square = square;
    setFen(`${writePieces()} ${state.fen.split(" ")[1]} ${rightsLeft()} - 0 1`);
}

function otherSide() {
    const [first, side, rights] = state.fen.split(" ");
    setFen(`${first} ${side === "w" ? "b" : "w"} ${rights} - 0 1`);
}

function play({ move, to }) {
    rookery.setPosition(state.fen);
    rookery.makeMove(move);
    state.square = to;
    setFen(rookery.fen());
}

function press(square) {
    if (document.querySelector("input[name=mode]:checked").value === "set") {
        putPiece(square);
        return;
    }
    // Of promotions the queen comes first; the list of moves has the others.
    const move = moves.find(({ from, to }) => from === state.square && to === square);
    if (move && square !== state.square) {
        play(move);
    } else {
        state.square = square;
        refresh();
    }
}

const board = new Board({ label: "Position", press, piece: state.square });

// The squares that are marked, by what is to be shown.
function marks() {
    const words = rookery.words(), white = words[9] ? words[6] : words[5], side = (own) => (own === words[5] ? "us" : "them");
    return {
        moves: () => ({ target: moves.filter(({ from }) => from === state.square).map(({ to }) => to) }),
        attacks: () => ({ seen: squaresOf(rookery.attacksFrom(state.square)) }),
        white: () => ({ seen: squaresOf(rookery.attacksOf(side(white))) }),
        black: () => ({ seen: squaresOf(rookery.attacksOf(side(white) === "us" ? "them" : "us")) }),
        safety: () => ({ checker: squaresOf(rookery.checkers()), pinned: squaresOf(rookery.pinned()) }),
    }[state.show]();
}

const MARK_WORDS = { target: "can be reached", seen: "attacked", checker: "gives check", pinned: "pinned", selected: "selected" };

function drawBoard() {
    const found = { ...marks(), selected: [state.square] };
    NAMES.forEach((_, square) => {
        const letter = pieces.get(square) ?? "";
        const classes = Object.keys(found).filter((name) => found[name].includes(square));
        board.paint(square, {
            say: [letter ? pieceText(letter) : "empty", ...classes.map((name) => MARK_WORDS[name])].join(", "),
            piece: letter, classes: [...classes, ...(letter ? ["full"] : [])].join(" "),
        });
    });
}

function verdict() {
    const faults = rookery.faults(), side = state.fen.split(" ")[1] === "w" ? "White" : "Black";
    if (!rookery.isPlayable()) {
        return `This position cannot be played on: ${faults.join("; ")}.`;
    }
    const checkers = squaresOf(rookery.checkers()), pinned = squaresOf(rookery.pinned());
    const named = (list) => list.map((square) => NAMES[square]).join(", ");
    const facts = moves.length
        ? [checkers.length ? `in check from ${named(checkers)}` : "", pinned.length ? `pinned: ${named(pinned)}` : ""].filter(Boolean)
        : [checkers.length ? "checkmate" : "stalemate"];
    const unreachable = faults.length ? ` No game reaches this position: ${faults.join("; ")}.` : "";
    return `${side} to move${facts.length ? `, ${facts.join("; ")}` : ""}.${unreachable}`;
}

function drawMoves() {
    byId("moves-text").textContent = count(moves.length, "move");
    byId("moves").replaceChildren(...[...moves].sort((a, b) => (a.san < b.san ? -1 : 1)).map((move) =>
        button(move.san, () => play(move), { title: move.uci })));
}

// Every technique's answer about the square: the tables of one are filled at a time, so that the page answers meanwhile.
let table, waiting = 0;

function makeAnswers() {
    const head = html("tr", {}, ...["technique", "attacks"].map((name) => html("th", { scope: "col" }, name)), html("th", { scope: "col", class: "right" }, "M/s"));
    table = new Map(rookery.techniques.map((name) => [name, html("tr", {}, html("td", {}, data.portable.includes(name) ? `${name} *` : name),
        html("td", { class: "number" }), html("td", { class: "right" }))]));
    byId("answers").replaceChildren(html("table", {}, html("thead", {}, head), html("tbody", {}, ...table.values())));
}

function drawAnswers() {
    const occupied = [...pieces.keys()].reduce((word, square) => word | bit(square), 0n);
    const expected = rookery.attacks(rookery.fastest, state.piece, state.square, occupied);
    byId("asked").textContent = `on ${NAMES[state.square]} attacks ${count(squaresOf(expected).length, "square")}`;
    clearTimeout(waiting);
    const names = [...table.keys()];
    let agreed = 0;
    const next = (from) => {
        const begun = performance.now();
        for (let i = from; i < names.length; i++) {
            const found = rookery.attacks(names[i], state.piece, state.square, occupied), row = table.get(names[i]);
            agreed += found === expected;
            row.children[1].textContent = hex(found);
            row.classList.toggle("wrong", found !== expected);
            if (performance.now() - begun > 8 && i + 1 < names.length) {
                waiting = setTimeout(next, 0, i + 1);
                return;
            }
        }
        byId("agreement").textContent = agreed === names.length ? `All ${agreed} techniques agree.` : `${agreed} of ${names.length} techniques agree.`;
    };
    byId("agreement").textContent = "";
    waiting = setTimeout(next, 0, 0);
}

async function measure() {
    const size = 1 << 14, squares = new Uint8Array(size), boards = new BigUint64Array(size);
    for (let i = 0, seed = 1n; i < size; i++) {
        squares[i] = i & 63;
        seed = wrapped(seed * 6364136223846793005n + 1442695040888963407n);
        boards[i] = seed & (seed >> 7n) & wrapped(seed << 9n);
    }
    byId("measure").disabled = true;
    byId("fairness").hidden = false;
    for (const [name, row] of table) {
        row.children[2].textContent = rookery.speed(name, state.piece, squares, boards, 20).toFixed(0);
        await new Promise((done) => setTimeout(done));
    }
    byId("measure").disabled = false;
}

let running = 0;

// Counts below each move, in portions, so that the page stays awake.
async function countLeaves() {
    const mine = ++running, { depth } = state;
    counter.setPosition(state.fen);
    const rows = [], words = counter.words(), roots = counter.legalMoves();
    let nodes = depth ? 0 : 1, worked = 0, begun = performance.now();
    for (const root of depth ? roots : []) {
        counter.setWords(words);
        counter.makeMove(root.move);
        let below = 0;
        for (below of counter.counting(depth - 1)) {
            if (performance.now() - begun > 12) {
                worked += performance.now() - begun;
                byId("perft-text").textContent = `${(nodes + below).toLocaleString("en")} leaves so far`;
                await new Promise((done) => setTimeout(done));
                if (mine !== running) {
                    return;
                }
                begun = performance.now();
            }
        }
        nodes += below;
        rows.push([root.uci, below]);
    }
    worked += performance.now() - begun;
    const speed = worked > 0.5 ? `, ${(nodes / worked / 1000).toFixed(0)} million per second` : "";
    byId("perft-text").textContent = `perft(${depth}) = ${nodes.toLocaleString("en")}: ${worked.toFixed(1)} ms${speed}`;
    byId("divide").replaceChildren(...rows.map(([uci, below]) => html("div", {}, html("code", {}, uci), html("span", {}, below.toLocaleString("en")))));
    page.perft = { depth, nodes, milliseconds: worked, divide: Object.fromEntries(rows) };
}

function forgetCount() {
    running++;
    byId("perft-text").textContent = "";
    byId("divide").replaceChildren();
}

function drawTrace() {
    const trace = traced(state.number, state.applied, rookery, places());
    byId("trace").replaceChildren(...trace.map((row) => traceRow(row, places())));
    page.trace = trace;
}

function setNumber(number) {
    state.number = number;
    state.applied = [];
    if (document.activeElement !== byId("number")) {
        byId("number").value = hex(number);
    }
    drawTrace();
    writeAddress();
}

function reading(act) {
    return (event) => {
        event?.preventDefault();
        try {
            byId("number-message").textContent = "";
            act();
        } catch (fault) {
            byId("number-message").textContent = fault.message;
        }
    };
}

function apply(name) {
    state.applied.push({ name, operand: readNumber(byId("operand").value, places()) });
    drawTrace();
    writeAddress();
}

// The address.
function readAddress() {
    const given = new URLSearchParams(location.hash.slice(1)), known = (name, list) => (list.includes(given.get(name)) ? given.get(name) : state[name]);
    Object.assign(state, {
        show: known("show", ["moves", "attacks", "white", "black", "safety"]), piece: known("piece", PIECES),
        mapping: known("mapping", Object.keys(data.mappings)), square: Math.max(NAMES.indexOf(given.get("square") ?? NAMES[state.square]), 0),
        depth: Number(known("depth", ["0", "1", "2", "3", "4", "5", "6", "7"])),
    });
    try {
        state.number = given.has("x") ? readNumber(given.get("x"), places()) : state.number;
        state.applied = (given.get("steps") ?? "").split(",").filter(Boolean).map((step) => {
            const [name, operand = "0"] = step.split(".");
            if (!Object.hasOwn(OPERATIONS, name)) {
                throw new Error(`Address: "${name}": no operation has this name`);
            }
            return { name, operand: readNumber(operand, places()) };
        });
    } catch (fault) {
        byId("number-message").textContent = fault.message;
    }
    document.body.classList.toggle("embed", given.get("embed") === "1");
    return given.get("fen") ?? state.fen;
}

let written = 0;

function addressOf() {
    const { fen, square, show, piece, depth, mapping, number, applied } = state;
    const steps = applied.map(({ name, operand }) => `${name}.${hex(operand)}`).join(",");
    const embed = document.body.classList.contains("embed") ? { embed: "1" } : {};
    return `#${new URLSearchParams({ fen, square: NAMES[square], show, piece, depth, mapping, x: hex(number), ...(steps ? { steps } : {}), ...embed })}`;
}

// At most five times per second: browsers refuse more in the long run.
function writeAddress() {
    clearTimeout(written);
    written = setTimeout(() => history.replaceState(null, "", addressOf()), 200);
}

function refresh() {
    pieces = readPieces(state.fen);
    moves = rookery.isPlayable() ? rookery.legalMoves() : [];
    if (document.activeElement !== byId("fen")) {
        byId("fen").value = state.fen;
    }
    byId("state").textContent = verdict();
    drawBoard();
    drawMoves();
    drawAnswers();
    forgetCount();
    writeAddress();
}

function showSettings() {
    byId("piece").value = state.piece;
    byId("mapping").value = state.mapping;
    byId("depth").value = String(state.depth);
    byId("number").value = hex(state.number);
    document.querySelector(`input[name=show][value=${state.show}]`).checked = true;
}

function on(id, what, act) {
    byId(id).addEventListener(what, act);
}

function listen() {
    on("fen-form", "submit", (event) => {
        event.preventDefault();
        if (setFen(byId("fen").value)) {
            byId("fen").value = state.fen;
        }
    });
    on("start", "click", () => setFen(START));
    on("empty", "click", () => setFen("8/8/8/8/8/8/8/8 w - - 0 1"));
    on("turn", "click", otherSide);
    on("shows", "change", ({ target }) => {
        state.show = target.value;
        drawBoard();
        writeAddress();
    });
    on("brush", "change", ({ target }) => {
        brush = target.value;
        document.querySelector("input[name=mode][value=set]").checked = true;
    });
    on("piece", "change", ({ target }) => {
        state.piece = target.value;
        drawAnswers();
        writeAddress();
    });
    on("measure", "click", measure);
    on("depth", "change", ({ target }) => {
        state.depth = Number(target.value);
        forgetCount();
        writeAddress();
    });
    on("perft-form", "submit", (event) => {
        event.preventDefault();
        countLeaves();
    });
    on("number-form", "submit", reading(() => setNumber(readNumber(byId("number").value, places()))));
    on("operand-form", "submit", (event) => event.preventDefault());
    on("from-position", "click", () => {
        byId("number-message").textContent = "";
        setNumber([...pieces.keys()].reduce((word, square) => word | bit(places()[square]), 0n));
    });
    on("mapping", "change", ({ target }) => {
        state.mapping = target.value;
        drawTrace();
        writeAddress();
    });
    on("undo", "click", () => {
        state.applied.pop();
        drawTrace();
        writeAddress();
    });
    on("clear-steps", "click", () => setNumber(state.number));
    window.addEventListener("hashchange", () => {
        const fen = readAddress();
        showSettings();
        setFen(fen);
        drawTrace();
    });
    window.addEventListener("message", ({ source, data: message }) => {
        if (source === window.parent && ["light", "dark", "auto"].includes(message?.explorerTheme)) {
            document.documentElement.dataset.theme = message.explorerTheme;
        }
    });
}

const page = { state, ready: false };
window.tryIt = page; // tests read it

async function begin() {
    const bytes = await unpacked(PACKED);
    [rookery, counter] = await Promise.all([instantiated(bytes), instantiated(bytes)]);
    byId("board").append(board.element);
    byId("depth").append(...[...Array(8).keys()].map((depth) => html("option", {}, String(depth))));
    byId("mapping").append(...Object.keys(data.mappings).map((name) => html("option", {}, name)));
    byId("brush").append(html("option", { value: "" }, "nothing"), ...[..."PNBRQKpnbrqk"].map((letter) => html("option", { value: letter }, pieceText(letter))));
    byId("brush").value = brush;
    byId("operations").append(...Object.entries(OPERATIONS).map(([name, { label }]) => button(label, reading(() => apply(name)), { "data-operation": name })));
    makeAnswers();
    const fen = readAddress();
    showSettings();
    if (!setFen(fen)) {
        const fault = byId("message").textContent;
        setFen(START);
        say(`Address: ${fault}`);
    }
    drawTrace();
    listen();
    Object.assign(page, { ready: true, rookery, board, moves: () => moves, addressOf, OPERATIONS });
    if (window.parent !== window) {
        window.parent.postMessage({ explorerHeight: Math.ceil(document.body.offsetHeight) + 4 }, "*");
    }
}

begin();
