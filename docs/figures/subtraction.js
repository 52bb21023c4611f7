// Figure: o ^ (o - 2s) on one file, digit by digit: the borrow runs from the slider over empty squares to a blocker.

import { Board, NAMES, bit, button, copyOf, has, html } from "./shared/kit.js";
import { rookAttacks } from "./lines_kernels.js";

const FILE = 3; // the d-file
const squareOf = (rank) => 8 * rank + FILE;
const START = { slider: 3, blockers: [1, 5, 6] };
const RANKS = [7, 6, 5, 4, 3, 2, 1, 0];
const LAST = 18; // steps: eight digits upward, the XOR, eight digits downward, the sum of both

const bitsOf = (number) => RANKS.map((i) => (number >> i) & 1).reverse();
const reversed = (number) => bitsOf(number).reduce((sum, digit, i) => sum | (digit << (7 - i)), 0);

// The subtraction as on paper: for each digit from the lowest, what is borrowed, and what is left.
export function subtraction(o, twice) {
    let borrow = 0;
    return bitsOf(o).map((digit, i) => {
        const left = digit - ((twice >> i) & 1) - borrow;
        const borrowed = borrow;
        borrow = left < 0 ? 1 : 0;
        return { borrowed, digit: (left + 2) & 1, borrows: borrow };
    });
}

const numberOf = (columns) => columns.reduce((sum, { digit }, i) => sum | (digit << i), 0);

class Subtraction {
    constructor(root) {
        this.slider = START.slider;
        this.blockers = START.blockers.reduce((sum, rank) => sum | (1 << rank), 0);
        this.step = LAST;
        this.board = new Board({ label: "The d-file: press squares to set blockers", piece: squareOf(START.slider), press: (square) => this.press(square), over: (square) => this.light(square === undefined || square % 8 !== FILE ? undefined : square >> 3) });
        this.table = html("div", { class: "sums" });
        this.says = html("p", { class: "says", "aria-live": "polite" });
        this.range = html("input", { type: "range", min: 0, max: LAST, "aria-label": "Step", oninput: ({ target }) => this.show(Number(target.value)) });
        root.replaceChildren(html("div", { class: "subtract" }, this.board.element, this.table), this.says,
            html("div", { class: "controls" }, button("Back", () => this.show(this.step - 1)), button("Next digit", () => this.show(this.step === LAST ? 0 : this.step + 1)), this.range,
                button("Rook up", () => this.moveSlider(1)), button("Rook down", () => this.moveSlider(-1))));
        this.draw();
    }

    get o() {
        return this.blockers | (1 << this.slider);
    }

    get attacks() {
        const occupied = RANKS.reduce((word, rank) => (has(BigInt(this.o), rank) ? word | bit(squareOf(rank)) : word), 0n);
        return RANKS.reduce((sum, rank) => sum | (Number(has(rookAttacks(squareOf(this.slider), occupied), squareOf(rank))) << rank), 0);
    }

    press(square) {
        if (square % 8 === FILE && square >> 3 !== this.slider) {
            this.blockers ^= 1 << (square >> 3);
            this.draw();
        }
    }

    moveSlider(by) {
        this.slider = Math.min(7, Math.max(0, this.slider + by));
        this.blockers &= ~(1 << this.slider);
        this.draw();
    }

    show(step) {
        this.step = Math.min(LAST, Math.max(0, step));
        this.draw();
    }

    light(rank) {
        this.board.lit([rank === undefined ? undefined : squareOf(rank)]);
        this.table.querySelectorAll("[data-rank]").forEach((cell) => cell.classList.toggle("lit", Number(cell.dataset.rank) === rank));
    }

    colourOf(rank) {
        return rank === this.slider ? copyOf(0) : copyOf(rank + 2);
    }

    // A row of digits, the highest first. `rankOf(i)` is the rank whose square a digit stands for.
    row(label, digits, rankOf, { colour = () => undefined, shown = 8, small = false, mark = () => false, kind = "" } = {}) {
        const cells = RANKS.map((i) => {
            const [hidden, filled] = [i >= shown, i < shown && digits[i] ? colour(i) : undefined];
            return html("span", { class: `cell ${filled ? "on" : ""} ${mark(i) && !hidden ? "marked" : ""}`, "data-rank": rankOf(i), style: filled ? `--colour: ${filled}` : "",
                onpointerenter: () => this.light(rankOf(i)), onpointerleave: () => this.light(undefined) }, hidden || digits[i] === "" ? "" : String(digits[i]));
        });
        return html("div", { class: `sum ${small ? "small" : ""} ${kind}` }, html("code", {}, label), ...cells);
    }

