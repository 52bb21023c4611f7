// Figure: what loops cost. Below the recorded bars of perft, it times one queen's attacks in this browser, by a walk over 64
// cells and by the library's kernels as WebAssembly, in turns; every answer is checked. And the chapter's program, which
// tries each move. A variant is a technique: it is measured with those that the tutorial presents before it, and without the
// program.

import { button, html } from "./shared/kit.js";

const CHANGES = 1024; // squares that become empty or occupied, one before each look-up
const ROUNDS = 7;
const SLICE = 20; // milliseconds
const WARM = 60; // milliseconds until the browser has compiled a function
const WALK = "loop over 64 cells";
const TECHNIQUES = ["rays", "classical", "kogge-stone", "hyperbola", "kindergarten", "magic-fancy", "pext"];
const EMULATED = "pext"; // an instruction that WebAssembly lacks
const STRAIGHT = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const DIAGONAL = [[1, 1], [1, -1], [-1, -1], [-1, 1]];
const BOTH = [...STRAIGHT, ...DIAGONAL];
const JUMPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const STEPS = { R: STRAIGHT, B: DIAGONAL, Q: BOTH, K: BOTH, N: JUMPS };
export const POSITION = "6k1/3r4/8/2b5/4N3/5B2/8/3QK2R"; // of the chapter
export const MOVES = 36;

// A fixed sequence: which square changes, and from which square the queen looks.
const CHANGED = new Uint8Array(CHANGES);
const SQUARES = new Uint8Array(CHANGES);
{
    let word = 88172645;
    const next = () => {
        word ^= word << 13;
        word ^= word >>> 17;
        word ^= word << 5;
        return word >>> 26;
    };
    for (let i = 0; i < CHANGES; i++) {
        CHANGED[i] = next();
        SQUARES[i] = next();
    }
}
const STARTING = [9, 13, 18, 21, 27, 30, 36, 41, 46, 51, 54, 60];

function mixed(total, low, high) {
    return (Math.imul(total, 31) + low + Math.imul(high, 7)) | 0;
}

// Look from every square of the sequence, by walking.
export function walked() {
    const cells = new Uint8Array(64);
    STARTING.forEach((square) => { cells[square] = 1; });
    const steps = new Int8Array(BOTH.flat());
    return (passes) => {
        let total = 0;
        for (let pass = 0; pass < passes; pass++) {
            for (let i = 0; i < CHANGES; i++) {
                const square = SQUARES[i];
                cells[CHANGED[i]] ^= 1;
                let low = 0;
                let high = 0;
                for (let d = 0; d < 16; d += 2) {
                    const right = steps[d];
                    const up = steps[d + 1];
                    let file = (square & 7) + right;
                    let rank = (square >> 3) + up;
                    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
                        const there = 8 * rank + file;
                        if (there < 32) {
                            low |= 1 << there;
                        } else {
                            high |= 1 << (there - 32);
                        }
                        if (cells[there]) {
                            break;
                        }
                        file += right;
                        rank += up;
                    }
                }
                total = mixed(total, low, high);
            }
        }
        return total;
    };
}

// The same by a technique in WebAssembly. After two passes the board is as before: so the boards of two passes are all.
export function lookedUp(rookery, technique) {
    const [squares, boards] = [new Uint8Array(2 * CHANGES), new BigUint64Array(2 * CHANGES)];
    let occupied = STARTING.reduce((word, square) => word | (1n << BigInt(square)), 0n);
    for (let i = 0; i < 2 * CHANGES; i++) {
        occupied ^= 1n << BigInt(CHANGED[i % CHANGES]);
        [squares[i], boards[i]] = [SQUARES[i % CHANGES], occupied];
    }
    const { copy, run, answers } = rookery.looping(technique, "queen", squares, boards);
    return (passes) => {
        copy();
        for (let pass = 0; pass < passes; pass += 2) {
            run();
        }
        const halves = new Int32Array(answers().buffer);
        let total = 0;
        for (let i = 0; i < Math.min(passes, 2) * CHANGES; i++) {
            total = mixed(total, halves[2 * i], halves[2 * i + 1]);
        }
        return total;
    };
}

// The program of the chapter: it counts white's legal moves by trying them.
export function tried(fen) {
    const cells = fen.split("/").reverse().flatMap((row) => [...row].flatMap((sign) => (+sign ? Array(+sign).fill(".") : [sign])));
    const isWhite = (square) => "RNBQK".includes(cells[square]);
    const from = (square) => {
        const [letter, found] = [cells[square].toUpperCase(), []];
        for (const [right, up] of STEPS[letter]) {
            let file = (square & 7) + right;
            let rank = (square >> 3) + up;
            while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
                const there = 8 * rank + file;
                found.push(there);
                if (cells[there] !== "." || "KN".includes(letter)) {
                    break;
                }
                file += right;
                rank += up;
            }
        }
        return found;
    };
    const isAttacked = () => {
        const king = cells.indexOf("K");
        return cells.some((sign, square) => "rnbqk".includes(sign) && from(square).includes(king));
    };
    return (times) => {
        let moves = 0;
        for (let i = 0; i < times; i++) {
            for (let here = 0; here < 64; here++) {
                for (const there of isWhite(here) ? from(here) : []) {
                    if (!isWhite(there)) {
                        const before = [cells[here], cells[there]];
                        [cells[here], cells[there]] = [".", cells[here]];
                        moves += isAttacked() ? 0 : 1;
                        [cells[here], cells[there]] = before;
                    }
                }
            }
        }
        return moves / times;
    };
}

