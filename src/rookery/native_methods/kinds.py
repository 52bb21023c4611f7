"""Kinds of the arguments and results of native functions, declared next to the kernels behind them.

A *twin* is a kernel with the kinds of its arguments and of its result. The kernel takes words and arrays of words; the
kinds say how the wrapper makes them of Python's objects, and which object it makes of the result.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel.compiling import U64
from rookery.kernel.entries import Entry, entry
from rookery.kernel.native.layouts import OPERATORS
from rookery.kernel.native.marks import CALL, DELETER, PYTHON_FUNCTION, REFLECTED, SETTER, VERSION

ROW_WORDS: Final = 14  # of a board's row: the position's ten, and its counters
# Words that are no position may have more moves than any position (see `rookery.rules.generate`): 420 of sliders, as
# each square is reached from each neighbour at most once, 336 of knights, 420 of kings, 250 of pawns, 64 castlings.
# Captures, at most 940, are sorted by numbers that stand behind them.
MOST_MOVES: Final = 2048
LONGEST_TEXT: Final = 128  # characters of a text that machine code reads; longer ones are left to Python
PADDING: Final = 64  # zero bytes behind a text, for kernels that look ahead
REFUSED: Final = 0xFFFF_FFFF_FFFF_FFFF  # what a kernel returns to leave the answer to Python


class Kind(NamedTuple):
    """How one argument or one result passes between Python and a kernel."""

    name: str
    examples: tuple[Any, ...] = ()  # of what the kernel gets
    is_buffer: bool = False  # memory that the wrapper reserves; callers give nothing for it
    objects: tuple[str, ...] = ()  # that the wrapper needs, by the names under which they are provided
    size: int = 0
    default: str = ""  # what stands in for an argument that callers leave out


def _readonly(array: Any) -> Any:
    array.flags.writeable = False
    return array


def row_example() -> Any:
    """Return an example of a board's row, as kernels get it."""
    return _readonly(np.zeros(ROW_WORDS, U64))


_WORD: Final = U64(0)
_SMALL_INTS: Final = ("small ints",)
_INTS: Final = ("ints by digits",)  # examples of ints with no digit, one, two and three

# Arguments. The kernel gets a word unless stated otherwise.
ROW: Final = Kind("row", (row_example(),))  # the row of `self`, or of the board that `self` holds; not to be written to
OTHER_ROW: Final = Kind("other row", (row_example(),), objects=("Board",))  # of another board
HISTORY: Final = Kind("history", (_readonly(np.zeros(0, U64)), _WORD))  # addresses of earlier rows, see `word_of_bytes`


def recent_history(word: int) -> Kind:
    """Return the kind of a history of which only the last rows are read, as many as a word of the row says."""
    return HISTORY._replace(size=word + 1)


CHESS960: Final = Kind("chess960", (_WORD,))  # of `self`: 0 or 1
SELF_INT: Final = Kind("self int", (_WORD,), objects=_INTS)  # `self` as a number of 16 bits, for subclasses of int
SELF_BITBOARD: Final = Kind("self bitboard", (_WORD,), objects=("Bitboard",))  # `self`, if it is a Bitboard
SELF_SET: Final = Kind("self set", (_WORD,), objects=("SquareSet",))  # the word of `self`, if it is a SquareSet
SELF_LETTER: Final = Kind("self letter", (_WORD,))  # the first character of `self`, for subclasses of str
SQUARE: Final = Kind("square", (_WORD,), objects=_INTS, size=63)
COLOUR: Final = Kind("colour", (_WORD,))  # 1 white, 0 black
PIECE_TYPE: Final = Kind("piece type", (_WORD,), objects=_INTS)  # 1 to 6
PIECE: Final = Kind("piece", (_WORD,), objects=("Piece",))  # 0 for None, else the letter of a Piece or a text
MOVE: Final = Kind("move", (_WORD,), objects=("Move", *_INTS))  # the 16 bits of a Move
BITBOARD_ARGUMENT: Final = Kind("board", (_WORD,), objects=("Bitboard",))  # of a Bitboard or an int
SET: Final = Kind("set", (_WORD,), objects=("SquareSet", "Bitboard"))  # of a SquareSet, a Bitboard or an int
TEXT: Final = Kind("text", (_readonly(np.zeros(LONGEST_TEXT + PADDING, np.uint8)), _WORD))  # bytes; their number