    // The rows of a half: the subtraction and its XOR. `digits` of the difference are known.
    half(o, slider, names, rankOf, digits, withXor) {
        const twice = (2 << slider) & 0xff;
        const columns = subtraction(o, twice);
        const changed = bitsOf(o ^ numberOf(columns));
        const colour = (i) => this.colourOf(rankOf(i));
        return [
            this.row("square", RANKS.map((_, i) => NAMES[squareOf(rankOf(i))]), rankOf, { small: true, kind: "names" }),
            this.row("borrow", columns.map(({ borrowed }) => borrowed || ""), rankOf, { shown: digits, small: true, mark: (i) => columns[i].borrowed }),
            this.row(names[0], bitsOf(o), rankOf, { colour }),
            this.row(names[1], bitsOf(twice), rankOf, { colour: () => copyOf(0) }),
            this.row(names[2], columns.map(({ digit }) => digit), rankOf, { shown: digits, mark: (i) => changed[i] }),
            this.row(names[3], changed, rankOf, { shown: withXor ? 8 : 0, colour: () => "var(--attacked)" }),
        ];
    }

    draw() {
        const { o, slider, step, attacks } = this;
        const up = o ^ numberOf(subtraction(o, (2 << slider) & 0xff));
        const down = reversed(reversed(o) ^ numberOf(subtraction(reversed(o), (2 << (7 - slider)) & 0xff)));
        const known = step === LAST ? attacks : step > 8 ? up : 0;
        NAMES.forEach((name, square) => {
            const rank = square >> 3;
            if (square % 8 !== FILE) {
                this.board.paint(square, { disabled: true, classes: "faded" });
            } else if (rank === slider) {
                this.board.paint(square, { say: "the rook", piece: "R", disabled: true });
            } else {
                const [blocked, attacked] = [(o >> rank) & 1, (known >> rank) & 1];
                this.board.paint(square, { say: `${blocked ? "a blocker" : "empty"}${attacked ? ", attacked" : ""}`, colour: blocked ? this.colourOf(rank) : undefined, pressed: Boolean(blocked), classes: attacked ? "attacked" : "" });
            }
        });
        this.board.enter(squareOf(slider));
        this.table.replaceChildren(
            html("p", { class: "part" }, "Up: subtract"), ...this.half(o, slider, ["o", "2s", "o - 2s", "o ^ (o - 2s)"], (i) => i, Math.min(step, 8), step > 8),
            html("p", { class: "part" }, "Down: the same on the reversed line"),
            ...this.half(reversed(o), 7 - slider, ["o'", "2s'", "o' - 2s'", "o' ^ (o' - 2s')"], (i) => 7 - i, Math.max(0, Math.min(step - 9, 8)), step === LAST),
            html("p", { class: "part" }, "Both: turn the second result back"),
            this.row("attacks", bitsOf(up | down), (i) => i, { shown: step === LAST ? 8 : 0, colour: () => "var(--attacked)" }));
        this.range.value = step;
        this.explain();
    }

    explain() {
        const { o, slider, step } = this;
        const digitText = (columns, i, nameOf) => {
            const { borrowed, digit, borrows } = columns[i];
            return `${nameOf(i)}: ${borrowed ? "after the borrow, " : ""}the digit is ${digit}${borrows ? ", and 1 is borrowed from the next digit" : borrowed ? ". This blocker pays for the borrow, which ends" : ""}.`;
        };
        if (step === 0) {
            this.says.textContent = "Subtract twice the slider from the occupied squares, from the lowest digit on. Press “Next digit”.";
        } else if (step <= 8) {
            this.says.textContent = digitText(subtraction(o, (2 << slider) & 0xff), step - 1, (i) => NAMES[squareOf(i)]);
        } else if (step === 9) {
            this.says.textContent = "The XOR with o keeps the digits that changed: the squares above the rook, up to the first blocker.";
        } else if (step < LAST) {
            this.says.textContent = digitText(subtraction(reversed(o), (2 << (7 - slider)) & 0xff), step - 10, (i) => `Reversed, ${NAMES[squareOf(7 - i)]}`);
        } else {
            const names = RANKS.filter((rank) => (this.attacks >> rank) & 1).reverse().map((rank) => NAMES[squareOf(rank)]);
            this.says.textContent = `The rook on ${NAMES[squareOf(slider)]} attacks ${names.join(", ")}. Drag the bar below to see every digit of the subtraction.`;
        }
    }
}

export function mount(root) {
    return new Subtraction(root);
}
