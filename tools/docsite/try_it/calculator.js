// The calculator: a number, and operations that are applied to it one after the other. Each is written as its steps.

const ALL = (1n << 64n) - 1n;
const wrapped = (number) => BigInt.asUintN(64, number);

// A number as a program would write it, or names of squares, which stand for their bits in a mapping.
function readNumber(text, places) {
    const plain = text.trim().replace(/[_'\s]+/g, " ").toLowerCase();
    if (/^([a-h][1-8][ ,]*)+$/.test(plain)) {
        return plain.match(/[a-h][1-8]/g).reduce((word, name) => word | (1n << BigInt(places[NAMES.indexOf(name)])), 0n);
    }
    const [, sign, digits] = /^(-?)((?:0x[0-9a-f]+|0b[01]+|\d+))(?:u?ll?|n)?$/.exec(plain.replaceAll(" ", "")) ?? [];
    if (digits === undefined) {
        throw new Error(`"${text.trim()}": expected a number like 255, 0xff or 0b1111, or squares like "a1 c3"`);
    }
    const value = sign ? -BigInt(digits) : BigInt(digits);
    if (value > ALL || value < -(1n << 63n)) {
        throw new Error(`"${text.trim()}": expected a number of at most 64 bits`);
    }
    return wrapped(value);
}

// Exchange bits that are `n` apart: those under `mask`, and those above them.
function swapped(a, n, mask) {
    return ((a >> n) & mask) | wrapped((a & mask) << n);
}

const BYTES = [[8n, 0x00ff00ff00ff00ffn], [16n, 0x0000ffff0000ffffn], [32n, 0xffffffffn]];
const WITHIN_BYTES = [[1n, 0x5555555555555555n], [2n, 0x3333333333333333n], [4n, 0x0f0f0f0f0f0f0f0fn]];
const DIAGONAL = [[28n, 0x0f0f0f0f00000000n], [14n, 0x3333000033330000n], [7n, 0x5500550055005500n]];

function swaps(list) {
    return (a) => list.map(([n, mask]) => {
        a = swapped(a, n, mask);
        return [`((a >> ${n}) & ${hex(mask)}) | ((a & ${hex(mask)}) << ${n})`, a];
    });
}

// Steven Edwards' flip about the diagonal a1-h8, by three exchanges of bits with `^`.
function overDiagonal(a) {
    return DIAGONAL.flatMap(([n, mask]) => {
        const t = mask & (a ^ wrapped(a << n));
        a ^= t ^ (t >> n);
        return [[`t = ${hex(mask)} & (a ^ (a << ${n}))`, t], [`a ^ t ^ (t >> ${n})`, a]];
    });
}

function inTurn(...parts) {
    return (a) => parts.flatMap((part) => {
        const steps = part(a);
        a = steps.at(-1)[1];
        return steps;
    });
}

function bitList(word) {
    const found = [];
    for (let i = 0n; i < 64n; i++) {
        if ((word >> i) & 1n) {
            found.push(i);
        }
    }
    return found;
}

const countOf = (b) => b & 63n;
const one = (formula, run) => ({ label: formula, steps: (a, b, c) => [[formula, run(a, b, c)]] });
const many = (label, steps) => ({ label, steps });
// By name in the address. `steps(a, b, context)` are formulas with their values; the last value is the result.
const OPERATIONS = {
    and: one("a & b", (a, b) => a & b),
    or: one("a | b", (a, b) => a | b),
    xor: one("a ^ b", (a, b) => a ^ b),
    andnot: many("a & ~b", (a, b) => [["~b", b ^ ALL], ["a & ~b", a & (b ^ ALL)]]),
    not: one("~a", (a) => a ^ ALL),
    shl: one("a << b", (a, b) => wrapped(a << countOf(b))),
    shr: one("a >> b", (a, b) => a >> countOf(b)),
    rotl: many("rotate left by b", (a, b) => [["a << b", wrapped(a << countOf(b))], ["a >> (64 - b)", a >> (64n - countOf(b))],
        ["(a << b) | (a >> (64 - b))", wrapped(a << countOf(b)) | (a >> (64n - countOf(b)))]]),
    add: one("a + b", (a, b) => wrapped(a + b)),
    sub: one("a - b", (a, b) => wrapped(a - b)),
    mul: one("a * b", (a, b) => wrapped(a * b)),
    neg: one("-a", (a) => wrapped(-a)),
    lowest: many("a & -a", (a) => [["-a", wrapped(-a)], ["a & -a", a & wrapped(-a)]]),
    rest: many("a & (a - 1)", (a) => [["a - 1", wrapped(a - 1n)], ["a & (a - 1)", a & wrapped(a - 1n)]]),
    upto: many("a ^ (a - 1)", (a) => [["a - 1", wrapped(a - 1n)], ["a ^ (a - 1)", a ^ wrapped(a - 1n)]]),
    subtract: many("a ^ (a - 2 * b)", (a, b) => [["2 * b", wrapped(2n * b)], ["a - 2 * b", wrapped(a - 2n * b)],
        ["a ^ (a - 2 * b)", a ^ wrapped(a - 2n * b)]]),
    popcount: one("popcount(a)", (a) => BigInt(bitList(a).length)),
    ctz: one("trailing_zeros(a)", (a) => bitList(a)[0] ?? 64n),
    clz: one("leading_zeros(a)", (a) => 63n - (bitList(a).at(-1) ?? -1n)),
    bswap: many("byteswap(a)", swaps(BYTES)),
    mirror: many("mirror bytes", swaps(WITHIN_BYTES)),
    bitreverse: many("bitreverse(a)", inTurn(swaps(WITHIN_BYTES), swaps(BYTES))),
    diagonal: many("flip diagonal", overDiagonal),
    turn: many("rotate 90", inTurn(overDiagonal, swaps(BYTES))),
    smear: many("smear up", (a) => [8n, 16n, 32n].map((n) => {
        a |= wrapped(a << n);
        return [`a | (a << ${n})`, a];
    })),
    pext: many("pext(a, b)", (a, b) => bitList(b).map((from, to) => {
        const gathered = bitList(b).slice(0, to + 1).reduce((sum, bit, i) => sum | (((a >> bit) & 1n) << BigInt(i)), 0n);
        return [`bit ${from} of a becomes bit ${to}`, gathered];
    }).concat(b ? [] : [["no bit in b", 0n]])),
    pdep: many("pdep(a, b)", (a, b) => bitList(b).map((to, from) => {
        const scattered = bitList(b).slice(0, from + 1).reduce((sum, bit, i) => sum | (((a >> BigInt(i)) & 1n) << bit), 0n);
        return [`bit ${from} of a becomes bit ${to}`, scattered];
    }).concat(b ? [] : [["no bit in b", 0n]])),
    rook: many("rooks a, occupied b", (a, b, { attacks }) => attacks("rook", a, b)),
    bishop: many("bishops a, occupied b", (a, b, { attacks }) => attacks("bishop", a, b)),
    queen: many("queens a, occupied b", (a, b, { attacks }) => attacks("queen", a, b)),
};

// The attacks of every piece of a set, by the kernels: words are in the bits of a mapping.
function attacksIn(rookery, places) {
    const inSquares = (word) => places.reduce((board, bit, square) => board | (((word >> BigInt(bit)) & 1n) << BigInt(square)), 0n);
    const inBits = (board) => places.reduce((word, bit, square) => word | (((board >> BigInt(square)) & 1n) << BigInt(bit)), 0n);
    return (piece, a, b) => {
        let all = 0n;
        const steps = bitList(inSquares(a)).map((square) => {
            all |= rookery.attacks(rookery.fastest, piece, Number(square), inSquares(b));
            return [`with the ${piece} on ${NAMES[square]}`, inBits(all)];
        });
        return steps.length ? steps : [[`no ${piece}`, 0n]];
    };
}

// The trace of a number: [{ label, operand, steps, value }], the number itself first.
function traced(number, applied, rookery, places) {
    const context = { attacks: attacksIn(rookery, places) };
    const trace = [{ label: "a", steps: [], value: number }];
    for (const { name, operand } of applied) {
        const { label, steps } = OPERATIONS[name];
        const found = steps(trace.at(-1).value, operand, context);
        trace.push({ label, operand: /\bb\b/.test(label) ? operand : undefined, steps: found, value: found.at(-1)[1] });
    }
    return trace;
}

function miniBoard(word, places) {
    const path = (squares) => squares.map((square) => `M${10 * (square & 7)} ${70 - 10 * (square >> 3)}h10v10h-10z`).join("");
    const [every, set] = [[...places.keys()], places.flatMap((bit, square) => ((word >> BigInt(bit)) & 1n ? [square] : []))];
    const discs = set.map((square) => `M${10 * (square & 7) + 1.5} ${75 - 10 * (square >> 3)}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0`).join("");
    return svg("svg", { class: "mini", viewBox: "0 0 80 80", role: "img", "aria-label": set.map((square) => NAMES[square]).join(" ") || "empty" },
        svg("path", { class: "ground", d: path(every) }), svg("path", { class: "dark", d: path(every.filter((s) => (s + (s >> 3)) % 2 === 0)) }),
        svg("path", { class: "bits", d: discs }));
}

function grouped(word) {
    return `0b${word.toString(2).padStart(64, "0").replace(/(.{8})(?=.)/g, "$1_")}`;
}

function valueLines(word) {
    const signed = BigInt.asIntN(64, word);
    return [hex(word), signed < 0n ? `${word} (signed: ${signed})` : String(word)].map((text) => html("p", { class: "value" }, text));
}

function traceRow({ label, operand, steps, value }, places) {
    const fill = ({ target }) => target.open && target.children.length === 1 && target.append(...steps.map(([formula, word]) =>
        html("div", {}, html("p", {}, formula), miniBoard(word, places), html("p", { class: "value" }, hex(word)))));
    const detail = steps.length > 1 ? [html("details", { ontoggle: fill }, html("summary", {}, count(steps.length, "step")))] : [];
    return html("li", {}, html("p", { class: "formula" }, label), ...(operand === undefined ? [] : [html("p", { class: "value" }, `b = ${hex(operand)}`)]),
        miniBoard(value, places), ...valueLines(value), html("p", { class: "value" }, grouped(value)), ...detail);
}
