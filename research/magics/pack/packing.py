"""Pack the tables of all 128 squares into each other's gaps: one array, one look-up, as few entries as possible.

Three steps make a round. *Walk*: `columns` changes the factors of each square into ones that take little room, starting
from those it has found and from those of the neighbouring squares (one file on, a factor shifted by one bit does nearly
the same). *Tile*: `tiling` lays the rooks and the four largest bishops into a table of 64 columns, and when all have
a place, into one that has a level less. *Settle*: the tiles come down as far as they go, and the other bishops fall
into the holes. Pools of factors, the tiling and the best packing outlive the round, and the program.

Overlapping is due to Pradu Kannan and Gerd Isenberg, black magics to Onno Garms, and Volker Annuss and Niklas Fiekas
packed both: 88,772 entries (fixed shift) and 87,988 (black). The fewest entries published were 86,491 (Icarus, 2026).
"""

import functools
import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from magics.find.factors import find_all
from magics.pack.columns import WIDEST, Room, Shape, Words, shape_of, slots_of, turned, turns
from magics.pack.tiling import LEVEL, Place, Tiling, height_of, volume_of
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES
from rookery.kernel import U64
from rookery.magics.forms import all_squares, index_bits
from rookery.techniques._filler import lowest_fit, relevant_cases
from rookery.techniques._magics import Packed

CASES: Final = tuple(all_squares())
LARGE: Final = tuple(c for c, (piece, square) in enumerate(CASES) if len(relevant_occupancy(piece, square)) > 7)

_WALKS = 6  # a round and large square
_POOL = 300  # factors kept a square
_EXCHANGES = 100  # of the tiling between two looks for Ctrl-C
_SIZE = 1 << 18  # entries, far more than any packing needs
MOST_LEVELS: Final = _SIZE // 64

# The parts of a round, for its progress, in the ratio of the seconds that the steps take: 66, 19 and 5.
WALK_PARTS: Final = 128
TILE_PARTS: Final = 36
SETTLE_PARTS: Final = 10
ROUND_PARTS: Final = WALK_PARTS + TILE_PARTS + SETTLE_PARTS


@functools.cache
def boards(form: str, case: int) -> tuple[Words, Words]:
    """Return every relevant occupancy of a case and its attacks.

    The form decides whether the other squares are filled or empty.
    """
    occupied, attacks = relevant_cases(*CASES[case])
    if form == "black":
        occupied = occupied | ~U64(int(relevant_occupancy(*CASES[case])))
    # Scattered, so that a factor which is no magic is found out soon.
    order = np.random.default_rng(case).permutation(len(occupied))
    return np.ascontiguousarray(occupied[order]), np.ascontiguousarray(attacks[order])


def widths(form: str, case: int) -> range:
    """Return the index widths that a form allows for a case."""
    piece, square = CASES[case]
    if form == "fixed-shift":
        bits = index_bits(piece, square, form)
        return range(bits, bits + 1)
    natural = len(relevant_occupancy(piece, square))
    return range(natural, WIDEST + 1 if case not in LARGE else min(natural + 3, WIDEST + 1))


class State(NamedTuple):
    """The state from which a packing continues."""

    form: str  # black or fixed-shift
    seed: int
    rounds: int  # done
    pools: list[list[Shape]]  # by case
    places: list[Place | None]  # by large case
    levels: int  # that the next tiling is to have
    entries: int  # of the best packing
    records: list[Packed]  # of the best packing


def begin(form: str, seed: int) -> State:
    """Return a state without a packing: one factor for each square."""
    pools = []
    for case, factor in enumerate(find_all(form, seed=seed)):
        bits = min(factor.bits + 2, widths(form, case)[-1])
        pools.append([shape_of(boards(form, case)[0], factor.magic, bits)])
    levels = sum(height_of(pools[case][0]) for case in LARGE)
    return State(form, seed, 0, pools, [None] * len(LARGE), levels, _SIZE, [])


def area_of(shape: Shape) -> int:
    """Return columns times rows, not rounded up to levels: a small area makes a small square compact."""
    return shape.columns.bit_count() * shape.rows


