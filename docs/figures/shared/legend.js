// What the colours and signs of each figure mean, drawn: a swatch is a square of a board with the sign on it.

import { html } from "./kit.js";

const ATTACKED = ["dot", "--attacked", "attacked"];
const BLOCKER = ["disc", "--copy-2", "a blocker, in a colour of its own"];
const RIGHT = ["frame", "--good", "right: all in it agree"];
const WRONG = ["frame", "--bad", "wrong: they clash"];

const LEGENDS = {
    "build-a-factor": [["disc", "--copy-2", "a relevant square, in a colour of its own"], ["frame", "--accent", "the index"]],
    collisions: [["disc", "--copy-2", "an occupancy, in the colour of its first blocker"], RIGHT, WRONG],
    doubling: [["disc", "--copy-0", "in g before"], ["disc", "--copy-3", "new in g"], ["disc", "--copy-2", "in p"], ["disc", "--attacked", "attacked"]],
    "fill-the-table": [["disc", "--copy-0", "a relevant piece"], ATTACKED, ["tint", "--accent", "a slot that is written"]],
    lanes: [["tint", "--accent", "reached so far"], ["tint", "--attacked", "attacked: the lane is done"]],
    multiplication: [BLOCKER, ATTACKED, ["frame", "--accent", "the index"]],
    pins: [["tint", "--accent", "seen"], ["tint", "--copy-3", "a pin"], ["tint", "--bad", "a check"]],
    rotation: [["disc", "--copy-0", "occupied"], ["tint", "--accent", "the line of the bishop, and its index"], ["frame", "--attacked", "attacked"]],
    "same-attacks": [["disc", "--copy-0", "a piece"], ATTACKED, ["frame", "--accent", "a relevant square"]],
    steps: [["disc", "--copy-0", "in the set"], ["disc", "--bad", "wrapped around the edge"]],
    subtraction: [["disc", "--copy-0", "the rook's digit"], BLOCKER, ATTACKED, ["frame", "--bad", "changed by a borrow"]],
};

export function legend(name) {
    const items = (LEGENDS[name] ?? []).map(([sign, colour, words]) => html("li", {},
        html("span", { class: "swatch", "aria-hidden": "true" }, html("span", { class: sign, style: `--colour: var(${colour})` })), words));
    return items.length ? [html("ul", { class: "legend", "aria-label": "Legend" }, ...items)] : [];
}
