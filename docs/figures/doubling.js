// Figure: Kogge-Stone. The sliders g and the empty squares p grow side by side, by 1, 2 and 4 squares.

import { Board, NAMES, bit, button, copyOf, has, html, namesOf, squaresOf } from "./shared/kit.js";
import { fill, fill1, fill2, fill3, fill4, fill5, step } from "./fills_kernels.js";

const ALL = (1n << 64n) - 1n;
const DIRECTIONS = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
const STEPS = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];
const START = { sliders: ["b1", "e2", "g6"], blockers: ["b4"] };
const wordOf = (names) => names.reduce((word, name) => word | bit(NAMES.indexOf(name)), 0n);
const ROUNDS = ["Before the first round", "Round 1: one square", "Round 2: two squares at once", "Round 3: four squares at once", "One more step: the attacks"];

class Doubling {
    constructor(root) {
        this.sliders = wordOf(START.sliders);
        this.blockers = wordOf(START.blockers);
        this.direction = 0;
        this.round = 0;
        const over = (square) => this.light(square);
        this.g = new Board({ label: "g: sliders and the squares that they reach", press: (square) => this.press(square), over });
        this.p = new Board({ label: "p: squares that can be passed", press: () => {}, over });
        this.rounds = ROUNDS.map((name, round) => button(["start", "1", "2", "4", "attacks"][round], () => this.show(round), { "data-round": round, "aria-label": name }));
        this.select = html("select", { "aria-label": "Direction", onchange: ({ target }) => this.turn(Number(target.value)) }, ...DIRECTIONS.map((name, i) => html("option", { value: i }, name)));
        this.heads = [html("div", { class: "head" }), html("div", { class: "head" })];
        this.says = html("p", { class: "says", "aria-live": "polite" });
        root.replaceChildren(
            html("div", { class: "controls", role: "group", "aria-label": "Round" }, ...this.rounds, this.select),
            html("div", { class: "pair" }, html("div", {}, this.heads[0], this.g.element), html("div", {}, this.heads[1], this.p.element)), this.says);
        this.draw();
    }

    get empty() {
        return ~(this.sliders | this.blockers) & ALL;
    }

    // g and p after a round: the values of the kernel's own lines.
    state(round = this.round) {
        const given = [this.direction, this.sliders, this.empty];
        const g = [() => this.sliders, () => fill2(...given), () => fill4(...given), () => fill(...given), () => step(this.direction, fill(...given))][round]();
        const p = [fill1, fill3, fill5][Math.min(round, 2)](...given);
        return { g, p };
    }

    show(round) {
        this.round = round;
        this.draw();
    }

    turn(direction) {
        this.direction = direction;
        this.draw();
    }

    // A square is empty, then a slider, then a blocker.
    press(square) {
        const own = bit(square);
        if (has(this.sliders, square)) {
            this.sliders ^= own;
            this.blockers |= own;
        } else if (has(this.blockers, square)) {
            this.blockers ^= own;
        } else {
            this.sliders |= own;
        }
        this.draw();
        this.light(square);
    }

    // The square that lies some steps back, or undefined.
    back(square, by) {
        const [file, rank] = STEPS[this.direction].map((delta, i) => [square & 7, square >> 3][i] - by * delta);
        return file < 0 || file > 7 || rank < 0 || rank > 7 ? undefined : 8 * rank + file;
    }

    light(square) {
        const { g, p } = this.state();
        const by = [0, 1, 2, 4, 1][this.round];
        const source = square === undefined ? undefined : this.back(square, by);
        const path = [1, 2, 4, 4, 4][this.round];
        const run = square === undefined || !has(p, square) || this.round > 2 ? [] : Array.from({ length: path }, (_, i) => this.back(square, i)).filter((other) => other !== undefined);
        this.g.lit([square, source]);
        this.p.lit(run.length ? run : [square]);
        if (square === undefined) {
            this.summary();
        } else if (has(g, square)) {
            const before = this.round ? this.state(this.round - 1).g : this.sliders;
            this.says.textContent = has(this.sliders, square) && this.round < 4 ? `${NAMES[square]} holds a slider.`
                : this.round === 4 ? `${NAMES[square]} is attacked: the fill holds ${NAMES[source]}, one step before it.`
                    : has(before, square) ? `${NAMES[square]} was reached in an earlier round.`
                        : `${NAMES[square]} is new: g holds ${NAMES[source]}, ${by} back, and ${by === 1 ? "the square is" : `all ${by} squares on the way are`} empty.`;
        } else {
            this.says.textContent = has(this.blockers, square) ? `${NAMES[square]} holds a blocker: the fill stops before it.` : `${NAMES[square]} is not reached${this.round < 3 ? " yet" : ""}.`;
        }
    }

    summary() {
        const { g } = this.state();
        const before = this.round ? this.state(this.round - 1).g : 0n;
        const fresh = g & ~before;
        this.says.textContent = this.round === 0 ? "p holds the empty squares onto which a step does not wrap. Press “1” for the first round, or press squares: a slider, a blocker, nothing."
            : this.round === 4 ? `The attacks ${DIRECTIONS[this.direction]}: ${namesOf(g) || "none"}. Blockers are included, sliders are not.`
                : `${ROUNDS[this.round]}. New in g: ${namesOf(fresh) || "nothing"}. ${this.round < 3 ? `Now p holds the ends of runs of ${2 ** this.round} empty squares.` : "1 + 2 + 4 = 7 squares are enough to cross the board."}`;
    }

    draw() {
        const { g, p } = this.state();
        const before = this.round ? this.state(this.round - 1).g : g;
        NAMES.forEach((_, square) => {
            const [slider, blocker, inside] = [this.sliders, this.blockers, g].map((word) => has(word, square));
            const attacks = this.round === 4;
            const fresh = inside && !has(before, square);
            this.g.paint(square, { say: [slider ? "a slider" : blocker ? "a blocker" : "empty", inside ? "in g" : ""].filter(Boolean).join(", "),
                piece: slider ? "R" : blocker ? "p" : "", colour: inside && !(slider && !attacks) ? (attacks ? "var(--attacked)" : fresh ? copyOf(3) : copyOf(0)) : undefined });
            this.p.paint(square, { say: has(p, square) ? "in p" : "not in p", disabled: true, colour: has(p, square) ? copyOf(2) : undefined, classes: blocker || slider ? "taken" : "" });
        });
        const formulas = [["g", "p"], ["g | (p & g moved by 1)", "p & p moved by 1"], ["g | (p & g moved by 2)", "p & p moved by 2"], ["g | (p & g moved by 4)", "p"], ["g moved by 1", "p"]];
        this.heads.forEach((head, i) => head.replaceChildren(html("code", {}, "gp"[i]), html("span", {}, formulas[this.round][i] === "gp"[i] ? `${squaresOf([g, p][i]).length} squares` : `= ${formulas[this.round][i]}`)));
        this.rounds.forEach((element, round) => element.setAttribute("aria-pressed", round === this.round));
        this.light(undefined);
    }
}

export function mount(root) {
    return new Doubling(root);
}
