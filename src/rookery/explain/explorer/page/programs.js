// Techniques, unpacked when they are first needed: the code that records steps, and what its notes mean. The kernels answer
// as one WebAssembly module, or, on pages that were made without one, as a module of JavaScript for each technique.

const loaded = new Map();
let kernels = null; // the WebAssembly module
let kernelsReady; // a promise

async function startKernels() {
    if (data.kernels) {
        const { instantiated, unpacked } = await imported(byId("loader").textContent);
        kernels = await instantiated(await unpacked(byId("kernels").textContent));
    }
}

async function imported(text) {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    try {
        return await import(url);
    } finally {
        URL.revokeObjectURL(url);
    }
}

function bytesOf(packed) {
    return Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
}

async function inflated(name) {
    const stream = new Blob([bytesOf(byId(`program-${name}`).textContent)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
}

const ARRAYS = { BigUint64Array, Uint32Array, Uint16Array, Uint8Array };

// The tables that the recorded code reads: those of the WebAssembly module, and others of the program.
function tablesOf(name, { fields, others }) {
    const shared = Object.entries(fields).map(([table, [field, kind]]) => [table, kernels.table(name, field, ARRAYS[kind])]);
    const own = Object.entries(others).map(([table, [packed, kind]]) => [table, new ARRAYS[kind](bytesOf(packed).buffer)]);
    return Object.fromEntries([...shared, ...own]);
}

function prepared(name, program, module) {
    if (kernels) {
        module = { watched: module.watched, tables: tablesOf(name, program) };
    } else {
        for (const [table, packed] of Object.entries(program.binary)) {
            module.tables[table].set(new module.tables[table].constructor(bytesOf(packed).buffer));
        }
    }
    return { name, program, module, ...recorder(program.sites, module), filled: new Set() };
}

async function load(name) {
    const program = await inflated(name);
    await (kernelsReady ??= startKernels());
    const found = prepared(name, program, await imported(program.module));
    loaded.set(name, found);
    return found;
}

// The eight squares that lie alike: a folded table holds the slots of one of them.
function alike(square) {
    const mirrored = [square, square ^ 7, square ^ 56, square ^ 63];
    return [...mirrored, ...mirrored.map((bit) => ((bit & 7) << 3) | (bit >> 3))];
}

// In JavaScript, fill the slots that look-ups of a square read: all squares would take a large table a tenth of a second.
function fillFor({ program, module, filled }, square) {
    if (kernels || filled.has(square)) {
        return;
    }
    filled.add(square);
    for (const [name, squares] of Object.entries(program.filled)) {
        const needed = [[square], alike(square)].map((bits) =>
            bits.reduce((set, bit) => set | (1n << BigInt(bit)), 0n) & BigInt(squares)).find((set) => set) ?? 0n;
        module.fillers[name](Number(BigInt.asIntN(32, needed)), Number(BigInt.asIntN(32, needed >> 32n)));
    }
}

function attacksOf(technique, piece, square, occupied) {
    if (kernels) {
        return kernels.attacks(technique.name, piece, square, occupied);
    }
    fillFor(technique, square);
    return technique.module[`${piece}Attacks`](square, occupied);
}
