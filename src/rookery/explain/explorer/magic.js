// The multiplication of a magic look-up as it is, who shares its slot, and what another factor does.

// What a look-up multiplies, if it does: the relevant squares, the factor and the shift, as its function was called.
function multiplication(steps) {
    for (const step of steps) {
        const named = Object.fromEntries(step.parts.map((part) => [part.text, part.word]));
        if (step.what === "called" && ["mask", "magic", "shift"].every((name) => name in named)) {
            return { mask: named.mask, magic: named.magic, shift: named.shift };
        }
    }
    return null;
}

function indexBy(occupied, { mask, shift }, magic) {
    return BigInt.asUintN(64, (occupied & mask) * magic) >> shift;
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

// Every relevant occupancy by its index: those that share one must see the same squares.
function trial(how, magic, attacksOf) {
    const slots = new Map();
    let shared = 0;
    let clash = null;
    for (const occupied of subsetsOf(how.mask)) {
        const index = indexBy(occupied, how, magic);
        const attacks = attacksOf(occupied);
        const there = slots.get(index);
        if (!there) {
            slots.set(index, { occupied, attacks });
        } else if (there.attacks === attacks) {
            shared++;
        } else {
            clash ??= { index, first: there, second: { occupied, attacks } };
        }
    }
    return { used: slots.size, shared, clash };
}

function sharers(occupied, how) {
    const index = indexBy(occupied, how, how.magic);
    return subsetsOf(how.mask).filter((other) => indexBy(other, how, how.magic) === index);
}
