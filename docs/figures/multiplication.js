// Figure: the multiplication of a magic look-up. Each blocker drops its own copy of the factor; the copies add up; the top
// bits of the sum are the index.

import { Board, NAMES, binary, bit, button, count, has, html, squaresOf, still, svg } from "./kit.js";
import { hashIndex, rookAttacks, rookD4 } from "./magic_kernels.js";

const SQUARE = 27; // d4
const { mask, magic, shift } = rookD4;
const WIDTH = 64 - Number(shift);
const RELEVANT = squaresOf(mask);
const START = ["b4", "d6", "g4", "d8", "f6"].reduce((word, name) => word | bit(NAMES.indexOf(name)), 0n);
const PAUSE = 1600; // milliseconds between two steps

// What is drawn: the copies of the factor, and the sum of their columns, from bit 0 up, with what each column carries.
export function modelOf(occupied) {
    const blockers = squaresOf(occupied & mask);
    const copies = blockers.map((square) => ({ square, word: BigInt.asUintN(64, magic << BigInt(square)) }));
    const columns = [];
    let carry = 0;
    for (let column = 0; column < 64; column++) {
        const ones = copies.filter(({ word }) => has(word, column)).map(({ square }) => square);
        const total = ones.length + carry;
        columns.push({ ones, carried: carry, digit: total % 2 });
        carry = total >> 1;
    }
    const index = Number(hashIndex(occupied, mask, magic, shift));
    return { blockers, copies, columns, index, lost: carry, attacks: rookAttacks(SQUARE, occupied) };
}

// Where bit 63 to bit 0 of a row are drawn: those of the index are wide.
const [WIDE, NARROW, LEFT, HEIGHT] = [23, 3.2, 52, 22];
const placeOf = (column) => {
    const from = 63 - column;
    return from < WIDTH ? [LEFT + from * WIDE, WIDE] : [LEFT + WIDTH * WIDE + 8 + (from - WIDTH) * NARROW, NARROW];
};
const ROW = LEFT + WIDTH * WIDE + 8 + (64 - WIDTH) * NARROW;
const colourOf = (square) => `var(--copy-${RELEVANT.indexOf(square)})`;

function cells(columns) {
    return columns.map(({ column, colour, kind }) => {
        const [x, width] = placeOf(column);
        const wide = width === WIDE;
        return svg("g", { class: `one ${kind ?? ""}` },
            svg("rect", { x: x + (wide ? 2 : 0.2), y: 2, width: width - (wide ? 4 : 0.4), height: HEIGHT - 4, rx: wide ? 3 : 1, fill: colour }),
            ...(wide ? [svg("text", { x: x + width / 2, y: HEIGHT / 2 + 5, class: "one-digit" }, "1")] : []));
    });
}

function ground() {
    return svg("g", { class: "ground" }, ...Array.from({ length: 64 }, (_, column) => {
        const [x, width] = placeOf(column);
        return svg("rect", { x: x + 0.5, y: 0.5, width: width - 1, height: HEIGHT - 1 });
    }));
}

class Multiplication {
    constructor(root) {
        this.occupied = START;
        this.step = undefined; // after all steps, until one plays or steps
        this.board = new Board({
            label: "Blockers of the rook on d4", piece: SQUARE, press: (square) => this.toggle(square), over: (square) => this.light(square),
        });
        this.rows = svg("svg", { class: "rows", role: "img" });
        this.live = html("p", { class: "says", "aria-live": "polite" });
        this.play = button("Play", () => this.toggleTimer());
        this.controls = html("div", { class: "controls" }, this.play, button("Back", () => this.walk(-1)), button("Next step", () => this.walk(1)),
            button("Show all", () => this.show(undefined)), button("Remove blockers", () => this.set(0n)));
        this.element = html("div", { class: "multiplication" }, html("div", { class: "boards" }, this.board.element), this.rows);
        root.replaceChildren(this.element, this.live, this.controls);
        this.set(START);
    }

    get steps() {
        return this.model.copies.length + 3; // each copy, the sum, the shift, the slot
    }

    get now() {
        return this.step ?? this.steps;
    }

    set(occupied) {
        this.occupied = occupied;
        this.model = modelOf(occupied);
        this.step = undefined;
        this.draw();
    }

    toggle(square) {
        if (square !== SQUARE) {
            this.stop();
            this.fresh = has(this.occupied, square) || !has(mask, square) ? undefined : square;
            this.set(this.occupied ^ bit(square));
            this.fresh = undefined;
        }
    }

    walk(by) {
        this.stop();
        this.show(Math.min(this.steps, Math.max(0, (by > 0 && this.step === undefined ? -1 : this.now) + by)));
    }

    show(step) {
        this.step = step;
        this.draw();
    }

