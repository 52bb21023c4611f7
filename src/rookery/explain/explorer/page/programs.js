// Techniques, unpacked when they are first needed: the exported module, and what its notes mean.

const loaded = new Map();

async function inflated(name) {
    const packed = byId(`program-${name}`).textContent;
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
}

function prepared(name, program, module) {
    for (const [table, packed] of Object.entries(program.binary)) {
        const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
        module.tables[table].set(new module.tables[table].constructor(bytes.buffer));
    }
    return { name, program, module, ...recorder(program.sites, module), filled: new Set() };
}

async function load(name) {
    const program = await inflated(name);
    const url = URL.createObjectURL(new Blob([program.module], { type: "text/javascript" }));
    try {
        const module = await import(url);
        const found = prepared(name, program, module);
        loaded.set(name, found);
        return found;
    } finally {
        URL.revokeObjectURL(url);
    }
}

// The eight squares that lie alike: a folded table holds the slots of one of them.
function alike(square) {
    const mirrored = [square, square ^ 7, square ^ 56, square ^ 63];
    return [...mirrored, ...mirrored.map((bit) => ((bit & 7) << 3) | (bit >> 3))];
}

// Fill the slots that look-ups of a square read: all squares would take a large table a tenth of a second.
function fillFor({ program, module, filled }, square) {
    if (filled.has(square)) {
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
    fillFor(technique, square);
    return technique.module[`${piece}Attacks`](square, occupied);
}
