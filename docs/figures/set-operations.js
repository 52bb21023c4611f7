// Figure: set operations on two boards. A square has the colour of the operand that it comes from.

import { Board, NAMES, bit, button, copyOf, has, hex, html, namesOf, squaresOf } from "./shared/kit.js";

const ALL = (1n << 64n) - 1n;
const OPERATIONS = {
    "a & b": { name: "AND", run: (a, b) => a & b, says: "in both sets" },
    "a | b": { name: "OR", run: (a, b) => a | b, says: "in at least one of the sets" },
    "a ^ b": { name: "XOR", run: (a, b) => a ^ b, says: "in exactly one of the sets" },
    "a & ~b": { name: "AND NOT", run: (a, b) => a & ~b & ALL, says: "in a and not in b" },
    "~a": { name: "NOT", run: (a) => ~a & ALL, says: "not in a" },
};
const START = { a: ["c3", "d4", "e5"], b: ["d4", "e5", "f6"] };

class SetOperations {
    constructor(root) {
        this.sets = Object.fromEntries(Object.entries(START).map(([name, squares]) => [name, squares.reduce((word, square) => word | bit(NAMES.indexOf(square)), 0n)]));
        this.operation = "a & b";
        const over = (square) => this.light(square);
        this.boards = {
            a: new Board({ label: "Set a", press: (square) => this.toggle("a", square), over }),
            b: new Board({ label: "Set b", press: (square) => this.toggle("b", square), over }),
            result: new Board({ label: "The result", press: () => {}, over }),
        };
        this.buttons = Object.keys(OPERATIONS).map((name) => button(`${name}`, () => this.choose(name), { "data-operation": name, title: OPERATIONS[name].name }));
        this.heads = Object.fromEntries(Object.keys(this.boards).map((name) => [name, html("div", { class: "head" }, html("code", {}, name), html("code", { class: "number" }))]));
        const panel = (name) => html("div", {}, this.heads[name], this.boards[name].element);
        this.says = html("p", { class: "says", "aria-live": "polite" });
        root.replaceChildren(html("div", { class: "controls", role: "group", "aria-label": "Operation" }, ...this.buttons),
            html("div", { class: "triple sets" }, panel("a"), panel("b"), panel("result")), this.says);
        this.draw();
    }

    get result() {
        return OPERATIONS[this.operation].run(this.sets.a, this.sets.b);
    }

    toggle(name, square) {
        this.sets[name] ^= bit(square);
        this.draw();
        this.light(square);
    }

    choose(operation) {
        this.operation = operation;
        this.draw();
    }

    light(square) {
        Object.values(this.boards).forEach((board) => board.lit([square]));
        if (square === undefined) {
            const { name, says } = OPERATIONS[this.operation];
            const [count, squares] = [squaresOf(this.result).length, namesOf(this.result)];
            this.says.textContent = `${name} keeps the squares that are ${says}: ${count > 12 ? `${count} squares` : squares || "none"}.`;
            return;
        }
        const [a, b, c] = [this.sets.a, this.sets.b, this.result].map((word) => Number(has(word, square)));
        const unary = this.operation === "~a";
        const formula = this.operation.replace("a", a).replace("b", b);
        this.says.textContent = `${NAMES[square]}: ${unary ? `its bit is ${a} in a` : `its bit is ${a} in a and ${b} in b`}, and ${formula} is ${c}.`;
    }

    draw() {
        const { a, b } = this.sets;
        const words = { a, b, result: this.result };
        const colourOf = (name, square) => {
            const [first, second] = name === "result" ? [has(a, square), has(b, square) && this.operation !== "~a"] : [name === "a", name === "b"];
            return first && second ? copyOf(2) : first ? copyOf(0) : second ? copyOf(1) : "var(--carried)";
        };
        for (const [name, board] of Object.entries(this.boards)) {
            NAMES.forEach((_, square) => {
                const inside = has(words[name], square);
                board.paint(square, { say: inside ? "in the set" : "not in the set", colour: inside ? colourOf(name, square) : undefined,
                    pressed: name === "result" ? undefined : inside, disabled: name === "result" });
            });
            this.heads[name].lastChild.textContent = hex(words[name]);
        }
        this.heads.result.firstChild.textContent = this.operation;
        this.boards.b.element.parentElement.classList.toggle("unused", this.operation === "~a");
        this.buttons.forEach((element) => element.setAttribute("aria-pressed", element.dataset.operation === this.operation));
        this.light(undefined);
    }
}

export function mount(root) {
    return new SetOperations(root);
}