    toggleTimer() {
        if (this.timer) {
            this.stop();
            return;
        }
        this.show(0);
        this.play.textContent = "Pause";
        this.timer = setInterval(() => {
            this.show(this.now + 1);
            if (this.now === this.steps) {
                this.stop();
            }
        }, PAUSE);
    }

    stop() {
        clearInterval(this.timer);
        this.timer = undefined;
        this.play.textContent = "Play";
    }

    // Lights everything that belongs to a blocker.
    light(square) {
        const lit = square !== undefined && this.model.blockers.includes(square) ? square : undefined;
        this.element.classList.toggle("lighting", lit !== undefined);
        for (const element of this.element.querySelectorAll("[data-of]")) {
            element.classList.toggle("lit", element.dataset.of.split(" ").includes(NAMES[lit]));
        }
    }

    draw() {
        const { blockers, copies, columns } = this.model;
        const [laid, summed] = [Math.min(this.now, copies.length), this.now > copies.length];
        this.drawBoard(this.now === this.steps);
        const parts = [this.head()];
        let y = 44;
        const place = (element, classes = "") => {
            parts.push(svg("g", { transform: `translate(0 ${y})` }, svg("g", { class: `row ${classes}`, ...element.attributes }, ...element.children)));
            y += HEIGHT + 4;
        };
        place({ attributes: {}, children: [label("factor"), ground(), ...cells(squaresOf(magic).map((column) => ({ column, colour: "var(--ink-soft)" })))] });
        copies.forEach(({ square, word }, i) => {
            const attributes = { "data-of": NAMES[square], class: `row copy ${i >= laid ? "waiting" : ""} ${this.isFresh(i, square) ? "drops" : ""}` };
            attributes.style = `--from: ${-(i + 1) * (HEIGHT + 4)}px`;
            const row = { attributes, children: [label(NAMES[square], colourOf(square), `<< ${square}`), ground(),
                ...cells(squaresOf(word).map((column) => ({ column, colour: colourOf(square) })))] };
            place(row);
        });
        const carries = columns.map((column, i) => ({ ...column, column: i })).filter(({ carried }) => carried);
        if (summed) {
            place({ attributes: { class: "row carries" }, children: [label("carries"), ...carries.map(({ column, carried }) => {
                const [x, width] = placeOf(column);
                return svg("text", { x: x + width / 2, y: HEIGHT - 6, class: width === WIDE ? "carry" : "carry small" }, width === WIDE ? `${carried} ←` : "‹");
            })] });
            const ones = columns.map((column, i) => ({ ...column, column: i })).filter(({ digit }) => digit);
            place({ attributes: { class: "row sum" }, children: [label("sum"), ground(), ...cells(ones.map(({ column, ones: from, carried }) => ({
                column, colour: from.length === 1 && !carried ? colourOf(from[0]) : "var(--carried)", kind: from.length === 1 && !carried ? "" : "mixed",
            })))] });
        }
        const frame = svg("rect", { class: "frame", x: LEFT - 2, y: 28, width: WIDTH * WIDE + 4, height: y - 29, rx: 4 });
        if (this.now > copies.length + 1) {
            parts.push(this.indexRow(y));
            y += 46;
        }
        this.rows.replaceChildren(...parts, frame);
        this.rows.setAttribute("viewBox", `0 0 ${ROW} ${y + 2}`);
        const said = this.says(blockers);
        this.rows.setAttribute("aria-label", `The copies of the factor in binary, bit 63 first. ${said}`);
        this.live.textContent = said;
        this.fly();
    }

    // A disc flies from a blocker's square to its row.
    fly() {
        const row = this.rows.querySelector(".drops");
        const from = row && this.board.squares[NAMES.indexOf(row.dataset.of)].querySelector(".disc");
        if (from) {
            const [start, end] = [from, row.querySelector("circle")].map((element) => element.getBoundingClientRect());
            const disc = html("span", { class: "flying", style: `background: ${getComputedStyle(from).backgroundColor}; width: ${start.width}px; height: ${start.height}px; left: ${start.left}px; top: ${start.top}px` });
            this.element.append(disc);
            const moved = `translate(${end.left + (end.width - start.width) / 2 - start.left}px, ${end.top + (end.height - start.height) / 2 - start.top}px) scale(${end.width / start.width})`;
            disc.animate([{ transform: "none" }, { transform: moved }], { duration: 700, easing: "ease-in-out" }).onfinish = () => disc.remove();
        }
    }

    isFresh(i, square) {
        return !still() && (this.fresh === square || (this.step !== undefined && i === this.step - 1));
    }

    head() {
        const numbers = Array.from({ length: WIDTH }, (_, i) => svg("text", { x: LEFT + (i + 0.5) * WIDE, y: 40, class: "place" }, String(63 - i)));
        return svg("g", {}, svg("text", { x: LEFT, y: 13, class: "head" }, "index: bit 63 first →"),
            svg("text", { x: ROW, y: 13, class: "head end" }, "bits 53 to 0: shifted away"), ...numbers,
            svg("text", { x: LEFT + WIDTH * WIDE + 8, y: 40, class: "place start" }, "53"), svg("text", { x: ROW, y: 40, class: "place end" }, "0"));
    }

