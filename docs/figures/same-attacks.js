// Figure: who may share a slot. For any occupancy of the rook on d4: the squares that make no difference, since a blocker hides
// them, and how many occupancies have the same attacks.

import { Board, NAMES, bit, button, copyOf, count, has, html, namesOf, squaresOf } from "./shared/kit.js";
import { rookAttacks, rookD4 } from "./magic_kernels.js";

const SQUARE = 27; // d4
const { mask } = rookD4;
const RELEVANT = squaresOf(mask);
const START = ["c4", "d6", "g4"];
const sizes = new Map(); // how many occupancies have the same attacks
for (let number = 0; number < 2 ** RELEVANT.length; number++) {
    const attacks = rookAttacks(SQUARE, RELEVANT.reduce((word, square, i) => ((number >> i) & 1 ? word | bit(square) : word), 0n));
    sizes.set(attacks, (sizes.get(attacks) ?? 0) + 1);
}

class SameAttacks {
    constructor(root) {
        this.board = new Board({ label: "The pieces around the rook on d4", piece: SQUARE, press: (square) => this.press(square) });
        this.live = html("p", { class: "says", "aria-live": "polite" });
        root.replaceChildren(html("div", { class: "alone" }, this.board.element), this.live,
            html("div", { class: "controls" }, button("Remove all pieces", () => this.set(0n)), button("Occupy all ten squares", () => this.set(mask))));
        this.set(START.reduce((word, name) => word | bit(NAMES.indexOf(name)), 0n));
    }

    press(square) {
        if (has(mask, square)) {
            this.set(this.occupied ^ bit(square));
        }
    }

    set(occupied) {
        this.occupied = occupied;
        const attacks = rookAttacks(SQUARE, occupied);
        const hidden = mask & ~attacks;
        const sharers = sizes.get(attacks);
        this.state = { sharers, sets: sizes.size, hidden: squaresOf(hidden).map((square) => NAMES[square]) };
        NAMES.forEach((_, square) => {
            const [taken, relevant] = [has(occupied, square), has(mask, square)];
            const parts = [taken && "occupied", has(attacks, square) && "attacked", has(hidden, square) && "makes no difference"];
            this.board.paint(square, {
                say: square === SQUARE ? "the rook" : parts.filter(Boolean).join(", "), text: square === SQUARE ? "♜" : has(hidden, square) ? "±" : "",
                colour: taken ? copyOf(0) : undefined, pressed: relevant ? taken : undefined, disabled: !relevant,
                classes: [relevant && "relevant", has(attacks, square) && "attacked", square === SQUARE && "chosen", has(hidden, square) && taken && "faded"].filter(Boolean).join(" "),
            });
        });
        this.live.textContent = hidden
            ? `Behind a blocker, ${namesOf(hidden)} (±) may be occupied or not: ${count(sharers, "occupancy has", "occupancies have")} these attacks, and may share a slot.`
            : "Nothing is hidden behind a blocker: no other occupancy has these attacks, so none may share this slot.";
        this.live.textContent += ` The 1,024 occupancies have ${sizes.size} different sets of attacks.`;
    }
}

export function mount(root) {
    return new SameAttacks(root);
}
