// Checks the module next to this file: `node selfcheck.mjs`, or call `check` in a browser. The attacks of every technique
// are compared with ray walking, for every relevant occupancy of every square, alone and with all other squares occupied.

import { load, PIECES, squaresOf } from "./rookery.mjs";

const TOTALS = /* TOTALS */;
const ROOK = [[1, 0], [-1, 0], [0, 1], [0, -1]], BISHOP = [[1, 1], [1, -1], [-1, 1], [-1, -1]];

function walked(square, directions, occupied) {
    let attacks = 0n;
    for (const [up, right] of directions) {
        for (let rank = (square >> 3) + up, file = (square & 7) + right; rank >= 0 && rank < 8 && file >= 0 && file < 8; rank += up, file += right) {
            const here = 1n << BigInt(8 * rank + file);
            attacks |= here;
            if (occupied & here) {
                break;
            }
        }
    }
    return attacks;
}

// The squares of the rays that have another square behind them.
function relevant(square, directions) {
    const alone = (near) => (far) => walked(square, [near], 1n << BigInt(far)) !== walked(square, [near], 0n);
    return directions.flatMap((direction) => squaresOf(walked(square, [direction], 0n)).filter(alone(direction)));
}

function* subsets(mask) {
    let subset = 0n;
    do {
        yield subset;
        subset = (subset - mask) & mask;
    } while (subset);
}

function* cases(directions) {
    for (let square = 0; square < 64; square++) {
        const mask = relevant(square, directions).reduce((all, bit) => all | (1n << BigInt(bit)), 0n);
        for (const occupied of subsets(mask)) {
            yield [square, occupied];
            yield [square, occupied | (BigInt.asUintN(64, ~mask))];
        }
    }
}

// The number of look-ups and totals that were right; the first that is wrong is an Error.
export function check(rookery) {
    let lookUps = 0;
    const asked = [ROOK, BISHOP].flatMap((directions) => [...cases(directions)]);
    const squares = Uint8Array.from(asked, ([square]) => square), boards = BigUint64Array.from(asked, ([, occupied]) => occupied);
    for (const piece of PIECES) {
        const directions = { rook: ROOK, bishop: BISHOP, queen: [...ROOK, ...BISHOP] }[piece];
        const expected = BigUint64Array.from(asked, ([square, occupied]) => walked(square, directions, occupied));
        for (const technique of rookery.techniques) {
            const found = rookery.manyAttacks(technique, piece, squares, boards);
            const wrong = found.findIndex((attacks, i) => attacks !== expected[i]);
            if (wrong >= 0) {
                throw new Error(`${technique}: ${piece} on ${squares[wrong]}, occupied ${boards[wrong]}: ${found[wrong]}, expected ${expected[wrong]}`);
            }
            lookUps += found.length;
        }
    }
    return { lookUps, totals: checkTotals(rookery) };
}

// Published totals of perft.
export function checkTotals(rookery) {
    for (const [fen, depth, leaves] of TOTALS) {
        rookery.setPosition(fen);
        const nodes = rookery.perft(depth);
        if (nodes !== leaves) {
            throw new Error(`perft ${depth} of ${fen}: ${nodes}, expected ${leaves}`);
        }
    }
    return TOTALS.length;
}

if (typeof process !== "undefined" && process.argv[1]?.endsWith("selfcheck.mjs")) {
    const { lookUps, totals } = check(await load());
    console.log(`${lookUps} look-ups agree with ray walking, and ${totals} totals of perft are right`);
}