    indexRow(y) {
        const { index, columns } = this.model;
        const digits = Array.from({ length: WIDTH }, (_, i) => [63 - i, 2 ** (WIDTH - 1 - i)]);
        return svg("g", { transform: `translate(0 ${y})`, class: "row index" }, label("values"),
            ...digits.map(([column, value], i) => svg("text", { x: LEFT + (i + 0.5) * WIDE, y: 16, class: `value ${columns[column].digit ? "set" : ""}` }, String(value))),
            svg("text", { x: LEFT, y: 38, class: "total" }, `index ${binary(index, WIDTH)} = ${sumText(index)}`));
    }

    drawBoard(done) {
        const { attacks } = this.model;
        NAMES.forEach((name, square) => {
            const [blocked, relevant] = [has(this.occupied, square), has(mask, square)];
            const attacked = done && has(attacks, square);
            const parts = [blocked && (relevant ? "blocker" : "piece that the mask removes"), relevant && !blocked && "relevant", attacked && "attacked"];
            this.board.paint(square, {
                say: square === SQUARE ? "the rook" : parts.filter(Boolean).join(", "), colour: blocked && relevant ? colourOf(square) : undefined,
                text: square === SQUARE ? "♜" : blocked && !relevant ? "✕" : blocked ? String(square) : "",
                classes: [relevant && "relevant", attacked && "attacked", square === SQUARE && "chosen", blocked && !relevant && "removed"].filter(Boolean).join(" "),
                pressed: square === SQUARE ? undefined : blocked, disabled: square === SQUARE,
            });
            const element = this.board.squares[square];
            if (blocked && relevant) {
                element.dataset.of = name;
            } else {
                delete element.dataset.of;
            }
        });
    }

    says() {
        const { copies, columns, index, blockers } = this.model;
        const k = copies.length;
        if (this.now === 0) {
            return `${count(blockers.length, "blocker")} on relevant squares. The mask removes every other piece. Each blocker will drop a copy of the factor.`;
        }
        if (this.now <= k) {
            const { square, word } = copies[this.now - 1];
            const top = squaresOf(word).filter((column) => column >= 64 - WIDTH).reverse();
            return `${NAMES[square]} is bit ${square}. Its copy of the factor is shifted left by ${square}. Among the top ${WIDTH} bits, ${
                top.length ? `the copy has bit ${top.join(" and bit ")}: it adds ${Number(word >> shift)} to the index.` : "the copy has no 1."}`;
        }
        if (this.now === k + 1) {
            return `The sum of ${count(k, "copy", "copies")}. ${carryText(columns, copies)}`;
        }
        if (this.now === k + 2) {
            return `The shift by ${shift} keeps the top ${WIDTH} bits. Read from bit 63 down, they are ${binary(index, WIDTH)}: the index is ${index}.`;
        }
        return `Slot ${index} of ${(2 ** WIDTH).toLocaleString("en")} holds the attacks, which are marked on the board. ${carryText(columns, copies)}`;
    }
}

function label(text, colour, more = "") {
    return svg("g", { class: "label" }, ...(colour ? [svg("circle", { cx: 6, cy: HEIGHT / 2, r: 5, fill: colour })] : []),
        svg("text", { x: colour ? 14 : 0, y: more ? HEIGHT / 2 : HEIGHT / 2 + 4 }, text), ...(more ? [svg("text", { x: 14, y: HEIGHT - 1, class: "more" }, more)] : []));
}

function sumText(index) {
    const values = Array.from({ length: WIDTH }, (_, i) => 2 ** (WIDTH - 1 - i)).filter((value) => index & value);
    return values.length > 1 ? `${values.join(" + ")} = ${index}` : String(index);
}

function carryText(columns, copies) {
    const into = columns.map(({ carried }, column) => (carried ? column : -1)).filter((column) => column >= 64 - WIDTH);
    if (!copies.length) {
        return "Without a blocker nothing is added, and the index is 0.";
    }
    if (!into.length) {
        return "No copies overlap among the top bits: nothing carries there.";
    }
    const at = into[0] - 1;
    const names = columns[at].ones.map((square) => NAMES[square]);
    return `Copies overlap and carry: in bit ${at}, ${names.length > 1 ? `the copies of ${names.join(" and ")} both have a 1` : "a 1 meets a carry"}`
        + `, and 1 + 1 = 10 in binary. So bit ${at} is ${columns[at].digit}, and 1 is carried to bit ${at + 1}.`;
}

export function mount(root) {
    return new Multiplication(root);
}
