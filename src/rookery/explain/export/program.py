"""Translate a technique to a program of words, tables and functions, ready for every language's writer."""

import contextlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards.bits import serialize, subset_array
from rookery.bitboards.lines import LINES, empty_board_attacks
from rookery.bitboards.mappings import Mapping
from rookery.explain.export import ir, templates
from rookery.explain.export.kernel_values import StateWords, TableRow, Tables
from rookery.explain.export.translate import KernelTranslator
from rookery.kernel import U64, Bits, Square, once, pext_portable, wrapping
from rookery.techniques._filler import relevant_cases
from rookery.techniques._filler import walk as walked_from
from rookery.techniques.base import Technique, itself
from rookery.techniques.rays import RAYS

PIECES: Final = ("rook", "bishop")
PUBLIC: Final = ("rook_attacks", "bishop_attacks", "queen_attacks")
SMALL = 8192  # elements of a table that is written out rather than filled, if it can be
SMALL_LINE = 2048  # of a table of lines, of which a technique has four
LINE_STARTS: Final = {"file": 0, "diagonal": 1, "rank": 2, "antidiagonal": 3}  # the direction in which a line goes up


def attack_kernel(technique: Technique, piece: str) -> Callable[..., Any]:
    """Return a piece's attack function of a square and an occupancy.

    What the technique keeps of an occupancy is computed first.
    """
    answer, prepare = technique.kernel_of(piece), technique.prepare_kernel
    if prepare is itself:
        return answer

    def prepared(sq: Square, occupied: Bits, t: Any) -> Bits:
        """Return the attacks, with the rotated boards made anew for each question."""
        return answer(sq, prepare(occupied, t), t)

    return prepared


class TableFilling(NamedTuple):
    """The way a table is filled: the squares of each piece, and what a walk from them gives."""

    squares: dict[str, int]
    walked: Callable[..., Any]


class _Probe:
    """A table that records where it is read, and returns zeros."""

    def __init__(self, table: Any) -> None:
        self.shape, self.dtype = table.shape, table.dtype
        self.read: list[Any] = []

    def __getitem__(self, index: Any) -> Any:
        index = index if isinstance(index, tuple) else (index,)
        if len(index) != len(self.shape):
            raise IndexError
        at = sum(np.asarray(i).astype(np.int64) * int(np.prod(self.shape[d + 1 :])) for d, i in enumerate(index))
        self.read.append(at)
        return np.zeros(np.shape(at), self.dtype)


# What a slot may hold, and the same for arrays of attacks.
WALKS: Final[dict[Callable[..., Any], Callable[..., Any]]] = {
    templates.walked_attacks: lambda piece, sq, attacks: attacks,
    templates.walked_bits: lambda piece, sq, attacks: pext_portable(attacks, U64(int(empty_board_attacks(piece, sq)))),
}


def slots_read(technique: Technique, field: str, piece: str, sq: int) -> Any:
    """Return the slot that a technique reads for each relevant occupancy of a square.

    The result is None unless it reads the table exactly once.
    """
    occupied, _ = relevant_cases(piece, sq)
    t = technique.tables()
    probe = _Probe(getattr(t, field))
    try:
        with wrapping():
            attack_kernel(technique, piece)(U64(sq), occupied, t._replace(**{field: probe}))
    except (TypeError, ValueError, IndexError):  # a kernel that takes no arrays
        return None
    return probe.read[0] if len(probe.read) == 1 and np.shape(probe.read[0]) == occupied.shape else None


def filling(technique: Technique, field: str) -> TableFilling | None:
    """Return how exported code can fill a table by walking, or None.

    The filling is tried out: it must reproduce the table.
    """
    table = getattr(technique.tables(), field).reshape(-1)
    read = {(piece, sq): slots_read(technique, field, piece, sq) for piece in PIECES for sq in range(64)}
    for walked, value in WALKS.items():
        again = np.zeros(table.size, table.dtype)
        squares = dict.fromkeys(PIECES, 0)
        for (piece, sq), slots in read.items():
            entries = value(piece, sq, relevant_cases(piece, sq)[1])
            if slots is not None and np.array_equal(table[slots], entries):
                again[slots] = entries
                squares[piece] |= 1 << sq
        if np.array_equal(again, table):
            return TableFilling(squares, walked)
    return None


