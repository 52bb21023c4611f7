// Figure: eight boards in the eight lanes of a register. Each line of Kogge-Stone's fill is run by one instruction for each
// operator: one board at a time, or all eight at once.

import { Board, NAMES, bit, button, count, has, html } from "./shared/kit.js";
import * as kernels from "./lanes_kernels.js";

const { lines, step } = kernels;
const RUN = lines.map((_, number) => kernels[`line${number}`]);
const [EAST, LANES, PAUSE] = [2, 8, 700];
const WORD = 2n ** 64n - 1n;
const SLIDERS = ["b2", "a4", "c7", "d1", "a8", "e5", "b6", "a1"];
const OTHERS = ["f2", "d4 g4", "d7", "h1", "", "f5", "e6 h6", "c1 d1"];

const word = (names) => names.split(" ").filter(Boolean).reduce((sum, name) => sum | bit(NAMES.indexOf(name)), 0n);
// The instructions of a line: its operators, without the constants of the direction.
const operations = (code) => (code.match(/[&|]|rotate_left/g) ?? []).length;
const COSTS = [...lines.map(({ code }) => operations(code)), 2]; // the last step turns and masks

// What eight boards hold after some lines.
export function boardAfter(slider, occupied, ran) {
    const values = { direction: EAST, g: slider, p: WORD ^ (occupied | slider) };
    for (let number = 0; number < Math.min(ran, lines.length); number++) {
        values[lines[number].variable] = RUN[number](...lines[number].reads.map((name) => values[name]));
    }
    return ran > lines.length ? { ...values, attacks: step(EAST, values.g) } : values;
}

class Lanes {
    constructor(root) {
        this.boards = SLIDERS.map((slider, lane) => ({
            slider: bit(NAMES.indexOf(slider)), occupied: word(OTHERS[lane]),
            board: new Board({ label: `Lane ${lane}`, piece: NAMES.indexOf(slider), press: (square) => this.toggle(lane, square) }),
        }));
        this.together = true;
        this.code = html("ol", { class: "code" }, ...[...lines.map(({ code }) => code.replace("return ", "g = ").replace(": Word", "")), "attacks = step(direction, g)"].map((code) => html("li", {}, html("code", {}, code))));
        this.live = html("p", { class: "says", "aria-live": "polite" });
        this.way = ["All eight at once", "One board at a time"].map((text, way) => button(text, () => this.choose(!way)));
        this.play = button("Play", () => (this.timer ? this.stop() : this.start()));
        const element = html("div", { class: "register" }, ...this.boards.map(({ board }, lane) => html("div", { class: "lane-board" }, html("span", {}, `lane ${lane}`), board.element)));
        root.replaceChildren(html("div", { class: "controls" }, ...this.way), element, this.code, this.live,
            html("div", { class: "controls" }, this.play, button("Next instruction line", () => this.walk()), button("Start again", () => this.choose(this.together))));
        this.choose(true);
    }

    get rounds() {
        return lines.length + 1;
    }

    get done() {
        return this.ran === (this.together ? this.rounds : this.rounds * LANES);
    }

    choose(together) {
        this.stop();
        this.together = together;
        this.ran = 0;
        this.way.forEach((element, way) => element.setAttribute("aria-pressed", !way === together));
        this.draw();
    }

    toggle(lane, square) {
        const board = this.boards[lane];
        if (!has(board.slider, square)) {
            board.occupied ^= bit(square);
            this.draw();
        }
    }

    start() {
        if (this.done) {
            this.choose(this.together);
        }
        this.play.textContent = "Pause";
        this.timer = setInterval(() => this.walk(true), this.together ? PAUSE : PAUSE / 4);
    }

    stop() {
        clearInterval(this.timer);
        this.timer = undefined;
        this.play.textContent = "Play";
    }

    walk(playing = false) {
        if (!playing) {
            this.stop();
        }
        this.ran = this.done ? this.ran : this.ran + 1;
        this.draw();
        if (this.done) {
            this.stop();
        }
    }

    // The number of lines that a lane has run.
    ranIn(lane) {
        return this.together ? this.ran : Math.min(this.rounds, Math.max(0, this.ran - lane * this.rounds));
    }

    get instructions() {
        const cost = (ran) => COSTS.slice(0, ran).reduce((sum, n) => sum + n, 0);
        return this.together ? cost(this.ran) : this.boards.reduce((sum, _, lane) => sum + cost(this.ranIn(lane)), 0);
    }

    draw() {
        const active = this.together ? undefined : Math.min(LANES - 1, Math.max(0, Math.ceil(this.ran / this.rounds) - 1));
        this.states = this.boards.map(({ slider, occupied, board }, lane) => {
            const ran = this.ranIn(lane);
            const values = boardAfter(slider, occupied, ran);
            const shown = values.attacks ?? values.g;
            NAMES.forEach((_, square) => {
                const [own, taken, filled] = [has(slider, square), has(occupied, square), has(shown, square)];
                board.paint(square, {
                    say: [own && "the rook", taken && "blocker", filled && !own && (values.attacks === undefined ? "filled" : "attacked")].filter(Boolean).join(", "),
                    text: own ? "♜" : taken ? "●" : "", classes: [filled && "filled", values.attacks !== undefined && "done", own && "chosen"].filter(Boolean).join(" "),
                    pressed: own ? undefined : taken, disabled: own,
                });
            });
            board.element.parentElement.classList.toggle("active", this.together ? ran > 0 : lane === active && ran > 0);
            return values;
        });
        const line = (this.together ? this.ran : this.ranIn(active)) - 1;
        [...this.code.children].forEach((element, number) => element.classList.toggle("now", number === line));
        const whole = COSTS.reduce((sum, n) => sum + n, 0);
        this.live.textContent = `${count(this.instructions, "instruction")} so far. `
            + (this.done ? `The attacks of eight rooks to the east took ${whole} instructions on registers of eight lanes, or ${whole * LANES} on one board at a time.`
                : this.together ? "Each instruction works on all eight boards." : `Each instruction works on one board: lane ${active}.`);
    }
}

export function mount(root) {
    return new Lanes(root);
}
