// Figure: the board turns by 45 degrees into a diamond, whose rows are the diagonals; the rows are laid end to end; and a
// shift and a mask take out the row of a bishop.

import { NAMES, binary, bit, button, count, has, html, svg } from "./shared/kit.js";
import { diagonal, innerSix, places, shifts } from "./rotation_kernels.js";

const START = ["c1", "f4", "h6", "e5", "b6"].reduce((word, name) => word | bit(NAMES.indexOf(name)), 0n);
const STAGES = ["The board", "Turned by 45 degrees", "Rows", "The look-up"];
const [CELL, MIDDLE, HALF, BELOW] = [34, 200, Math.SQRT1_2, 84];
const PAUSE = 1800;

const diagonalOf = (square) => (square >> 3) - (square & 7) + 7; // 0 to 14, from h1 to a8
const lengthOf = (row) => 8 - Math.abs(row - 7);

// The board turned by 45 degrees, the index of a bishop's diagonal and its attacks there.
export function modelOf(square, occupied) {
    const turned = places.reduce((word, place, other) => (has(occupied, other) ? word | bit(place) : word), 0n);
    const shifted = turned >> BigInt(shifts[square]);
    const squares = NAMES.map((_, other) => other).filter((other) => diagonalOf(other) === diagonalOf(square));
    return { turned, shifted, squares, shift: shifts[square], index: Number(innerSix(shifted)), attacks: diagonal(square, occupied) };
}

// Where a square's middle is, and by how many degrees it is turned.
function positionOf(square, stage) {
    const [right, up] = [(square & 7) - 3.5, (square >> 3) - 3.5];
    if (stage === 0) {
        return [MIDDLE + right * CELL, MIDDLE - up * CELL, 0];
    }
    if (stage === 1) {
        return [MIDDLE + (right + up) * HALF * CELL, MIDDLE - (up - right) * HALF * CELL, 45];
    }
    const row = diagonalOf(square);
    const first = shifts[square]; // the place of the row's first square
    return [MIDDLE + (places[square] - first + 0.5 - lengthOf(row) / 2) * CELL, MIDDLE - (row - 7) * CELL * 0.76, 0];
}

class Rotation {
    constructor(root) {
        this.square = 20; // e3
        this.occupied = START;
        this.stage = 0;
        this.cells = NAMES.map((name, square) => this.cell(name, square));
        this.rows = Array.from({ length: 15 }, (_, row) => {
            const [first, length] = [shifts[row < 8 ? 7 - row : 8 * (row - 7)], lengthOf(row)];
            return svg("text", { x: 2, y: MIDDLE - (row - 7) * CELL * 0.76 + 4 }, length > 1 ? `${first}-${first + length - 1}` : String(first));
        });
        this.lookup = svg("g", { class: "lookup" });
        this.drawing = svg("svg", { viewBox: `0 0 ${2 * MIDDLE} ${2 * MIDDLE + BELOW}`, class: "rotation", role: "group", "aria-label": "The board and its diagonals" }, ...this.cells, svg("g", { class: "rows-of-bits" }, ...this.rows), this.lookup);
        this.live = html("p", { class: "says", "aria-live": "polite" });
        this.ways = STAGES.map((text, stage) => button(text, () => this.show(stage)));
        this.bishop = html("select", { "aria-label": "The bishop's square", onchange: () => this.place(Number(this.bishop.value)) }, ...NAMES.map((name, square) => html("option", { value: square }, name)));
        this.play = button("Play", () => (this.timer ? this.stop() : this.start()));
        root.replaceChildren(html("div", { class: "controls" }, ...this.ways, this.play, html("label", {}, "Bishop on ", this.bishop)), this.drawing, this.live);
        this.place(20);
    }

    cell(name, square) {
        const press = () => this.toggle(square);
        const keys = { Enter: press, " ": press, ArrowRight: () => this.move(square, 1, 0), ArrowLeft: () => this.move(square, -1, 0), ArrowUp: () => this.move(square, 0, 1), ArrowDown: () => this.move(square, 0, -1) };
        return svg("g", { class: "cell", role: "button", tabindex: -1, "data-square": name, onclick: press, onkeydown: (event) => {
            if (keys[event.key]) {
                event.preventDefault();
                keys[event.key]();
            }
        } }, svg("rect", { x: -CELL / 2, y: -CELL / 2, width: CELL, height: CELL }), svg("circle", { r: CELL * 0.4 }),
        svg("text", { y: 4 }, name));
    }

