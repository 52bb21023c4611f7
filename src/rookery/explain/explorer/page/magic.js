// What a magic look-up multiplies, who shares its slot, and what another factor does.

// The words of the look-up by their names in the kernel, where a step multiplies by `magic`. What is multiplied is the
// occupancy of the relevant squares (`mask`); black magic sets all other squares (`fill`).
function multiplication(steps) {
    const named = {};
    for (const step of steps) {
        const words = step.what === "called" || step.what === "given" ? (named[step.depth] = {}) : named[step.depth];
        for (const { text, word } of step.parts) {
            words[text] = word;
        }
        if (step.what === "assigned") {
            words[step.variable] = step.word;
        }
        const product = step.parts.find(({ text, marked }) => marked && text.endsWith(" * magic"));
        if (product && "shift" in words && ("mask" in words || "fill" in words)) {
            const { magic, shift, fill = 0n, mask = WORD ^ fill, occupied = words.o } = words;
            const how = { mask, fill, magic, shift, occupied };
            return productOf(occupied, how) === product.word ? how : null;
        }
    }
    return null;
}

function multiplied(occupied, { mask, fill }) {
    return (occupied & mask) | fill;
}

function productOf(occupied, how, magic = how.magic) {
    return BigInt.asUintN(64, multiplied(occupied, how) * magic);
}

function indexOf(occupied, how, magic) {
    return Number(productOf(occupied, how, magic) >> how.shift);
}

function subsetsOf(mask) {
    const found = [];
    let subset = 0n;
    do {
        found.push(subset);
        subset = (subset - mask) & mask;
    } while (subset);
    return found;
}

// Every relevant occupancy by its index and by what is attacked. Those that share an index must attack the same; the
// first two that do not are the clash.
function trial(how, magic, attacksOn) {
    const [slots, sets] = [new Map(), new Map()];
    let clash = null;
    const occupancies = subsetsOf(how.mask);
    for (const occupied of occupancies) {
        const [index, attacks] = [indexOf(occupied, how, magic), attacksOn(occupied)];
        const slot = slots.get(index) ?? { attacks, occupied: [] };
        if (slot.attacks !== attacks) {
            clash ??= { index, occupied: [slot.occupied[0], occupied] };
        }
        slot.occupied.push(occupied);
        slots.set(index, slot);
        if (!sets.has(attacks)) {
            sets.set(attacks, []);
        }
        sets.get(attacks).push(occupied);
    }
    return { slots, sets, clash, size: occupancies.length };
}

const LOPSIDED = 0x0123_4567_89ab_cdefn; // an occupancy that no turning of the board leaves as it is

// The square whose record a look-up uses: of the eight that lie alike, the one where the board is not turned before.
function recordSquare(technique, piece, square, { mask, magic }) {
    return alike(square).find((other) => {
        const its = multiplication(technique.explained(piece, other, LOPSIDED).steps);
        return its && its.mask === mask && its.magic === magic && its.occupied === LOPSIDED;
    });
}
