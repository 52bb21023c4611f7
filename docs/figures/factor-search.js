// Figure: three ways to find a magic factor, live: dense random numbers, sparse ones, and factors constructed copy by copy
// with the library's own kernels. They work in slices, so that the page stays responsive.

import { Board, NAMES, button, copyOf, count, has, hex, html, squaresOf } from "./shared/kit.js";
import { begins, searches, verified } from "./shared/search_model.js";

const SLICE = 8; // milliseconds of work between two frames
const SHOWN = 220; // milliseconds that a copy of the first dive is shown
const SLOWLY = 30; // copies; after them, and in later dives, many are laid between two frames
const QUICKLY = 20;
const WAYS = {
    dense: ["Dense random numbers", "All 64 bits are drawn at random: about 32 ones."],
    sparse: ["Sparse random numbers", "The AND of three random numbers: about 8 ones, so few copies of the mask."],
    constructed: ["Constructed", "Copies are laid one by one, so that each square gets an index bit of its own."],
};

class SearchFigure {
    constructor(root) {
        this.piece = "rook";
        this.square = 27;
        this.narrower = 0;
        this.board = new Board({ label: "The square of the piece", press: (square) => this.choose(this.piece, square) });
        this.pieces = html("select", { "aria-label": "Piece", onchange: () => this.choose(this.pieces.value, this.square) },
            html("option", { value: "rook" }, "rook"), html("option", { value: "bishop" }, "bishop"));
        this.width = html("select", { "aria-label": "Width of the index", onchange: () => this.choose(this.piece, this.square) },
            html("option", { value: 0 }, "as wide as the mask"), html("option", { value: 1 }, "one bit narrower"));
        this.run = button("Start", () => (this.running ? this.stop() : this.start()), { class: "run" });
        this.live = html("p", { class: "says", "aria-live": "polite" });
        this.lanes = Object.fromEntries(Object.entries(WAYS).map(([way, [title, text]]) => {
            const lane = { tries: html("dd"), time: html("dd"), saved: html("dd"), state: html("p", { class: "state" }), drawing: html("div", { class: "drawing" }) };
            lane.element = html("section", { class: "lane", "data-way": way, "aria-label": title }, html("p", { class: "title" }, title), html("p", {}, text),
                html("dl", {}, html("dt", {}, "tries"), lane.tries, html("dt", {}, "time"), lane.time, html("dt", {}, "bits saved"), lane.saved), lane.state, lane.drawing);
            return [way, lane];
        }));
        root.replaceChildren(html("div", { class: "search" },
            html("div", { class: "boards" }, this.board.element, html("div", { class: "controls" }, this.pieces, this.width, this.run, button("Reset", () => this.choose(this.piece, this.square)))),
            html("div", { class: "lanes" }, ...Object.values(this.lanes).map(({ element }) => element))), this.live);
        this.choose("rook", 27);
    }

    choose(piece, square) {
        this.stop();
        [this.piece, this.square, this.narrower] = [piece, square, Number(this.width.value)];
        this.task = begins(piece, square, this.narrower);
        this.searches = searches(this.task);
        const { mask, bits, occupancies, sets } = this.task;
        const letter = piece === "rook" ? "♜" : "♝";
        NAMES.forEach((_, other) => this.board.paint(other, {
            say: other === square ? `the ${piece}` : has(mask, other) ? "relevant" : "", text: other === square ? letter : "",
            classes: [other === square && "chosen", has(mask, other) && "relevant"].filter(Boolean).join(" "),
        }));
        this.live.textContent = `${piece} on ${NAMES[square]}: ${count(squaresOf(mask).length, "relevant square")}, ${count(occupancies.length, "occupancy", "occupancies")},`
            + ` ${count(sets, "attack set")}; an index of ${count(bits, "bit")} has ${(2 ** bits).toLocaleString("en")} slots.`;
        this.draw();
    }

    start() {
        if (Object.values(this.searches).every(({ done }) => done)) {
            this.choose(this.piece, this.square);
        }
        this.running = true;
        this.run.textContent = "Stop";
        this.frame();
    }

    stop() {
        this.running = false;
        this.run.textContent = "Start";
        clearTimeout(this.timer);
    }

    // One slice: the random searches share the time; the construction lays one copy, and waits until it has been seen.
    frame() {
        const { dense, sparse, constructed } = this.searches;
        const waiting = [dense, sparse].filter(({ done }) => !done);
        waiting.forEach((search) => search.work(SLICE / waiting.length));
        const quickly = constructed.tries > 1 || constructed.node >= SLOWLY;
        if (quickly || performance.now() - (this.seen ?? 0) > SHOWN) {
            this.seen = performance.now();
            for (let i = 0; i < (quickly ? QUICKLY : 1) && !constructed.done; i++) {
                constructed.step();
            }
        }
        this.draw();
        if (Object.values(this.searches).every(({ done }) => done)) {
            this.stop();
            this.live.textContent = "All three are done.";
        } else if (this.running) {
            this.timer = setTimeout(() => this.frame(), 16);
        }
    }

    draw() {
        const { mask, bits } = this.task;
        for (const [way, search] of Object.entries(this.searches)) {
            const lane = this.lanes[way];
            const found = search.factor !== undefined;
            lane.tries.textContent = search.tries.toLocaleString("en");
            lane.time.textContent = search.milliseconds < 1 && search.tries ? "under 1 ms" : `${Math.round(search.milliseconds).toLocaleString("en")} ms`;
            lane.saved.textContent = found ? String(squaresOf(mask).length - bits) : "–";
            lane.element.classList.toggle("found", found);
            lane.state.textContent = found
                ? `${hex(search.factor)}, verified: each of ${this.task.occupancies.length.toLocaleString("en")} occupancies finds its own attacks${
                    search.injective ? " in a slot of its own" : ""}.`
                : search.impossible ? `Not possible: there are fewer index bits than squares. ${this.knownText(search.known)}` : "no factor yet";
        }
        this.drawCopies();
    }

    knownText(known) {
        return known === undefined ? "The library knows no factor for this width."
            : `The library has ${hex(known)} for this width, which ${verified(this.task, known) ? "works" : "fails"}.`;
    }

    // The index bits, each with the squares whose copy of the factor arrives there.
    drawCopies() {
        const { laid = [], factor } = this.searches.constructed;
        const { mask, bits } = this.task;
        const squares = squaresOf(mask);
        const rows = laid.map(({ copy, placed }, i) => html("tr", {}, html("th", { scope: "row" }, `<< ${copy}`),
            ...Array.from({ length: bits }, (_, n) => {
                const square = 63 - n - copy;
                const arrives = square >= 0 && has(mask, square);
                const placedHere = arrives && placed.includes(square);
                const colour = copyOf(squares.indexOf(square));
                return html("td", placedHere ? { style: `background: ${colour}`, class: "placed" } : {}, arrives ? NAMES[square] : "");
            })));
        const head = html("tr", {}, html("th", { scope: "col" }, "copy"), ...Array.from({ length: bits }, (_, n) => html("th", { scope: "col" }, String(63 - n))));
        const table = html("table", { class: "copies" }, html("caption", {}, factor === undefined ? "Bits of the factor so far, and what each brings to the index" : "The factor's copies, and what each brings to the index"),
            html("thead", {}, head), html("tbody", {}, ...rows));
        this.lanes.constructed.drawing.replaceChildren(...(laid.length ? [table] : []));
    }
}

export function mount(root) {
    return new SearchFigure(root);
}
