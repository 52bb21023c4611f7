// Figure: the 32 relevant occupancies of a bishop on b1 and the 16 slots of an index of four bits. A slot is green if all
// occupancies in it lead to the same attacks, and red if they do not.

import { NAMES, button, count, hex, html, namesOf, squaresOf, still, svg } from "./shared/kit.js";
import { bishopAttacks, bishopB1, hashIndex } from "./magic_kernels.js";

const SQUARE = 1; // b1
const { mask, magic, shift } = bishopB1;
const RAY = squaresOf(mask); // c2 to g6
const SLOTS = 2 ** (64 - Number(shift));
const B_FILE = 0x0202020202020202n;

// The relevant occupancies, with their attacks; the first blocker decides.
export const OCCUPANCIES = Array.from({ length: 2 ** RAY.length }, (_, number) => {
    const squares = RAY.filter((_, i) => (number >> i) & 1);
    const occupied = squares.reduce((word, square) => word | (1n << BigInt(square)), 0n);
    return { number, squares, occupied, attacks: bishopAttacks(SQUARE, occupied), first: RAY.indexOf(squares[0]) };
});

// The slots that a factor gives the occupancies.
export function modelOf(factor) {
    const slots = Array.from({ length: SLOTS }, () => ({ sharers: [], clash: false }));
    for (const occupancy of OCCUPANCIES) {
        const slot = slots[Number(hashIndex(occupancy.occupied, mask, factor, shift))];
        slot.clash ||= slot.sharers.some(({ attacks }) => attacks !== occupancy.attacks);
        slot.sharers.push(occupancy);
    }
    return { slots, used: slots.filter(({ sharers }) => sharers.length).length, clashes: slots.filter(({ clash }) => clash).length };
}

export function randomWord() {
    const [low, high] = crypto.getRandomValues(new Uint32Array(2));
    return (BigInt(high) << 32n) | BigInt(low);
}

const [CHIP, STEP, ROOM, SLOT] = [11, 13, 62, 96];
const NARROW = 560; // pixels: below, four slots per row
const setName = (first) => (first < 0 ? "no blocker" : `first blocker ${NAMES[RAY[first]]}`);
const colourOf = (first) => first < 0 ? "var(--ink-soft)" : `var(--copy-${first})`;
const moved = (element, [x, y]) => {
    element.style.transform = `translate(${x}px, ${y}px)`;
};