class Cost {
    constructor(root, last) {
        this.last = last;
        this.techniques = last ? TECHNIQUES.slice(0, TECHNIQUES.indexOf(last) + 1) : TECHNIQUES;
        this.times = {}; // nanoseconds by name
        this.agree = undefined;
        this.trial = undefined; // microseconds for a position
        this.button = button("Measure in this browser", () => this.measure());
        this.says = html("p", { class: "says", role: "status" }, "The bars are recorded perft. Press the button to measure the attacks of one queen in your browser; it takes a second or two.");
        this.measured = html("div");
        root.append(html("p", { class: "controls" }, this.button), this.measured, this.says);
    }

    async measure() {
        if (this.running) {
            return;
        }
        this.running = true;
        this.button.setAttribute("aria-disabled", "true");
        this.says.textContent = "Measuring ...";
        try {
            await this.run();
            this.draw();
        } catch (error) {
            this.says.textContent = `It could not be measured here: ${error.message}`;
        }
        this.running = false;
        this.button.removeAttribute("aria-disabled");
        this.button.textContent = "Measure again";
    }

    async run() {
        const { load } = await import("./rookery.mjs");
        const rookery = await load();
        const works = new Map([[WALK, walked()], ...this.techniques.map((name) => [name, lookedUp(rookery, name)])]);
        if (!this.last) {
            works.set("trial", tried(POSITION));
        }
        const [answers, repeats, found] = [[], new Map(), new Map()];
        for (const [name, work] of works) {
            const answer = work(2); // after two passes, the board is as before
            if (name !== "trial") {
                answers.push(answer);
            } else if (answer !== MOVES) {
                throw new Error(`${answer} legal moves instead of ${MOVES}`);
            }
            const start = performance.now();
            let passes = 2;
            let took = 0;
            while (performance.now() - start < WARM || took < SLICE) { // slices that the clock can tell apart
                passes *= took < SLICE ? 2 : 1;
                const before = performance.now();
                work(passes);
                took = performance.now() - before;
            }
            repeats.set(name, passes);
            found.set(name, []);
        }
        for (let round = 0; round < ROUNDS; round++) {
            for (const [name, work] of works) {
                await new Promise((go) => setTimeout(go));
                const start = performance.now();
                work(repeats.get(name));
                found.get(name).push((performance.now() - start) / repeats.get(name));
            }
        }
        const median = (name) => found.get(name).sort((a, b) => a - b)[ROUNDS >> 1];
        this.agree = answers.every((answer) => answer === answers[0]);
        if (!this.agree) {
            throw new Error("the answers differ");
        }
        this.times = Object.fromEntries([WALK, ...this.techniques].map((name) => [name, (1e6 * median(name)) / CHANGES]));
        this.trial = this.last ? undefined : 1000 * median("trial");
    }

    draw() {
        const longest = Math.max(...Object.values(this.times));
        const rows = Object.entries(this.times).map(([name, time]) => html("tr", {},
            html("th", { scope: "row" }, name === EMULATED ? `${name}, emulated` : name),
            html("td", { class: "bar" }, html("span", { style: `width: ${(100 * time) / longest}%`, class: name === WALK ? "walk" : "" })),
            html("td", {}, time.toFixed(1))));
        const head = html("tr", {}, html("th", { scope: "col" }, "one queen's attacks"), html("td", {}), html("th", { scope: "col" }, "ns"));
        this.measured.replaceChildren(html("table", { class: "times" }, html("thead", {}, head), html("tbody", {}, ...rows)));
        const fastest = this.techniques.toSorted((a, b) => this.times[a] - this.times[b])[0];
        const name = this.last ?? fastest;
        const [time, ratio] = [this.times[name], this.times[WALK] / this.times[name]];
        this.says.textContent = `In this browser, ${name} takes ${time.toFixed(0)} ns, and the loop ${ratio.toFixed(1)} times as long. All answers agree. `
            + (this.techniques.includes(EMULATED) ? "WebAssembly has no PEXT: it is emulated here. " : "")
            + (this.last ? `The fastest of these is ${fastest}.` : `The program of this chapter takes ${this.trial.toFixed(0)} microseconds to try the ${MOVES} moves of its position.`);
    }
}

export function mount(root, last) {
    return new Cost(root, last);
}
