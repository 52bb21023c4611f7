"""The fixed texts of JavaScript exports: operations on pairs of halves, and the self-check's loop."""

import re
from typing import Final

from rookery.explain.export.writer import FixedTexts

# The helpers that a program needs: each takes and gives halves.
HELPERS: Final = {
    "shift_left": """
function shift_left(x, x_hi, n) {
    if (n >= 32) {
        high = x << (n - 32);
        return 0;
    }
    high = n ? (x_hi << n) | (x >>> (32 - n)) : x_hi;
    return x << n;
}
""",
    "shift_right": """
function shift_right(x, x_hi, n) {
    if (n >= 32) {
        high = 0;
        return (x_hi >>> (n - 32)) | 0;
    }
    high = (x_hi >>> n) | 0;
    return n ? (x >>> n) | (x_hi << (32 - n)) : x;
}
""",
    # Four 16-bit products make the 64 bits of two low halves; of the others the low halves count.
    "multiply": """
function multiply(x, x_hi, y, y_hi) {
    const x0 = x & 0xffff, x1 = x >>> 16, y0 = y & 0xffff, y1 = y >>> 16;
    const middle = x1 * y0 + ((x0 * y0) >>> 16);
    const other = x0 * y1 + (middle & 0xffff);
    high = (x1 * y1 + (middle >>> 16) + (other >>> 16) + Math.imul(x, y_hi) + Math.imul(x_hi, y)) | 0;
    return Math.imul(x, y);
}
""",
    # Exact for divisors below 2**21, whose remainders times 2**32 a double still holds; others are counted as BigInt.
    "remainder": """
function remainder(x, x_hi, y, y_hi) {
    if (y_hi === 0 && y > 0 && y < 0x200000) {
        high = 0;
        return (((x_hi >>> 0) % y) * 0x100000000 + (x >>> 0)) % y;
    }
    return set_high(word(x, x_hi) % word(y, y_hi));
}
""",
    "byteswap": """
function byteswap(x, x_hi) {
    high = (x << 24) | ((x & 0xff00) << 8) | ((x >>> 8) & 0xff00) | (x >>> 24);
    return (x_hi << 24) | ((x_hi & 0xff00) << 8) | ((x_hi >>> 8) & 0xff00) | (x_hi >>> 24);
}
""",
    "popcount": """
function popcount(x, x_hi) {
    let n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    for (; x_hi; x_hi &= x_hi - 1) {
        n++;
    }
    high = 0;
    return n;
}
""",
    "trailing_zeros": """
function trailing_zeros(x, x_hi) {
    high = 0;
    return x ? 31 - Math.clz32(x & -x) : x_hi ? 63 - Math.clz32(x_hi & -x_hi) : 64;
}
""",
    "leading_zeros": """
function leading_zeros(x, x_hi) {
    high = 0;
    return x_hi ? Math.clz32(x_hi) : 32 + Math.clz32(x);
}
""",
    "pext": """
function pext(x, x_hi, mask, mask_hi) {
    let result = 0, result_hi = 0, n = 0;
    for (; mask; mask &= mask - 1, n++) {
        if (x & mask & -mask) {
            result |= 1 << n;
        }
    }
    for (; mask_hi; mask_hi &= mask_hi - 1, n++) {
        if (x_hi & mask_hi & -mask_hi) {
            if (n < 32) {
                result |= 1 << n;
            } else {
                result_hi |= 1 << (n - 32);
            }
        }
    }
    high = result_hi;
    return result;
}
""",
    "pdep": """
function pdep(x, x_hi, mask, mask_hi) {
    let result = 0, result_hi = 0, n = 0;
    for (; mask; mask &= mask - 1, n++) {
        if (x & (1 << n)) {
            result |= mask & -mask;
        }
    }
    for (; mask_hi; mask_hi &= mask_hi - 1, n++) {
        if (n < 32 ? x & (1 << n) : x_hi & (1 << (n - 32))) {
            result_hi |= mask_hi & -mask_hi;
        }
    }
    high = result_hi;
    return result;
}
""",
}
HIGH: Final = "let high = 0; // the high half of the word that a function has returned last"
PAIRS: Final = """
// A pair as one BigInt, and back: the low half returned, the high one in `high`.
function word(x, x_hi) {
    return (BigInt(x_hi >>> 0) << 32n) | BigInt(x >>> 0);
}

function set_high(x) {
    high = Number(BigInt.asIntN(32, x >> 32n));
    return Number(BigInt.asIntN(32, x));
}
"""

