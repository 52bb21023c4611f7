// Figure: who fills the table. All 1,024 occupancies of a rook on d4 walk by: the walk of the rays, the index, the slot, the
// attacks that are stored there. Then one look-up reads one slot.

import { Board, NAMES, binary, bit, button, copyOf, count, has, html, namesOf, squaresOf, still, svg } from "./shared/kit.js";
import { hashIndex, recorded, rookAttacks, rookD4 } from "./fill_kernels.js";

const SQUARE = 27; // d4
const { mask, magic, shift } = rookD4;
const RELEVANT = squaresOf(mask);
const SLOTS = 2 ** RELEVANT.length;
const [COLUMNS, CELL, BITS] = [32, 10, RELEVANT.length];
const START = ["b4", "d6", "g4", "d8", "f6"];
const [PER_FRAME, FRAME] = [4, 16]; // occupancies between two drawings while it plays, milliseconds

const occupancy = (number) => RELEVANT.reduce((word, square, i) => ((number >> i) & 1 ? word | bit(square) : word), 0n);
const indexOf = (occupied) => Number(hashIndex(occupied, mask, magic, shift));
const cell = (slot) => `M${(slot % COLUMNS) * CELL + 0.5} ${Math.floor(slot / COLUMNS) * CELL + 0.5}h9v9h-9z`;
const blockers = (occupied) => namesOf(occupied & mask) || "none";

class Fill {
    constructor(root) {
        this.board = new Board({ label: "The pieces around the rook on d4", piece: SQUARE, press: (square) => this.press(square) });
        this.parts = Object.fromEntries(["occupancy", "rays", "index", "answer"].map((name) => [name, html("dd", { "data-part": name })]));
        this.written = svg("path", { class: "written" });
        this.marked = svg("path", { class: "marked" });
        this.grid = svg("svg", { class: "slots", viewBox: `0 0 ${COLUMNS * CELL} ${(SLOTS / COLUMNS) * CELL}`, role: "img", onclick: (event) => this.click(event) },
            svg("path", { class: "empty", d: Array.from({ length: SLOTS }, (_, slot) => cell(slot)).join("") }), this.written, this.marked);
        this.field = html("input", { type: "number", min: 0, max: SLOTS - 1, value: 176, "aria-label": "Slot" });
        this.play = button("Play", () => this.toggle());
        this.live = html("p", { class: "says", "aria-live": "polite" });
        root.replaceChildren(
            html("div", { class: "fill" }, html("div", { class: "boards" }, this.board.element, html("dl", {}, ...Object.entries({ occupancy: "1. relevant pieces", rays: "2. walk", index: "3. index", answer: "4. the slot holds" })
                .flatMap(([name, title]) => [html("dt", {}, title), this.parts[name]]))), this.grid),
            this.live,
            html("div", { class: "controls" }, this.play, button("Next occupancy", () => this.step()), button("Fill the whole table", () => this.fillAll()), button("Empty the table", () => this.empty())),
            html("form", { class: "controls", onsubmit: (event) => this.ask(event) }, button("Look up the board", () => this.lookUp(this.occupied)),
                html("label", {}, "Slot ", this.field), button("Who wrote it?", () => {}, { type: "submit" })));
        this.occupied = START.reduce((word, name) => word | bit(NAMES.indexOf(name)), 0n);
        this.empty();
    }

    empty() {
        this.stop();
        this.table = new Map(); // slot: the number of the occupancy that wrote it, and its attacks
        this.next = 0;
        this.walked = 0; // squares
        this.milliseconds = 0;
        this.show(this.occupied, undefined);
        this.live.textContent = "The table is empty. Play, and watch every occupancy of the ten squares walk its rays once.";
    }

    // The walk of one occupancy, stored in the slot of its index.
    write() {
        const begun = performance.now();
        const occupied = occupancy(this.next);
        const attacks = rookAttacks(SQUARE, occupied);
        const slot = indexOf(occupied);
        if (this.table.has(slot) && this.table.get(slot).attacks !== attacks) {
            throw new Error(`slot ${slot} has two answers`);
        }
        this.table.set(slot, { number: this.next, attacks });
        this.milliseconds += performance.now() - begun;
        this.walked += squaresOf(attacks).length;
        this.next++;
        return { occupied, slot, attacks };
    }

    step() {
        this.stop();
        if (this.next < SLOTS) {
            this.shown(this.write());
        }
    }

    shown({ occupied, slot }) {
        this.show(occupied, slot);
        const so = `${this.table.size.toLocaleString("en")} of 1,024 slots written, ${count(this.walked, "square")} walked to.`;
        this.live.textContent = this.next < SLOTS ? `Occupancy ${this.next.toLocaleString("en")} wrote slot ${slot}: ${so}`
            : `Full: ${so} Here it took ${this.milliseconds.toFixed(1)} ms; in the library ${recorded.d4} ms, and ${recorded.all} ms for rooks and bishops on all 64 squares, once, before the first move.`;
    }