def best_of(shapes: list[Shape], room: Callable[[Shape], int]) -> list[Shape]:
    """Return the shapes that take the least room, no two with the same columns."""
    ranked = sorted(shapes, key=lambda shape: (room(shape), shape.used, shape.magic))
    best: dict[tuple[int, int], Shape] = {}
    for shape in ranked:
        if len(best) == _POOL or room(shape) > 1.3 * room(ranked[0]):
            break
        best.setdefault((min(turns(shape.columns)), shape.rows), shape)
    return list(best.values())


def pruned(case: int, shapes: list[Shape], kept: Place | None) -> list[Shape]:
    """Return the shapes of a pool that are worth keeping, including the one that has a place.

    A hole in the tiling is one or a few columns wide and some levels high. A small square fits one hole if its slots
    are spread over rows and another if it is compact, so both kinds are kept.
    """
    found = best_of(shapes, volume_of)
    if case not in LARGE:
        found += [shape for shape in best_of(shapes, area_of) if shape not in found]
    return found if kept is None or kept.shape in found else [*found, kept.shape]


def start_of(state: State, case: int, draw: random.Random) -> tuple[int, int]:
    """Return a factor to walk from, and its index width."""
    home, neighbour = case, case + draw.choice((-8, -1, 1, 8))
    near = neighbour // 64 == case // 64 and abs(neighbour % 8 - case % 8) < 2
    if near and draw.random() < 0.3:
        home = neighbour
    shape = draw.choice(state.pools[home][:30] if case in LARGE else state.pools[home])
    by = case - home
    magic = shape.magic >> by if by > 0 else shape.magic << -by & (1 << 64) - 1
    allowed = widths(state.form, case)
    bits = draw.choice(allowed) if draw.random() < (0.15 if case in LARGE else 0.5) else shape.bits
    return magic, min(max(bits, allowed[0]), allowed[-1])


def walked(state: State, case: int, room: Room) -> list[Shape]:
    """Return the pool of a case after one round of walks."""
    draw = random.Random(f"{state.seed} {state.rounds} {case}")
    large = case in LARGE
    cases = boards(state.form, case)
    shapes = list(state.pools[case])
    for _ in range(_WALKS):
        magic, bits = start_of(state, case, draw)
        heat = draw.choice((0.003, 0.01, 0.03, 0.1)) * len(cases[0])
        weight = draw.choice((0.5, 0.7, 0.9))
        level = LEVEL if large else draw.choice((1, LEVEL))
        found = room.walk(cases, magic, bits, level, heat, weight, draw.getrandbits(64))
        shapes += [shape_of(cases[0], magic, bits) for magic in draw.sample(found, min(len(found), 40))]
    return pruned(case, shapes, state.places[LARGE.index(case)] if large else None)


def tiled(state: State, exchanges: int, progress: Callable[[int, int], None]) -> tuple[int, list[Place | None]]:
    """Find the lowest tiling with `exchanges` tries for each level; return its levels and places.

    `progress` gets the number of levels and the tries that are left for it.
    """
    options = [state.pools[case] for case in LARGE]
    levels, places = state.levels, state.places
    left = exchanges
    attempt = Tiling(options, levels, places, state.rounds)
    while left > 0:
        left -= _EXCHANGES
        if attempt.search(_EXCHANGES) == 0:
            places, left = attempt.places(), exchanges
            levels = max(place.level + height_of(place.shape) for place in places if place) - 1
            attempt = Tiling(options, levels, places, levels)
        progress(levels + 1, max(left, 0))
    return levels, places


class Settled:
    """The squares laid in a table.

    A set of slots is one big int, so moving a square along the table is a shift.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.taken = 0
        self.at: dict[int, tuple[Shape, int, int]] = {}  # by case: the shape, its slots, where the table begins

    def slots(self, case: int, shape: Shape) -> list[int]:
        """Return the slots of a shape, the first at 0."""
        slots = slots_of(boards(self.state.form, case)[0], shape.magic, shape.bits)
        return (slots - slots[0]).tolist()  # type: ignore[no-any-return]  # NumPy says Any

    def put(self, case: int, shape: Shape, start: int) -> None:
        """Place a square's table."""
        self.at[case] = (shape, sum(1 << slot for slot in self.slots(case, shape)), start)
        self.taken |= self.at[case][1] << start

    def take(self, case: int) -> tuple[Shape, int]:
        """Remove a square's table from its place."""
        shape, slots, start = self.at.pop(case)
        self.taken ^= slots << start
        return shape, start

    def end(self, case: int) -> int:
        """Return the slot after a square's last one."""
        _, slots, start = self.at[case]
        return start + slots.bit_length()

    def best(self, case: int, shapes: Sequence[Shape]) -> tuple[Shape, int]:
        """Return the shape that leaves the table shortest at its first fit, preferring the fewest slots."""
        rows = []
        for i, shape in enumerate(shapes):
            slots = self.slots(case, shape)
            start = lowest_fit(self.taken, slots)
            rows.append((max(start + slots[-1] + 1, self.taken.bit_length()), shape.used, start, i))
        _, _, start, i = min(rows)
        return shapes[i], start


