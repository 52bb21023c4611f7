"""Choose what a step shows: its boards with their names, and its numbers in words.

A board is seen through the mapping: each bit stands on the square that the mapping gives it. Bits on occupied squares,
other bits, and bits that become an index are drawn differently.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.lines import empty_board_attacks
from rookery.bitboards.squares import STEPS, square_name
from rookery.explain.formulas import OWN
from rookery.explain.ideas import steps_of_ideas
from rookery.explain.layout import Layout, cells, layout_of, turned_line
from rookery.explain.multiplication import Multiplication, multiplication_at
from rookery.explain.notes import notes
from rookery.explain.run import Step, StepPart
from rookery.explain.steps import Explanation

_ROUNDS: Final = 2  # shown of a loop, unless all are requested
_SQUARES: Final = ("sq", "s", "square")  # variables with these names are squares


class Drawn(NamedTuple):
    """A word as sets of squares, and the table slot it was read from.

    `free` and `blocked` are its bits on empty and on occupied squares. `into_index` holds the places that become an
    index, whether they hold a bit or not; on a turned board they are those of its line. `taken` are the bits that the
    variable has lost in this step, `found` is the square that the step finds. The slider is drawn where `shows_piece`
    is set, and `chosen` is its square, which a turned board has elsewhere.
    `cells` are the names of the places where these are not squares, see `rookery.explain.layout`.
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
    chosen: int | None
    layout: Layout = "squares"
    cells: tuple[str, ...] = ()


class DrawnNumber(NamedTuple):
    """A number in a formula: what it is called, and its value in words."""

    name: str
    text: str


Item = Drawn | DrawnNumber | str


class Figure(NamedTuple):
    """The formulas, numbers and notes of a step: each formula has boards, and operators and numbers between them."""

    rows: tuple[tuple[Item, ...], ...]
    numbers: tuple[str, ...]
    notes: tuple[str, ...]
    multiplication: Multiplication | None  # of a magic look-up

    @property
    def boards(self) -> tuple[Drawn, ...]:
        """Return the boards of all formulas, from left to right."""
        return tuple(item for row in self.rows for item in row if isinstance(item, Drawn))


def figure(explanation: Explanation, step: Step, before: Step | None = None) -> Figure:
    """Return the boards of a step, in the order in which they arise, and its numbers.

    A value that is only passed on, such as the occupancy to a function or an answer from one, is not drawn again;
    `before` is the step before.

    >>> from rookery.explain import explain
    >>> explanation = explain("magic-fancy", "rook", 27, 1 << 43)
    >>> boards = figure(explanation, explanation.steps[5]).boards
    >>> [(drawn.name, len(drawn.free), drawn.blocked.names()) for drawn in boards]
    [('occupied', 0, ['d6']), ('mask', 9, ['d6']), ('o', 0, ['d6'])]
    """
    rows, numbers = step.rows, step.numbers
    known = explanation.steps[0].parts if step.what == "called" else ()
    hidden = {i for i, part in enumerate(step.parts) if any(part[:3] == other[:3] for other in known)}
    rows = tuple(row if "=" in row else tuple(i for i in row if i not in hidden) for row in rows)
    if before and rows == ((OWN,),) and (step.what, step.value) == (before.what, before.value):
        rows = ()
    words = [_part(step, i) for row in rows for i in row if not isinstance(i, str)]
    return Figure(
        tuple(tuple(_item(explanation, step, i) for i in row) for row in rows if row),
        tuple(number_text(explanation, _part(step, i)) for i in numbers if not isinstance(i, str) and i not in hidden),
        tuple(dict.fromkeys(notes(explanation, step, [part for part in words if part.kind == "board"]))),
        multiplication_at(explanation, step),
    )


def _part(step: Step, place: int) -> StepPart:
    """Return a part of a step by its place, or the step's value."""
    if place != OWN:
        return step.parts[place]
    own = StepPart(_own_name(step), step.value, step.kind, turn=step.turn)
    entry = step.parts[-1] if step.parts else own
    if entry.table and entry.value == step.value:  # what was read is the whole value
        own = own._replace(table=entry.table, slot=entry.slot, slots=entry.slots)
    return own


def _own_name(step: Step) -> str:
    """Return what a step's value is called: a variable, an index, a number by its function, or the answer, a set."""
    if step.what == "assigned":
        return step.variable
    if step.kind == "board":
        return "the answer"
    return "index" if "index" in step.function else step.function