    toggle() {
        if (this.timer) {
            this.stop();
            return;
        }
        if (this.next === SLOTS) {
            this.empty();
        }
        this.play.textContent = "Pause";
        const begun = performance.now();
        this.timer = setInterval(() => {
            const slow = performance.now() - begun < 3000 || still(); // the first ones can be read
            let last;
            for (let i = 0; i < (slow ? 1 : PER_FRAME) && this.next < SLOTS; i++) {
                last = this.write();
            }
            if (last) {
                this.shown(last);
            }
            if (this.next === SLOTS) {
                this.stop();
            }
        }, FRAME);
    }

    stop() {
        clearInterval(this.timer);
        this.timer = undefined;
        this.play.textContent = "Play";
    }

    fillAll() {
        this.stop();
        let last = { occupied: occupancy(SLOTS - 1), slot: indexOf(occupancy(SLOTS - 1)) };
        while (this.next < SLOTS) {
            last = this.write();
        }
        this.shown(last);
    }

    // The board's pieces, the index, and what the slot holds.
    show(occupied, slot) {
        const answer = slot === undefined ? undefined : this.table.get(slot);
        const own = copyOf(0);
        NAMES.forEach((_, square) => {
            const [taken, relevant] = [has(occupied, square), has(mask, square)];
            const attacked = answer !== undefined && has(answer.attacks, square);
            this.board.paint(square, {
                say: square === SQUARE ? "the rook" : [taken && (relevant ? "occupied" : "occupied, removed by the mask"), attacked && "attacked"].filter(Boolean).join(", "),
                text: square === SQUARE ? "♜" : taken && !relevant ? "✕" : "", colour: taken && relevant ? own : undefined,
                classes: [relevant && "relevant", attacked && "attacked", square === SQUARE && "chosen", taken && !relevant && "removed"].filter(Boolean).join(" "),
                pressed: square === SQUARE ? undefined : taken, disabled: square === SQUARE,
            });
        });
        const index = indexOf(occupied);
        this.parts.occupancy.textContent = blockers(occupied);
        this.parts.rays.textContent = answer ? count(squaresOf(answer.attacks).length, "square") : "–";
        this.parts.index.textContent = `${binary(index, BITS)} = ${index}`;
        this.parts.answer.textContent = answer ? namesOf(answer.attacks) : "still empty";
        this.written.setAttribute("d", [...this.table.keys()].map(cell).join(""));
        this.marked.setAttribute("d", cell(slot ?? index));
        this.grid.setAttribute("aria-label", `The 1,024 slots, 32 in a row: ${this.table.size.toLocaleString("en")} are written. Slot ${slot ?? index} is marked.`);
        this.state = { written: this.table.size, walked: this.walked, slot: slot ?? index, attacks: answer ? String(answer.attacks) : undefined };
    }

    press(square) {
        if (square !== SQUARE) {
            this.lookUp(this.occupied ^ bit(square));
        }
    }

    lookUp(occupied) {
        this.stop();
        this.occupied = occupied;
        const slot = indexOf(occupied);
        const found = this.table.has(slot);
        this.show(occupied, found ? slot : undefined);
        this.parts.rays.textContent = found ? "none" : "–";
        this.live.textContent = found ? `One look-up: mask, multiply, shift, read slot ${slot}. No square is walked.`
            : `Slot ${slot} is still empty: no occupancy with this index has walked yet. Fill the table first.`;
    }

    ask(event) {
        event.preventDefault();
        this.who(Number(this.field.value));
    }

    click(event) {
        const box = this.grid.getBoundingClientRect();
        const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
        const slot = Math.floor((y * SLOTS) / COLUMNS) * COLUMNS + Math.floor(x * COLUMNS);
        this.field.value = slot;
        this.who(slot);
    }

    who(slot) {
        this.stop();
        if (!Number.isInteger(slot) || slot < 0 || slot >= SLOTS) {
            this.live.textContent = "A slot is a number from 0 to 1,023.";
            return;
        }
        const writer = this.table.get(slot);
        if (!writer) {
            this.marked.setAttribute("d", cell(slot));
            this.live.textContent = `Nobody wrote slot ${slot} yet.`;
            return;
        }
        const occupied = occupancy(writer.number);
        this.show(occupied, slot);
        this.live.textContent = `Slot ${slot} was written by occupancy ${(writer.number + 1).toLocaleString("en")} of 1,024: ${blockers(occupied)}. It walked to ${namesOf(writer.attacks)}.`;
    }
}

export function mount(root) {
    return new Fill(root);
}
