// Figure: a factor is built by hand. The reader lays shifted copies of a rook's ten relevant squares until each has an index
// bit of its own; all 1,024 occupancies are tried after each copy.

import { Board, NAMES, bit, button, count, has, hex, html, namesOf, squaresOf, svg } from "./shared/kit.js";
import { HEIGHT, Rows, label, ownersOf } from "./shared/copies.js";
import { hashIndex, rookAttacks, rookD4 } from "./magic_kernels.js";

const SQUARE = 27; // d4
const { mask, magic, shift } = rookD4;
const SHIFT = Number(shift);
const RELEVANT = squaresOf(mask);
const LARGEST = 63 - RELEVANT[0]; // the lowest square in the highest bit
const [PHONE, TOP, STEP, WIDE] = [560, 44, HEIGHT + 4, 23];
const FEWEST = 5; // rows of copies for which there is always room

export const OCCUPANCIES = Array.from({ length: 2 ** RELEVANT.length }, (_, number) => RELEVANT.reduce((word, square, i) => ((number >> i) & 1 ? word | bit(square) : word), 0n));
const ATTACKS = OCCUPANCIES.map((occupied) => rookAttacks(SQUARE, occupied));

// Every occupancy with its slot: how many slots are in use, how many occupancies share one with others, and pairs that clash.
export function tried(factor) {
    const first = new Int32Array(OCCUPANCIES.length).fill(-1); // the first occupancy of each slot
    const shared = new Set();
    const clashes = new Map();
    OCCUPANCIES.forEach((occupied, number) => {
        const slot = Number(hashIndex(occupied, mask, factor, shift));
        const other = first[slot];
        if (other < 0) {
            first[slot] = number;
        } else {
            shared.add(slot);
            if (ATTACKS[other] !== ATTACKS[number] && !clashes.has(slot)) {
                clashes.set(slot, { slot, pair: [other, number] });
            }
        }
    });
    return { slots: first.filter((number) => number >= 0).length, shared: shared.size, clashes: [...clashes.values()] };
}

class Build {
    constructor(root) {
        this.laid = [];
        this.hand = 0; // the shift of the copy that is not laid yet
        this.rows = new Rows(rookD4, root.clientWidth < PHONE ? 1.6 : 3.2);
        this.board = new Board({ label: "The ten relevant squares of the rook on d4", piece: SQUARE, press: () => {}, over: (square) => this.light(square) });
        this.drawing = svg("svg", { class: "rows build", role: "group", "aria-label": "The index bits, and the copies of the ten squares" });
        this.live = html("p", { class: "says", "aria-live": "polite" });
        this.result = html("p", { class: "tried", role: "status" });
        this.next = button("Show a clash", () => this.showClash());
        root.replaceChildren(
            html("div", { class: "multiplication" }, html("div", { class: "boards" }, this.board.element), this.drawing), this.live,
            html("div", { class: "controls" }, button("← one bit up", () => this.move(1)), button("one bit down →", () => this.move(-1)), button("Lay this copy", () => this.lay()),
                button("Take the last one back", () => this.set(this.laid.slice(0, -1))), button("Hint", () => this.hint())),
            this.result, html("div", { class: "controls" }, this.next, button("The library's factor", () => this.set(squaresOf(magic))), button("Start again", () => this.set([]))));
        this.set([]);
    }

    get factor() {
        return this.laid.reduce((word, by) => word | bit(by), 0n);
    }

    set(laid) {
        this.laid = laid;
        this.tried = tried(this.factor);
        this.shown = undefined;
        this.draw();
    }

    move(by) {
        this.to(this.hand + by);
    }

    to(hand) {
        this.hand = Math.min(LARGEST, Math.max(0, hand));
        this.shown = undefined;
        this.draw();
    }

    lay() {
        if (!this.laid.includes(this.hand)) {
            this.set([...this.laid, this.hand]);
        }
    }