def _item(explanation: Explanation, step: Step, item: int | str) -> Item:
    """Return what stands in a formula: a board, an operator, or a number in words."""
    if isinstance(item, str):
        return item
    part = _part(step, item)
    if part.kind == "board":
        return _drawn(explanation, step, part)
    name, _, value = number_text(explanation, part).partition(" = ")
    return DrawnNumber("" if part.text in (str(part.value), hex(part.value)) else name, value)


def _drawn(explanation: Explanation, step: Step, part: StepPart) -> Drawn:
    seen = explanation.squares(part.value)
    marked = part.marked or turned_line(explanation, part)
    layout = layout_of(explanation, step, part)
    # The bits of a product or a rotated board are unrelated to the pieces on the squares.
    whole = empty_board_attacks(explanation.piece, explanation.square) | explanation.occupied | 1 << explanation.square
    lines, occupied = (_turned(explanation, squares, part.turn) for squares in (whole, explanation.occupied))
    is_elsewhere = (
        layout != "squares" or " * " in part.text or seen & ~lines or step.function == explanation.preparation
    )
    blocked = Bitboard(0) if is_elsewhere else seen & occupied
    shows_piece = part.text in ("occupied", "the answer") or step.what == "given"
    found = int(explanation.mapping.square(step.value)) if step.kind == "square" and step.value < 64 else None
    return Drawn(
        part.text,
        place(part),
        part.value,
        seen & ~blocked,
        blocked,
        explanation.squares(marked),
        explanation.squares(_taken(step, part)),
        found if found is not None and step.what == "assigned" and found in seen else None,
        shows_piece and layout == "squares",
        chosen_of(explanation, part) if layout == "squares" else None,
        layout,
        cells(explanation, step, part),
    )


def _turned(explanation: Explanation, squares: Bitboard, turn: int) -> Bitboard:
    """Return where squares are on a board on which the number of each bit is XORed with `turn`."""
    if turn <= 0:
        return squares
    bits = (int(explanation.mapping.index(square)) ^ turn for square in squares)
    return Bitboard.from_squares(int(explanation.mapping.square(bit)) for bit in bits)


def chosen_of(explanation: Explanation, part: StepPart) -> int | None:
    """Return where the piece's square is on a board, which may be turned over, or None on a product.

    >>> from rookery.explain import explain
    >>> explanation = explain("hyperbola", "file", 11, 0)
    >>> chosen_of(explanation, StepPart("byteswap(r)", 0, "board", turn=56))  # d2 is on d7
    51
    """
    turned = int(explanation.mapping.index(explanation.square)) ^ part.turn
    return None if part.turn < 0 or " * " in part.text else int(explanation.mapping.square(turned))


def _taken(step: Step, part: StepPart) -> int:
    """Return the bits that a variable has lost in a step, 0 if it has gained any."""
    is_own = step.what == "assigned" and (part.text, part.value) == (step.variable, step.value)
    if not is_own or step.previous is None or step.value & ~step.previous:
        return 0
    return step.previous & ~step.value


def code_text(step: Step) -> str:
    """Return the line of a step; for a call, the function and its arguments.

    >>> from rookery.explain import explain
    >>> code_text(explain("pext", "rook", 27, 0).steps[0])
    'rook(sq, occupied)'
    """
    if step.what not in ("given", "called"):
        return step.code
    head, _, rest = step.code.partition("(")
    names = [parameter.partition(":")[0].strip() for parameter in rest.partition(")")[0].split(",")]
    return f"{head.removeprefix('def ')}({', '.join(name for name in names if name != 't')})"


def place(part: StepPart) -> str:
    """Return the table and the slot that something was read from."""
    return f"{part.table}[{part.slot:,}] of {part.slots:,}" if part.table else ""


def number_text(explanation: Explanation, part: StepPart) -> str:
    """Return a number in words: squares by name, factors in hexadecimal, indices also in binary."""
    name = f"{part.text}: {place(part)}" if part.table else part.text
    if part.kind == "square" and part.text.rstrip("_") in _SQUARES:
        value = part.value
        named = square_name(int(explanation.mapping.square(value))) if value < 64 else "none"
        return f"{name} = {value} ({named})"
    if part.text == "direction":
        return f"{name} = {part.value} ({direction_name(explanation, part.value)})"
    if part.value >= 1 << 20:
        return f"{name} = 0x{part.value:016x}"
    binary = f" = 0b{part.value:b}" if part.value > 9 else ""
    return f"{name} = {part.value:,}{binary}"


