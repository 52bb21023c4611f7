// The searches of the figure `factor-search`, without its drawing. The dives of the construction are those of the library, number
// by number, so that seed 0 finds the library's factor.

import { beginDive, bishopAttacks, golden, isFactor, layCopy, masks, mixed, narrower as knownNarrower, nodes, rookAttacks, tables } from "../search_kernels.js";

const BATCH = 32; // tries between two looks at the clock

// What is to be found: `narrower` is by how many bits the index is narrower than the mask.
export function begins(piece, square, narrower) {
    const mask = masks[piece][square];
    const squares = [];
    for (let rest = mask; rest; rest &= rest - 1n) {
        squares.push(BigInt((rest & -rest).toString(2).length - 1));
    }
    const attacks = piece === "rook" ? rookAttacks : bishopAttacks;
    const occupancies = Array.from({ length: 2 ** squares.length }, (_, n) => squares.reduce((word, bit, i) => ((n >> i) & 1 ? word | (1n << bit) : word), 0n));
    const marks = occupancies.map((occupied) => attacks(square, occupied));
    const bits = squares.length - narrower;
    return { piece, square, mask, bits, narrower, occupancies, marks, sets: new Set(marks).size, shift: BigInt(64 - bits) };
}

function fill(table, words) {
    words.forEach((word, i) => {
        table[2 * i] = Number(BigInt.asIntN(32, word));
        table[2 * i + 1] = Number(BigInt.asIntN(32, word >> 32n));
    });
}

function read(table, i) {
    return (BigInt(table[2 * i + 1] >>> 0) << 32n) | BigInt(table[2 * i] >>> 0);
}

// Whether every occupancy finds its own attacks, by a table that is filled and looked up.
export function verified({ occupancies, marks, shift }, factor) {
    const slot = (occupied) => BigInt.asUintN(64, occupied * factor) >> shift;
    const table = new Map(occupancies.map((occupied, i) => [slot(occupied), marks[i]]));
    return occupancies.every((occupied, i) => table.get(slot(occupied)) === marks[i]);
}

let epoch = 0n;
let current; // the task whose occupancies are in the kernels' tables

function works(task, factor) {
    if (current !== task) {
        current = task;
        fill(tables.OCCUPIED_TABLE, task.occupancies);
        fill(tables.MARKS_TABLE, task.marks);
    }
    epoch += 1n;
    return isFactor(factor, task.shift, 0n, BigInt(task.occupancies.length), epoch) !== 0n;
}

export class Random {
    constructor(task, draw) {
        Object.assign(this, { task, draw, tries: 0, milliseconds: 0, done: false });
    }

    work(milliseconds) {
        const begun = performance.now();
        do {
            for (let i = 0; i < BATCH && !this.done; i++) {
                this.tries++;
                const factor = this.draw();
                if (works(this.task, factor)) {
                    [this.factor, this.done] = [factor, true];
                }
            }
        } while (!this.done && performance.now() - begun < milliseconds);
        this.milliseconds += performance.now() - begun;
        if (this.done && !verified(this.task, this.factor)) {
            throw new Error(`${this.factor} is not a factor`);
        }
    }
}

class Constructed {
    constructor(task, seed = 0n) {
        Object.assign(this, { task, seed, tries: 0, milliseconds: 0, laid: [], depth: undefined, done: task.narrower > 0, impossible: task.narrower > 0 });
        this.known = task.narrower ? knownNarrower[task.piece][task.square] : undefined; // by the library's exhaustive search
        this.window = BigInt.asUintN(64, -1n << task.shift);
    }

    // Lays one copy, or takes some back; begins a new dive where no copy is left.
    step() {
        const begun = performance.now();
        const { mask } = this.task;
        const dive = BigInt(this.depth === undefined ? this.tries : this.tries - 1);
        const strict = 1n & ~dive;
        if (this.depth === undefined) {
            this.depth = beginDive(mask, this.window, strict);
            this.node = 0;
            this.tries++;
        }
        const random = mixed(this.seed + golden) + dive * BigInt(nodes) * golden;
        this.node++;
        this.depth = layCopy(this.depth, mixed(BigInt.asUintN(64, random + BigInt(this.node) * golden)), mask, this.window, strict);
        const depth = Number(this.depth);
        this.laid = Array.from({ length: depth }, (_, i) => this.copy(i));
        if (depth && read(tables.PLACED_TABLE, depth) === mask) {
            this.factor = read(tables.FACTOR_TABLE, depth);
            this.done = works(this.task, this.factor) && verified(this.task, this.factor);
            this.injective = true;
        } else if (depth === 0 || this.node === nodes) {
            this.depth = undefined;
        }
        this.milliseconds += performance.now() - begun;
    }

    // The copy of a node: by how much it shifts the occupancy, and the squares that it gives their index bit.
    copy(i) {
        const [before, after] = [i, i + 1].map((at) => [tables.FACTOR_TABLE, tables.PLACED_TABLE].map((table) => read(table, at)));
        const placed = after[1] & ~before[1];
        const squares = Array.from({ length: 64 }, (_, square) => square);
        return { copy: (after[0] ^ before[0]).toString(2).length - 1, placed: squares.filter((square) => (placed >> BigInt(square)) & 1n) };
    }
}

function randomWord() {
    const [low, high] = crypto.getRandomValues(new Uint32Array(2));
    return (BigInt(high) << 32n) | BigInt(low);
}

// The AND of three random numbers.
export function sparseWord() {
    return randomWord() & randomWord() & randomWord();
}

export function searches(task) {
    return {
        dense: new Random(task, randomWord),
        sparse: new Random(task, sparseWord),
        constructed: new Constructed(task),
    };
}
