// Figure: PEXT gathers the squares of a mask in adjacent bits, and PDEP scatters them again. A line joins each square with
// its index bit.

import { Board, NAMES, binary, bit, button, count, has, html, namesOf, squaresOf, svg } from "./shared/kit.js";
import { mask, pdepPortable, pextPortable } from "./gather_kernels.js";

const SQUARE = 27; // d4
const SQUARES = squaresOf(mask);
const START = ["b4", "g4", "d6", "f6", "d8"].reduce((word, name) => word | bit(NAMES.indexOf(name)), 0n);
const [BOARD, GAP, BIT] = [80, 26, 8];

class Gather {
    constructor(root) {
        this.occupied = START;
        this.scatter = false;
        const over = (square) => this.light(square);
        this.board = new Board({ label: "Occupied squares", piece: SQUARE, press: (square) => this.toggle(square), over });
        this.bits = SQUARES.map((square, n) => button("", () => this.toggle(square), {
            class: "bit", style: `--copy: var(--copy-${n})`, onpointerenter: () => over(square), onpointerleave: () => over(), onfocus: () => over(square), onblur: () => over(),
        }));
        this.lines = SQUARES.map((square, n) => {
            const [x, y] = [10 * (square & 7) + 5, 75 - 10 * (square >> 3)];
            const to = BOARD - BIT * (n + 0.5);
            const d = `M${x} ${y}C${x} ${BOARD + 8} ${to} ${BOARD - 4} ${to} ${BOARD + GAP - 5}`;
            return svg("path", { d, pathLength: 1, stroke: `var(--copy-${n})`, "data-of": NAMES[square] });
        });
        const drawing = svg("svg", { viewBox: `0 0 ${BOARD} ${BOARD + GAP + BIT + 6}`, "aria-hidden": "true", class: "lines" }, ...this.lines,
            ...SQUARES.map((_, n) => svg("text", { x: BOARD - BIT * (n + 0.5), y: BOARD + GAP + BIT + 5 }, String(n))));
        this.element = html("div", { class: "gather" }, this.board.element, html("div", { class: "bits", role: "group", "aria-label": "Index bits, the highest first" }, ...this.bits.toReversed()), drawing);
        this.live = html("p", { class: "says", "aria-live": "polite" });
        this.way = ["PEXT: squares to bits", "PDEP: bits to squares"].map((text, scatter) => button(text, () => this.turn(Boolean(scatter))));
        root.replaceChildren(this.element, this.live, html("div", { class: "controls" }, ...this.way));
        this.turn(false);
    }

    turn(scatter) {
        this.scatter = scatter;
        this.way.forEach((element, way) => element.setAttribute("aria-pressed", Boolean(way) === scatter));
        this.draw();
    }

    toggle(square) {
        if (square !== SQUARE) {
            this.occupied ^= bit(square);
            this.draw();
        }
    }

    light(square) {
        this.element.classList.toggle("lighting", square !== undefined && has(mask, square));
        [...this.lines, ...this.bits, ...this.board.squares].forEach((element) => element.classList.toggle("lit", element.dataset.of !== undefined && element.dataset.of === NAMES[square]));
    }

    draw() {
        this.index = pextPortable(this.occupied, mask);
        this.scattered = pdepPortable(this.index, mask);
        const word = this.scatter ? this.scattered : this.occupied; // PDEP knows nothing of other squares
        NAMES.forEach((name, square) => {
            const [taken, relevant, n] = [has(word, square), has(mask, square), SQUARES.indexOf(square)];
            this.board.paint(square, {
                say: square === SQUARE ? "the rook" : [taken && (relevant ? `occupied, index bit ${n}` : "occupied, not in the mask"), relevant && !taken && `empty, index bit ${n}`].filter(Boolean).join(", "),
                text: square === SQUARE ? "♜" : taken && !relevant ? "✕" : relevant ? String(n) : "", colour: taken && relevant ? `var(--copy-${n})` : undefined,
                classes: [relevant && "relevant", square === SQUARE && "chosen"].filter(Boolean).join(" "),
                pressed: square === SQUARE ? undefined : taken, disabled: square === SQUARE,
            });
            if (relevant) {
                this.board.squares[square].dataset.of = name;
            }
        });
        SQUARES.forEach((square, n) => {
            const set = has(this.index, n);
            this.lines[n].setAttribute("class", `${set ? "set" : ""} ${this.scatter ? "up" : "down"}`);
            this.bits[n].textContent = set ? "1" : "0";
            this.bits[n].className = `bit ${set ? "set" : ""}`;
            this.bits[n].dataset.of = NAMES[square];
            this.bits[n].setAttribute("aria-label", `index bit ${n}, ${NAMES[square]}: ${set ? 1 : 0}`);
            this.bits[n].setAttribute("aria-pressed", set);
        });
        const text = binary(this.index, SQUARES.length);
        const others = namesOf(this.occupied & ~mask);
        this.live.textContent = this.scatter
            ? `pdep(0b${text}, mask) writes the bits of the index ${this.index}, from the lowest up, to the squares of the mask: ${namesOf(this.scattered) || "none is set"}.`
            : `pext(occupied, mask) = 0b${text} = ${this.index}: ${count(squaresOf(this.index).length, "square of the mask is", "squares of the mask are")} occupied.`
                + (others ? ` The mask ignores ${others}.` : "");
    }
}

export function mount(root) {
    return new Gather(root);
}
