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

// Make the children of an element those of `plans`, from first to last. A plan has a `key`, `make()`, and `fill(child)`,
// which writes what may change: children with the same key stay, since a new layout costs more than all else.
function arrange(parent, plans) {
    const keys = new Set(plans.map(({ key }) => key));
    [...parent.children].filter((child) => !keys.has(child.key)).forEach((child) => child.remove());
    let next = parent.firstElementChild;
    for (const { key, make, fill } of plans) {
        const child = next?.key === key ? next : parent.insertBefore(Object.assign(make(), { key }), next);
        next = child.nextElementSibling;
        fill?.(child);
    }
    while (next) {
        const after = next.nextElementSibling;
        next.remove();
        next = after;
    }
}

// Write a text, if it is another one.
function write(here, text) {
    if (here.written !== text) {
        here.written = text;
        here.textContent = text;
    }
}

// A piece in a box of 100 by 100.
function pieceShape(letter) {
    const { outline, lines, dots, balls } = data.shapes[letter.toLowerCase()];
    const group = svgElement("g", { class: `piece ${letter === letter.toUpperCase() ? "white" : "black"}` });
    group.append(...balls.map(([cx, cy, r]) => svgElement("circle", { cx, cy, r })));
    group.append(svgElement("path", { d: outline }));
    if (lines) {
        group.append(svgElement("path", { d: lines, class: "lines" }));
    }
    group.append(...dots.map(([cx, cy, r]) => svgElement("circle", { cx, cy, r, class: "dot" })));
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
const GROUND = svgElement("g", { class: "ground" }, svgElement("rect", { width: 80, height: 80 }), svgElement("path", { d: DARK }));
// Texts on or beside a board are a picture, which masks a colour: the layout of 64 texts takes longer than all else.
function textsPicture(viewBox, size, anchor, texts) {
    const svg = svgElement("svg", { xmlns: SVG, viewBox, "font-family": "system-ui, sans-serif", "font-size": size, "text-anchor": anchor },
        ...texts.map(([text, x, y]) => svgElement("text", { x, y }, String(text))));
    return `url("data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}")`;
}

const COORDINATES = textsPicture("-5 0 85 86", 4.2, "middle", [..."abcdefgh"].flatMap((file, i) =>
    [[file, 10 * i + 5, 84.6], [i + 1, -2.6, 76.8 - 10 * i]]));
const namesPictures = new Map();

// A text for each square, such as the number of its bit.
function namesPicture(texts) {
    const key = texts.join();
    if (!namesPictures.has(key)) {
        namesPictures.set(key, textsPicture("0 0 80 80", 3.7, "start", texts.map((text, square) => {
            const [x, y] = corner(square);
            return [text, x + 0.6, y + 3.3];
        })));
    }
    return namesPictures.get(key);
}

// The colour of a blocker, wherever it appears: on boards, in a sum and in an index.
function blockerStyle(number) {
    return `--copy: var(--copy-${number % 10})`;
}

// The bits of a word: discs, or rings where `occupied`, in the `colours` of blockers; a white dot within the `fresh` ones.
// Beside `texts` they make room. On a board that is turned over, each bit has been XORed with `turn`.
function bitMarks({ word, places, occupied = [], fresh = 0n, texts, colours = blockers, turn = 0 }) {
    const [isFresh, isOccupied] = [new Set(squaresOf(fresh, places)), new Set(occupied)];
    return squaresOf(word, places).flatMap((square) => {
        const [x, y] = corner(square);
        const at = texts ? { cx: x + 6.4, cy: y + 6 } : { cx: x + 5, cy: y + 5 };
        const from = turn > 0 ? places.indexOf(places[square] ^ turn) : square;
        const blocker = colours.get(from);
        const colour = blocker === undefined ? {} : { style: blockerStyle(blocker), "data-blocker": from };
        const disc = isOccupied.has(from)
            ? { ...at, r: 3.2, class: "ring", ...colour }
            : { ...at, r: isFresh.has(square) ? 3 : 2.2, class: "disc" };
        return [svgElement("circle", disc), ...(isFresh.has(square) ? [svgElement("circle", { ...at, r: 1.1, class: "fresh" })] : [])];
    });
}

function frame(square, name) {
    const [x, y] = corner(square);
    return svgElement("rect", { x: x + 0.5, y: y + 0.5, width: 9, height: 9, class: name });
}

// What of a board does not change with the word. `marked` squares are an index or a line, each with a bar below; the
// `chosen` square has a frame, and the piece with this `letter` stands there. `texts` stand on the squares.
function boardGround({ places, marked = 0n, chosen, letter, texts }) {
    const svg = svgElement("svg", { viewBox: texts ? "0 0 80 80" : "-5 0 85 86", role: "img" });
    svg.append(svgElement("title", {}), GROUND.cloneNode(true));
    if (marked) {
        const squares = squaresOf(marked, places);
        const bars = squares.map(corner).map(([x, y]) => `M${x + 1} ${y + 9}h8`).join("");
        svg.append(svgElement("path", { d: squaresPath(squares), class: "marked", "data-squares": squares.join(" ") }));
        svg.append(svgElement("path", { d: bars, class: "bars" }));
    }
    svg.append(svgElement("g", { class: "bits" }));
    if (chosen !== undefined) {
        svg.append(frame(chosen, "chosen"));
    }
    if (letter) {
        const piece = pieceShape(letter);
        piece.setAttribute("transform", `translate(${corner(chosen).join(" ")}) scale(0.1)`);
        svg.append(piece);
    }
    return svg;
}

// The marks on a board: its bits, a cross for each that is `taken`, and a frame around the square that is `found`.
function boardMarks(picture) {
    const crosses = squaresOf(picture.taken ?? 0n, picture.places).map(corner).map(([x, y]) => `M${x + 3} ${y + 3}l4 4m0 -4l-4 4`);
    return [
        ...bitMarks(picture),
        ...(crosses.length ? [svgElement("path", { d: crosses.join(""), class: "taken" })] : []),
        ...(picture.found === undefined ? [] : [frame(picture.found, "found")]),
    ];
}

// The plan of a small board with its caption, which is made of elements by `caption()` where `about` is another.
function boardPlan(picture, about, caption = () => [about]) {
    const { word, marked = 0n, chosen, letter = "", texts, occupied = [], fresh = 0n, taken = 0n, found, title, turn } = picture;
    const coloured = occupied.length ? [...picture.colours ?? blockers].join() : "";
    const marks = [word, fresh, taken, found, title, turn, occupied, coloured].join("|");
    return {
        key: ["board", state.mapping, marked, chosen, letter, texts?.join(" ")].join("|"),
        make: () => {
            const figure = element("figure", { className: `board ${texts ? "named" : "framed"}` }, boardGround(picture),
                element("figcaption", {}));
            figure.style.setProperty("--texts", texts ? namesPicture(texts) : COORDINATES);
            figure.dataset.texts = texts?.join() ?? "";
            return figure;
        },
        fill: (figure) => {
            const [svg, text] = figure.children;
            if (figure.marks !== marks) {
                figure.marks = marks;
                svg.querySelector("title").textContent = title;
                svg.querySelector(".bits").replaceChildren(...boardMarks(picture));
            }
            if (figure.about !== about) {
                figure.about = about;
                text.replaceChildren(...caption());
            }
        },
    };
}
