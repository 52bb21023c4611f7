"""The public class `Technique`: its methods answer for ints and for arrays."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from rookery import arguments
from rookery.aliases import AnyBoard, Direction, Integer, Integers
from rookery.bitboards import signatures
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.pieces import SLIDERS, find_piece_type
from rookery.bitboards.squares import check_square, parse_direction
from rookery.frames import array_arguments
from rookery.frames.array_arguments import Boards
from rookery.kernel import U64, Entry, array_of, attribute_once, wrapping
from rookery.techniques.base.answers import Kernel, all_answers, by_question, offers
from rookery.techniques.base.card import Card, Needs, itself, own_class
from rookery.techniques.base.protocol import (
    QUESTIONS,
    Question,
    Ray,
    Tables,
    answer_arrays,
    answer_arrays_one_by_one,
    answer_one,
    attacks,
    fill,
    fill_arrays,
    prepare,
    ray_attacks_arrays,
    toggle,
)

Numbers: TypeAlias = Integer | Integers
Answer: TypeAlias = Bitboard | Boards


def examples_of(t: "Technique") -> Iterator[tuple[Entry, tuple[Any, ...]]]:
    """Yield the entries that the methods of a technique call, with examples of the arguments."""
    tables = t.tables()
    for offered in t.offers:
        if offered == "fill":
            for loop in (fill_arrays, ray_attacks_arrays):
                yield loop, (0, *_arrays(U64), tables)
            continue
        question = Ray(0) if offered == "ray" else QUESTIONS[offered]
        yield answer_one, (question, 0, U64(0), tables)
        for dtype in array_arguments.SQUARE_TYPES:
            yield t.loop, (question, *_arrays(dtype), tables)


def _arrays(dtype: Any) -> tuple[Boards, Boards, Boards]:
    """Return examples of two arrays that are read, which callers may have made read-only, and of the output."""
    return array_of(dtype, readonly=True), array_of(U64, readonly=True), array_of(U64)


class Technique:
    """A way to find the squares that a sliding piece attacks.

    Its methods return a `Bitboard` for ints, and a uint64 array for NumPy arrays (squares of any integer type and
    occupancies of uint64, broadcast together). `out=` takes a C-contiguous uint64 array of the result's shape. Compiled
    loops process the arrays and release the GIL. A square off the board is a ValueError; the content of `out` is then
    undefined.

    `card` describes the technique, and `offers` names the questions that it answers.

    >>> import rookery
    >>> t = rookery.technique("kogge-stone")
    >>> t.rook(0, 0x0000000000000108).names()
    ['b1', 'c1', 'd1', 'a2']
    >>> t.rook(np.arange(3), 0).shape
    (3,)
    """

    card: Card
    name: str
    summary: str
    authors: tuple[str, ...]
    year: int
    source: str
    users: str
    needs: Needs
    module: str
    prepare_kernel: Kernel
    toggle_kernel: Kernel
    loop: Entry
    offers: tuple[str, ...]
    tables_class: type[Any]

    def __reduce__(self) -> Any:
        return import_module("rookery.techniques").reduced(self)  # the registry imports this module

    def __init__(self, card: Card) -> None:
        if not isinstance(card, Card):
            raise TypeError(f"card: {arguments.shown(card)}: expected a Card; rookery.technique finds one by its name")
        self.card = card
        self.name, self.summary = card.name, card.summary
        self.authors, self.year, self.source = card.authors, card.year, card.source
        self.users, self.needs = card.users, card.needs
        self.module = card.module
        self.prepare_kernel = card.upkeep.prepare
        self.toggle_kernel = card.upkeep.toggle
        self.loop = answer_arrays if card.gathers else answer_arrays_one_by_one
        self._machine_code: dict[Any, Callable[..., Any]] = {}
        self._array_code: dict[type, Any] = {}  # by question: the last dtype of squares, and the code for it

        self._kernels = all_answers(card.kernels)
        self.offers = offers(card.kernels)
        if not self._kernels.keys() >= {"rook", "bishop"}:
            raise TypeError(
                f"technique {card.name!r}: expected kernels for the rook and the bishop, or for their lines"
            )
        self.tables_class = card.own_class or own_class(card)
        self._register()

    def _register(self) -> None:
        """Register this technique's kernels for the class of its tables."""
        card, own = self.card, self.tables_class
        for question, answer in by_question(card.kernels).items():
            attacks.register(question, own)(answer)
        prepare.register(U64, own)(card.upkeep.prepare)
        if card.upkeep.state is not U64:
            prepare.register(card.upkeep.state, own)(itself)
        toggle.register(own)(card.upkeep.toggle)
        if card.kernels.fill:
            fill.register(own)(card.kernels.fill)

    def __repr__(self) -> str:
        return f"<technique {self.name}>"

    def _repr_html_(self) -> str:
        """Return the card as a table, for notebooks."""
        return self.card.html()

    def answer(self, question: type[Question]) -> Kernel:
        """Return the kernel ``(question, sq, occupied, t)`` for a type of question.

        >>> import rookery
        >>> from rookery.techniques.base.protocol import Rook
        >>> rookery.technique("magic-fancy").answer(Rook) is rookery.technique("magic-shared").answer(Rook)
        False
        """
        if not isinstance(question, type):
            expected = "a class of `rookery.techniques.base.protocol`"
            raise TypeError(f"question: {arguments.shown(question)}: expected {expected}")
        if question.__name__.lower() not in self.offers:
            raise ValueError(f"question: technique {self.name!r} has no answer for a {question.__name__.lower()}")
        return attacks.kernel_for(question, self.tables_class)

    def kernel_of(self, ask: str) -> Kernel:
        """Return the kernel ``(sq, occupied, t)`` for a question by name, like ``rook``.

        >>> import rookery
        >>> t = rookery.technique("magic-fancy")
        >>> t.kernel_of("rook").__name__
        'rook'
        """
        if not isinstance(ask, str) or ask not in self._kernels:
            requested = ask if isinstance(ask, str) else arguments.shown(ask)
            raise ValueError(f"ask: technique {self.name!r} has no answer for a {requested}")
        return self._kernels[ask]

    @property
    def fill_kernel(self) -> Kernel:
        """Return the kernel ``(direction, sliders, empty, t)``."""
        if not self.card.kernels.fill:
            raise ValueError(f"technique {self.name!r} has no set-wise fill")
        return self.card.kernels.fill

    @attribute_once
    def _tables(self) -> Tables:
        tables: Tables = self.tables_class._make(self.card.tables())
        for table in tables:
            if isinstance(table, np.ndarray):
                table.flags.writeable = False
        return tables

    def tables(self) -> Any:
        """Return the tables, a NamedTuple of read-only arrays; they are built on first use.

        >>> import rookery
        >>> t = rookery.technique("magic-fancy")
        >>> [(name, table.shape) for name, table in zip(t.tables()._fields, t.tables())]
        [('rook', (256,)), ('bishop', (256,)), ('attacks', (107648,))]
        """
        return self._tables

    @property
    def table_bytes(self) -> int:
        """Return the size of all tables in bytes."""
        return sum(table.nbytes for table in self._tables)

    # Attacks.

    @signatures.slider_attacks
    def rook(self, square: Numbers, occupied: AnyBoard | Integers, out: Boards | None = None) -> Answer:
        """Return the attacks of a rook: a Bitboard for ints, a uint64 array for arrays.

        >>> import rookery
        >>> t = rookery.technique("magic-fancy")
        >>> t.rook(27, 1 << 43).names()
        ['d1', 'd2', 'd3', 'a4', 'b4', 'c4', 'e4', 'f4', 'g4', 'h4', 'd5', 'd6']
        >>> t.rook(np.array([0, 63]), np.zeros(2, np.uint64))
        array([  72340172838076926, 9187484529235886208], dtype=uint64)
        """
        return self._ask(QUESTIONS["rook"], square, occupied, out)

    @signatures.slider_attacks
    def bishop(self, square: Numbers, occupied: AnyBoard | Integers, out: Boards | None = None) -> Answer:
        """Return the attacks of a bishop: a Bitboard for ints, a uint64 array for arrays.

        >>> import rookery
        >>> rookery.technique("magic-fancy").bishop(0, 1 << 27).names()
        ['b2', 'c3', 'd4']
        """
        return self._ask(QUESTIONS["bishop"], square, occupied, out)

    @signatures.slider_attacks
    def queen(self, square: Numbers, occupied: AnyBoard | Integers, out: Boards | None = None) -> Answer:
        """Return the attacks of a queen: a Bitboard for ints, a uint64 array for arrays.

        >>> import rookery
        >>> len(rookery.technique("magic-fancy").queen(27, 0))
        27
        """
        return self._ask(QUESTIONS["queen"], square, occupied, out)

    @signatures.slider_attacks
    def rank(self, square: Numbers, occupied: AnyBoard | Integers, out: Boards | None = None) -> Answer:
        """Return the squares attacked along the rank. Like the next three methods, only line techniques have it.

        >>> import rookery
        >>> rookery.technique("kindergarten").rank(0, 1 << 3).names()
        ['b1', 'c1', 'd1']
        """
        return self._ask(QUESTIONS["rank"], square, occupied, out)

    @signatures.slider_attacks
    def file(self, square: Numbers, occupied: AnyBoard | Integers, out: Boards | None = None) -> Answer:
        """Return the squares attacked along the file.

        >>> import rookery
        >>> rookery.technique("kindergarten").file(0, 1 << 24).names()
        ['a2', 'a3', 'a4']
        """
        return self._ask(QUESTIONS["file"], square, occupied, out)

    @signatures.slider_attacks
    def diagonal(self, square: Numbers, occupied: AnyBoard | Integers, out: Boards | None = None) -> Answer:
        """Return the squares attacked along the diagonal, north-east and south-west.

        >>> import rookery
        >>> rookery.technique("kindergarten").diagonal(0, 1 << 18).names()
        ['b2', 'c3']
        """
        return self._ask(QUESTIONS["diagonal"], square, occupied, out)

    @signatures.slider_attacks
    def antidiagonal(self, square: Numbers, occupied: AnyBoard | Integers, out: Boards | None = None) -> Answer:
        """Return the squares attacked along the anti-diagonal, north-west and south-east.

        >>> import rookery
        >>> rookery.technique("kindergarten").antidiagonal(7, 1 << 21).names()
        ['g2', 'f3']
        """
        return self._ask(QUESTIONS["antidiagonal"], square, occupied, out)

    @signatures.ray_attacks
    def ray(
        self, direction: Direction, square: Numbers, occupied: AnyBoard | Integers, out: Boards | None = None
    ) -> Answer:
        """Return the squares attacked in one direction of the compass rose (``north``, ``northeast``, ...).

        Only ray techniques have it.

        >>> import rookery
        >>> rookery.technique("classical").ray("north", 0, 1 << 24).names()
        ['a2', 'a3', 'a4']
        """
        return self._ask(Ray(parse_direction(direction)), square, occupied, out)

    @signatures.mover_attacks
    def ask(
        self, mover: str | int, square: Numbers, occupied: AnyBoard | Integers, out: Boards | None = None
    ) -> Answer:
        """Return the squares attacked by ``rook``, ``bishop`` or ``queen`` (or `ROOK`, ...), or along a line.

        >>> import rookery
        >>> rookery.technique("kindergarten").ask("rank", 0, 1 << 3).names()
        ['b1', 'c1', 'd1']
        """
        question = QUESTIONS.get(mover) if isinstance(mover, str) else None
        if question is None:
            kind = find_piece_type(mover)
            if kind not in SLIDERS:
                raise ValueError(f"mover: {arguments.shown(mover)}: expected one of {', '.join(QUESTIONS)}")
            question = QUESTIONS[SLIDERS[kind]]
        return self._ask(question, square, occupied, out)

    def _ask(self, question: Question, square: Any, occupied: Any, out: Any) -> Answer:
        """Answer for two ints, for two arrays that machine code can read, or for anything else.

        The first two cases are the ones whose speed matters: a question takes 0.2 us, and 8,192 positions take about 12
        us, of which each microsecond added here would be 8 %.
        """
        if type(square) is type(occupied) is np.ndarray:
            dtype, code = self._array_code.get(type(question), (None, None))
            if (
                square.dtype is dtype
                and occupied.dtype is array_arguments.U64_TYPE
                and square.shape == occupied.shape
                and square.flags.num & occupied.flags.num & array_arguments.PLAIN == array_arguments.PLAIN
                and (out is None or array_arguments.is_apart(out, square, occupied))
            ):
                result = np.empty(occupied.shape, U64) if out is None else out
                if occupied.ndim != 1:
                    flat = square.reshape(-1), occupied.reshape(-1), result.reshape(-1)
                    union = code(question, *flat, self._tables)
                else:
                    union = code(question, square, occupied, result, self._tables)
                if union > 63:
                    raise array_arguments.bad_square("square", square)
                return result
        elif out is None and arguments.is_number(square):
            if arguments.is_number(occupied):
                if not 0 <= square <= 63:
                    raise ValueError(f"square: {int(square)} is off the board: expected 0 (a1) to 63 (h8)")
                if not 0 <= occupied <= arguments.UNIVERSE:
                    raise ValueError(f"occupied: {int(occupied)} is outside 0 to 2**64 - 1")
                code = self._machine_code.get(type(question)) or self._resolve_one(question)
                # Not Bitboard(...): its check would take a third of the call.
                return int.__new__(Bitboard, code(question, square, occupied, self._tables))
            if isinstance(occupied, tuple) and hasattr(occupied, "_make"):
                return Bitboard(answer_one(question, check_square(square), self._state(occupied), self._tables))
            if arguments.is_set(occupied):
                return self._ask(question, square, arguments.set_as_number(occupied), out)
        return self._ask_anything(question, square, occupied, out)

    def _resolve_one(self, question: Question) -> Callable[..., Any]:
        self.answer(type(question))
        code = answer_one.resolve(question, 0, U64(0), self._tables)
        self._machine_code[type(question)] = code
        return code

    def _ask_anything(self, question: Question, square: Any, occupied: Any, out: Any) -> Answer:
        given = array_arguments.square_array("square", square)
        boards = array_arguments.board_array("occupied", occupied)
        shape = array_arguments.common_shape(square=given, occupied=boards)
        result = array_arguments.output(out, shape)
        if out is not None:
            given, boards = array_arguments.apart(given, result), array_arguments.apart(boards, result)
        squares = array_arguments.converted_squares(given)

        code = self._machine_code.get((type(question), squares.dtype)) or self._resolve_arrays(question, squares.dtype)
        self._array_code[type(question)] = squares.dtype, code
        tables = self._tables
        if squares.shape == boards.shape and squares.flags.c_contiguous and boards.flags.c_contiguous:
            union = code(question, squares.reshape(-1), boards.reshape(-1), result.reshape(-1), tables)
        else:
            union = 0
            blocks = np.nditer(  # type: ignore[call-overload]  # NumPy's stubs misspell "contig"
                [squares, boards, result],
                flags=["external_loop", "buffered", "zerosize_ok"],
                op_flags=[["readonly", "contig"], ["readonly", "contig"], ["writeonly", "contig"]],
                order="C",
                buffersize=arguments.BLOCK,
            )
            with blocks:
                for block_squares, block_boards, block_result in blocks:
                    union |= code(question, block_squares, block_boards, block_result, tables)
        if union > 63:
            raise array_arguments.bad_square("square", given)
        return result

    def _resolve_arrays(self, question: Question, dtype: Any) -> Callable[..., Any]:
        self.answer(type(question))
        code = self.loop.resolve(question, *_arrays(dtype), self._tables)
        self._machine_code[type(question), dtype] = code
        return code

    # The state that the technique keeps of the occupancy.

    def prepare(self, occupied: int) -> Any:
        """Return the state in which this technique keeps an occupancy, to be passed to it in place of the occupancy.

        It is the Bitboard itself, or the four boards of the rotated techniques.

        >>> import rookery
        >>> t = rookery.technique("rotated-hyatt")
        >>> state = t.prepare(1 << 43)
        >>> state._fields
        ('plain', 'r90', 'l45', 'r45')
        >>> t.rook(27, state) == t.rook(27, 1 << 43)
        True
        """
        board = U64(arguments.board_number("occupied", occupied))
        with wrapping():
            return self._shown(self.prepare_kernel(board, self._tables))

    def toggle(self, state: Any, square: int) -> Any:
        """Return the state after a piece is put on a square or taken from it.

        >>> import rookery
        >>> t = rookery.technique("rotated-hyatt")
        >>> t.toggle(t.prepare(1 << 43), 43) == t.prepare(0)
        True
        """
        sq = U64(check_square(square))
        with wrapping():
            return self._shown(self.toggle_kernel(self._state(state, "state"), sq, self._tables))

    def _state(self, state: Any, name: str = "occupied") -> Any:
        """Return a state in the words of machine code."""
        kind: Any = self.card.upkeep.state
        if kind is U64:
            return U64(arguments.board_number(name, state))
        if type(state) is not kind:
            raise TypeError(f"{name}: {arguments.shown(state)}: expected a state that {self.name!r} has prepared")
        return kind._make(U64(arguments.board_number(name, board)) for board in state)

    @staticmethod
    def _shown(state: Any) -> Any:
        return state._make(map(Bitboard, state)) if hasattr(state, "_make") else Bitboard(state)

    # Set-wise fills.

    @signatures.fill
    def fill(
        self, direction: Direction, sliders: AnyBoard | Integers, empty: AnyBoard | Integers, out: Boards | None = None
    ) -> Answer:
        """Return the sliders and every empty square they can slide to in a direction.

        >>> import rookery
        >>> rookery.technique("kogge-stone").fill("north", 1, ~(1 | 1 << 24) & (1 << 64) - 1).names()
        ['a1', 'a2', 'a3']
        """
        return self._fill_with(fill_arrays, direction, sliders, empty, out)

    @signatures.fill
    def ray_attacks(
        self, direction: Direction, sliders: AnyBoard | Integers, empty: AnyBoard | Integers, out: Boards | None = None
    ) -> Answer:
        """Return every square that any of the sliders attacks in a direction, including the first blockers.

        >>> import rookery
        >>> rookery.technique("kogge-stone").ray_attacks("north", 1, ~(1 | 1 << 24) & (1 << 64) - 1).names()
        ['a2', 'a3', 'a4']
        """
        return self._fill_with(ray_attacks_arrays, direction, sliders, empty, out)

    def _fill_with(self, loop: Entry, direction: Direction, sliders: Any, empty: Any, out: Any) -> Answer:
        index = parse_direction(direction)
        _ = self.fill_kernel
        sliders, empty = arguments.set_as_number(sliders), arguments.set_as_number(empty)
        is_one_board = out is None and arguments.is_number(sliders) and arguments.is_number(empty)
        generators = array_arguments.board_array("sliders", sliders)
        propagators = array_arguments.board_array("empty", empty)
        shape = array_arguments.common_shape(sliders=generators, empty=propagators)
        result = array_arguments.output(out, shape)
        if out is not None:
            generators, propagators = (
                array_arguments.apart(generators, result),
                array_arguments.apart(propagators, result),
            )
        code = self._machine_code.get(loop)
        if code is None:
            code = self._machine_code[loop] = loop.resolve(index, *_arrays(U64), self._tables)
        flat = [np.ascontiguousarray(np.broadcast_to(a, shape)).reshape(-1) for a in (generators, propagators)]
        code(index, *flat, result.reshape(-1), self._tables)
        return Bitboard(int(result[()])) if is_one_board else result
