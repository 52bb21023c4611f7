"""The compiled part of an opening tree: games added to it, and other trees merged into it.

Positions and moves are numbered in the order in which they are added. The moves of a position are a linked list in
that order. A game that follows moves of the tree needs one step along such a list for each half-move; only for a move
that the tree does not have, the position after it is made and looked up.

Positions are found in a hash table and compared by all their words. A slot has the number of a position, from 1, in its
lower half, and half of the position's hash in its upper one, or is 0. So most other positions on the way to a slot are
passed without a look at their words, and a table grows without a look at any.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import mixed
from rookery.kernel import U64, Word, array_of, entry, kernel
from rookery.positions.kernels.lanes import load, position
from rookery.positions.layout import CHESS960, Columns, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.legality import breaks_form, legal_en_passant_target
from rookery.rules.position import Boards, Position, make, passed, prepared, read, write
from rookery.rules.zobrist import position_hash

Counts = NDArray[np.uint32]

NONE = 0xFFFF_FFFF  # in place of a move's number

# What is counted for each position and move. The first four are games by result, as in `Games.scores`.
UNFINISHED, WHITE_WON, BLACK_WON, DRAWN = 0, 1, 2, 3
RATED = 4  # games that have a result and both ratings
HALF_POINTS = 5  # of the player to move, in rated games
FIRST_DAY, LAST_DAY = 6, 7  # days after `DAY_ZERO`, or 0 for an unknown day
EXAMPLE = 8  # the number of the first game, from 1
LATEST = 9  # the number of the last game counted, from 1, so that no game is counted twice
WIDTH = 10
DAY_ZERO = -(1 << 31)

OURS, THEIRS = 0, 1  # sums of ratings in rated games: of the player to move, and of the opponent

MOVE, CHILD, NEXT, PARENT = 0, 1, 2, 3  # the links of a move

RESULT, WHITE, BLACK, DAY, NAME = 0, 1, 2, 3, 4  # the facts about a game; RESULT has `IS_RATED` where ratings count
IS_RATED = 4

POSITIONS, MOVES, NAMES = 0, 1, 2  # the numbers of used rows
BROKEN = 3  # behind them: the number of the first game with a move that leaves no position, or 0

_COLOUR_BITS = 3
_NUMBER = 0xFFFF_FFFF  # the lower half of a slot


class PositionRows(NamedTuple):
    """The facts stored for each position. The length of the last array is the number of rows; it is the last to grow.

    words       uint64, (n, 10): the position, its en-passant square only where a capture is legal
    tallies     uint32, (n, 10): see the constants above
    ratings     uint64, (n, 2): sums of ratings
    names       uint32, (n, 2): the first opening name given, 0 for none, and how many games give it
    chess960    uint8, (n,)
    first       uint32, (n,): the first move, or `NONE`
    """

    words: Boards
    tallies: Counts
    ratings: Boards
    names: Counts
    chess960: NDArray[np.uint8]
    first: Counts


class MoveRows(NamedTuple):
    """The facts stored for each move: tallies and ratings as of positions, and links, uint32, (n, 4)."""

    tallies: Counts
    ratings: Boards
    links: Counts


class OtherNames(NamedTuple):
    """A hash table with how many games give a position another name than its first.

    A key has the position in the upper half and the name in the lower one. 0 is a free slot.
    """

    keys: Boards
    counts: Counts


def _tree() -> tuple[PositionRows, MoveRows, OtherNames]:
    """Return an example of the arrays of a tree."""
    words, counts = array_of(U64), array_of(np.uint32)
    pairs, rows = array_of(U64, 2), array_of(np.uint32, 2)
    positions = PositionRows(pairs, rows, pairs, rows, array_of(np.uint8), counts)
    return positions, MoveRows(rows, pairs, rows), OtherNames(words, counts)


class Game(NamedTuple):
    """The facts about a game, and its number, from 1."""

    result: Word
    rated: Word
    white: Word
    black: Word
    day: Word
    name: Word
    number: Word


@kernel
def _game(facts: Any, i: Any, number: Word) -> Game:
    result = U64(facts[i, RESULT])
    rated = result & IS_RATED
    elos = U64(facts[i, WHITE]), U64(facts[i, BLACK])
    return Game(result & _COLOUR_BITS, rated, elos[0], elos[1], U64(facts[i, DAY]), U64(facts[i, NAME]), number)


@kernel
def _add_days(tallies: Any, i: Word, first: Word, last: Word) -> None:
    if first and (tallies[i, FIRST_DAY] == 0 or first < U64(tallies[i, FIRST_DAY])):
        tallies[i, FIRST_DAY] = first
    if last > U64(tallies[i, LAST_DAY]):
        tallies[i, LAST_DAY] = last


@kernel
def tally(tallies: Any, ratings: Any, i: Word, g: Game, turn: Word) -> Word:
    """Count a game for a position or a move, and return one; return zero if it is counted already."""
    if tallies[i, LATEST] == g.number:
        return 0
    tallies[i, LATEST] = g.number
    if tallies[i, EXAMPLE] == 0:
        tallies[i, EXAMPLE] = g.number
    tallies[i, g.result] += np.uint32(1)
    if g.rated:
        tallies[i, RATED] += np.uint32(1)
        won = BLACK_WON if turn else WHITE_WON
        half_points = 1 if g.result == DRAWN else (2 if g.result == won else 0)
        tallies[i, HALF_POINTS] += np.uint32(half_points)
        ratings[i, OURS] += g.black if turn else g.white
        ratings[i, THEIRS] += g.white if turn else g.black
    _add_days(tallies, i, g.day, g.day)
    return 1


@kernel
def _add_tallies(tallies: Any, ratings: Any, i: Word, others: Any, other_ratings: Any, k: Any) -> None:
    """Add all that is counted for a position or a move of another tree."""
    for column in range(FIRST_DAY):
        tallies[i, column] += others[k, column]
    ratings[i, OURS] += other_ratings[k, OURS]
    ratings[i, THEIRS] += other_ratings[k, THEIRS]
    _add_days(tallies, i, U64(others[k, FIRST_DAY]), U64(others[k, LAST_DAY]))
    if tallies[i, EXAMPLE] == 0:
        tallies[i, EXAMPLE] = others[k, EXAMPLE]


@kernel
def _slot_of(keys: Any, key: Word) -> Word:
    """Return the slot of a key in a table of other names, or the free slot where it belongs."""
    mask = U64(keys.size) - 1
    slot = mixed(key) & mask
    while keys[slot] and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def _add_name(p: PositionRows, other: OtherNames, used: Any, node: Word, name: Word, number: Word) -> None:
    """Count an opening name for a position, so many times."""
    if not name:
        return
    if p.names[node, 0] == 0:
        p.names[node, 0] = name
    if p.names[node, 0] == name:
        p.names[node, 1] += np.uint32(number)
        return
    key = (node << 32) | name
    slot = _slot_of(other.keys, key)
    if not other.keys[slot]:
        other.keys[slot] = key
        used[NAMES] += 1
    other.counts[slot] += np.uint32(number)


@kernel
def _differs(row: Any, q: Position) -> Word:
    """Return zero if a row holds a position."""
    pieces = (row[0] ^ q.pawns) | (row[1] ^ q.knights) | (row[2] ^ q.diagonals) | (row[3] ^ q.orthogonals)
    pieces |= (row[4] ^ q.kings) | (row[5] ^ q.us) | (row[6] ^ q.them)
    return pieces | (row[7] ^ q.castling) | (row[8] ^ q.en_passant) | (row[9] ^ q.turn)


@kernel
def _hash_of(q: Position) -> Word:
    """Return the half of a position's hash that is stored, with zeros in place of the other half."""
    return (position_hash(q, q.en_passant, 0) >> 32) << 32


