// Techniques, unpacked when they are first needed: their functions as data, and the exported module that runs them.

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
        const found = { name, program, module: await import(url) };
        loaded.set(name, found);
        return found;
    } finally {
        URL.revokeObjectURL(url);
    }
}

function attacksOf({ module }, piece, square, occupied) {
    return module[`${piece}Attacks`](square, occupied);
}

function stepsOf({ program, module }, piece, square, occupied) {
    return explained(program, module.tables, piece, square, occupied);
}