class Collisions {
    constructor(root) {
        this.tries = 0;
        this.field = html("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "Factor", class: "factor" });
        this.form = html("form", { class: "controls", onsubmit: (event) => this.enter(event) }, html("span", {}, "Factor"), this.field, button("Try it", () => {}, { type: "submit" }));
        this.live = html("p", { class: "says", "aria-live": "polite" });
        this.picked = html("p", { class: "picked", "aria-live": "polite" });
        this.chips = OCCUPANCIES.map((occupancy) => this.chip(occupancy));
        this.slots = Array.from({ length: SLOTS }, (_, slot) => this.slot(slot));
        this.ghosts = OCCUPANCIES.map((occupancy) => this.chip(occupancy));
        this.drawing = svg("svg", { class: "collisions", role: "group", "aria-label": "The slots, and the occupancies in them" },
            svg("text", { x: 0, y: 11 }, "32 occupancies of c2-d3-e4-f5-g6"),
            svg("g", { class: "ghosts" }, ...this.ghosts), ...this.slots, ...this.chips);
        root.replaceChildren(this.drawing, this.live, this.picked, this.form, html("div", { class: "controls" },
            button("A random factor", () => this.draw(randomWord(), true)), button("The b-file", () => this.draw(B_FILE)),
            button("The library's factor", () => this.draw(magic)), button("Lift all", () => this.lift())));
        this.lay(root);
        new ResizeObserver(() => this.lay(root)).observe(root);
    }

    // Eight slots per row, or four on a telephone.
    lay(root) {
        const columns = root.clientWidth < NARROW ? 4 : 8;
        if (columns !== this.columns) {
            this.columns = columns;
            this.top = (OCCUPANCIES.length / columns) * 17 + 26;
            this.drawing.setAttribute("viewBox", `-1 0 ${columns * ROOM + 2} ${this.top + (SLOTS / columns) * (SLOT + 6)}`);
            this.ghosts.forEach((ghost, number) => moved(ghost, this.homeOf(number)));
            this.slots.forEach((element, slot) => element.setAttribute("transform", `translate(${this.slotAt(slot).join(" ")})`));
            this.draw(this.factor ?? magic);
        }
    }

    homeOf(number) {
        return [(number % this.columns) * ROOM + 4, Math.floor(number / this.columns) * 17 + 20];
    }

    slotAt(slot) {
        return [(slot % this.columns) * ROOM, Math.floor(slot / this.columns) * (SLOT + 6) + this.top];
    }

    chip({ number, squares, first }) {
        const cells = RAY.map((square, i) => svg("rect", {
            x: i * (CHIP - 1), y: 0, width: CHIP - 2, height: CHIP, rx: 2, fill: squares.includes(square) ? colourOf(first) : "var(--paper)",
            stroke: colourOf(first), "stroke-width": squares.includes(square) ? 0 : 0.8, opacity: squares.includes(square) && i > first ? 0.45 : 1,
        }));
        return svg("g", { class: "chip", "data-number": number, onpointerenter: () => this.light(number), onpointerleave: () => this.light() }, ...cells);
    }

    slot(slot) {
        const press = () => this.pick(slot);
        return svg("g", { class: "slot", tabindex: 0, role: "button", onclick: press,
            onkeydown: (event) => {
                if (["Enter", " "].includes(event.key)) {
                    event.preventDefault();
                    press();
                }
            }, onfocus: () => this.pick(slot) },
        svg("rect", { x: 1, y: 1, width: ROOM - 4, height: SLOT, rx: 4 }), svg("text", { x: 5, y: 14, class: "name" }, `${slot}`), svg("text", { x: ROOM - 8, y: 14, class: "sign" }, ""));
    }

    enter(event) {
        event.preventDefault();
        const text = this.field.value.trim().replaceAll("_", "");
        if (/^(0x[0-9a-f]{1,16}|[0-9]{1,20})$/i.test(text)) {
            this.draw(BigInt.asUintN(64, BigInt(text)));
        } else {
            this.live.textContent = `"${this.field.value}" is not a factor: write a number like ${hex(magic)}.`;
        }
    }

    lift() {
        this.chips.forEach((chip, number) => {
            moved(chip, this.homeOf(number));
        });
        this.slots.forEach((element) => element.setAttribute("class", "slot"));
        this.live.textContent = "Where will each occupancy go? Multiply by the factor, and keep the top four bits.";
    }

    draw(factor, random = false) {
        this.tries = random ? this.tries + 1 : this.tries;
        this.factor = factor;
        this.model = modelOf(factor);
        this.field.value = hex(factor);
        this.model.slots.forEach(({ sharers, clash }, slot) => {
            const [x, y] = this.slotAt(slot);
            const gap = Math.min(STEP, (SLOT - 30) / Math.max(1, sharers.length));
            sharers.forEach(({ number }, i) => {
                moved(this.chips[number], [x + 5, y + 19 + i * gap]);
                this.chips[number].style.transitionDelay = still() ? "0s" : `${number * 12}ms`;
                this.drawing.append(this.chips[number]);
            });
            const kind = sharers.length === 0 ? "empty" : clash ? "clash" : "agree";
            this.slots[slot].setAttribute("class", `slot ${kind}`);
            this.slots[slot].querySelector(".sign").textContent = { empty: "", clash: "✗", agree: "✓" }[kind];
            this.slots[slot].setAttribute("aria-label", this.slotText(slot));
        });
        const { used, clashes } = this.model;
        this.live.textContent = clashes
            ? `Not magic: in ${count(clashes, "slot")} (red, ✗), occupancies with different attacks clash. One of them would get a wrong answer.`
            : `Magic: the ${OCCUPANCIES.length} occupancies share ${count(used, "slot")}, and in each slot all lead to the same attacks (green, ✓).`;
        this.live.textContent += this.tries ? ` Random factors so far: ${this.tries.toLocaleString("en")}.` : "";
        this.live.classList.toggle("bad", Boolean(clashes));
        this.picked.textContent = "Press a slot to see who is in it.";
    }

    slotText(slot) {
        const { sharers, clash } = this.model.slots[slot];
        const sets = [...new Set(sharers.map(({ first }) => setName(first)))];
        const names = sharers.map(({ occupied }) => namesOf(occupied).replaceAll(", ", "-") || "empty").join("; ");
        return `Slot ${slot}: ${sharers.length ? `${names}. ${clash ? `They clash: ${sets.join(", ")}.` : `They agree: ${sets[0]}.`}` : "no occupancy."}`;
    }

    pick(slot) {
        this.picked.textContent = this.slotText(slot);
        this.mark(this.model.slots[slot].sharers.map(({ number }) => number));
    }

    light(number) {
        const slot = this.model.slots.findIndex(({ sharers }) => sharers.some((sharer) => sharer.number === number));
        if (slot >= 0) {
            this.picked.textContent = this.slotText(slot);
        }
        this.mark(slot >= 0 ? this.model.slots[slot].sharers.map((sharer) => sharer.number) : []);
    }

    mark(numbers) {
        this.drawing.classList.toggle("lighting", numbers.length > 0);
        this.chips.forEach((chip, number) => chip.classList.toggle("lit", numbers.includes(number)));
    }
}

export function mount(root) {
    return new Collisions(root);
}