def or_object(kind: Kind, name: str) -> Kind:
    """Return the kind of a last argument that callers may leave out, for an object that is provided by a name.

    For the result `SET_UP`, the object is the row that the board gets.
    """
    return kind._replace(default=name, objects=(*kind.objects, name))


def flag_by_name(name: str) -> Kind:
    """Return the kind of a flag that callers give by its name alone, after the other arguments; true unless given."""
    return Kind("flag", (_WORD,), objects=(f"name of {name}",))


def small(most: int) -> Kind:
    """Return the kind of an int from 0 to `most`."""
    return Kind("square", (_WORD,), objects=_INTS, size=most)


SMALL: Final = small((1 << 30) - 1)


# Buffers. They come after the arguments.
OUT_MOVES: Final = Kind("moves", (np.zeros(MOST_MOVES, np.uint16),), is_buffer=True)
OUT_ROW: Final = Kind("new row", (np.zeros(ROW_WORDS, U64),), is_buffer=True)


def out_text(size: int) -> Kind:
    """Return the kind of a buffer for a text of at most `size` bytes."""
    return Kind("characters", (np.zeros(size, np.uint8),), is_buffer=True, size=size)


# Results: what the wrapper makes of the word that the kernel returns.
INT: Final = Kind("int", objects=_SMALL_INTS)
SIGNED: Final = Kind("signed int")
BOOL: Final = Kind("bool")
NONE: Final = Kind("none")
BITBOARD: Final = Kind("bitboard", objects=("Bitboard", "ints by digits"))
SQUARE_OR_NONE: Final = Kind("square or none", objects=_SMALL_INTS)  # 64: none
MOVE_LIST: Final = Kind("list of moves", objects=("moves", "moves960"))  # the number of moves in `OUT_MOVES`
MOVE_ITERATOR: Final = Kind("iterator of moves", objects=("moves", "moves960"))
MOVE_OF: Final = Kind("move", objects=("moves", "moves960"))  # of a word, as the board lists it
TEXT_OF: Final = Kind("text")  # the number of characters in `out_text`
PIECE_MAP: Final = Kind("piece map", objects=("pieces",))  # the number of pairs, square and piece, in `out_text`
SQUARE_ITERATOR: Final = Kind("iterator of squares")  # the number of squares in `out_text`
FILL_SET: Final = Kind("fill set")  # the word becomes that of `self`, a SquareSet
NEW_SET: Final = Kind("new set", objects=("SquareSet",))  # a SquareSet of the word
PUSH: Final = Kind("push", objects=_SMALL_INTS)  # `OUT_ROW` becomes the row, and the row before goes to the history
PUSH_MOVE: Final = Kind(
    "push and return the move", objects=("moves", "moves960", *_SMALL_INTS)
)  # the same; returns the move
PLACE: Final = Kind("place", objects=_SMALL_INTS)  # `OUT_ROW` becomes the row, and the history is cleared
NEW_BOARD: Final = Kind(
    "new board", objects=("Board", *_SMALL_INTS)
)  # `OUT_ROW` becomes the row of a new board without history
BOARD_OF: Final = Kind("board of a row", objects=_SMALL_INTS)  # the same; the word is 1 for Chess960
# `OUT_ROW` and a new history become those of `self`; the word is 1 for Chess960.
SET_UP: Final = Kind("set up", objects=_SMALL_INTS)


POP: Final = Kind(
    "pop", objects=("moves", "moves960", *_SMALL_INTS)
)  # the move that led here; the last row of the history returns
COPY: Final = Kind("copy", objects=("Board",))  # of the board, with its history unless the word is 0
# The index of a move's text or, for a promotion, any larger number; its text is in `out_text`.
MOVE_TEXT: Final = Kind("text of a move", objects=("texts of moves",))
PLAIN_MOVE: Final = Kind("plain move", objects=("moves",))  # of a word, in classical chess