def direction_name(explanation: Explanation, direction: int) -> str:
    """Return the direction on the board of a step in the kernel.

    >>> from rookery.explain import explain
    >>> [direction_name(explain("rays", "rook", 0, 0, f"rank-{ranks}-little"), 0) for ranks in ("little", "big")]
    ['north', 'south']
    """
    tail, head = (int(explanation.mapping.square(bit)) for bit in (27, 27 + STEPS[direction]))
    ranks, files = (head >> 3) - (tail >> 3), (head & 7) - (tail & 7)
    names = (("south", "", "north")[ranks + 1], ("west", "", "east")[files + 1])
    return "-".join(name for name in names if name)


def signs(explanation: Explanation, drawn: Drawn) -> dict[int, str]:
    """Return a sign for each square.

    ``x`` is a bit on an occupied square, ``1`` any other bit, and a letter the piece. Where there is an index, ``1``
    and ``0`` are its bits and ``+`` all others. ``-`` is a bit that this step removes, ``X`` the square that it finds.

    >>> from rookery.explain import explain
    >>> explanation = explain("rays", "bishop", 0, 1 << 18)
    >>> signs(explanation, figure(explanation, explanation.steps[-1]).boards[-1])
    {9: '1', 18: 'x', 0: 'B'}
    """
    found = dict.fromkeys(drawn.free, "+" if drawn.into_index else "1")
    found |= {square: "1" if square in drawn.free else "0" for square in drawn.into_index}
    found |= dict.fromkeys(drawn.blocked, "x")
    found |= dict.fromkeys(drawn.taken, "-")
    if drawn.found is not None:
        found[drawn.found] = "X"
    if drawn.chosen is not None and (drawn.shows_piece or drawn.chosen in drawn.blocked):
        found[drawn.chosen] = explanation.piece[0].upper()
    return found


class Shown(NamedTuple):
    """A step that is shown, its number from 1, and how many later rounds of a loop are left out before it."""

    step: Step
    number: int
    figure: Figure
    left_out: int
    sentence: str  # empty where it would repeat that of its function


def shown_steps(explanation: Explanation, everything: bool = False) -> Iterator[Shown]:
    """Yield the steps to show: only the first rounds of a loop, unless `everything` is set.

    >>> from rookery.explain import explain
    >>> explanation = explain("rays", "rook", 0, 0)
    >>> len(list(shown_steps(explanation)))
    26
    >>> len(list(shown_steps(explanation, everything=True)))
    46
    """
    left_out = 0
    before: Step | None = None
    sentences: dict[int, str] = {}  # of the function that runs at each depth
    for number, step in enumerate(explanation.steps, 1):
        if step.round >= _ROUNDS and not everything:
            left_out += 1
        else:
            if step.what in ("given", "called"):
                sentences[step.depth] = step.sentence
            is_repeated = step.what == "returned" and step.sentence == sentences.get(step.depth)
            yield Shown(step, number, figure(explanation, step, before), left_out, "" if is_repeated else step.sentence)
            left_out = 0
        before = step


class Told(NamedTuple):
    """An idea, its number from 1, why it is done, and its steps."""

    number: int
    sentence: str
    steps: tuple[Shown, ...]


def told_ideas(explanation: Explanation) -> Iterator[Told]:
    """Yield the ideas of a look-up, each with its steps; an idea whose branch is not taken is left out.

    >>> from rookery.explain import explain
    >>> [told.sentence for told in told_ideas(explain("magic-fancy", "rook", 27, 0))][1:3]
    ['The relevant occupancy: the occupied relevant squares.', 'The top bits of the product are the index.']
    """
    number = 0
    for idea, places in zip(explanation.ideas, steps_of_ideas(explanation.ideas, explanation.steps), strict=True):
        if places:
            number += 1
            sentences = dict(zip(idea.sites, idea.sentences, strict=True))
            steps = (explanation.steps[place] for place in places)
            shown = (
                Shown(step, place + 1, figure(explanation, step), 0, sentences[step.site])
                for place, step in zip(places, steps, strict=True)
            )
            yield Told(number, idea.sentence, tuple(shown))
