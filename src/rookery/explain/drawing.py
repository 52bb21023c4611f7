"""What of a step is drawn: its boards with their names, and its numbers in words.

A board of a step is seen through the mapping: each bit stands on the square that the mapping numbers so. Bits on
occupied squares, other bits, and the bits that become an index differ.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rookery.bitboard import Bitboard
from rookery.explain.layout import Layout, cells, layout_of, turned_line
from rookery.explain.multiplication import Multiplication, multiplication_at
from rookery.explain.notes import notes
from rookery.explain.run import Part, Step
from rookery.explain.steps import Explanation
from rookery.lines import empty_board_attacks
from rookery.squares import STEPS, square_name

_ROUNDS: Final = 2  # of a loop, unless all are asked for
_SQUARES: Final = ("sq", "s", "square")  # what is called so is told by its name


class Drawn(NamedTuple):
    """A word as sets of squares, and where in which table it was read. `free` and `blocked` are its bits on empty and
    on occupied squares, `into_index` the places that become an index, whether they hold a bit or not; on a turned board
    they are those of the line that it is turned for. `taken` are the bits that the variable has lost by this step,
    `found` is the square that the step finds. The slider is drawn where `shows_piece` is set. `cells` are the names of
    the places where these are not the squares, see `rookery.explain.layout`.
    """

    name: str
    place: str
    word: int
    free: Bitboard
    blocked: Bitboard
    into_index: Bitboard
    taken: Bitboard
    found: int | None
    shows_piece: bool
    layout: Layout = "squares"
    cells: tuple[str, ...] = ()


class Figure(NamedTuple):
    """What is drawn of a step, and said beside it."""

    boards: tuple[Drawn, ...]
    numbers: tuple[str, ...]
    notes: tuple[str, ...]
    multiplication: Multiplication | None  # of a magic look-up


def figure(told: Explanation, step: Step, before: Step | None = None) -> Figure:
    """The boards of a step in the order in which they come about, and its numbers. What is only handed on, the
    occupancy to a function or an answer from one, is not drawn again; `before` is the step before.

    >>> from rookery.explain import explain
    >>> told = explain("magic-fancy", "rook", 27, 1 << 43)
    >>> [(drawn.name, drawn.free.names(), drawn.blocked.names()) for drawn in figure(told, told.steps[5]).boards]
    [('o', [], ['d6'])]
    """
    words = _named(step)
    if step.what == "called":
        asked = told.steps[0].parts
        words = [part for part in words if not any(part[:3] == known[:3] for known in asked)]
    elif before and len(words) == 1 and (step.what, step.value) == (before.what, before.value):
        words = []
    drawn = [part for part in words if part.kind == "board"]
    return Figure(
        tuple(_drawn(told, step, part) for part in drawn),
        tuple(number_text(told, part) for part in words if part.kind != "board"),
        notes(told, step, drawn),
        multiplication_at(told, step),
    )


def _named(step: Step) -> list[Part]:
    """All that a step has, each once: what the value was made of, and the value."""
    parts = list(step.parts)
    if step.what in ("assigned", "returned"):
        own = Part(step.variable if step.what == "assigned" else "the answer", step.value, step.kind)
        if parts and parts[-1].table and parts[-1].value == step.value:  # what was read is the whole value
            entry = parts.pop()
            own = own._replace(table=entry.table, slot=entry.slot, slots=entry.slots)
        parts.append(own)
    return list({part.text: part for part in parts}.values())


def _drawn(told: Explanation, step: Step, part: Part) -> Drawn:
    seen = told.squares(part.value)
    marked = part.marked or turned_line(told, part)
    layout = layout_of(told, step, part)
    # What lies elsewhere, a product or a rotated board, has nothing to do with what stands on the squares.
    lines = empty_board_attacks(told.piece, told.square) | told.occupied | 1 << told.square
    is_elsewhere = layout != "squares" or " * " in part.text or seen & ~lines or step.function == told.preparation
    blocked = Bitboard(0) if is_elsewhere else seen & told.occupied
    shows_piece = part.text in ("occupied", "the answer") or step.what == "given"
    found = int(told.mapping.square(step.value)) if step.kind == "square" and step.value < 64 else None
    return Drawn(
        part.text,
        place(part),
        part.value,
        seen & ~blocked,
        blocked,
        told.squares(marked),
        told.squares(_taken(step, part)),
        found if found is not None and step.what == "assigned" and found in seen else None,
        shows_piece and layout == "squares",
        layout,
        cells(told, step, part),
    )


def _taken(step: Step, part: Part) -> int:
    """The bits that a variable has lost by a step, if it has got no others."""
    if step.what != "assigned" or part.text != step.variable or step.previous is None or step.value & ~step.previous:
        return 0
    return step.previous & ~step.value


def code_text(step: Step) -> str:
    """The line of a step; of a call, the function and what it is called with.

    >>> from rookery.explain import explain
    >>> code_text(explain("pext", "rook", 27, 0).steps[0])
    'rook(sq, occupied)'
    """
    if step.what not in ("given", "called"):
        return step.code
    head, _, rest = step.code.partition("(")
    names = [parameter.partition(":")[0].strip() for parameter in rest.partition(")")[0].split(",")]
    return f"{head.removeprefix('def ')}({', '.join(name for name in names if name != 't')})"


def place(part: Part) -> str:
    """Where in which table something was read."""
    return f"{part.table}[{part.slot:,}] of {part.slots:,}" if part.table else ""


def number_text(told: Explanation, part: Part) -> str:
    """A number in words: squares by name, factors in hexadecimal, indices also in binary."""
    name = f"{part.text}: {place(part)}" if part.table else part.text
    if part.kind == "square" and part.text.rstrip("_") in _SQUARES:
        value = part.value
        named = square_name(int(told.mapping.square(value))) if value < 64 else "none"
        return f"{name} = {value} ({named})"
    if part.text == "direction":
        return f"{name} = {part.value} ({direction_name(told, part.value)})"
    if part.value >= 1 << 20:
        return f"{name} = 0x{part.value:016x}"
    binary = f" = 0b{part.value:b}" if part.value > 9 else ""
    return f"{name} = {part.value:,}{binary}"


def direction_name(told: Explanation, direction: int) -> str:
    """Where a step of the kernel leads on the board.

    >>> from rookery.explain import explain
    >>> [direction_name(explain("rays", "rook", 0, 0, f"rank-{ranks}-little"), 0) for ranks in ("little", "big")]
    ['north', 'south']
    """
    tail, head = (int(told.mapping.square(bit)) for bit in (27, 27 + STEPS[direction]))
    ranks, files = (head >> 3) - (tail >> 3), (head & 7) - (tail & 7)
    names = (("south", "", "north")[ranks + 1], ("west", "", "east")[files + 1])
    return "-".join(name for name in names if name)


def signs(told: Explanation, drawn: Drawn) -> dict[int, str]:
    """A sign for each square: ``x`` a bit on an occupied square, ``1`` any other, the piece's letter where it stands.
    Where there is an index, ``1`` and ``0`` are its bits, and ``+`` all others. ``-`` is a bit that this step takes
    away, ``X`` the square that it finds.

    >>> from rookery.explain import explain
    >>> told = explain("rays", "bishop", 0, 1 << 18)
    >>> signs(told, figure(told, told.steps[-1]).boards[-1])
    {9: '1', 18: 'x', 0: 'B'}
    """
    found = dict.fromkeys(drawn.free, "+" if drawn.into_index else "1")
    found |= {square: "1" if square in drawn.free else "0" for square in drawn.into_index}
    found |= dict.fromkeys(drawn.blocked, "x")
    found |= dict.fromkeys(drawn.taken, "-")
    if drawn.found is not None:
        found[drawn.found] = "X"
    if drawn.shows_piece or told.square in drawn.blocked:
        found[told.square] = told.piece[0].upper()
    return found


class Shown(NamedTuple):
    """A step that is shown, its number from 1, and how many of a loop's later rounds are left out before it."""

    step: Step
    number: int
    figure: Figure
    left_out: int
    sentence: str  # none where an answer would only be told what its function was told of


def shown_steps(told: Explanation, everything: bool = False) -> Iterator[Shown]:
    """The steps as they are shown: of a loop only the first rounds, unless `everything` is asked for.

    >>> from rookery.explain import explain
    >>> told = explain("rays", "rook", 0, 0)
    >>> len(list(shown_steps(told))), len(list(shown_steps(told, everything=True))), len(told.steps)
    (26, 46, 46)
    """
    left_out = 0
    before: Step | None = None
    said: dict[int, str] = {}  # of the function that runs at each depth
    for number, step in enumerate(told.steps, 1):
        if step.round >= _ROUNDS and not everything:
            left_out += 1
        else:
            if step.what in ("given", "called"):
                said[step.depth] = step.sentence
            is_repeated = step.what == "returned" and step.sentence == said.get(step.depth)
            yield Shown(step, number, figure(told, step, before), left_out, "" if is_repeated else step.sentence)
            left_out = 0
        before = step
