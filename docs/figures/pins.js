// Figure: checks and pins. The king looks along the lines of rooks and bishops, first as far as a piece, then through it.

import { Board, NAMES, bit, button, copyOf, has, html, pieceOf, squaresOf } from "./shared/kit.js";
import { bishopAttacks, kingAttacks, knightAttacks, pinRays, rookAttacks, shield, whitePawnAttacks } from "./pins_kernels.js";

const START = { e1: "K", e2: "R", d2: "N", b4: "b", e8: "r", a1: "r", c6: "n", h4: "p", h8: "k" };
const TOOLS = { K: "the king", N: "white knight", R: "white rook", r: "black rook", b: "black bishop", q: "black queen", n: "black knight", p: "black pawn", "": "remove" };
const KINDS = { k: "king", n: "knight", r: "rook", b: "bishop", q: "queen", p: "pawn" };
const VIEWS = { rays: "what the king sees", through: "through white pieces", pins: "pins and checks" };

const nameOf = (letter) => `${letter < "a" ? "white" : "black"} ${KINDS[letter.toLowerCase()]}`;

class Pins {
    constructor(root) {
        this.pieces = new Map(Object.entries(START).map(([name, letter]) => [NAMES.indexOf(name), letter]));
        this.tool = "R";
        this.view = "pins";
        this.board = new Board({ label: "A position", piece: NAMES.indexOf("e1"), press: (square) => this.press(square), over: (square) => this.light(square) });
        this.views = Object.entries(VIEWS).map(([view, text]) => button(text, () => this.show(view), { "data-view": view }));
        this.tools = Object.entries(TOOLS).map(([letter, name]) => button("", () => this.choose(letter), { "data-tool": letter, "aria-label": name, title: name, class: "tool" }));
        this.tools.forEach((element) => element.append(element.dataset.tool ? pieceOf(element.dataset.tool) : "×"));
        this.list = html("ul", { class: "findings" });
        this.says = html("p", { class: "says", "aria-live": "polite" });
        root.replaceChildren(
            html("div", { class: "controls", role: "group", "aria-label": "Shown" }, ...this.views),
            html("div", { class: "pair" }, this.board.element, html("div", {}, html("div", { class: "controls tools", role: "group", "aria-label": "Piece to place" }, ...this.tools), this.list)),
            this.says);
        this.draw();
    }

    setOf(letters) {
        return [...this.pieces].reduce((word, [square, letter]) => (letters.includes(letter) ? word | bit(square) : word), 0n);
    }

    get king() {
        return [...this.pieces].find(([, letter]) => letter === "K")[0];
    }

    get fen() {
        return [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => [0, 1, 2, 3, 4, 5, 6, 7].map((file) => this.pieces.get(8 * rank + file) ?? "1").join("")).join("/").replace(/1+/g, (empty) => empty.length);
    }

    // What the king sees, with all pieces as blockers and with the black ones alone; checkers, and pins by the kernel.
    model() {
        const king = this.king;
        const [white, black] = [this.setOf("KNR"), this.setOf("rbqnpk")];
        const [straight, diagonal] = [this.setOf("rq"), this.setOf("bq")];
        const occupied = white | black;
        const sees = (blockers) => [rookAttacks(king, blockers), bishopAttacks(king, blockers)];
        const [near, far] = [sees(occupied), sees(black)];
        const sliders = (near[0] & straight) | (near[1] & diagonal);
        const leapers = [[knightAttacks, "n"], [whitePawnAttacks, "p"], [kingAttacks, "k"]];
        const checkers = leapers.reduce((word, [attacks, letter]) => word | (attacks[king] & this.setOf(letter)), sliders);
        const snipers = ((far[0] & straight) | (far[1] & diagonal)) & ~checkers;
        const pins = squaresOf(snipers).map((sniper) => ({ sniper, shield: shield(king, sniper, occupied) & white })).filter((pin) => pin.shield)
            .map((pin, i) => ({ sniper: pin.sniper, pinned: squaresOf(pin.shield)[0], line: pinRays(bit(pin.sniper), king, white, occupied), colour: copyOf(i + 3) }));
        return { king, near: near[0] | near[1], far: far[0] | far[1], checkers, snipers, pins };
    }

    press(square) {
        if ("Kk".includes(this.pieces.get(square) ?? "-")) {
            return;
        }
        if (this.tool === "K") {
            this.pieces.delete(this.king);
        }
        if (this.tool && this.pieces.get(square) !== this.tool) {
            this.pieces.set(square, this.tool);
        } else {
            this.pieces.delete(square);
        }
        this.draw();
        this.light(square);
    }

