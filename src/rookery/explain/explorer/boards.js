// Boards, drawn. Words are in the bits of a mapping: `places[square]` is a square's bit.

const NAMES = [..."12345678"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank));
const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const SVG = "http://www.w3.org/2000/svg";

function svgElement(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) {
        element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
}

function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

function wordOf(squares, places) {
    return squares.reduce((word, square) => word | (1n << BigInt(places[square])), 0n);
}

function squaresOf(word, places) {
    return places.flatMap((bit, square) => ((word >> BigInt(bit)) & 1n ? [square] : []));
}

// A piece in a box of 100 by 100.
function pieceShape(shapes, letter) {
    const white = letter === letter.toUpperCase();
    const { outline, lines, dots, balls } = shapes[letter.toLowerCase()];
    const [fill, edge, line] = white ? ["#fffdf7", "#1c1a17", "#1c1a17"] : ["#2e2b28", "#0c0b0a", "#efe9dc"];
    const group = svgElement("g", {
        fill, stroke: edge, "stroke-width": 4, "stroke-linejoin": "round", "stroke-linecap": "round",
    });
    group.append(...balls.map(([cx, cy, r]) => svgElement("circle", { cx, cy, r })));
    group.append(svgElement("path", { d: outline }));
    if (lines) {
        group.append(svgElement("path", { d: lines, fill: "none", stroke: line, "stroke-width": 3.2 }));
    }
    group.append(...dots.map(([cx, cy, r]) => svgElement("circle", { cx, cy, r, fill: line, stroke: "none" })));
    return group;
}

// A small board: discs for bits on empty squares, rings for bits on occupied ones, blue squares for what is an index,
// yellow ones for a line that lies elsewhere on a turned board.
function boardPicture({ word, places, occupied = [], marked = 0n, line = 0n, chosen, letter, shapes, title }) {
    const svg = svgElement("svg", { viewBox: "0 0 80 80", role: "img" });
    svg.append(svgElement("title", {}, title));
    const bits = new Set(squaresOf(word, places));
    const index = new Set(squaresOf(marked, places));
    const turned = new Set(squaresOf(line, places));
    for (let square = 0; square < 64; square++) {
        const [x, y] = [10 * (square % 8), 70 - 10 * Math.floor(square / 8)];
        const dark = (square + (square >> 3)) % 2 === 0;
        const fill = index.has(square) ? (dark ? "#6d9cc0" : "#9dc4e0") : dark ? "#c3ae8f" : "#f2ebdc";
        svg.append(turned.has(square)
            ? svgElement("rect", { x, y, width: 10, height: 10, fill: "#e8c547", class: "line" })
            : svgElement("rect", { x, y, width: 10, height: 10, fill }));
        if (bits.has(square)) {
            const ring = occupied.includes(square);
            const ink = ring
                ? { r: 3.2, fill: "none", stroke: "#0067a5", "stroke-width": 1 }
                : { r: 2.2, fill: "#00664d" };
            svg.append(svgElement("circle", { cx: x + 5, cy: y + 5, ...ink }));
        }
        if (square === chosen) {
            const frame = { x: x + 0.5, y: y + 0.5, width: 9, height: 9, fill: "none", stroke: "#0067a5" };
            svg.append(svgElement("rect", frame));
            if (letter) {
                const piece = pieceShape(shapes, letter);
                piece.setAttribute("transform", `translate(${x} ${y}) scale(0.1)`);
                svg.append(piece);
            }
        }
    }
    return svg;
}

function figureOf(picture, ...caption) {
    return element("figure", {}, picture, element("figcaption", {}, ...caption));
}
