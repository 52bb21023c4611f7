// Figure: a square and its bit. Pointing at one lights the other, in the mapping that is chosen. The variant `plain` has one
// mapping alone.

import { Board, NAMES, bit as wordOf, copyOf, hex, html } from "./shared/kit.js";
import { mappings } from "./squares_kernels.js";

const COLOURS = 10; // of the palette's copies
const START = ["b4", "d4", "g4", "d6", "f6", "d8"].map((name) => NAMES.indexOf(name));
const TEXTS = {
    "rank-little-little": "along ranks from a1 (this library, python-chess)",
    "rank-little-big": "along ranks from h1",
    "rank-big-little": "along ranks from a8",
    "rank-big-big": "along ranks from h8",
    "file-little-little": "along files from a1",
    "file-little-big": "along files from h1",
    "file-big-little": "along files from a8",
    "file-big-big": "along files from h8",
};

class SquareAndBit {
    constructor(root, variant) {
        this.colours = new Map(START.map((square, colour) => [square, colour])); // squares of the set
        this.mapping = "rank-little-little";
        this.board = new Board({ label: "A set of squares", press: (square) => this.toggle(square), over: (square) => this.light(square) });
        this.digits = Array.from({ length: 64 }, (_, bit) => html("button", {
            type: "button", class: "digit", tabindex: -1, onclick: () => this.toggle(this.squareOf(bit)),
            onpointerenter: () => this.light(this.squareOf(bit)), onpointerleave: () => this.light(undefined),
            onfocus: () => this.light(this.squareOf(bit)), onblur: () => this.light(undefined), onkeydown: (event) => this.move(event, bit),
        }));
        this.digits[63].setAttribute("tabindex", 0);
        this.number = html("code", { class: "number" });
        this.says = html("p", { class: "says", "aria-live": "polite" });
        const select = html("select", { onchange: ({ target }) => this.choose(target.value) },
            ...Object.keys(TEXTS).map((name) => html("option", { value: name }, TEXTS[name])));
        const bytes = [7, 6, 5, 4, 3, 2, 1, 0].map((byte) => html("div", { class: "byte" },
            html("span", { class: "end", "aria-hidden": "true" }, String(8 * byte + 7)), ...[7, 6, 5, 4, 3, 2, 1, 0].map((i) => this.digits[8 * byte + i]),
            html("span", { class: "end", "aria-hidden": "true" }, String(8 * byte))));
        root.replaceChildren(
            html("div", { class: "pair" }, this.board.element, html("div", { class: "bits", role: "group", "aria-label": "The 64-bit number, bit 63 first" }, ...bytes)),
            html("p", { class: "value" }, "The number: ", this.number), this.says,
            ...(variant === "plain" ? [] : [html("label", { class: "controls" }, "Bits run ", select)]));
        this.draw();
    }

    get word() {
        return [...this.colours.keys()].reduce((word, square) => word | wordOf(this.bitOf(square)), 0n);
    }

    bitOf(square) {
        return mappings[this.mapping][square];
    }

    squareOf(bit) {
        return mappings[this.mapping].indexOf(bit);
    }

    choose(mapping) {
        this.mapping = mapping;
        this.draw();
    }

    toggle(square) {
        if (!this.colours.delete(square)) {
            const used = new Set(this.colours.values());
            const free = Array.from({ length: COLOURS }, (_, i) => i).find((i) => !used.has(i)) ?? square % COLOURS;
            this.colours.set(square, free);
        }
        this.draw();
        this.light(square);
    }

    move(event, bit) {
        const by = { ArrowRight: -1, ArrowLeft: 1, ArrowUp: 8, ArrowDown: -8 }[event.key];
        const to = this.digits[bit + by];
        if (to) {
            event.preventDefault();
            this.digits.forEach((digit) => digit.setAttribute("tabindex", digit === to ? 0 : -1));
            to.focus();
        }
    }

    light(square) {
        this.board.lit([square]);
        this.digits.forEach((element, bit) => element.classList.toggle("lit", square !== undefined && this.squareOf(bit) === square));
        if (square !== undefined) {
            const bit = this.bitOf(square);
            const sum = this.mapping === "rank-little-little" ? ` = 8 · ${square >> 3} + ${square & 7}: rank index ${square >> 3}, file index ${square & 7}` : "";
            this.says.textContent = `${NAMES[square]} is bit ${bit}${sum}. It is ${this.colours.has(square) ? "1: the square is in the set" : "0: the square is not in the set"}.`;
        } else {
            this.says.textContent = "Point at a square or a digit. Press it to put the square into the set or take it out.";
        }
    }

    draw() {
        NAMES.forEach((_, square) => {
            const colour = this.colours.get(square);
            const [inside, bit] = [colour !== undefined, this.bitOf(square)];
            this.board.paint(square, { text: String(bit), say: `bit ${bit}, ${inside ? "in the set" : "not in the set"}`, colour: inside ? copyOf(colour) : undefined, pressed: inside });
            const digit = this.digits[bit];
            digit.textContent = inside ? "1" : "0";
            digit.classList.toggle("on", inside);
            digit.style.setProperty("--colour", inside ? copyOf(colour) : "");
            digit.setAttribute("aria-label", `bit ${bit}, ${NAMES[square]}, ${inside ? 1 : 0}`);
            digit.setAttribute("aria-pressed", inside);
        });
        this.number.textContent = hex(this.word);
        this.light(undefined);
    }
}

export function mount(root, variant) {
    return new SquareAndBit(root, variant);
}