def line_slots(technique: Technique, field: str, line: str, sq: int, states: Any, n: int) -> Any:
    """Return the slot that a technique reads for a line, for each of `n` occupancies, given by `prepared_array`.

    The result is None unless it reads the table exactly once.
    """
    t = technique.tables()
    probe = _Probe(getattr(t, field))
    with wrapping(), contextlib.suppress(TypeError, ValueError, IndexError):
        technique.kernel_of(line)(U64(sq), states, t._replace(**{field: probe}))
    return probe.read[0] if len(probe.read) == 1 and np.shape(probe.read[0]) == (n,) else None


def prepared_array(technique: Technique, occupied: Any) -> Any:
    """Return what a technique keeps of each occupancy of an array.

    Rotated boards are put together square by square.
    """
    if technique.prepare_kernel is itself:
        return occupied
    singles = _single_squares(technique)
    there = list(serialize(int(np.bitwise_or.reduce(occupied))))
    none = np.zeros_like(occupied)
    boards = [
        np.bitwise_or.reduce([none, *(np.where(occupied >> U64(s) & 1, words[s], 0) for s in there)])
        for words in zip(*singles, strict=True)
    ]
    return type(singles[0])(*boards)


@once
def _single_squares(technique: Technique) -> list[Any]:
    """Return what a technique keeps of each square alone."""
    return [technique.prepare_kernel(1 << U64(s), technique.tables()) for s in range(64)]


def filled_line(technique: Technique, field: str) -> str | None:
    """Return the line whose attacks, and nothing else, a table holds, so that code can fill it by walking.

    The filling is tried out: it must reproduce the table.
    """
    table = getattr(technique.tables(), field).reshape(-1)
    bits = np.concatenate([np.zeros(1, U64), 1 << np.arange(64, dtype=U64)])
    single = prepared_array(technique, bits)
    for line in LINE_STARTS:
        if line not in technique.offers:
            continue
        again = np.zeros(table.size, table.dtype)
        for sq in range(64):
            slots = line_slots(technique, field, line, sq, single, bits.size)
            if slots is None:
                break
            occupied = subset_array(int(np.bitwise_or.reduce(bits[slots != slots[0]], initial=0)))
            states = prepared_array(technique, occupied)
            slots = line_slots(technique, field, line, sq, states, occupied.size)
            again[slots] = walked_from(sq, LINES[line], occupied)
        else:
            if np.array_equal(again, table):
                return line
    return None


def module(technique: Technique, fill: bool = True, by_square: bool = False, keep: bool = False) -> ir.Program:
    """Return the constants, tables and look-ups of a technique, and the functions that fill its large tables.

    They fill whole tables, or only the slots of the squares that they are given if `by_square` is set. If `keep` is
    set, a technique with a state of its own also has the functions that keep it from move to move.
    """
    t = technique.tables()
    program = ir.Program()
    translator = KernelTranslator(program)
    tables = Tables(t)
    for name in PUBLIC:
        translator.function(
            attack_kernel(technique, name.removesuffix("_attacks")), (ir.Name("sq"), ir.Name("occupied"), tables), name
        )
    if keep and technique.prepare_kernel is not itself:
        program.state = _kept_state(technique, translator, tables)
    for field in t._fields:
        table = getattr(t, field)
        if not fill or table.size <= SMALL_LINE:
            continue
        if table.size > SMALL and (how := filling(technique, field)):
            _fill(translator, translator.table(field, table).table, how, by_square)
        elif line := filled_line(technique, field):
            _fill_line(translator, translator.table(field, table).table, line, by_square)
    return program.pruned()


def _kept_state(technique: Technique, translator: KernelTranslator, tables: Tables) -> ir.KeptState:
    """Add the functions that make a technique's state, update it, and answer from it."""
    kind = technique.card.upkeep.state
    words: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    state = StateWords(kind, tuple(map(ir.Name, words)))
    prepare = translator.word_functions(technique.prepare_kernel, (ir.Name("occupied"), tables), "prepare")
    toggle = translator.word_functions(technique.toggle_kernel, (state, ir.Name("sq"), tables), "toggle")
    attacks = (
        translator.function(
            technique.kernel_of(name.removesuffix("_attacks")), (ir.Name("sq"), state, tables), f"{name}_by_words"
        )
        for name in PUBLIC
    )
    return ir.KeptState(words, tuple(prepare.values()), tuple(toggle.values()), tuple(attacks))