    choose(tool) {
        this.tool = tool;
        this.draw();
    }

    show(view) {
        this.view = view;
        this.draw();
    }

    checkOf(square) {
        const letter = this.pieces.get(square);
        return letter === "k" ? "the kings stand next to each other, which no legal move allows"
            : `check by the ${nameOf(letter)} on ${NAMES[square]}${"np".includes(letter) ? "" : ": nothing stands in between"}`;
    }

    // Lights a pinned piece, its line and the piece that pins it, whichever is pointed at.
    light(square) {
        const { pins, checkers, king, snipers, near, far } = this.model();
        const pin = pins.find(({ sniper, pinned, line }) => [sniper, pinned].includes(square) || (square !== undefined && this.view === "pins" && has(line, square)));
        this.board.lit(pin ? [king, ...squaresOf(pin.line)] : [square]);
        this.list.querySelectorAll("li").forEach((item) => item.classList.toggle("lit", pin !== undefined && Number(item.dataset.pinned) === pin.pinned));
        if (pin) {
            this.says.textContent = `The ${nameOf(this.pieces.get(pin.pinned))} on ${NAMES[pin.pinned]} is pinned by the ${nameOf(this.pieces.get(pin.sniper))} on ${NAMES[pin.sniper]}. It may only move on the marked line.`;
        } else if (square !== undefined && has(checkers, square)) {
            this.says.textContent = `${this.checkOf(square)}.`;
        } else if (square === king) {
            this.says.textContent = `The white king on ${NAMES[king]} looks along its lines: which black sliders does it see?`;
        } else if (square !== undefined && this.pieces.has(square)) {
            this.says.textContent = `The ${nameOf(this.pieces.get(square))} on ${NAMES[square]} ${has(near, square) ? "is the first piece on its line from the king" : has(far, square) ? "stands behind white pieces" : "is not seen by the king"}.`;
        } else {
            const two = squaresOf(snipers).length - pins.length;
            this.says.textContent = {
                rays: "A queen on the king's square would attack these squares. A black slider that moves along such a line and is attacked gives check.",
                through: "Now only black pieces are blockers: the king sees through white ones. A slider that appears only now would give check if the white pieces were gone.",
                pins: `${two ? `${two === 1 ? "One slider has" : `${two} sliders have`} more than one piece in the way: none of them is pinned. ` : ""}A slider behind exactly one white piece pins it. Place pieces to try it.`,
            }[this.view];
        }
    }

    draw() {
        const { king, near, far, checkers, snipers, pins } = this.model();
        const seen = { rays: near, through: far, pins: 0n }[this.view];
        NAMES.forEach((_, square) => {
            const letter = this.pieces.get(square);
            const pin = this.view === "pins" ? pins.find(({ line }) => has(line, square)) : undefined;
            const checks = has(checkers, square) && this.view !== "through";
            const marks = [has(seen, square) ? "seen" : "", pin ? "online" : "", checks || (square === king && checkers && this.view === "pins") ? "checking" : "", has(snipers, square) && this.view === "through" ? "sniping" : ""];
            this.board.paint(square, { piece: letter ?? "", classes: marks.join(" "), say: [letter ? nameOf(letter) : "empty", has(seen, square) ? "seen by the king" : "", pin ? (pin.pinned === square ? "pinned" : "on the line of a pin") : "", checks ? "gives check" : ""].filter(Boolean).join(", ") });
            this.board.squares[square].style.setProperty("--mark", pin ? pin.colour : "var(--accent)");
        });
        this.list.replaceChildren(
            ...squaresOf(checkers).map((square) => html("li", { "data-checker": square, style: "--mark: var(--bad)" }, this.checkOf(square))),
            ...pins.map((pin) => html("li", { "data-pinned": pin.pinned, style: `--mark: ${pin.colour}`, onpointerenter: () => this.light(pin.pinned), onpointerleave: () => this.light(undefined) },
                `${NAMES[pin.pinned]} is pinned by the ${nameOf(this.pieces.get(pin.sniper))} on ${NAMES[pin.sniper]}`)),
            ...(checkers || pins.length ? [] : [html("li", { style: "--mark: var(--line)" }, "no check, no pin")]));
        this.views.forEach((element) => element.setAttribute("aria-pressed", element.dataset.view === this.view));
        this.tools.forEach((element) => element.setAttribute("aria-pressed", element.dataset.tool === this.tool));
        this.light(undefined);
    }
}

export function mount(root) {
    return new Pins(root);
}
