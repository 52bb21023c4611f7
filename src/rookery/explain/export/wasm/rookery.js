// The kernels of rookery as WebAssembly: attacks by every technique, legal moves and perft. Boards are BigInts, squares
// are numbers from 0 (a1) to 63 (h8).
//
//     import { load } from "./rookery.mjs";
//     const rookery = await load();
//     rookery.attacks("magic-fancy", "rook", 27, 1n << 43n);
//     rookery.setPosition("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
//     rookery.legalMoves().map(({ san }) => san);
//     rookery.perft(5);

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
export const PIECES = ["rook", "bishop", "queen"];
const FACTS = /* FACTS */;
const PORTION = 30000; // positions that are visited between two looks at the clock
const PAGE = 65536;
const RESERVED = 1 << 14; // elements of arrays for which there is memory from the beginning

const word = (signed) => BigInt.asUintN(64, signed);

export function squareName(square) {
    return "abcdefgh"[square & 7] + ((square >> 3) + 1);
}

// The squares of a board, lowest first.
export function squaresOf(board) {
    const found = [];
    for (let rest = board, square = 0; rest; rest >>= 1n, square++) {
        if (rest & 1n) {
            found.push(square);
        }
    }
    return found;
}

export class Rookery {
    #code;
    #filled = new Set();
    #room = 0; // where the arrays of `manyAttacks` begin
    #counters = [0, 1];
    #chess960 = false; // whether castling is written as the king's move to its rook

    constructor(code) {
        this.#code = code;
        this.techniques = Object.keys(code).filter((name) => name.endsWith(".fill")).map((name) => name.slice(0, -5));
        this.#reserve(RESERVED);
        this.fastest = FACTS.technique; // it answers for sliders in positions
        this.setPosition(START);
    }

