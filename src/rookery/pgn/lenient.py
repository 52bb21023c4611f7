"""The lenient rules of PGN: what readers skip, and their warnings.

A file often holds words that are neither moves nor anything else PGN defines: ``+/-``, ``N`` for a novelty, ``Qxf7ch``.
What only annotates is stepped over with a warning. What could change the moves stays an error. Both readers of PGN,
`rookery.pgn` and the compiled one of `rookery.games`, use the words and the reasons of this module.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rookery.lazy_imports import compile_later, modules_later
from rookery.pgn.tokens import OTHER_RESULTS, RESULTS

if TYPE_CHECKING:
    from rookery.board import reasons
    from rookery.notation import san_reader, san_spelling
else:
    (reasons,) = modules_later("rookery.board", "reasons")
    san_reader, san_spelling = modules_later("rookery.notation", "san_reader san_spelling")


class GameWarning(NamedTuple):
    """A warning of a lenient PGN reader: the game's number in the file, the line and place, and the reason.

    >>> import rookery
    >>> (game,) = rookery.pgn.read("1. e4 +/- e5 *")
    >>> print(game.warnings[0])
    game 1, line 1, move 1...: '+/-': an annotation, stepped over
    """

    number: int
    line: int
    place: str
    reason: str

    def __str__(self) -> str:
        return f"game {self.number}, line {self.line}, {self.place}: {self.reason}"


# Words that annotate. Check signs may follow each of them, and may stand alone.
ANNOTATIONS: Final = (
    *("=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+", "~", "=~", "~="),
    *("±", "∓", "⩲", "⩱", "∞", "□", "⟳", "↑", "→", "⇆", "⇄", "⊕", "⌓", "∆", "△", "▽", "†", "‡"),
    *("N", "TN", "D", ",", "."),
    *("ep", "ep.", "e.p", "ch", "ch.", "dis.ch", "dis.ch.", "disch", "dbl.ch", "dbl.ch.", "dblch"),
    *("check", "mate", "checkmate"),
)
GLUED_RESULTS: Final = tuple(sorted({*RESULTS, *filter(None, OTHER_RESULTS)} - {"?"}))
MOST_WARNINGS: Final = 1000  # of a game; one with more is bad
TOO_MANY: Final = f"more than {MOST_WARNINGS:,} warnings: expected a game"
STRAY_BRACE: Final = "'}' closes no comment: stepped over"
STRAY_BRACKET: Final = "')' closes no variation: stepped over"
NULS: Final = "NUL characters: stepped over"

_MAY_BE_MOVE: Final = compile_later(r"[0-9*\[@]|--|[Oo]-[Oo]")
_LOWER_CASTLING: Final = compile_later(r"o-o(?:-o)?[+#]*")


def is_annotation(word: str) -> bool:
    """Check whether a word annotates a move.

    >>> [is_annotation(word) for word in ("+/-", "++", "ch+", "Nf3")]
    [True, True, True, False]
    """
    bare = word.rstrip("+#")
    return not bare or bare in ANNOTATIONS or word in ANNOTATIONS


def split(word: str) -> tuple[str, str] | None:
    """Return the move that a word begins with and what follows it, or None if the word begins with no move.

    What follows is empty, an annotation or a result.

    >>> split("Qxf7ch"), split("Qb30-1"), split("Nf3"), split("hello")
    (('Qxf7', 'ch'), ('Qb3', '0-1'), ('Nf3', ''), None)
    """
    if _is_move(word):
        return word, ""
    for i in range(min(len(word) - 1, san_spelling.LONGEST), 1, -1):
        end = word[i:]
        if (is_annotation(end) or end in GLUED_RESULTS) and _is_move(word[:i]):
            # A null move is never written like this.
            return None if san_reader.spelled_move(san(word[:i])).what == san_spelling.NULL else (word[:i], end)
    return None


def _is_move(text: str) -> bool:
    return len(text) <= san_spelling.LONGEST and san_reader.spelled_move(san(text)).what != san_spelling.NO_MOVE


def san(move: str) -> str:
    """Return a move as `Board.parse_san` reads it: without ``e.p.``, and with a capital O for castling.

    >>> san("o-o+"), san("exd6e.p."), san("Nf3")
    ('O-O+', 'exd6', 'Nf3')
    """
    move = move.removesuffix("e.p.")
    return move.upper() if _LOWER_CASTLING.fullmatch(move) else move


def may_be_move(text: str) -> bool:
    """Check whether a text contains what could be a move or a result: a digit, ``*``, castling, a null move.

    >>> may_be_move("good for White"), may_be_move("better is Nf3")
    (False, True)
    """
    return bool(_MAY_BE_MOVE.search(text))


def target_of_knight(word: str) -> str | None:
    """Return the square that a word names which could follow the letter N of a knight, or None.

    >>> target_of_knight("f3"), target_of_knight("bxd2+"), target_of_knight("Nf3")
    ('f3', 'd2', None)
    """
    named = re.match("[a-hx][a-h1-8x]*", word)
    squares = re.findall("[a-h][1-8]", named[0]) if named else []
    return squares[-1] if squares else None


# What warnings say.


def annotation_warning(word: str) -> str:
    """Say that an annotation is stepped over."""
    return f"{word!r}: an annotation, stepped over"


def move_warning(word: str) -> str:
    """Say how a word is read that is not only a move."""
    found = split(word)
    assert found is not None
    move, end = found
    return f"{word!r}: read as {san(move)!r}{f' and {end!r}' if end in GLUED_RESULTS else ''}"


def rest_warning(word: str) -> str:
    """Say that the rest of a comment with braces in it is stepped over; `word` is its first word."""
    return f"{word!r} up to '}}': the rest of a comment that has '{{' in it, stepped over"


def time_warning(time: str) -> str:
    """Say how a clock of two parts is read where the time control does not tell."""
    return f"{' '.join(time.split())!r}: read as minutes and seconds: no TimeControl says that it is hours and minutes"


def rights_warning(fen: str) -> str:
    """Say what is impossible in a FEN and therefore dropped."""
    return f"{_joined(reasons.every_fault(fen, unreachable=False))}: dropped"


def _joined(faults: Sequence[str]) -> str:
    return "; ".join(faults)
