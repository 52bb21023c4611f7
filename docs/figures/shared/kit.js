// Parts that figures share: elements, a board that is pressed, words as text.
//
//   html(name, attributes, ...children), svg(...)   an element; an attribute "onclick" is a listener
//   button(text, press)                             a button
//   new Board({ label, press, over, piece })        a board of 64 buttons: `element`, `paint(square, state)`, `lit(squares)`
//   hex, binary, namesOf, squaresOf, has, bit       words, which are BigInts, and squares, which are numbers
//   copyOf(i)                                       the colour of the i-th operand or blocker, wherever it appears
//   still()                                         whether the reader prefers that nothing moves

import { shapes } from "../shapes_kernels.js";

export const NAMES = [..."12345678"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank));
const SVG = "http://www.w3.org/2000/svg";

export function html(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
    return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) {
            element.addEventListener(key.slice(2), value);
        } else if (value !== undefined && value !== false) {
            element.setAttribute(key, value === true ? "" : value);
        }
    }
    element.append(...children);
    return element;
}

export function button(text, press, attributes = {}) {
    return html("button", { type: "button", onclick: press, ...attributes }, text);
}

export function bit(square) {
    return 1n << BigInt(square);
}

export function has(word, square) {
    return (word >> BigInt(square)) & 1n ? true : false;
}

export function squaresOf(word) {
    return NAMES.map((_, square) => square).filter((square) => has(word, square));
}

export function namesOf(word) {
    return squaresOf(word).map((square) => NAMES[square]).join(", ");
}

export function hex(word) {
    return `0x${word.toString(16).padStart(16, "0")}`;
}

export function binary(number, width) {
    return number.toString(2).padStart(width, "0");
}

export function count(number, one, several = `${one}s`) {
    return `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
}

export function copyOf(i) {
    return `var(--copy-${i % 10})`;
}

export function still() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// A piece as pictures of the library draw it: a letter, upper case for White.
export function pieceOf(letter) {
    const { outline, lines, dots, balls } = shapes[letter.toLowerCase()];
    const [fill, edge, line] = letter < "a" ? ["#fffdf7", "#1c1a17", "#1c1a17"] : ["#2e2b28", "#0c0b0a", "#efe9dc"];
    return svg("svg", { class: `piece ${letter < "a" ? "white" : "black"}`, viewBox: "0 0 100 100", "aria-hidden": "true", fill, stroke: edge, "stroke-width": 4, "stroke-linejoin": "round" },
        ...balls.map(([cx, cy, r]) => svg("circle", { cx, cy, r })), svg("path", { d: outline }),
        ...(lines ? [svg("path", { d: lines, fill: "none", stroke: line, "stroke-width": 3.2 })] : []),
        ...dots.map(([cx, cy, r]) => svg("circle", { cx, cy, r, fill: line, stroke: "none" })));
}

// A grid of buttons, one per square, with rank 8 on top. Arrow keys move the focus; `press(square)` is called by click,
// touch, Enter and Space, and `over(square)` by pointer and focus, with undefined when they leave.
export class Board {
    constructor({ label, press, over = () => {}, piece }) {
        this.squares = NAMES.map((name, square) => html("button", {
            type: "button", class: `square ${(square + (square >> 3)) % 2 ? "light" : "dark"}`, tabindex: square ? -1 : 0,
            "data-square": name, onclick: () => press(square), onpointerenter: () => over(square), onfocus: () => over(square),
            onpointerleave: () => over(undefined), onblur: () => over(undefined), onkeydown: (event) => this.move(event, square),
        }));
        const rows = [7, 6, 5, 4, 3, 2, 1, 0].flatMap((rank) => this.squares.slice(8 * rank, 8 * rank + 8));
        const names = (text, kind) => html("div", { class: kind, "aria-hidden": "true" }, ...[...text].map((name) => html("span", {}, name)));
        this.element = html("div", { class: "framed" }, names("87654321", "ranks"),
            html("div", { class: "board", role: "group", "aria-label": label }, ...rows), names("abcdefgh", "files"));
        if (piece) {
            this.enter(piece);
        }
    }

    enter(square) {
        this.squares.forEach((element, other) => element.setAttribute("tabindex", other === square ? 0 : -1));
    }

    move(event, square) {
        const [right, up] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [];
        const [file, rank] = [(square & 7) + right, (square >> 3) + up];
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            event.preventDefault();
            this.enter(8 * rank + file);
            this.squares[8 * rank + file].focus();
        }
    }

    // Frames squares, which the reader points at here or elsewhere.
    lit(squares) {
        this.squares.forEach((element, square) => element.classList.toggle("lit", squares.includes(square)));
    }

    // What is on a square: `say` is read aloud, `text` and a `piece` are shown; `colour` fills a disc; the classes are styles.
    paint(square, { say = "", text = "", piece = "", colour, classes = "", pressed, disabled = false }) {
        const element = this.squares[square];
        const state = [say, text, piece, colour, classes, pressed, disabled].join("|");
        if (element.state === state) {
            return;
        }
        element.state = state;
        element.className = `square ${(square + (square >> 3)) % 2 ? "light" : "dark"} ${classes}`;
        element.setAttribute("aria-label", say ? `${NAMES[square]}, ${say}` : NAMES[square]);
        if (pressed === undefined) {
            element.removeAttribute("aria-pressed");
        } else {
            element.setAttribute("aria-pressed", pressed);
        }
        element.setAttribute("aria-disabled", disabled);
        element.style.setProperty("--colour", colour ?? "transparent");
        element.replaceChildren(...(colour ? [html("span", { class: "disc" })] : []),
            ...(piece ? [pieceOf(piece)] : []), ...(text ? [html("span", { class: "text" }, text)] : []));
    }
}
