// Boards, drawn. Words are in the bits of a mapping: `places[square]` is a square's bit.

const NAMES = [..."12345678"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank));
const PIECES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const SLIDERS = { rook: "R", bishop: "B", queen: "Q" };
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
    const [low, high] = [Number(word & 0xffffffffn), Number(word >> 32n)];
    return places.flatMap((bit, square) => (((bit < 32 ? low : high) >>> (bit & 31)) & 1 ? [square] : []));
}

function namesOf(word, places) {
    return squaresOf(word, places).map((square) => NAMES[square]).join(" ");
}

function hex(word) {
    return `0x${word.toString(16).padStart(16, "0")}`;
}

function binary(number, width = 0) {
    return `0b${number.toString(2).padStart(width, "0")}`;
}

function many(count, one, several) {
    return `${count === 0 ? "no" : count.toLocaleString("en")} ${count < 2 ? one : several}`;
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

function corner(square) {
    return [10 * (square % 8), 70 - 10 * (square >> 3)];
}

// All squares as one path.
function squaresPath(squares) {
    return squares.map((square) => `M${corner(square).join(" ")}h10v10h-10z`).join("");
}

const DARK = squaresPath(NAMES.map((_, square) => square).filter((square) => (square + (square >> 3)) % 2 === 0));
// What all boards have, to be copied.
const GROUND = svgElement("g", {}, svgElement("rect", { width: 80, height: 80, fill: "#f2ebdc" }),
    svgElement("path", { d: DARK, fill: "#c3ae8f" }));
const COORDINATES = svgElement("g", { class: "coordinates" }, ...[..."abcdefgh"].flatMap((file, i) =>
    [[file, 10 * i + 5, 84.6], [i + 1, -2.6, 76.8 - 10 * i]]).map(([text, x, y]) => svgElement("text", { x, y }, String(text))));

// A text for each square, such as the number of its bit.
function squareTexts(texts) {
    return svgElement("g", { class: "names" }, ...texts.map((text, square) => {
        const [x, y] = corner(square);
        return svgElement("text", { x: x + 0.6, y: y + 3.3 }, String(text));
    }));
}

// The bits of a word: discs, or rings where `occupied`; a white dot within the `fresh` ones. Beside `texts` they make room.
function bitMarks({ word, places, occupied = [], fresh = 0n, texts }) {
    const [isFresh, isOccupied] = [new Set(squaresOf(fresh, places)), new Set(occupied)];
    return svgElement("g", { class: "bits" }, ...squaresOf(word, places).flatMap((square) => {
        const [x, y] = corner(square);
        const at = texts ? { cx: x + 6.4, cy: y + 6 } : { cx: x + 5, cy: y + 5 };
        const disc = isOccupied.has(square)
            ? { ...at, r: 3.2, fill: "none", stroke: "#0067a5", "stroke-width": 1 }
            : { ...at, r: isFresh.has(square) ? 3 : 2.2, fill: "#00664d" };
        const dot = isFresh.has(square) ? [svgElement("circle", { ...at, r: 1.1, fill: "#ffffff" })] : [];
        return [svgElement("circle", disc), ...dot];
    }));
}

// A small board. `taken` bits are crosses; `marked` squares are an index or a line, each with a bar below; `found` has a frame, as has the
// `chosen` square, where the piece with this `letter` stands. `texts` stand on the squares instead of coordinates.
function boardPicture(picture) {
    const { places, marked = 0n, taken = 0n, found, chosen, letter, shapes, texts } = picture;
    const svg = svgElement("svg", { viewBox: texts ? "0 0 80 80" : "-5 0 85 86", role: "img" });
    svg.append(svgElement("title", {}, picture.title));
    svg.append(GROUND.cloneNode(true));
    if (marked) {
        const squares = squaresOf(marked, places);
        const bars = squares.map((square) => [corner(square), square]).map(([[x, y]]) => `M${x + 1} ${y + 9}h8`).join("");
        svg.append(svgElement("path", { d: squaresPath(squares), fill: "#8fbbdb", class: "marked", "data-squares": squares.join(" ") }));
        svg.append(svgElement("path", { d: bars, stroke: "#0067a5", "stroke-width": 0.9 }));
    }
    if (texts) {
        svg.append(squareTexts(texts));
    }
    svg.append(bitMarks(picture));
    const crosses = squaresOf(taken, places).map(corner).map(([x, y]) => `M${x + 3} ${y + 3}l4 4m0 -4l-4 4`);
    if (crosses.length) {
        svg.append(svgElement("path", { d: crosses.join(""), stroke: "#a30018", "stroke-width": 1, class: "taken" }));
    }
    for (const [square, colour] of [[found, "#a30018"], [chosen, "#0067a5"]]) {
        if (square !== undefined) {
            const [x, y] = corner(square);
            svg.append(svgElement("rect", { x: x + 0.5, y: y + 0.5, width: 9, height: 9, fill: "none", stroke: colour }));
        }
    }
    if (letter) {
        const piece = pieceShape(shapes, letter);
        piece.setAttribute("transform", `translate(${corner(chosen).join(" ")}) scale(0.1)`);
        svg.append(piece);
    }
    if (!texts) {
        svg.append(COORDINATES.cloneNode(true));
    }
    return svg;
}

function figureOf(picture, ...caption) {
    return element("figure", {}, picture, element("figcaption", {}, ...caption));
}