    hint() {
        const rest = squaresOf(magic & ~this.factor);
        if (this.factor & ~magic) {
            this.live.textContent = `The hint follows the library's factor, which has no copy << ${squaresOf(this.factor & ~magic).join(" and no copy << ")}.`;
        } else if (rest.length) {
            const best = rest.map((by) => [ownersOf(mask, [...this.laid, by], shift).own.size, by]).sort(([a], [b]) => b - a)[0][1];
            this.to(best);
        }
    }

    // Dragging by the width of an index bit shifts the copy by one bit.
    drag(event) {
        const [start, hand, scale] = [event.clientX, this.hand, this.drawing.getBoundingClientRect().width / this.rows.end];
        const move = ({ clientX }) => this.to(hand + Math.round((start - clientX) / (WIDE * scale)));
        const end = () => {
            removeEventListener("pointermove", move);
            removeEventListener("pointerup", end);
            removeEventListener("pointercancel", end);
        };
        addEventListener("pointermove", move);
        addEventListener("pointerup", end);
        addEventListener("pointercancel", end);
    }

    key(event) {
        const by = { ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1, PageUp: 8, PageDown: -8, Home: -64, End: 64 }[event.key];
        if (by !== undefined || ["Enter", " "].includes(event.key)) {
            event.preventDefault();
            if (by === undefined) {
                this.lay();
            } else {
                this.move(by);
            }
        }
    }

    light(square) {
        for (const element of this.drawing.querySelectorAll("[data-of]")) {
            element.classList.toggle("lit", square !== undefined && element.dataset.of === NAMES[square]);
        }
    }

    // The ones of a copy: bold in the bit that belongs to the square.
    ones(by, own) {
        return RELEVANT.filter((square) => square + by < 64).map((square) => ({
            column: square + by, colour: this.rows.colourOf(square), of: NAMES[square], text: NAMES[square], faint: own.get(square) !== square + by,
        }));
    }

    // What the columns of all ten squares add up to, and what each carries.
    columns() {
        let carry = 0;
        return Array.from({ length: 64 }, (_, column) => {
            const carried = carry;
            carry = (this.laid.filter((by) => RELEVANT.includes(column - by)).length + carried) >> 1;
            return { column, carried };
        });
    }

    draw() {
        const { rows } = this;
        const { own, below } = ownersOf(mask, this.laid, shift);
        const preview = ownersOf(mask, [...this.laid, this.hand], shift);
        const parts = [rows.head()];
        let y = TOP;
        const place = (attributes, ...children) => {
            parts.push(svg("g", { transform: `translate(0 ${y})`, ...attributes }, ...children));
            y += STEP;
        };
        this.laid.forEach((by) => place({ class: "row copy", "data-copy": by }, label(`<< ${by}`), rows.ground(), ...rows.cells(this.ones(by, own))));
        const taken = this.laid.includes(this.hand);
        const text = this.copyText(this.hand, preview.own);
        this.handle ??= svg("g", { class: "row hand", tabindex: 0, role: "slider", "aria-label": "The next copy: its shift", "aria-valuemin": 0, "aria-valuemax": LARGEST,
            onpointerdown: (event) => this.drag(event), onkeydown: (event) => this.key(event) });
        this.handle.setAttribute("transform", `translate(0 ${y})`);
        this.handle.setAttribute("aria-valuenow", this.hand);
        this.handle.setAttribute("aria-valuetext", text);
        this.handle.replaceChildren(svg("rect", { class: "grip", x: -1, y: -2, width: rows.end + 2, height: HEIGHT + 4, rx: 4 }), label(`⇔ ${this.hand}`), rows.ground(), ...rows.cells(this.ones(this.hand, preview.own)));
        parts.push(this.handle);
        y = TOP + (Math.max(this.laid.length, FEWEST) + 1) * STEP;
        place({ class: "row carries" }, label("carries"), ...rows.carries(this.columns()));
        const owners = [...own].map(([square, column]) => ({ column, colour: rows.colourOf(square), of: NAMES[square], text: NAMES[square] }));
        place({ class: "row own" }, label("own bits"), rows.ground(), ...rows.cells(owners));
        const height = y + 4;
        const focused = document.activeElement === this.handle;
        this.drawing.replaceChildren(...parts, rows.frame(y - 4));
        this.drawing.setAttribute("viewBox", `-1 0 ${rows.end + 2} ${height}`);
        if (focused) {
            this.handle.focus({ preventScroll: true });
        }
        this.state = { laid: this.laid, hand: this.hand, factor: hex(this.factor), own: Object.fromEntries([...own].map(([square, column]) => [NAMES[square], column])), below, slots: this.tried.slots, clashes: this.tried.clashes.length };
        this.live.textContent = taken ? `The copy << ${this.hand} is laid already: drag this one on.` : text;
        this.drawBoard(own);
        this.drawResult(own, below);
    }

