// Figure: sparse random factors, and why they work. Random numbers are tried one after the other; of each that is magic, the
// figure says whether every occupancy has a slot of its own, and whether every square has an index bit of its own.

import { button, copyOf, count, hex, html, NAMES, squaresOf } from "./shared/kit.js";
import { ownersOf } from "./shared/copies.js";
import { Random, begins, sparseWord } from "./shared/search_model.js";

const SLICE = 10; // milliseconds of work between two drawings
const SHOWN = 6; // factors
const CHOICES = ["rook d4", "rook e4", "rook a1", "bishop b1", "bishop d1", "bishop h4", "bishop e2", "bishop a1", "bishop c3", "bishop e4"];

class Chance {
    constructor(root) {
        this.select = html("select", { "aria-label": "Piece and square", onchange: () => this.reset() }, ...CHOICES.map((name) => html("option", { value: name }, name.replace(" ", " on "))));
        this.run = button("Start", () => (this.timer ? this.stop() : this.start()), { class: "run" });
        this.counts = Object.fromEntries(["tries", "found", "injective", "own"].map((name) => [name, html("dd", { "data-count": name })]));
        this.list = html("ol", { class: "factors" });
        this.live = html("p", { class: "says", "aria-live": "polite" });
        const titles = { tries: "sparse random numbers tried", found: "magic factors among them", injective: "that give each occupancy a slot of its own", own: "that give each square an index bit of its own" };
        root.replaceChildren(html("div", { class: "controls" }, this.select, this.run, button("Reset", () => this.reset())),
            html("dl", { class: "counts" }, ...Object.entries(titles).flatMap(([name, title]) => [html("dt", {}, title), this.counts[name]])), this.list, this.live);
        this.reset();
    }

    reset() {
        this.stop();
        const [piece, name] = this.select.value.split(" ");
        this.task = begins(piece, NAMES.indexOf(name), 0);
        Object.assign(this, { tries: 0, found: [], search: undefined });
        this.draw();
        this.live.textContent = `Press Start. Each number is the AND of three random ones: about eight ones, so about eight copies of the ${count(squaresOf(this.task.mask).length, "square")}.`;
    }

    start() {
        this.run.textContent = "Stop";
        this.timer = setInterval(() => this.work(), 16);
    }

    stop() {
        clearInterval(this.timer);
        this.timer = undefined;
        this.run.textContent = "Start";
    }

    work() {
        const end = performance.now() + SLICE;
        while (performance.now() < end) {
            this.search ??= new Random(this.task, sparseWord);
            const before = this.search.tries;
            this.search.work(end - performance.now());
            this.tries += this.search.tries - before;
            if (this.search.done) {
                this.note(this.search.factor);
                this.search = undefined;
            }
        }
        this.draw();
    }

    note(factor) {
        const { mask, shift, occupancies } = this.task;
        const slots = new Set(occupancies.map((occupied) => BigInt.asUintN(64, occupied * factor) >> shift)).size;
        const { own, below } = ownersOf(mask, squaresOf(factor), shift);
        this.found.push({ factor, slots, injective: slots === occupancies.length, own: own.size === squaresOf(mask).length && !below, bits: own });
    }

    draw() {
        const { found, task } = this;
        const squares = squaresOf(task.mask);
        const share = (number) => (found.length ? `${number.toLocaleString("en")} (${Math.floor((100 * number) / found.length)} %)` : "0");
        this.counts.tries.textContent = this.tries.toLocaleString("en");
        this.counts.found.textContent = found.length.toLocaleString("en");
        this.counts.injective.textContent = share(found.filter(({ injective }) => injective).length);
        this.counts.own.textContent = share(found.filter(({ own }) => own).length);
        this.list.replaceChildren(...found.slice(-SHOWN).reverse().map(({ factor, injective, slots, bits }) => html("li", {}, html("code", {}, hex(factor)),
            html("span", { class: "owners" }, ...squares.map((square, i) => html("span", { class: bits.has(square) ? "owner" : "owner none", style: `--copy: ${copyOf(i)}`, title: NAMES[square] },
                bits.has(square) ? `${NAMES[square]} ${bits.get(square)}` : `${NAMES[square]} –`))),
            injective ? "" : ` ${slots} slots for ${task.occupancies.length} occupancies`)));
        this.state = { tries: this.tries, found: found.map(({ factor, injective, own }) => [hex(factor), injective, own]) };
    }
}

export function mount(root) {
    return new Chance(root);
}
