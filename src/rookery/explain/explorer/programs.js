// Techniques, unpacked when they are first needed: the exported module, and what its notes mean.

const loaded = new Map();

async function inflated(name) {
    const packed = byId(`program-${name}`).textContent;
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
}

async function load(name) {
    const program = await inflated(name);
    const url = URL.createObjectURL(new Blob([program.module], { type: "text/javascript" }));
    try {
        const module = await import(url);
        const found = { name, program, module, ...recorder(program.sites, module) };
        loaded.set(name, found);
        return found;
    } finally {
        URL.revokeObjectURL(url);
    }
}

function attacksOf({ module }, piece, square, occupied) {
    return module[`${piece}Attacks`](square, occupied);
}