@kernel
def _find(slots: Any, words: Any, q: Position, stored: Word) -> Word:
    """Return the slot of a position with a certain hash, or the free slot where it belongs."""
    mask = U64(slots.size) - 1
    slot = (stored >> 32) & mask
    while slots[slot] and ((slots[slot] ^ stored) >> 32 or _differs(words[(slots[slot] & _NUMBER) - 1], q)):
        slot = (slot + 1) & mask
    return slot


@kernel
def _node_of(slots: Any, p: PositionRows, used: Any, q: Position, chess960: Word) -> Word:
    """Return the number of a position, which is added if it is new."""
    stored = _hash_of(q)
    slot = _find(slots, p.words, q, stored)
    if slots[slot]:
        return (slots[slot] & _NUMBER) - 1
    node = U64(used[POSITIONS])
    used[POSITIONS] = node + 1
    slots[slot] = stored | (node + 1)
    write(p.words[node], q)
    p.first[node] = NONE
    p.chess960[node] = chess960
    return node


@kernel
def _comparable(q: Position, t: Any) -> Position:
    """Return a position with its en-passant square only where a capture is legal."""
    target = legal_en_passant_target(q, t) if q.en_passant else 0
    return Position(*q[:8], target, q.turn, q.state)


@kernel
def _link_to(p: PositionRows, m: MoveRows, node: Word, move: Word) -> Word:
    """Return the number of a move of a position, `NONE` if it does not have the move."""
    e = U64(p.first[node])
    while e != NONE and m.links[e, MOVE] != move:
        e = U64(m.links[e, NEXT])
    return e