def _fill(translator: KernelTranslator, table: str, how: TableFilling, by_square: bool) -> None:
    """Add the functions that fill a table at start-up."""
    rays = Tables(RAYS.tables())
    for first, piece in enumerate(PIECES):
        if how.squares[piece]:
            slot = _slot(translator, f"{piece}_attacks", table)
            whole = TableRow(table, (translator.program.tables[table].values.size,))
            squares = ir.Name("squares") if by_square else how.squares[piece]
            arguments = (first, squares, whole, slot, how.walked, rays)
            name = translator.function(templates.fill_squares, arguments, f"fill_{piece}_slots")
            translator.program.tables[table].fillers.append(name)
            translator.program.filled[name] = how.squares[piece]


def _fill_line(translator: KernelTranslator, table: str, line: str, by_square: bool) -> None:
    """Add the function that fills a line's table at start-up."""
    slot = _slot(translator, "rook_attacks" if line in ("rank", "file") else "bishop_attacks", table)
    whole = TableRow(table, (translator.program.tables[table].values.size,))
    squares = ir.Name("squares") if by_square else 2**64 - 1
    arguments = (LINE_STARTS[line], squares, whole, slot, Tables(RAYS.tables()))
    name = translator.function(templates.fill_line, arguments, f"fill_{line}_slots")
    translator.program.tables[table].fillers.append(name)
    translator.program.filled[name] = 2**64 - 1


def _slot(translator: KernelTranslator, name: str, table: str) -> ir.Function | None:
    """Return a function that computes the slot which another function reads in a table."""
    program = translator.program
    function = program.functions[name]
    cut: list[ir.Statement] = []
    for s in function.body:
        for e in (inner for own in ir.expressions(s) for inner in ir.walk(own)):
            index: ir.Expression | None = None
            if isinstance(e, ir.Load) and e.table == table:
                index = e.index
            elif isinstance(e, ir.Call) and e.function in program.functions:
                deeper = _slot(translator, e.function, table)
                index = ir.Call(deeper.name, e.arguments) if deeper else None
            if index:
                body = ir.used((*cut, ir.Return(index)))
                own_name = translator.unique(f"{name.removesuffix('_attacks')}_slot")
                return translator.enter(
                    ir.Function(own_name, function.parameters, body, "Return the slot that the look-up reads.")
                )
        cut.append(s)
    return None


def self_check(mapping: Mapping, module_: ir.Program, calls: bool = True) -> ir.Program:
    """Return the functions of the self-check for a module of look-ups, with those that call it if `calls` is set."""
    program = ir.Program()
    up, across = (8, 1) if mapping.major == "rank" else (1, 8)
    own = {
        "RANK_FLIP": U64(0 if mapping.ranks == "little" else 7),
        "FILE_FLIP": U64(0 if mapping.files == "little" else 7),
        "RANK_STEP": U64(up),
        "FILE_STEP": U64(across),
    }
    names = {*module_.constants, *module_.tables, *module_.functions}
    translator = KernelTranslator(program, taken=names, instead=own)
    public = [module_.functions[name] for name in PUBLIC]
    bishop, rank, file, blockers, occupied = map(ir.Name, ("bishop", "rank", "file", "blockers", "occupied"))
    for template, arguments in (
        (templates.square_index, (rank, file)),
        (templates.expected_attacks, (bishop, rank, file, occupied)),
        (templates.blocker_squares, (bishop, rank, file)),
        (templates.answered_attacks, (bishop, ir.Name("square"), occupied, *public[:2])),
        (templates.is_right, (bishop, rank, file, blockers, occupied, *public)),
        (templates.next_case, (blockers, occupied)),
    ):
        if calls or not set(arguments) & set(public):
            translator.function(template, arguments)
    return program.pruned()