    // The address of an array of the module.
    #at(name) {
        return this.#code[name].value;
    }

    #bytes(name, length) {
        return new Uint8Array(this.#code.memory.buffer, this.#at(name), length);
    }

    // Fills the tables of a technique, once: this takes up to some 30 ms.
    prepare(technique) {
        if (!this.#filled.has(technique)) {
            if (!this.techniques.includes(technique)) {
                throw new RangeError(`technique: "${technique}": expected one of ${this.techniques.join(", ")}`);
            }
            this.#code[`${technique}.fill`]();
            this.#filled.add(technique);
        }
    }

    attacks(technique, piece, square, occupied) {
        this.prepare(technique);
        return word(this.#code[`${technique}.${piece}`](square, occupied));
    }

    // The attacks for arrays: squares in a Uint8Array, occupancies in a BigUint64Array of the same length.
    manyAttacks(technique, piece, squares, occupied) {
        this.prepare(technique);
        const places = this.#copied(squares, occupied);
        this.#code[`${technique}.${piece}s`](...places, squares.length);
        return new BigUint64Array(this.#code.memory.buffer, places[2], squares.length).slice();
    }

    // To time `manyAttacks` for the same arrays again and again: `copy()` copies them to the module's memory, then each
    // `run()` answers for all, and `answers()` returns the last answers.
    looping(technique, piece, squares, occupied) {
        this.prepare(technique);
        const code = this.#code[`${technique}.${piece}s`];
        let places;
        return {
            copy: () => {
                places = this.#copied(squares, occupied);
            },
            run: () => code(...places, squares.length),
            answers: () => new BigUint64Array(this.#code.memory.buffer, places[2], squares.length).slice(),
        };
    }

    // Million answers per second for such arrays, over at least so many milliseconds.
    speed(technique, piece, squares, occupied, milliseconds = 50) {
        const { copy, run } = this.looping(technique, piece, squares, occupied);
        let done = 0, passed = 0;
        copy();
        run();
        for (const begun = performance.now(); passed < milliseconds; passed = performance.now() - begun) {
            run();
            done += squares.length;
        }
        return done / passed / 1000;
    }

    // A table of a technique as the module has it, as an array of a type. Arrays of more than `RESERVED` elements in
    // `manyAttacks` make it useless: the memory grows.
    table(technique, field, Type) {
        this.prepare(technique);
        const { memory } = this.#code, address = this.#code[`${technique}:${field}`]();
        return new Type(memory.buffer, address, FACTS.tables[technique][field]);
    }

    #reserve(n) {
        const { memory } = this.#code;
        this.#room ||= memory.grow(1) * PAGE;
        const missing = this.#room + 24 * n + 16 - memory.buffer.byteLength;
        if (missing > 0) {
            memory.grow(Math.ceil(missing / PAGE));
        }
    }

    #copied(squares, occupied) {
        const { memory } = this.#code, n = squares.length;
        this.#reserve(n);
        const boards = this.#room, out = boards + 8 * n, first = out + 8 * n;
        new BigUint64Array(memory.buffer, boards, n).set(occupied);
        new Uint8Array(memory.buffer, first, n).set(squares);
        return [first, boards, out];
    }

    // Sets the position that all that follows is about. A text that is not a FEN is an Error that says why.
    setPosition(fen) {
        this.prepare(FACTS.technique);
        const text = new TextEncoder().encode(fen.trim());
        const refused = text.length > FACTS.longest ? 1 : this.#read(text);
        if (refused) {
            const fields = fen.trim().split(/\s+/), place = Number(this.#report()[2]);
            throw new Error(FACTS.refusals[refused].replace(/\{(\d)\}/g, (_, n) => fields[n] ?? "").replace("{sign}", fen.trim()[place]));
        }
        this.#counters = [...this.#report().slice(0, 2)].map(Number);
        this.#chess960 = this.#report()[3] !== 0n;
    }

    #read(text) {
        this.#bytes("text", FACTS.longest).set(text);
        return this.#code.read_fen(text.length);
    }

    #report() {
        return new BigInt64Array(this.#code.memory.buffer, this.#at("report"), 4);
    }

    // The words of the position: pawns, knights, diagonals, orthogonals, kings, us, them, castling, en passant, turn, ...
    words() {
        return new BigUint64Array(this.#code.memory.buffer, this.#at("position"), FACTS.words).slice();
    }

    setWords(words) {
        new BigUint64Array(this.#code.memory.buffer, this.#at("position"), FACTS.words).set(words);
    }

    fen() {
        return `${this.#written(this.#code.write_fen())} ${this.#counters.join(" ")}`;
    }

    #written(length) {
        return new TextDecoder().decode(this.#bytes("text", length));
    }

    // Why the position cannot be played on or occurs in no game, in words; none if a game may reach it.
    faults() {
        const mask = word(this.#code.faults());
        return [...new Set(FACTS.faults.filter((_, n) => (mask >> BigInt(n)) & 1n))];
    }

    // Whether the position can be played on: it may still be one that no game reaches.
    isPlayable() {
        return (word(this.#code.faults()) & ~BigInt(FACTS.unreachable)) === 0n;
    }

    // The legal moves, in the generator's order: `move` (16 bits), `from`, `to`, `uci` and `san`.
    legalMoves() {
        const number = this.#code.legal_moves();
        const moves = [...new Uint16Array(this.#code.memory.buffer, this.#at("moves"), number)];
        return moves.map((move) => ({ ...this.#described(move), san: this.#written(this.#code.write_san(move)) }));
    }

    #described(move) {
        const from = move & 63, kind = move >> 14, stored = (move >> 6) & 63;
        const to = kind === 3 ? (from & 56) | (stored > from ? 6 : 2) : stored; // castling is stored as the move to the rook
        const becomes = kind === 1 ? "nbrq"[(move >> 12) & 3] : "";
        return { move, from, to, becomes, uci: squareName(from) + squareName(this.#chess960 ? stored : to) + becomes };
    }

    makeMove(move) {
        const [pawns, , , , , , them, , , turn] = this.words(), { from, to } = this.#described(move);
        const resets = (pawns & (1n << BigInt(from))) | (them & (1n << BigInt(to)));
        this.#counters = [resets ? 0 : this.#counters[0] + 1, this.#counters[1] + Number(turn)];
        this.#code.make_move(move);
    }

    // The pieces that give check, and those of the side to move that are pinned to their king.
    checkers() {
        return word(this.#code.checkers());
    }

    pinned() {
        return word(this.#code.pinned());
    }

    // What the piece on a square attacks.
    attacksFrom(square) {
        return word(this.#code.attacks_from(square));
    }

    // All squares that a side attacks: "us", the side to move, or "them".
    attacksOf(side) {
        return squaresOf(this.words()[side === "us" ? 5 : 6]).reduce((all, square) => all | this.attacksFrom(square), 0n);
    }

    // Counts the leaves `depth` plies below the position, and yields the count so far between portions of a few milliseconds.
    *counting(depth) {
        if (!(Number.isInteger(depth) && depth >= 0 && depth <= FACTS.plies)) {
            throw new RangeError(`depth: ${depth}: expected 0 to ${FACTS.plies}`);
        }
        const moves = this.#code.begin_perft();
        if (depth < 2) {
            yield depth ? moves : 1;
            return;
        }
        let nodes = 0;
        while (!this.#code.perft_is_done()) {
            nodes += Number(this.#code.continue_perft(depth - 2, depth, PORTION));
            yield nodes;
        }
    }

    perft(depth) {
        let nodes = 0;
        for (nodes of this.counting(depth)) { /* the last is the whole count */ }
        return nodes;
    }

    // The count below each legal move. The position must not change before all are counted.
    *divide(depth) {
        const words = this.words();
        for (const move of this.legalMoves()) {
            this.#code.make_move(move.move);
            const nodes = this.perft(depth - 1);
            this.setWords(words);
            yield { ...move, nodes };
        }
    }
}

export async function instantiated(bytes) {
    return new Rookery((await WebAssembly.instantiate(bytes, {})).instance.exports);
}

// The bytes of a text that is deflated and in base64.
export function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

// Loads the module: from the file next to this one, or from bytes, a Response or an address.
export async function load(source = new URL("rookery.wasm", import.meta.url)) {
    let bytes = await source;
    if (typeof bytes === "string" || bytes instanceof URL) {
        const address = new URL(bytes, import.meta.url);
        bytes = address.protocol === "file:" && typeof process !== "undefined"
            ? await (await import("node:fs/promises")).readFile(address)
            : await fetch(address);
    }
    if (typeof Response !== "undefined" && bytes instanceof Response) {
        bytes = await bytes.arrayBuffer();
    }
    return instantiated(bytes);
}
