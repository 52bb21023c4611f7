// Figure: a set moved by a shift. Bits that cross the edge are red until the mask removes them.

import { Board, NAMES, bit, button, copyOf, has, hex, html, namesOf } from "./shared/kit.js";
import { step } from "./steps_kernels.js";

const ALL = (1n << 64n) - 1n;
const DIRECTIONS = [["north", 8], ["northeast", 9], ["east", 1], ["southeast", -7], ["south", -8], ["southwest", -9], ["west", -1], ["northwest", 7]];
const COMPASS = [7, 0, 1, 6, undefined, 2, 5, 4, 3];
const START = ["a2", "b2", "d3", "h2", "e8", "h6"];

class Steps {
    constructor(root) {
        this.from = START.reduce((word, name) => word | bit(NAMES.indexOf(name)), 0n);
        this.direction = 2;
        this.masked = false;
        this.before = new Board({ label: "The set", press: (square) => this.toggle(square), over: (square) => this.light(square, this.by) });
        this.after = new Board({ label: "The set after the shift", press: () => {}, over: (square) => this.light(square, -this.by) });
        this.compass = html("div", { class: "compass", role: "group", "aria-label": "Direction" }, ...COMPASS.map((direction) => (direction === undefined
            ? html("span", {}) : button(shiftText(DIRECTIONS[direction][1]), () => this.choose(direction), { "data-direction": direction, "aria-label": `${DIRECTIONS[direction][0]}, ${shiftText(DIRECTIONS[direction][1])}` }))));
        this.mask = html("input", { type: "checkbox", onchange: ({ target }) => this.setMask(target.checked) });
        this.maskText = html("span", {});
        this.heads = [html("div", { class: "head" }), html("div", { class: "head" })];
        this.says = html("p", { class: "says", "aria-live": "polite" });
        root.replaceChildren(
            html("div", { class: "triple" }, html("div", {}, this.heads[0], this.before.element),
                html("div", { class: "middle" }, this.compass, html("label", { class: "mask" }, this.mask, this.maskText)),
                html("div", {}, this.heads[1], this.after.element)),
            this.says, html("div", { class: "controls" }, button("Go on from the result", () => this.advance()), button("Start again", () => this.restart())));
        this.draw();
    }

    get by() {
        return DIRECTIONS[this.direction][1];
    }

    get shifted() {
        return this.by > 0 ? (this.from << BigInt(this.by)) & ALL : this.from >> BigInt(-this.by);
    }

    get stepped() {
        return step(this.direction, this.from);
    }

    get result() {
        return this.masked ? this.stepped : this.shifted;
    }

    toggle(square) {
        this.from ^= bit(square);
        this.draw();
        this.light(square, this.by);
    }

    choose(direction) {
        this.direction = direction;
        this.draw();
    }

    setMask(masked) {
        this.masked = masked;
        this.draw();
    }

    advance() {
        this.from = this.result;
        this.draw();
    }

    restart() {
        this.from = START.reduce((word, name) => word | bit(NAMES.indexOf(name)), 0n);
        this.draw();
    }

    // Lights a square on one board, and the square to which its bit goes, or from which it comes, on the other.
    light(square, by) {
        const there = square === undefined || square + by < 0 || square + by > 63 ? undefined : square + by;
        const [from, to] = by === this.by ? [square, there] : [there, square];
        this.before.lit([from]);
        this.after.lit([to]);
        if (square === undefined) {
            this.summary();
        } else if (by !== this.by) {
            this.says.textContent = from === undefined ? `No bit comes to ${NAMES[to]}.` : `${NAMES[to]} gets the bit of ${NAMES[from]}: ${from} ${sign(this.by)} = ${to}.`;
        } else if (to === undefined) {
            this.says.textContent = `${NAMES[from]} is bit ${from}. ${from} ${sign(this.by)} = ${from + this.by} is not a bit of the word: it is shifted out.`;
        } else {
            const wraps = !step(this.direction, bit(from));
            this.says.textContent = `${NAMES[from]} is bit ${from}, and ${from} ${sign(this.by)} = ${to} is ${NAMES[to]}.${wraps ? " That is on the other side of the board: the bit wraps." : ""}`;
        }
    }

    summary() {
        const wrapped = this.shifted & ~this.stepped;
        const name = DIRECTIONS[this.direction][0];
        this.says.textContent = !wrapped ? `One step ${name}. No bit of this set wraps.`
            : this.masked ? `One step ${name}. The mask removes the bits that wrapped: ${namesOf(wrapped)}.`
                : `One step ${name} wraps: ${namesOf(wrapped)} ${wrapped & (wrapped - 1n) ? "are" : "is"} on the wrong side of the board. Press the mask.`;
    }

    draw() {
        const { shifted, stepped, result } = this;
        NAMES.forEach((_, square) => {
            const inside = has(this.from, square);
            this.before.paint(square, { say: inside ? "in the set" : "not in the set", colour: inside ? copyOf(0) : undefined, pressed: inside });
            const wrapped = has(shifted & ~stepped, square);
            const kept = has(result, square);
            this.after.paint(square, { say: kept ? (wrapped ? "wrapped" : "in the set") : wrapped ? "removed by the mask" : "not in the set", disabled: true,
                colour: kept ? (wrapped ? "var(--bad)" : copyOf(0)) : undefined, text: wrapped ? "×" : "", classes: wrapped && !kept ? "removed" : "" });
        });
        const letter = [1, 2, 3].includes(this.direction) ? "a" : [5, 6, 7].includes(this.direction) ? "h" : undefined;
        this.maskText.textContent = letter ? ` & not the ${letter}-file` : " no mask is needed";
        this.mask.disabled = !letter;
        this.mask.checked = this.masked;
        const formula = letter && this.masked ? `(b ${shiftText(this.by)}) & ~${letter.toUpperCase()}_FILE` : `b ${shiftText(this.by)}`;
        this.heads[0].replaceChildren(html("code", {}, "b"), html("code", { class: "number" }, hex(this.from)));
        this.heads[1].replaceChildren(html("code", {}, formula), html("code", { class: "number" }, hex(result)));
        this.compass.querySelectorAll("button").forEach((element) => element.setAttribute("aria-pressed", Number(element.dataset.direction) === this.direction));
        this.light(undefined, this.by);
    }
}

function shiftText(by) {
    return by > 0 ? `<< ${by}` : `>> ${-by}`;
}

function sign(by) {
    return by > 0 ? `+ ${by}` : `- ${-by}`;
}

export function mount(root) {
    return new Steps(root);
}
