// The multiplication of a look-up as rows of bits: copies of the factor, which add up, and the index at the top of the sum.
//
// A look-up has a `mask`, a `factor` and a `shift`; its index has `width` bits. `attacks(occupied)` is its answer.

import { binary, copyOf, has, squaresOf, svg } from "./kit.js";
import { hashIndex } from "../magic_kernels.js";

const [WIDE, LEFT] = [23, 52];
export const HEIGHT = 22;

// What is drawn: the copies of the factor, and the sum of their columns, from bit 0 up, with what each column carries.
export function modelOf({ mask, factor, shift, attacks }, occupied) {
    const blockers = squaresOf(occupied & mask);
    const copies = blockers.map((square) => ({ square, word: BigInt.asUintN(64, factor << BigInt(square)) }));
    const columns = [];
    let carry = 0;
    for (let column = 0; column < 64; column++) {
        const ones = copies.filter(({ word }) => has(word, column)).map(({ square }) => square);
        const total = ones.length + carry;
        columns.push({ column, ones, carried: carry, digit: total % 2 });
        carry = total >> 1;
    }
    return { blockers, copies, columns, index: Number(hashIndex(occupied, mask, factor, shift)), attacks: attacks(occupied) };
}

export function label(text, colour, more = "") {
    return svg("g", { class: "label" }, ...(colour ? [svg("circle", { cx: 6, cy: HEIGHT / 2, r: 5, fill: colour })] : []),
        svg("text", { x: colour ? 14 : 0, y: more ? HEIGHT / 2 : HEIGHT / 2 + 4 }, text), ...(more ? [svg("text", { x: 14, y: HEIGHT - 1, class: "more" }, more)] : []));
}

// Which square of a mask has which index bit of its own, if a copy of the mask is added for each shift: the only square
// that arrives in the bit, apart from squares whose own bits are lower. `below` is what is added to the index at most by
// carries from the bits below it: if it is 0 and every index bit is a square's own, all indices differ.
export function ownersOf(mask, shifts, shift) {
    const squares = squaresOf(mask);
    const own = new Map();
    for (let column = Number(shift); column < 64; column++) {
        const fresh = shifts.map((by) => column - by).filter((square) => squares.includes(square) && !own.has(square));
        if (fresh.length === 1) {
            own.set(fresh[0], column);
        }
    }
    const low = shifts.flatMap((by) => squares.map((square) => square + by)).filter((column) => column < shift);
    return { own, below: Number(low.reduce((sum, column) => sum + (1n << BigInt(column)), 0n) >> BigInt(shift)) };
}

// Rows of 64 bits, bit 63 first: those of the index are wide.
export class Rows {
    constructor({ mask, shift }, narrow) {
        this.narrow = narrow; // units of a bit that the shift removes
        this.shift = Number(shift);
        this.width = 64 - this.shift;
        this.relevant = squaresOf(mask);
        this.rest = LEFT + this.width * WIDE + 8; // where the other bits begin
        this.end = this.rest + this.shift * this.narrow;
    }

    colourOf(square) {
        return copyOf(this.relevant.indexOf(square));
    }

    placeOf(column) {
        const from = 63 - column;
        return from < this.width ? [LEFT + from * WIDE, WIDE] : [this.rest + (from - this.width) * this.narrow, this.narrow];
    }

    // Ones; `of` names the blocker that each comes from, so that both light up together; `text` stands in wide ones.
    cells(ones) {
        return ones.map(({ column, colour, of, text = "1", faint }) => {
            const [x, width] = this.placeOf(column);
            const wide = width === WIDE;
            return svg("g", { class: `one${wide ? "" : " narrow"}${faint ? " faint" : ""}`, "data-of": of },
                svg("rect", { x: x + (wide ? 2 : 0.2), y: 2, width: width - (wide ? 4 : 0.4), height: HEIGHT - 4, rx: wide ? 3 : 1, fill: colour }),
                ...(wide ? [svg("text", { x: x + width / 2, y: HEIGHT / 2 + 5, class: "one-digit" }, text)] : []));
        });
    }

    // All cells of a row, as two paths.
    ground() {
        const cell = ([x, width]) => `M${x + 0.5} 0.5h${width - 1}v${HEIGHT - 1}h${1 - width}z`;
        const columns = Array.from({ length: 64 }, (_, i) => this.placeOf(63 - i));
        return svg("g", { class: "ground" }, svg("path", { class: "wide", d: columns.slice(0, this.width).map(cell).join("") }),
            svg("path", { class: "narrow", d: columns.slice(this.width).map(cell).join("") }));
    }

    carries(columns) {
        return columns.filter(({ carried }) => carried).map(({ column, carried }) => {
            const [x, width] = this.placeOf(column);
            return svg("text", { x: x + width / 2, y: HEIGHT - 6, class: width === WIDE ? "carry" : "carry small" }, width === WIDE ? `${carried} ←` : "‹");
        });
    }

    head() {
        const numbers = Array.from({ length: this.width }, (_, i) => svg("text", { x: LEFT + (i + 0.5) * WIDE, y: 40, class: "place" }, String(63 - i)));
        return svg("g", {}, svg("text", { x: LEFT, y: 13, class: "head" }, "index: bit 63 first →"),
            svg("text", { x: this.end, y: 13, class: "head end" }, `bits ${this.shift - 1} to 0: shifted away`), ...numbers,
            svg("text", { x: this.rest, y: 40, class: "place start" }, String(this.shift - 1)), svg("text", { x: this.end, y: 40, class: "place end" }, "0"));
    }

    frame(y) {
        return svg("rect", { class: "frame", x: LEFT - 2, y: 28, width: this.width * WIDE + 4, height: y - 29, rx: 4 });
    }

    indexRow(y, { index, columns }) {
        const values = Array.from({ length: this.width }, (_, i) => svg("text", {
            x: LEFT + (i + 0.5) * WIDE, y: 16, class: `value ${columns[63 - i].digit ? "set" : ""}`,
        }, String(2 ** (this.width - 1 - i))));
        return svg("g", { transform: `translate(0 ${y})`, class: "row index" }, label("values"), ...values,
            svg("text", { x: LEFT, y: 38, class: "total" }, svg("tspan", {}, `index ${binary(index, this.width)} `),
                svg("tspan", { x: LEFT, dy: 17 }, `= ${this.sumText(index)}`)));
    }

    sumText(index) {
        const values = Array.from({ length: this.width }, (_, i) => 2 ** (this.width - 1 - i)).filter((value) => index & value);
        return values.length > 1 ? `${values.join(" + ")} = ${index}` : String(index);
    }
}