@kernel
def _append(p: PositionRows, m: MoveRows, used: Any, node: Word, move: Word, child: Word) -> Word:
    """Add a move to a position, behind its other moves, and return its number."""
    e = U64(used[MOVES])
    used[MOVES] = e + 1
    m.links[e, MOVE], m.links[e, CHILD], m.links[e, NEXT], m.links[e, PARENT] = move, child, NONE, node
    last = U64(p.first[node])
    if last == NONE:
        p.first[node] = e
        return e
    while m.links[last, NEXT] != NONE:
        last = U64(m.links[last, NEXT])
    m.links[last, NEXT] = e
    return e


@kernel
def _has_room(slots: Any, p: PositionRows, m: MoveRows, other: OtherNames, used: Any, more: Word) -> Word:
    """Return whether so many positions, moves and names fit. Hash tables are half full at most."""
    nodes, links, names = U64(used[POSITIONS]) + more, U64(used[MOVES]) + more, U64(used[NAMES]) + more
    fits = nodes <= U64(p.first.size) and 2 * nodes <= U64(slots.size) and links <= U64(m.links.shape[0])
    return fits and 2 * names <= U64(other.keys.size)


@entry(
    examples=lambda: (
        0,
        array_of(np.int64),
        array_of(np.uint16),
        empty_columns(1),
        array_of(np.int32),
        array_of(np.uint32, 2),
        U64(0),
        0,
        array_of(U64),
        *_tree(),
        array_of(U64),
        default_technique().tables(),
    )
)
def add_games(
    begin: Any,
    offsets: Any,
    moves: Any,
    starts: Any,
    rows: Any,
    facts: Any,
    before: Any,
    depth: Any,
    slots: Any,
    p: PositionRows,
    m: MoveRows,
    other: OtherNames,
    used: Any,
    t: Any,
) -> Any:
    """Add games from index `begin` on, and return the index of the first one that did not fit.

    Game i begins from row ``rows[i]`` of `starts`. `before` is the number of games added before these arrays. A game
    counts with the moves before the first that leaves no position.
    """
    for i in range(begin, rows.size):
        plies = min(offsets[i + 1] - offsets[i], depth)
        if not _has_room(slots, p, m, other, used, U64(plies) + 1):
            return i
        g = _game(facts, i, before + U64(i) + 1)
        started = load(starts, rows[i])
        node = _node_of(slots, p, used, _comparable(position(started, t), t), (started.state & CHESS960) >> 1)
        turn = U64(p.words[node, 9])
        if tally(p.tallies, p.ratings, node, g, turn):
            _add_name(p, other, used, node, g.name, 1)
        for j in range(offsets[i], offsets[i] + plies):
            move = U64(moves[j])
            e = _link_to(p, m, node, move)
            if e == NONE:
                now = prepared(p.words[node], t)
                if breaks_form(now, move):
                    used[BROKEN] = used[BROKEN] if used[BROKEN] else g.number
                    break
                after = _comparable(make(now, move, t) if move else passed(now), t)
                child = _node_of(slots, p, used, after, U64(p.chess960[node]))
                e = _append(p, m, used, node, move, child)
            tally(m.tallies, m.ratings, e, g, turn)
            node = U64(m.links[e, CHILD])
            turn ^= 1
            if tally(p.tallies, p.ratings, node, g, turn):
                _add_name(p, other, used, node, g.name, 1)
    return rows.size


