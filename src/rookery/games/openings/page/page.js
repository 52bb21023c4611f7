// A tree of openings to browse. The address holds the moves that led to the position shown, so that it can be shared.

const SVG = "http://www.w3.org/2000/svg";
const SQUARE = 45;
const OUT = 2.5; // by how much the box of a piece is larger than a square
const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

const positions = data.positions.map(([epd, name, ...rest]) => ({ epd, name: data.names[name], ...counts(rest), moves: [], ways: [] }));
data.moves.forEach(([before, san, from, to, after, ...rest]) => {
    const move = { san, from, to, before: positions[before], after: positions[after], ...counts(rest) };
    positions[before].moves.push(move); // the most frequent first
    positions[after].ways.push(move);
});
const start = positions[data.start];

let line = []; // the moves from the start
let whiteBelow = true;

function counts([games, white, draws, black, score, rating, performance, last]) {
    return { games, white, draws, black, score, rating, performance, last };
}

function here() {
    return line.length ? line[line.length - 1].after : start;
}

function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

function svgElement(name, attributes) {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
}

function squareName(square) {
    return "abcdefgh"[square % 8] + (1 + (square >> 3));
}

function corner(square) {
    const [file, rank] = [square % 8, square >> 3];
    return whiteBelow ? [SQUARE * file, SQUARE * (7 - rank)] : [SQUARE * (7 - file), SQUARE * rank];
}

function middle(square) {
    return corner(square).map((place) => place + SQUARE / 2);
}

// The pieces of an EPD, by square: "P" white, "p" black.
function piecesOf(epd) {
    const pieces = [];
    epd.split(" ")[0].split("/").forEach((row, i) => {
        let square = 8 * (7 - i);
        [...row].forEach((sign) => {
            if (/\d/.test(sign)) {
                square += Number(sign);
            } else {
                pieces.push([square, sign]);
                square += 1;
            }
        });
    });
    return pieces.sort(([a], [b]) => a - b);
}

function whiteToMove(position) {
    return position.epd.split(" ")[1] === "w";
}

function drawBoard() {
    const pieces = piecesOf(here().epd);
    byId("men").replaceChildren(...pieces.map(([square, sign]) => {
        const [x, y] = corner(square);
        const size = SQUARE + 2 * OUT;
        return svgElement("use", { href: `#${sign}`, x: x - OUT, y: y - OUT - 1, width: size, height: size });
    }));
    const last = line.length ? line[line.length - 1] : null;
    byId("last-move").replaceChildren(...(last ? [last.from, last.to] : []).map((square) => {
        const [x, y] = corner(square);
        return svgElement("rect", { x, y, width: SQUARE, height: SQUARE });
    }));
    const described = pieces.map(([square, sign]) => {
        return `${sign === sign.toUpperCase() ? "white" : "black"} ${NAMES[sign.toLowerCase()]} ${squareName(square)}`;
    });
    byId("pieces").textContent = `${whiteToMove(here()) ? "White" : "Black"} to move: ${described.join(", ")}`;
    drawArrow(null);
}

function drawArrow(move) {
    if (!move || move.from === move.to) {
        byId("arrow").replaceChildren();
        return;
    }
    const [[x1, y1], [x2, y2]] = [middle(move.from), middle(move.to)];
    byId("arrow").replaceChildren(svgElement("line", { x1, y1, x2, y2 }), svgElement("circle", { cx: x2, cy: y2, r: 9 }));
}

function percent(share) {
    return share === null ? "" : `${(100 * share).toFixed(1)} %`;
}

function number(value) {
    return value === null ? "" : value.toLocaleString("en");
}

function bar({ white, draws, black }) {
    const all = white + draws + black;
    const made = element("div", { className: "bar" });
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", `${white} white wins, ${draws} draws, ${black} black wins`);
    [["white", white], ["draw", draws], ["black", black]].filter(([, part]) => part).forEach(([kind, part]) => {
        const share = part / all;
        const span = element("span", { className: kind, textContent: share > 0.12 ? `${Math.round(100 * share)}%` : "" });
        span.style.flex = `${part} 0 0`;
        made.append(span);
    });
    return made;
}

function moveRow(move) {
    const button = element("button", { type: "button", textContent: move.san, onclick: () => go([...line, move]) });
    button.onfocus = button.onmouseenter = () => drawArrow(move);
    button.onblur = button.onmouseleave = () => drawArrow(null);
    const head = element("th", { scope: "row" }, button);
    const cells = [number(move.games), percent(move.games / here().games), percent(move.score), bar(move),
        number(move.performance), number(move.rating), move.last ?? ""];
    return element("tr", {}, head, ...cells.map((cell) => element("td", {}, cell)));
}