    move(square, right, up) {
        const [file, rank] = [(square & 7) + right, (square >> 3) + up];
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            this.focusable(8 * rank + file);
            this.cells[8 * rank + file].focus();
        }
    }

    focusable(square) {
        this.cells.forEach((cell, other) => cell.setAttribute("tabindex", other === square ? 0 : -1));
    }

    place(square) {
        this.square = square;
        this.bishop.value = square;
        this.focusable(square);
        this.draw();
    }

    toggle(square) {
        if (square !== this.square) {
            this.occupied ^= bit(square);
            this.draw();
        }
    }

    show(stage) {
        this.stop();
        this.stage = stage;
        this.draw();
    }

    start() {
        this.stage = this.stage === STAGES.length - 1 ? 0 : this.stage;
        this.draw();
        this.play.textContent = "Pause";
        this.timer = setInterval(() => {
            this.stage++;
            this.draw();
            if (this.stage === STAGES.length - 1) {
                this.stop();
            }
        }, PAUSE);
    }

    stop() {
        clearInterval(this.timer);
        this.timer = undefined;
        this.play.textContent = "Play";
    }

    draw() {
        const occupied = this.occupied & ~bit(this.square) | bit(this.square);
        this.model = modelOf(this.square, occupied);
        const { squares, attacks, shift } = this.model;
        this.drawing.classList.toggle("numbered", this.stage > 1);
        this.ways.forEach((element, stage) => element.setAttribute("aria-pressed", stage === this.stage));
        this.cells.forEach((cell, square) => {
            const [x, y, turn] = positionOf(square, this.stage);
            const [own, taken, ours, seen] = [square === this.square, has(occupied, square), squares.includes(square), has(attacks, square)];
            cell.style.transform = `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${this.stage < 2 ? 1 : 0.74})`;
            cell.querySelector("text").style.transform = `rotate(${-turn}deg)`;
            cell.querySelector("text").textContent = own ? "♝" : NAMES[square];
            cell.setAttribute("class", ["cell", (square + (square >> 3)) % 2 ? "light" : "dark", own && "own", taken && "taken", ours && "ours", this.stage === 3 && seen && "seen", this.stage === 3 && !ours && "away"].filter(Boolean).join(" "));
            cell.setAttribute("aria-label", `${NAMES[square]}, bit ${places[square]} of the turned board${own ? ", the bishop" : taken ? ", occupied" : ""}${this.stage === 3 && seen ? ", attacked" : ""}`);
            cell.setAttribute("aria-pressed", taken);
        });
        this.live.textContent = [
            `The diagonal of ${NAMES[this.square]} has ${count(squares.length, "square")}. On the board their bits are ${squares.join(", ")}: nine apart, so no shift makes them adjacent. Press squares to occupy them.`,
            `Turned by 45 degrees, the board is a diamond, and each diagonal is a row. The rows have different lengths: 1, 2, 3, ... 8 ... 3, 2, 1.`,
            `Numbered row by row, from h1 at the bottom, the squares of ${NAMES[this.square]}'s diagonal are adjacent bits: ${shift} to ${shift + squares.length - 1}.`,
            this.lookupText(),
        ][this.stage];
        this.drawLookup();
    }

    lookupText() {
        const { shift, index, attacks } = this.model;
        const found = NAMES.filter((_, square) => has(attacks, square)).join(", ");
        return `r45 >> ${shift} moves the row down to bit 0. A second shift by 1 and the mask 63 keep six bits, without the row's first square: 0b${binary(index, 6)} = ${index}.`
            + ` The table's entry for ${NAMES[this.square]} and ${index} holds the attacks on the diagonal: ${found}.`;
    }

    // The lowest bits of the shifted board, with the six of the index framed.
    drawLookup() {
        const { shifted, squares, index } = this.model;
        const shown = 8;
        const parts = Array.from({ length: shown }, (_, n) => {
            const own = n < squares.length;
            const x = MIDDLE + (shown / 2 - n - 1) * 30;
            return svg("g", { class: own ? "index-bit ours" : "index-bit" }, svg("rect", { x, y: 2 * MIDDLE + 18, width: 28, height: 28, rx: 3 }),
                svg("text", { x: x + 14, y: 2 * MIDDLE + 37, class: "one" }, has(shifted, n) ? "1" : "0"), svg("text", { x: x + 14, y: 2 * MIDDLE + 12, class: "name" }, NAMES[places.indexOf(this.model.shift + n)] ?? "·"));
        });
        const frame = svg("rect", { class: "frame", x: MIDDLE + (shown / 2 - 7) * 30 - 3, y: 2 * MIDDLE, width: 184, height: 50, rx: 5 });
        this.lookup.replaceChildren(...(this.stage === 3 ? [...parts, frame, svg("text", { x: MIDDLE, y: 2 * MIDDLE + 74, class: "sum" }, `(r45 >> ${this.model.shift} >> 1) & 63 = ${index}`)] : []));
    }
}

export function mount(root) {
    return new Rotation(root);
}