_STATE: Final = """
// What the technique keeps of an occupancy, from move to move: the halves of @WORDS, the low one first. Make one with
// prepare, change it with toggle.
export function prepare(occupied, occupied_hi) {
@PREPARE
    return Int32Array.from(made);
}

// Put a piece on a square of a state or take it away, and return the state.
export function toggle(state, sq) {
@TOGGLE
    state.set(made);
    return state;
}
"""
# A state is kept through all cases, and compared with one that is made anew.
_BEGINS = """
    let before = 0, before_hi = 0;
    const kept = prepare(0, 0);
"""
_FOLLOWS: Final = """
                    const others = [[occupied, occupied_hi]];
                    if (!(occupied | occupied_hi)) {
                        others.push([~blockers, ~blockers_hi]);
                    }
                    for (const [other, other_hi] of others) {
                        for (let sq = 0; sq < 64; sq++) {
                            if (((sq < 32 ? before ^ other : before_hi ^ other_hi) >> (sq & 31)) & 1) {
                                toggle(kept, sq);
                            }
                        }
                        before = other;
                        before_hi = other_hi;
                        const at = square_index(rank, 0, file, 0), board = [other, other_hi];
                        const made = prepare(...board);
                        if (
                            kept.some((half, i) => half !== made[i])
                            || word(rook_attacks_in(at, kept), high) !== word(rook_attacks(at, ...board), high)
                            || word(bishop_attacks_in(at, kept), high) !== word(bishop_attacks(at, ...board), high)
                            || word(queen_attacks_in(at, kept), high) !== word(queen_attacks(at, ...board), high)
                        ) {
                            console.log(
                                `the state that toggle keeps is wrong: ${"abcdefgh"[file]}${rank + 1}, `
                                + `occupied ${hex(other, other_hi)}`
                            );
                            return 1;
                        }
                    }
"""
_CHECK: Final = """
function selfCheck() {
    const hex = (x, x_hi) => `0x${word(x, x_hi).toString(16).padStart(16, "0")}`;
    let lookups = 0;
@BEGINS    for (let bishop = 0; bishop < 2; bishop++) {
        for (let rank = 0; rank < 8; rank++) {
            for (let file = 0; file < 8; file++) {
                const blockers = blocker_squares(bishop, 0, rank, 0, file, 0), blockers_hi = high;
                let occupied = 0, occupied_hi = 0;
                do {
                    if (!is_right(bishop, 0, rank, 0, file, 0, blockers, blockers_hi, occupied, occupied_hi)) {
                        const square = square_index(rank, 0, file, 0);
                        const expected = expected_attacks(bishop, 0, rank, 0, file, 0, occupied, occupied_hi);
                        const wanted = hex(expected, high);
                        const others = [occupied | ~blockers, occupied_hi | ~blockers_hi];
                        console.log(
                            `${bishop ? "bishop" : "rook"} on ${"abcdefgh"[file]}${rank + 1}, `
                            + `occupied ${hex(occupied, occupied_hi)}: `
                            + `expected ${wanted}, `
                            + `got ${hex(answered_attacks(bishop, 0, square, occupied, occupied_hi), high)}, `
                            + `${hex(answered_attacks(bishop, 0, square, ...others), high)} with all other squares `
                            + `occupied, ${hex(queen_attacks(square, occupied, occupied_hi), high)} for the queen`
                        );
                        return 1;
                    }
@FOLLOWS                    lookups++;
                    occupied = next_case(blockers, blockers_hi, occupied, occupied_hi);
                    occupied_hi = high;
                } while (occupied | occupied_hi);
            }
        }
    }
    console.log(`${lookups} look-ups agree with ray walking`);
    return lookups === @LOOKUPS ? 0 : 1;
}
"""
_ATTACKS_IN: Final = """
// Return the attacks of a @PIECE in a state.
export function @NAME_in(sq, state) {
    return @CALL;
}
"""
TEXTS: Final = FixedTexts(_STATE, _ATTACKS_IN, _CHECK, _BEGINS, _FOLLOWS)

# The texts of halves.

ATOM: Final = re.compile(r"\$?\w+|\(0x[0-9a-f]+ \| 0\)")
ZERO: Final = "0"


def inner(text: str) -> str:
    """Return a half for use inside an expression."""
    return text if ATOM.fullmatch(text) or _is_closed(text) else f"({text})"


def bare(text: str) -> str:
    """Return a half without the parentheses that it does not need alone."""
    return text[1:-1] if text.startswith("(") and _is_closed(text) else text


def _is_closed(text: str) -> bool:
    """Check whether a text is one pair of parentheses with its contents, a call or a look-up."""
    if not re.match(r"[\w.$]*[(\[]", text):
        return False
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if depth == 0 and sign in ")]":
            return i == len(text) - 1
    return False


def joined(operator: str, a: str, b: str) -> str:
    """Return two halves joined by a bit operator, simplified where one is 0."""
    if ZERO in (a, b):
        other = b if a == ZERO else a
        return ZERO if operator == "&" else other
    return f"({inner(a)} {operator} {inner(b)})"


def imported(name: str, parameters: str = "sq, occupied, occupied_hi") -> str:
    """Return a look-up for another module, which has its own `high`."""
    return (
        f"function {name}({parameters}) {{\n"
        f"    const low = exported.{name}({parameters});\n    high = exported.high;\n    return low;\n}}"
    )


def with_bigints(name: str) -> str:
    """Return one of the three functions for boards that are BigInts."""
    first, second = name.split("_")
    return (
        f"// The same for a board that is a BigInt.\nexport function {first}{second.title()}(square, occupied) {{\n"
        f"    const low = {name}(square, set_high(occupied), high);\n    return word(low, high);\n}}"
    )
