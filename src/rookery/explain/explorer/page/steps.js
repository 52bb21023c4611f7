// Reads the notes of a look-up as steps. The code that runs is written by the exporter, once for this page and once for
// Python's `rookery explain`; what its notes mean, the sites, is the same for both. `kind` is board, number or square.

const WORD = (1n << 64n) - 1n;

function bitsOf(word) {
    const found = [];
    for (let low = Number(word & 0xffffffffn); low; low &= low - 1) {
        found.push(31 - Math.clz32(low & -low));
    }
    for (let high = Number(word >> 32n); high; high &= high - 1) {
        found.push(63 - Math.clz32(high & -high));
    }
    return found;
}

function byteswap(x) {
    let result = 0n;
    for (let i = 0n; i < 64n; i += 8n) {
        result = (result << 8n) | ((x >> i) & 255n);
    }
    return result;
}

function popcount(x) {
    return BigInt(bitsOf(x).length);
}

function trailing_zeros(x) {
    return BigInt(x ? bitsOf(x)[0] : 64);
}

function leading_zeros(x) {
    return BigInt(x ? 63 - bitsOf(x).at(-1) : 64);
}

function pext(x, mask) {
    return bitsOf(mask).reduce((sum, bit, i) => sum | (((x >> BigInt(bit)) & 1n) << BigInt(i)), 0n);
}

function pdep(x, mask) {
    return bitsOf(mask).reduce((sum, bit, i) => sum | (((x >> BigInt(i)) & 1n) << BigInt(bit)), 0n);
}

// An element of a table; a wide one is two halves.
function at(table, index) {
    const i = Number(index);
    return table instanceof Int32Array
        ? (BigInt(table[2 * i + 1] >>> 0) << 32n) | BigInt(table[2 * i] >>> 0)
        : BigInt(table[i]);
}

function partOf([text, kind, place, table, slots, slotAt, mark, markAt, turn], values) {
    const part = { text, kind, word: values[place], marked: 0n, turn };
    if (mark) {
        const by = values[markAt];
        part.marked = mark === ">>" ? (WORD >> by) << by : by;
    }
    return table ? Object.assign(part, { table, slots, slot: Number(values[slotAt]) }) : part;
}

// Each note is the number of its site, and the values there.
function stepsOfNotes(sites, notes) {
    const been = [];
    return notes.map(([number, ...values]) => {
        const site = sites[number];
        const [what, variable, kind, sentence, code, name, module, line, terms, rows, numbers, own, previous, turn] = site;
        if (what === "given" || what === "called") {
            been.push(new Map());
        }
        const here = been.at(-1);
        const round = here.get(number) ?? 0;
        here.set(number, round + 1);
        const depth = been.length - 1;
        if (what === "returned") {
            been.pop();
        }
        return {
            what, variable, kind, sentence, code, name, module, line, depth, round, word: values[own],
            previous: previous < 0 ? null : values[previous], parts: terms.map((term) => partOf(term, values)), rows,
            numbers, turn, site: number,
        };
    });
}

// The steps of each idea, as places among all: if a site is in a loop, its last step counts, otherwise its first.
function placesOfIdeas(ideas, steps) {
    let start = 0;
    return ideas.map(([sites, sentence, sentences, repeats], number) => {
        const places = sites.map((site) => steps.findIndex((step, i) => i >= start && step.site === site))
            .filter((place) => place >= 0).map((place) => (repeats ? lastRound(steps, place) : place)).sort((a, b) => a - b);
        start = Math.max(start, ...places.map((place) => place + 1));
        return { number, sentence, places, about: new Map(sites.map((site, i) => [site, sentences[i]])) };
    }).filter(({ places }) => places.length);
}

function lastRound(steps, first) {
    let last = first;
    for (let i = first; i < steps.length; i++) {
        if (steps[i].site === steps[first].site) {
            last = i;
        }
        if (steps[i].what === "returned" && steps[i].depth === steps[first].depth) {
            break;
        }
    }
    return last;
}

// The look-ups of a technique, written so that they record their steps; `square` and `occupied` are in the bits of whatever
// mapping.
function recorder(sites, { watched, tables }) {
    let [notes, operations] = [[], 0];
    const lookUps = watched(tables, {
        $note: (...values) => notes.push(values),
        $tally: (count) => {
            operations += count;
        },
        $at: at, $word: WORD, byteswap, popcount, trailing_zeros, leading_zeros, pext, pdep,
    });
    const run = (piece, square, occupied) => {
        [notes, operations] = [[], 0];
        return lookUps[`explain_${piece}_attacks`](BigInt(square), occupied);
    };
    return {
        explained: (piece, square, occupied) => {
            run(piece, square, occupied);
            return { steps: stepsOfNotes(sites, notes), operations };
        },
        counted: (piece, square, occupied) => {
            const answer = run(piece, square, occupied);
            return { steps: notes.length, operations, answer };
        },
    };
}