    drawBoard(own) {
        const pair = this.shown?.pair.map((number) => OCCUPANCIES[number]);
        NAMES.forEach((_, square) => {
            const relevant = has(mask, square);
            const inPair = pair?.map((word, i) => (has(word, square) ? "AB"[i] : "")).join("");
            const filled = relevant && (pair ? inPair : true);
            this.board.paint(square, {
                say: square === SQUARE ? "the rook" : !relevant ? "" : pair ? `occupied in ${inPair || "neither"}` : own.has(square) ? `index bit ${own.get(square)} of its own` : "no index bit of its own yet",
                text: square === SQUARE ? "♜" : filled ? (pair ? inPair : NAMES[square]) : "", colour: filled ? this.rows.colourOf(square) : undefined,
                classes: [relevant && "relevant", square === SQUARE && "chosen", relevant && !pair && !own.has(square) && "faded"].filter(Boolean).join(" "), disabled: true,
            });
        });
    }

    copyText(by, own) {
        const arriving = RELEVANT.filter((square) => square + by >= SHIFT && square + by < 64).reverse();
        const parts = arriving.map((square) => `${NAMES[square]} to bit ${square + by}${own.get(square) === square + by ? "" : " (not its own)"}`);
        return `Shifted left by ${by}, the copy brings ${parts.length ? parts.join(", ") : "no square into the index yet: drag it to the left"}.`;
    }

    drawResult(own, below) {
        const { slots, shared, clashes } = this.tried;
        const all = own.size === RELEVANT.length && !below;
        const progress = `${own.size} of ${RELEVANT.length} squares have an index bit of their own${below ? ", but carries from below reach the index" : ""}. `;
        const trial = `All 1,024 occupancies tried with the factor ${hex(this.factor)}: `;
        this.result.textContent = !this.laid.length ? "No copy is laid yet. The factor is 0, so all 1,024 occupancies get slot 0, and clash." : clashes.length
            ? `${progress}${trial}in ${count(clashes.length, "slot")} of ${slots.toLocaleString("en")} used, occupancies with different attacks clash. ${this.clashText(this.shown ?? clashes[0])}`
            : `${all ? `${progress}` : ""}${trial}nothing clashes${shared ? `, though ${count(shared, "slot")} are shared by equal attacks` : ", and each has a slot of its own"}. This factor is magic${magic === this.factor ? ": it is the library's" : ""}.`;
        this.result.classList.toggle("bad", clashes.length > 0);
        this.next.setAttribute("aria-disabled", clashes.length === 0);
        this.next.textContent = this.shown ? "Show another clash" : "Show a clash";
    }

    clashText({ slot, pair }) {
        const [a, b] = pair.map((number) => namesOf(OCCUPANCIES[number]) || "no piece");
        return `Slot ${slot}: A (${a}) and B (${b}).`;
    }

    showClash() {
        const { clashes } = this.tried;
        if (clashes.length) {
            this.shown = clashes[(clashes.indexOf(this.shown) + 1) % clashes.length];
            this.drawBoard(ownersOf(mask, this.laid, shift).own);
            this.drawResult(ownersOf(mask, this.laid, shift).own, ownersOf(mask, this.laid, shift).below);
        }
    }
}

export function mount(root) {
    return new Build(root);
}