def settled(
    state: State, places: Sequence[Place], progress: Callable[[int, int], None] = lambda laid, entries: None
) -> Settled:
    """Lay a tiling down slot by slot, then add the squares it does not hold.

    `progress` gets the number of squares that are laid and the entries of the table, also while both stay.
    """
    table = Settled(state)
    for case, place in sorted(zip(LARGE, places, strict=True), key=lambda pair: pair[1].level):
        # Its columns are settled, its rows are not: a column that comes round at the right end is a row further on.
        wanted = turned(place.shape.columns, place.turn)
        columns = sum(1 << by for by in range(64) if turned(place.shape.columns, by) == wanted)
        allowed = sum(columns << row for row in range(0, _SIZE, 64))
        table.put(case, place.shape, lowest_fit(table.taken, table.slots(case, place.shape), allowed))
        progress(len(table.at), table.taken.bit_length())
    small = [case for case in range(128) if case not in LARGE]
    for case in sorted(small, key=lambda case: -len(boards(state.form, case)[0])):
        table.put(case, *table.best(case, state.pools[case]))
        progress(len(table.at), table.taken.bit_length())
    # Whatever reaches highest may find a hole now, or a shape that ends lower.
    while True:
        case = max(table.at, key=table.end)
        end = table.end(case)
        before = table.take(case)
        table.put(case, *table.best(case, [before[0], *state.pools[case]]))
        progress(len(table.at), table.taken.bit_length())
        if table.end(case) >= end:
            return table


def records_of(table: Settled) -> list[Packed]:
    """Return the packed records; offsets count from index 0 of each square."""
    records = []
    for case, (piece, square) in enumerate(CASES):
        shape, _, start = table.at[case]
        first = int(slots_of(boards(table.state.form, case)[0], shape.magic, shape.bits)[0])
        records.append(Packed(piece, SQUARE_NAMES[square], shape.magic, shape.bits, start - first))
    return records


def one_round(
    state: State, exchanges: int = 20_000, progress: Callable[[str, int], None] = lambda doing, done: None
) -> State:
    """Run one more round and return the new state.

    The same state always gives the same round. `progress` gets a text and the parts that are done, of `ROUND_PARTS`.
    """
    room = Room()
    state = state._replace(pools=[list(pool) for pool in state.pools])
    for case in range(128):
        progress(f"{CASES[case][0]} {SQUARE_NAMES[CASES[case][1]]}", case)
        # Cases that come later may already start from what this one has found.
        state.pools[case] = walked(state, case, room)
    furthest = 0

    def show_tiling(levels: int, left: int) -> None:
        nonlocal furthest  # each lower tiling begins with all tries
        furthest = max(furthest, TILE_PARTS * (exchanges - left) // max(exchanges, 1))
        progress(f"tiling {levels} levels, {exchanges - left:,} of {exchanges:,} tries", WALK_PARTS + furthest)

    def show_settling(laid: int, entries: int) -> None:
        done = ROUND_PARTS - SETTLE_PARTS + (SETTLE_PARTS - 1) * laid // len(CASES)
        progress(f"settling {laid} of {len(CASES)} squares in {entries:,} entries", done)

    levels, places = tiled(state, exchanges, show_tiling)
    state = state._replace(levels=levels, places=places, rounds=state.rounds + 1)
    whole = [place for place in places if place]
    if len(whole) == len(LARGE):
        table = settled(state, whole, show_settling)
        if table.taken.bit_length() < state.entries:
            state = state._replace(entries=table.taken.bit_length(), records=records_of(table))
    progress("done", ROUND_PARTS)
    return state