def class_itself(name: str) -> Kind:
    """Return the kind of the first argument of a class method or a constructor: a class, not a subclass."""
    return Kind("self type", objects=(name,))


def view(name: str) -> Kind:
    """Return the kind of a result that is a new object of a class, whose only slot holds the board."""
    return Kind("view", objects=(name,))


def item(name: str) -> Kind:
    """Return the kind of a result that is an item of a tuple provided by a name; the kernel returns its index."""
    return Kind("item", objects=(name,))


class Twin(NamedTuple):
    """A kernel, and how a native function calls it."""

    name: str
    entry: Entry
    arguments: tuple[Kind, ...]  # with the buffers
    returns: Kind
    refuses: bool  # the kernel may return `REFUSED`
    tables: bool  # the kernel's last argument is the default technique's tables
    is_getter: bool
    is_method: bool  # it has a `self`, or the class of a class method
    through: str  # the slot of `self` that holds the board, or nothing if `self` is the board
    slot: str  # the operator whose slot in the class the function takes, or nothing for a function with a name

    @property
    def is_constructor(self) -> bool:
        """Return whether Python calls the function for a call of a class."""
        return self.name.endswith(CALL)

    @property
    def examples(self) -> tuple[Any, ...]:
        """Return examples of the kernel's arguments before the tables."""
        return tuple(example for kind in self.arguments for example in kind.examples)


def objects_of(twin: Twin) -> tuple[str, ...]:
    """Return the names of the objects that a wrapper needs: the Python functions first."""
    named = [name for kind in (*twin.arguments, twin.returns) for name in kind.objects]
    named += ["Board"] if twin.through else []
    first: tuple[str, ...] = (PYTHON_FUNCTION,)
    if twin.is_getter:
        first = PYTHON_FUNCTION, SETTER, DELETER
    elif twin.is_constructor:
        first = PYTHON_FUNCTION, VERSION
    elif twin.slot:
        # A unit has at least one object: the first one says whether it was taken.
        first = (PYTHON_FUNCTION, REFLECTED) if twin.slot in OPERATORS else ("zero",)
    return (*first, *dict.fromkeys(named))


def described(twin: Twin) -> str:
    """Return what a wrapper depends on as text."""
    kinds = [(kind.name, kind.objects, kind.size) for kind in (*twin.arguments, twin.returns)]
    return repr((kinds, twin[4:]))


TWINS: Final[dict[str, Twin]] = {}


def machine_code(
    name: str,
    *arguments: Kind,
    returns: Kind,
    refuses: bool = False,
    tables: bool = True,
    getter: bool = False,
    static: bool = False,
    through: str = "",
    slot: str = "",
) -> Callable[[Callable[..., Any]], Entry]:
    """Declare the kernel behind the native function of a name, and make it an entry for Python.

    `name` is the ``__qualname__`` of the Python function that is marked with `native`. With `tables`, the default
    technique's tables are the kernel's last argument. With `refuses`, a result of `REFUSED` leaves the answer to
    Python. A `getter` is read like an attribute. A `static` function has no `self`. `through` names the slot of `self`
    that holds the board. A kernel behind several functions is declared once for each.

    `slot` is an operator, such as ``__len__``. Python calls the machine code for ``len(x)`` without looking for the
    method. What was in the slot before answers what the machine code does not: it calls the Python function.

    The name of a constructor is that of a class with `CALL` behind it, and its first argument is `class_itself`. Python
    calls it for ``Move(a, b)``, and it calls what Python would have called for what it does not answer.
    """

    def declared(function: Callable[..., Any]) -> Entry:
        made = function if isinstance(function, Entry) else entry(function)
        TWINS[name] = Twin(name, made, arguments, returns, refuses, tables, getter, not static, through, slot)
        return made

    return declared