@entry(examples=lambda: (_tree()[0], array_of(U64), *_tree()[::2], array_of(U64), array_of(np.uint32)))
def add_positions(theirs: PositionRows, slots: Any, p: PositionRows, other: OtherNames, used: Any, places: Any) -> None:
    """Add the positions of another tree, and write the number of each to `places`. There is room for all of them."""
    for i in range(places.size):
        q = read(theirs.words[i], U64(0))
        node = _node_of(slots, p, used, q, U64(theirs.chess960[i]))
        places[i] = node
        _add_tallies(p.tallies, p.ratings, node, theirs.tallies, theirs.ratings, i)
        _add_name(p, other, used, node, U64(theirs.names[i, 0]), U64(theirs.names[i, 1]))


@entry(examples=lambda: (_tree()[1], array_of(np.uint32), *_tree()[:2], array_of(U64)))
def add_moves(theirs: MoveRows, places: Any, p: PositionRows, m: MoveRows, used: Any) -> None:
    """Add the moves of another tree, whose positions have the numbers `places` in this one."""
    for i in range(theirs.links.shape[0]):
        node, move = U64(places[theirs.links[i, PARENT]]), U64(theirs.links[i, MOVE])
        e = _link_to(p, m, node, move)
        if e == NONE:
            e = _append(p, m, used, node, move, U64(places[theirs.links[i, CHILD]]))
        _add_tallies(m.tallies, m.ratings, e, theirs.tallies, theirs.ratings, i)


@entry(examples=lambda: (array_of(np.uint32), array_of(np.uint32), array_of(np.uint32), *_tree()[::2], array_of(U64)))
def add_names(nodes: Any, names: Any, counts: Any, p: PositionRows, other: OtherNames, used: Any) -> None:
    """Count opening names for positions."""
    for i in range(nodes.size):
        _add_name(p, other, used, U64(nodes[i]), U64(names[i]), U64(counts[i]))


@entry(examples=lambda: (array_of(U64), array_of(U64)))
def place_positions(slots: Any, larger: Any) -> None:
    """Copy a hash table of positions to a larger one."""
    mask = U64(larger.size) - 1
    for i in range(slots.size):
        if slots[i]:
            slot = (slots[i] >> 32) & mask
            while larger[slot]:
                slot = (slot + 1) & mask
            larger[slot] = slots[i]


@entry(examples=lambda: (array_of(U64), array_of(np.uint32), _tree()[2]))
def place_names(keys: Any, counts: Any, larger: OtherNames) -> None:
    """Copy a table of other names to a larger one."""
    for i in range(keys.size):
        if keys[i]:
            slot = _slot_of(larger.keys, keys[i])
            larger.keys[slot] = keys[i]
            larger.counts[slot] = counts[i]


@entry(examples=lambda: (array_of(U64, 2), array_of(U64), empty_columns(1), default_technique().tables()))
def find_position(words: Any, slots: Any, starts: Columns, t: Any) -> Any:
    """Return the number of the first position of `starts`, or -1 if the tree does not have it."""
    q = _comparable(position(load(starts, 0), t), t)
    return np.int64(slots[_find(slots, words, q, _hash_of(q))] & _NUMBER) - np.int64(1)
