// The board on which one sets blockers and the piece.

const squares = [];
const drawn = []; // what was drawn on each square, to draw only what changes

function makeBoard() {
    for (let rank = 7; rank >= 0; rank--) {
        const row = element("div", {});
        row.setAttribute("role", "row");
        for (let file = 0; file < 8; file++) {
            const square = 8 * rank + file;
            const button = element("button", { type: "button", tabIndex: -1 });
            button.setAttribute("role", "gridcell");
            button.classList.toggle("dark", (rank + file) % 2 === 0);
            if (rank === 0) {
                button.dataset.file = "abcdefgh"[file];
            }
            if (file === 0) {
                button.dataset.rank = String(rank + 1);
            }
            button.addEventListener("pointerdown", (event) => beginDrag(event, square));
            button.addEventListener("click", () => {
                if (dragging.moved) {
                    dragging.moved = false;
                    return;
                }
                focusOn(square);
                if (document.querySelector("input[name=mode]:checked").value === "piece") {
                    putSlider(square);
                } else {
                    toggle(square);
                }
            });
            button.addEventListener("keydown", (event) => keyOn(event, square));
            squares[square] = button;
            row.append(button);
        }
        byId("board").append(row);
    }
    squares[state.square].tabIndex = 0;
}

// The piece is dragged: it is put on each square that the pointer enters.
const dragging = { moved: false };

function beginDrag(event, square) {
    dragging.moved = false;
    if (square !== state.square || event.button !== 0) {
        return;
    }
    const move = ({ clientX, clientY }) => {
        const over = squares.indexOf(document.elementFromPoint(clientX, clientY)?.closest("#board button"));
        if (over >= 0 && over !== state.square) {
            dragging.moved = true;
            putSlider(over);
        }
    };
    const end = () => {
        window.removeEventListener("pointermove", move);
        if (dragging.moved) {
            focusOn(state.square);
            setTimeout(() => {
                dragging.moved = false;
            });
        }
    };
    event.target.releasePointerCapture?.(event.pointerId);
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end, { once: true });
    window.addEventListener("pointercancel", end, { once: true });
}

function focusOn(square) {
    squares.forEach((button, i) => {
        button.tabIndex = i === square ? 0 : -1;
    });
    squares[square].focus();
}

function keyOn(event, square) {
    const moves = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.key in moves) {
        const [right, up] = moves[event.key];
        const [file, rank] = [(square % 8) + right, (square >> 3) + up];
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            focusOn(8 * rank + file);
        }
    } else if (event.key === " " || event.key === "Enter") {
        toggle(square);
    } else if (event.key === "s" || event.key === "S") {
        putSlider(square);
    } else {
        return;
    }
    event.preventDefault();
}

function toggle(square) {
    if (!state.pieces.delete(square)) {
        state.pieces.set(square, "p");
    }
    say("");
    ask();
}

function putSlider(square) {
    state.square = square;
    state.factor = null;
    say("");
    ask();
}

function drawSquare(square, letter, attacked) {
    const [chosen, bit] = [square === state.square, state.bits ? places()[square] : -1];
    const blocker = chosen ? undefined : blockers.get(square);
    const all = [letter, attacked, chosen, bit, blocker].join();
    if (drawn[square] === all) {
        return;
    }
    drawn[square] = all;
    const button = squares[square];
    const colour = letter && letter === letter.toUpperCase() ? "white" : "black";
    const words = [NAMES[square], letter ? `${colour} ${PIECES[letter.toLowerCase()]}` : "empty"];
    if (chosen) {
        words.push("the piece in question");
    }
    if (bit >= 0) {
        words.push(`bit ${bit}`);
    }
    if (attacked) {
        words.push("attacked");
    }
    button.setAttribute("aria-label", words.join(", "));
    button.classList.toggle("seen", attacked);
    button.classList.toggle("occupied", Boolean(letter));
    button.classList.toggle("chosen", chosen);
    button.style = blocker === undefined ? "" : blockerStyle(blocker);
    if (blocker === undefined) {
        delete button.dataset.blocker;
    } else {
        button.dataset.blocker = square;
    }
    const shape = letter && svgElement("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, pieceShape(letter));
    const number = bit >= 0 && element("span", { className: "bit", ariaHidden: "true" }, String(bit));
    button.replaceChildren(...[shape, number].filter(Boolean));
}

function drawPosition(answer) {
    const seen = new Set(squaresOf(answer, places()));
    squares.forEach((_, square) => {
        const letter = square === state.square ? SLIDERS[state.piece] : state.pieces.get(square);
        drawSquare(square, letter ?? "", seen.has(square));
    });
    if (document.activeElement !== byId("fen")) {
        byId("fen").value = writeFen();
    }
    for (const name of ["technique", "piece", "mapping"]) {
        byId(name).value = state[name];
    }
    byId("bits").checked = state.bits;
    const named = [0, 1, 4, 8, 63].map((bit) => `bit ${bit} is ${NAMES[places().indexOf(bit)]}`);
    write(byId("mapping-text"), `${named.join(", ")}.`.replace(/^b/, "B"));
    document.body.classList.toggle("embed", state.embed);
    document.body.dataset.panel = state.panel;
}

// A blocker that the reader points at is framed wherever it appears.
let pointedAt;

function lightBlocker({ target }) {
    const blocker = target.closest?.("[data-blocker]")?.dataset.blocker;
    if (blocker !== pointedAt) {
        pointedAt = blocker;
        document.querySelectorAll("[data-blocker]").forEach((here) => here.classList.toggle("lit", here.dataset.blocker === blocker));
    }
}

const numbers = { key: "", bySquare: new Map() };

// The occupied squares that the piece sees on the empty board, each with the number of its colour: first come the squares on
// which a blocker hides others, as in the figures of the tutorial, then the last squares of the rays.
function numbered(technique, piece, square, occupied) {
    const key = [technique.name, piece, square, state.mapping].join();
    if (numbers.key !== key) {
        const whole = attacksOf(technique, piece, square, 0n);
        const isLast = (seen) => attacksOf(technique, piece, square, 1n << BigInt(places()[seen])) === whole;
        const seen = squaresOf(whole, places());
        const order = [...seen.filter((one) => !isLast(one)), ...seen.filter(isLast)];
        Object.assign(numbers, { key, bySquare: new Map(order.map((one, number) => [one, number])) });
    }
    return new Map([...numbers.bySquare].filter(([seen]) => (occupied >> BigInt(places()[seen])) & 1n));
}
