// Figure: the multiplication of a magic look-up. Each blocker drops its own copy of the factor; the copies add up; the top
// bits of the sum are the index.

import { Board, NAMES, binary, bit, button, count, has, html, squaresOf, still, svg } from "./shared/kit.js";
import { HEIGHT, Rows, label, modelOf } from "./shared/copies.js";
import { rookAttacks, rookD4 } from "./magic_kernels.js";

const PHONE = 560; // pixels
const TOP = 44; // of the first row
const PAUSE = 1600; // milliseconds between two steps

export class Multiplication {
    constructor(root, lookup) {
        Object.assign(this, { lookup, bits: new Rows(lookup, root.clientWidth < PHONE ? 1.6 : 3.2) });
        const { piece, square, start } = lookup;
        this.step = undefined; // after all steps, until one plays or steps
        this.board = new Board({
            label: `Blockers of the ${piece} on ${NAMES[square]}`, piece: square, press: (other) => this.toggle(other), over: (other) => this.light(other),
        });
        this.rows = svg("svg", { class: "rows", role: "img" });
        this.live = html("p", { class: "says", "aria-live": "polite" });
        this.play = button("Play", () => this.toggleTimer());
        this.controls = html("div", { class: "controls" }, this.play, button("Back", () => this.walk(-1)), button("Next step", () => this.walk(1)),
            button("Show all", () => this.show(undefined)), button("Remove blockers", () => this.set(0n)));
        this.element = html("div", { class: "multiplication" }, html("div", { class: "boards" }, this.board.element), this.rows);
        root.replaceChildren(this.element, this.live, this.controls);
        this.set(start.reduce((word, name) => word | bit(NAMES.indexOf(name)), 0n));
    }

    get steps() {
        return this.model.copies.length + 3; // each copy, the sum, the shift, the slot
    }

    get now() {
        return this.step ?? this.steps;
    }

    set(occupied) {
        this.occupied = occupied;
        this.model = modelOf(this.lookup, occupied);
        this.step = undefined;
        this.draw();
    }

    toggle(square) {
        if (square !== this.lookup.square) {
            this.stop();
            this.fresh = has(this.occupied, square) || !has(this.lookup.mask, square) ? undefined : square;
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
        const { bits } = this;
        const parts = [bits.head()];
        let y = TOP;
        const place = (element, classes = "") => {
            parts.push(svg("g", { transform: `translate(0 ${y})` }, svg("g", { class: `row ${classes}`, ...element.attributes }, ...element.children)));
            y += HEIGHT + 4;
        };
        place({ attributes: {}, children: [label("factor"), bits.ground(), ...bits.cells(squaresOf(this.lookup.factor).map((column) => ({ column, colour: "var(--ink-soft)" })))] });
        copies.forEach(({ square, word }, i) => {
            const attributes = { "data-of": NAMES[square], class: `row copy ${i >= laid ? "waiting" : ""} ${this.isFresh(i, square) ? "drops" : ""}` };
            attributes.onpointerenter = () => this.light(square);
            attributes.onpointerleave = () => this.light(undefined);
            attributes.style = `--from: ${-(i + 1) * (HEIGHT + 4)}px`;
            const row = { attributes, children: [svg("rect", { width: bits.end, height: HEIGHT, fill: "transparent" }), label(NAMES[square], bits.colourOf(square), `<< ${square}`), bits.ground(),
                ...bits.cells(squaresOf(word).map((column) => ({ column, colour: bits.colourOf(square) })))] };
            place(row);
        });
        if (summed) {
            place({ attributes: { class: "row carries" }, children: [label("carries"), ...bits.carries(columns)] });
            const ones = columns.filter(({ digit }) => digit).map(({ column, ones: [from, ...more], carried }) => (more.length || carried
                ? { column, colour: "var(--carried)" } : { column, colour: bits.colourOf(from), of: NAMES[from] }));
            place({ attributes: { class: "row sum" }, children: [label("sum"), bits.ground(), ...bits.cells(ones)] });
        }
        const bottom = TOP + (copies.length + 3) * (HEIGHT + 4); // below the factor, the copies, the carries and the sum
        const shifted = this.now > copies.length + 1;
        this.rows.replaceChildren(...parts, ...(shifted ? [bits.indexRow(bottom, this.model)] : []), bits.frame(bottom));
        this.rows.classList.toggle("shifted", shifted);
        this.rows.setAttribute("viewBox", `0 0 ${bits.end} ${bottom + 64}`); // the same at all steps: nothing below jumps
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

    drawBoard(done) {
        const { attacks } = this.model;
        const { mask, square: own, piece, sign } = this.lookup;
        NAMES.forEach((name, square) => {
            const [blocked, relevant] = [has(this.occupied, square), has(mask, square)];
            const attacked = done && has(attacks, square);
            const parts = [blocked && (relevant ? "blocker" : "piece that the mask removes"), relevant && !blocked && "relevant", attacked && "attacked"];
            this.board.paint(square, {
                say: square === own ? `the ${piece}` : parts.filter(Boolean).join(", "), colour: blocked && relevant ? this.bits.colourOf(square) : undefined,
                text: square === own ? sign : blocked && !relevant ? "✕" : blocked ? String(square) : "",
                classes: [relevant && "relevant", attacked && "attacked", square === own && "chosen", blocked && !relevant && "removed"].filter(Boolean).join(" "),
                pressed: square === own ? undefined : blocked, disabled: square === own,
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
        const { shift } = this.lookup;
        const { width } = this.bits;
        const k = copies.length;
        if (this.now === 0) {
            return `${count(blockers.length, "blocker")} on relevant squares. The mask removes every other piece. Each blocker will drop a copy of the factor.`;
        }
        if (this.now <= k) {
            const { square, word } = copies[this.now - 1];
            const top = squaresOf(word).filter((column) => column >= 64 - width).reverse();
            return `${NAMES[square]} is bit ${square}. Its copy of the factor is shifted left by ${square}. Among the top ${width} bits, ${
                top.length ? `the copy has bit ${top.join(" and bit ")}: it adds ${Number(word >> shift)} to the index.` : "the copy has no 1."}`;
        }
        if (this.now === k + 1) {
            return `The sum of ${count(k, "copy", "copies")}. ${carryText(columns, copies, width)}`;
        }
        if (this.now === k + 2) {
            return `The shift by ${shift} keeps the top ${width} bits. Read from bit 63 down, they are ${binary(index, width)}: the index is ${index}.`;
        }
        return `Slot ${index} of ${(2 ** width).toLocaleString("en")} holds the attacks, which are marked on the board. ${carryText(columns, copies, width)}`;
    }
}

function carryText(columns, copies, width) {
    const into = columns.map(({ carried }, column) => (carried ? column : -1)).filter((column) => column >= 64 - width);
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

const { mask, magic: factor, shift } = rookD4;
const LOOKUP = {
    piece: "rook", sign: "♜", square: 27, start: ["b4", "d6", "g4", "d8", "f6"], mask, factor, shift, attacks: (occupied) => rookAttacks(27, occupied),
};

export function mount(root) {
    return new Multiplication(root, LOOKUP);
}
