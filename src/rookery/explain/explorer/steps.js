// The functions of an exported module, run one assignment at a time on BigInts: the same steps as Python's
// rookery.explain tells, from the same reading of the kernels. `kind` is board, number or square.

const WORD = (1n << 64n) - 1n;
const NARROW = 256n;
const WIDE = 1n << 20n;
const FAR = 40n;

class Broken extends Error {}

class Answered extends Error {
    constructor(value) {
        super();
        this.value = value;
    }
}

function wide(low, high) {
    return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

// The bit instructions: each gives a word and its kind.
const INSTRUCTIONS = {
    byteswap: ([x]) => {
        let result = 0n;
        for (let i = 0n; i < 64n; i += 8n) {
            result = (result << 8n) | ((x >> i) & 255n);
        }
        return [result, "board"];
    },
    popcount: ([x]) => [bitsOf(x).length, "number"],
    trailing_zeros: ([x]) => [x ? bitsOf(x)[0] : 64, "number"],
    leading_zeros: ([x]) => [x ? 63 - bitsOf(x).at(-1) : 64, "number"],
    pext: ([x, mask]) => [
        bitsOf(mask).reduce((sum, bit, i) => sum | (((x >> BigInt(bit)) & 1n) << BigInt(i)), 0n),
        "number",
    ],
    pdep: ([x, mask]) => [
        bitsOf(mask).reduce((sum, bit, i) => sum | (((x >> BigInt(i)) & 1n) << BigInt(bit)), 0n),
        "board",
    ],
};

function bitsOf(word) {
    const found = [];
    for (let i = 0; i < 64; i++) {
        if ((word >> BigInt(i)) & 1n) {
            found.push(i);
        }
    }
    return found;
}

const OPERATORS = {
    "+": (x, y) => x + y,
    "-": (x, y) => x - y,
    "*": (x, y) => x * y,
    "%": (x, y) => x % y,
    "&": (x, y) => x & y,
    "|": (x, y) => x | y,
    "^": (x, y) => x ^ y,
    "<<": (x, y) => x << y,
    ">>": (x, y) => x >> y,
    "==": (x, y) => x === y,
    "!=": (x, y) => x !== y,
    "<": (x, y) => x < y,
    "<=": (x, y) => x <= y,
    ">": (x, y) => x > y,
    ">=": (x, y) => x >= y,
};

function computed(operator, a, b, literal) {
    const word = BigInt.asUintN(64, OPERATORS[operator](a.word, b.word));
    let kind = a.kind === "board" || b.kind === "board" ? "board" : "number";
    if (operator === "<<") {
        kind = a.kind === "board" || (literal && a.word === 1n) ? "board" : "number";
    } else if (operator === ">>") {
        kind = a.kind !== "board" || b.word >= FAR ? "number" : "board";
    } else if (
        operator === "%"
        || (operator === "*" && (a.kind === "square" || b.kind === "square"))
        || (operator === "&" && (a.word < NARROW || b.word < NARROW) && (a.kind === "number" || b.kind === "number"))
    ) {
        kind = "number";
    }
    return { word, kind };
}

class Run {
    constructor(program, tables) {
        this.program = program;
        this.tables = tables;
        this.steps = [];
        this.operations = 0;
        this.depth = -1;
    }

    call(name, values, quiet = false, madeOf = [], read = {}) {
        const f = this.program.functions[name];
        const frame = { name, f, quiet: quiet || !f.stepped, variables: {}, parts: [], been: new Map(), indexing: 0 };
        f.parameters.forEach(([parameter, declared], i) => {
            let kind = declared ?? values[i].kind;
            if (kind === "number" && values[i].kind === "board" && !(i in read)) {
                kind = "board";
            }
            frame.variables[parameter] = { word: values[i].word, kind };
        });
        this.depth++;
        if (!frame.quiet) {
            const own = f.parameters.map(([text], i) => ({ ...(read[i] ?? {}), text, ...frame.variables[text] }));
            const last = own.at(-1) ?? { word: 0n, kind: "number" };
            this.note(this.depth ? "called" : "given", frame, name, last, f.place, [...madeOf, ...own]);
        }
        try {
            this.block(f.body, frame);
        } catch (thrown) {
            if (thrown instanceof Answered) {
                return thrown.value;
            }
            throw thrown;
        } finally {
            this.depth--;
        }
        throw new Error(`${name} returned nothing`);
    }

    note(what, frame, variable, value, place, parts, previous = null) {
        const round = frame.been.has(place) ? frame.been.get(place) + 1 : 0;
        frame.been.set(place, round);
        const [code, sentence, name, module, line] = place;
        this.steps.push({
            what, variable, word: value.word, kind: value.kind, parts, code, sentence, name, module, line,
            depth: this.depth, round, previous,
        });
    }

    block(body, frame) {
        for (const s of body) {
            frame.parts = [];
            switch (s[0]) {
            case "set": {
                const found = this.value(s[2], frame, true);
                const value = { word: found.word, kind: s[4] ?? found.kind };
                // What was read from a table for a variable that is declared to be no board is none either.
                if (s[4] && s[4] !== "board") {
                    frame.parts = frame.parts.map((part) => (part.table ? { ...part, kind: "number" } : part));
                }
                const previous = frame.variables[s[1]]?.word;
                frame.variables[s[1]] = value;
                if (!frame.quiet && s[3]) {
                    this.note("assigned", frame, s[1], value, s[3], frame.parts, previous);
                }
                break;
            }
            case "return": {
                const found = this.value(s[1], frame, true);
                const value = { word: found.word, kind: frame.f.returns ?? found.kind };
                if (!frame.quiet && s[2]) {
                    this.note("returned", frame, frame.name, value, s[2], frame.parts);
                }
                throw new Answered(value);
            }
            case "if":
                this.block(this.truth(s[1], frame) ? s[2] : s[3], frame);
                break;
            case "while":
                this.loop(() => this.truth(s[1], frame), s[2], frame);
                break;
            case "for": {
                let i = 0;
                this.loop(() => {
                    frame.variables[s[1]] = { word: BigInt(i), kind: "number" };
                    return i++ < s[2];
                }, s[3], frame);
                break;
            }
            default:
                throw new Broken();
            }
        }
    }

    loop(goesOn, body, frame) {
        try {
            while (goesOn()) {
                this.block(body, frame);
            }
        } catch (thrown) {
            if (!(thrown instanceof Broken)) {
                throw thrown;
            }
        }
    }

    truth(e, frame) {
        if (e[0] === "binary" && "&|".includes(e[2])) {
            const [left, right] = [this.truth(e[3], frame), this.truth(e[4], frame)];
            return e[2] === "&" ? left && right : left || right;
        }
        if (e[0] === "compare") {
            this.operations++;
            return OPERATORS[e[2]](this.value(e[3], frame).word, this.value(e[4], frame).word);
        }
        return this.value(e, frame).word !== 0n;
    }

    value(e, frame, top = false) {
        switch (e[0]) {
        case "number": {
            const word = BigInt(e[2]);
            // In a table's index also the length of a row is a number.
            return { word, kind: word < (frame.indexing ? WIDE : NARROW) ? "number" : "board" };
        }
        case "name":
            return frame.variables[e[1]];
        case "word":
            return { word: this.truth(e[2], frame) ? 1n : 0n, kind: "number" };
        case "compare":
            return { word: this.truth(e, frame) ? 1n : 0n, kind: "number" };
        case "select":
            return this.value(this.truth(e[2], frame) ? e[3] : e[4], frame);
        case "load":
            return this.loaded(e, frame);
        case "invert": {
            const inner = this.value(e[2], frame);
            this.operations++;
            return this.noted(e, { word: inner.word ^ WORD, kind: inner.kind }, frame, top);
        }
        case "binary": {
            const [a, b] = [this.value(e[3], frame), this.value(e[4], frame)];
            this.mark(e[2], e[3], a, b, frame);
            this.operations++;
            return this.noted(e, computed(e[2], a, b, e[3][0] === "number"), frame, top);
        }
        default:
            return this.noted(e, this.answered(e, frame), frame, top);
        }
    }

    answered(e, frame) {
        const value = this.called(e, frame);
        if (value.kind !== "board" && !this.program.functions[e[2]]?.stepped) {
            e[3].forEach((a) => this.noteName(a, frame));
        }
        return value;
    }

    called(e, frame) {
        const [, , name, given] = e;
        if (name in INSTRUCTIONS) {
            this.operations++;
            const [word, kind] = INSTRUCTIONS[name](given.map((a) => this.value(a, frame).word));
            return { word: BigInt(word), kind };
        }
        if (frame.quiet || !this.program.functions[name].stepped) {
            return this.call(name, given.map((a) => this.value(a, frame)), true);
        }
        const before = frame.parts;
        frame.parts = [];
        const read = {};
        const values = given.map((a, i) => {
            const value = this.value(a, frame, true);
            if (a[0] === "load") {
                read[i] = frame.parts.pop();
            }
            return value;
        });
        const madeOf = frame.parts;
        frame.parts = before;
        return this.call(name, values, false, madeOf, read);
    }

    noted(e, value, frame, top) {
        if (!(top || frame.quiet || (frame.indexing && e[0] === "binary" && value.kind === "number"))) {
            frame.parts.push({ text: e[1], word: value.word, kind: value.kind });
        }
        return value;
    }

    noteName(e, frame) {
        if (e[0] === "name" && !frame.quiet && frame.parts.every(({ text }) => text !== e[1])) {
            const { word, kind } = frame.variables[e[1]];
            if (kind === "board") {
                frame.parts.push({ text: e[1], word, kind });
            }
        }
    }

    mark(operator, left, a, b, frame) {
        let bits;
        if (a.kind !== "board") {
            return;
        }
        if (operator === ">>" && b.word >= FAR) {
            bits = WORD ^ ((1n << b.word) - 1n);
        } else if (operator === "&" && b.word > 0n && b.word < NARROW && (b.word & (b.word + 1n)) === 0n) {
            bits = b.word;
        } else {
            return;
        }
        this.noteName(left, frame);
        frame.parts = frame.parts.map((part) => (part.text === left[1] ? { ...part, marked: bits } : part));
    }

    loaded(e, frame) {
        const [, text, name, index] = e;
        const table = this.program.tables[name];
        frame.indexing++;
        const slot = Number(this.value(index, frame).word);
        frame.indexing--;
        this.operations++;
        const array = this.tables[name];
        const word = table.wide ? wide(array[2 * slot], array[2 * slot + 1]) : BigInt(array[slot]);
        const kind = table.wide && table.boards[slot % 4] ? "board" : "number";
        if (!frame.quiet) {
            frame.parts.push({ text, word, kind, table: table.name, slot, slots: table.size });
        }
        return { word, kind };
    }
}

// Every step of a look-up; `square` and `occupied` are in the bits of whatever mapping.
function explained(program, tables, piece, square, occupied) {
    const run = new Run(program, tables);
    run.call(`${piece}_attacks`, [{ word: BigInt(square), kind: "square" }, { word: occupied, kind: "board" }]);
    return { steps: run.steps, operations: run.operations };
}