function label(i) {
    // The number of the first move is not known: a start with black to move counts as move 1.
    const ply = i + (whiteToMove(start) ? 0 : 1);
    return ply % 2 === 0 ? `${ply / 2 + 1}. ` : i === 0 ? "1... " : "";
}

function drawLine() {
    byId("line").replaceChildren(...line.map((move, i) => {
        const button = element("button", {
            type: "button", textContent: label(i) + move.san, onclick: () => go(line.slice(0, i + 1)),
        });
        if (i === line.length - 1) {
            button.setAttribute("aria-current", "step");
        }
        return element("li", {}, button);
    }));
}

function summary(position) {
    const games = `${number(position.games)} ${position.games === 1 ? "game" : "games"}`;
    const side = whiteToMove(position) ? "white" : "black";
    const score = position.score === null ? "" : `, ${percent(position.score)} for ${side}`;
    const played = position.last ? `, last played ${position.last}` : "";
    return `${games}${score}${played}${position.name ? `; most often ${position.name}` : ""}`;
}

// A line from the start to a position, found breadth first.
function lineTo(position) {
    const reached = new Map([[start, []]]);
    for (const [found, moves] of reached) {
        if (found === position) {
            return moves;
        }
        found.moves.filter((move) => !reached.has(move.after)).forEach((move) => reached.set(move.after, [...moves, move]));
    }
    return null;
}

function drawWays() {
    const last = line[line.length - 1];
    const ways = here().ways.filter((way) => way !== last).map((way) => [way, lineTo(way.before)]).filter(([, moves]) => moves);
    byId("others").hidden = ways.length === 0;
    byId("ways").replaceChildren(...ways.map(([way, moves]) => {
        const whole = [...moves, way];
        const text = whole.map((move, i) => label(i) + move.san).join(" ");
        return element("li", {}, element("button", { type: "button", textContent: text, onclick: () => go(whole) }));
    }));
}

function draw() {
    const position = here();
    drawBoard();
    drawLine();
    drawWays();
    byId("fen").textContent = position.epd;
    byId("summary").textContent = summary(position);
    byId("table").replaceChildren(...position.moves.map(moveRow));
    document.querySelector(".table").hidden = position.moves.length === 0;
    byId("none").hidden = position.moves.length > 0;
    byId("back").disabled = byId("start").disabled = line.length === 0;
}

function address(moves) {
    return `#${moves.map((move) => encodeURIComponent(move.san)).join(",")}`;
}

// Show the position after some moves, and keep them in the address: the browser's own Back works, too.
function go(moves) {
    line = moves;
    const focused = document.activeElement && document.activeElement.tagName === "BUTTON";
    history.pushState(null, "", address(moves));
    draw();
    const first = byId("table").querySelector("button") ?? byId("back");
    if (focused && !document.activeElement.matches("button")) {
        first.focus();
    }
}

function readAddress() {
    line = [];
    for (const part of location.hash.slice(1).split(",").filter(Boolean)) {
        let san = "";
        try {
            san = decodeURIComponent(part);
        } catch {
            break; // not an address of this page
        }
        const move = here().moves.find((one) => one.san === san);
        if (!move) {
            break;
        }
        line.push(move);
    }
    draw();
}

function chooseMove(step) {
    const buttons = [...byId("table").querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : buttons.length - 1) : at + step;
    buttons[Math.min(Math.max(next, 0), buttons.length - 1)]?.focus();
}

byId("title").textContent = document.title = data.title;
byId("pruned").textContent = data.least > 1 ? ` Positions of fewer than ${data.least} games are left out.` : "";
byId("start").onclick = () => go([]);
byId("back").onclick = () => go(line.slice(0, -1));
byId("turn").onclick = () => {
    whiteBelow = !whiteBelow;
    drawBoard();
};
document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
        return;
    }
    const actions = { ArrowDown: () => chooseMove(1), ArrowUp: () => chooseMove(-1), ArrowLeft: () => line.length && go(line.slice(0, -1)) };
    if (actions[event.key]) {
        event.preventDefault();
        actions[event.key]();
    }
});
window.addEventListener("popstate", readAddress);
window.addEventListener("hashchange", readAddress);
readAddress();
