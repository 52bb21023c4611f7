"""Lists of moves that networks number, each in the order of the program that defined it.

A list has a text for each index: a move in UCI notation as the mover sees it, and no text where the move leads
off the board. The mover's view is the board itself, or for black the flipped board (ranks swap) or the rotated one. A
pawn's move to the last rank without a piece stands for one promotion, the list's plain one.

==============  ======  =======  ========  =======================================================================
list            moves   black    castling  order
==============  ======  =======  ========  =======================================================================
``alphazero``    4,672  flipped  step      source by rank and file; 73 kinds: 56 queen-like, knights, promotions
``gym-chess``    4,672  rotated  step      the same
``lczero``       4,672  flipped  step      kind, then rank and file; its promotions are to rook, bishop and queen
``openspiel``    4,674  flipped  own two   source by file and rank; promotions, lines by distance, knights
``pgx``          4,672  flipped  step      the same, lines in another order
``leela``        1,858  flipped  rook      source, target; then promotions to queen, rook and bishop
``uci``          1,968  as is    step      source, queen's targets, knight's targets; then promotions of both sides
``maia2``        1,880  flipped  step      the same, targets descending, promotions of the mover
``maia3``        4,352  flipped  step      all pairs of squares; then promotions by file, file and piece
``pawn``         1,980  as is    step      the list ``uci``, then padding and the ends of games
==============  ======  =======  ========  =======================================================================

*step*: castling is the king's move to the c-file or g-file; *rook*: king takes rook; *own two*: the last two indices,
the first with the rook on the a-side. In Chess960 a castling king may stay where it is, or move to the next square as
it could without castling. Such castling is encoded as the king's move to the rook's square, where castling is a step.
No position has two legal moves of the same index.

Sources: David Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through
self-play", Science 362, 2018, supplement, does not fix the order: each program that follows it has its own. gym-chess
0.1.1, OpenSpiel 2.0.2, pgx 2.6, Leela Chess Zero and its training, searchless_chess (``uci``), maia2, Maia-3, PAWN.
"""

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import choice
from rookery.bitboards.squares import SQUARE_NAMES
from rookery.board.moves import CASTLING, EN_PASSANT, word_of

# Steps up and to the right: clockwise from the north, and from the north-northeast.
_COMPASS: Final = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_LEAPS: Final = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
_N, _NE, _E, _SE, _S, _SW, _W, _NW = _COMPASS
_LEAPS_BY_FILE: Final = ((-1, -2), (1, -2), (-2, -1), (2, -1), (-1, 2), (1, 2), (-2, 1), (2, 1))
_QUEEN_STEPS: Final = [(up * n, right * n) for up, right in _COMPASS for n in range(1, 8)]
_BY_FILE: Final = [file + 8 * rank for file in range(8) for rank in range(8)]

NONE: Final = 0xFFFF  # table entry of moves without an index


class MoveList(NamedTuple):
    """A list of moves: the text of each index ("" for none), and tables from words of moves to indices.

    The first row of `table` has the indices of white's moves, the second those of black's: (2, 65536).
    """

    texts: tuple[str, ...]
    table: NDArray[np.uint16]

    @property
    def size(self) -> int:
        """Return the number of indices."""
        return len(self.texts)

    def meaning(self, index: int) -> str:
        """Return the meaning of an index as the mover sees it: ``e2e4``, or ``no move`` if it leads off the board."""
        return (self.texts[index] if 0 <= index < self.size else "") or "no move"

    @property
    def packed_size(self) -> int:
        """Return the number of bytes in a packed mask, with one bit for each index."""
        return (self.size + 7) // 8


def _text(source: int, up: int, right: int) -> str:
    """Return a step from a square as text, like ``e2e4``; empty if it leads off the board."""
    rank, file = source // 8 + up, source % 8 + right
    if not (0 <= rank < 8 and 0 <= file < 8):
        return ""
    return SQUARE_NAMES[source] + SQUARE_NAMES[8 * rank + file]


def _targets(source: int, steps: list[tuple[int, int]]) -> list[str]:
    """Return the steps from a square, by target."""
    return sorted({_text(source, *step) for step in steps} - {""}, key=lambda text: (text[3], text[2]))


def _promotions(source: int, pieces: str, ways: tuple[tuple[int, int], ...] = (_NW, _N, _NE)) -> list[str]:
    """Return the ways of a pawn to the last rank, each with all pieces; empty texts where there is none."""
    texts = [_text(source, *way) if source // 8 == 6 else "" for way in ways]
    return [text and text + piece for text in texts for piece in pieces]


def _by_kind(source: int, pieces: str) -> list[str]:
    """Return the 73 kinds of moves from a square: queen-like and knight-like, clockwise, then promotions."""
    steps = [*_QUEEN_STEPS, *_LEAPS]
    return [_text(source, *step) for step in steps] + _promotions(source, pieces)


def _lines(source: int, ways: list[tuple[int, int]]) -> list[str]:
    """Return the kinds of moves in the order of OpenSpiel and pgx: promotions, lines, knights."""
    texts = _promotions(source, "rbn", (_N, _NE, _NW))
    promotions = texts[0::3] + texts[1::3] + texts[2::3]  # by piece
    return promotions + [_text(source, *way) for way in (*ways, *_LEAPS_BY_FILE)]


def _along(way: tuple[int, int], distances: list[int]) -> list[tuple[int, int]]:
    return [(way[0] * n, way[1] * n) for n in distances]


def alphazero_texts() -> list[str]:
    """Return the texts of the list `alphazero`; a pawn on its last rank becomes a queen if its text names no piece.

    >>> texts = alphazero_texts()
    >>> len(texts)
    4672
    >>> texts[12 * 73 : 12 * 73 + 3]
    ['e2e3', 'e2e4', 'e2e5']
    """
    return [text for source in range(64) for text in _by_kind(source, "nbr")]


def lczero_texts() -> list[str]:
    """Return the texts of the list `lczero`; a pawn on its last rank becomes a knight if its text names no piece."""
    by_source = [_by_kind(source, "rbq") for source in range(64)]
    return [by_source[source][kind] for kind in range(73) for source in range(64)]


_UP, _DOWN = list(range(1, 8)), list(range(7, 0, -1))
_BOTH: Final = [*range(-7, 0), *_UP]


def openspiel_texts() -> list[str]:
    """Return the texts of the list `openspiel`, without those of castling."""
    ways = [step for way in (_N, _E, _NE, _SE) for step in _along(way, _BOTH)]
    return [text for source in _BY_FILE for text in _lines(source, ways)]


def pgx_texts() -> list[str]:
    """Return the texts of the list `pgx`."""
    pairs = ((_S, _N), (_W, _E), (_SW, _NE), (_NW, _SE))
    ways = [step for back, on in pairs for step in _along(back, _DOWN) + _along(on, _UP)]
    return [text for source in _BY_FILE for text in _lines(source, ways)]


def leela_texts() -> list[str]:
    """Return the texts of the list `leela`; a pawn on its last rank becomes a knight if its text names no piece.

    >>> texts = leela_texts()
    >>> len(texts)
    1858
    >>> texts[:3]
    ['a1b1', 'a1c1', 'a1d1']
    >>> texts[1791:1796]
    ['h8g8', 'a7a8q', 'a7a8r', 'a7a8b', 'a7b8q']
    >>> texts[-1]
    'h7h8b'
    """
    texts = [text for source in range(64) for text in _targets(source, [*_QUEEN_STEPS, *_LEAPS])]
    return texts + [text for source in range(48, 56) for text in _promotions(source, "qrb") if text]


def _queens_then_knights(order: int) -> list[str]:
    steps = (_QUEEN_STEPS, list(_LEAPS))
    return [text for source in range(64) for kind in steps for text in _targets(source, kind)[::order]]


def _white_promotions() -> list[str]:
    ways = (_N, _NW, _NE)
    return [text for source in range(48, 56) for text in _promotions(source, "qrbn", ways) if text]


def uci_texts() -> list[str]:
    """Return the texts of the list `uci`, with the promotions of black before those of white.

    >>> texts = uci_texts()
    >>> len(texts)
    1968
    >>> texts[-176], texts[-1]
    ('a2a1q', 'h7g8n')
    """
    white = _white_promotions()
    black = [text.translate(str.maketrans("78", "21")) for text in white]
    return _queens_then_knights(1) + black + white


def maia2_texts() -> list[str]:
    """Return the texts of the list `maia2`."""
    return _queens_then_knights(-1) + _white_promotions()


def maia3_texts() -> list[str]:
    """Return the texts of the list `maia3`, in which a square has a move to itself, too."""
    pairs = [source + target for source in SQUARE_NAMES for target in SQUARE_NAMES]
    return pairs + [f"{a}7{b}8{piece}" for a in "abcdefgh" for b in "abcdefgh" for piece in "qrbn"]


class _Kind(NamedTuple):
    """How a list numbers moves."""

    texts: Callable[[], list[str]]
    plain: str  # the promotion of a text that names none; "" if no text of a pawn on its last rank is one
    turn: int = 56  # what black's squares are joined with: 56 flips the board, 63 rotates it, 0 leaves it
    castling: str = "step"
    extra: tuple[str, ...] = ()  # what the indices behind the moves mean


_ENDS: Final = (
    "padding",
    "white mates",
    "black mates",
    "stalemate",
    "draw by a rule",
    "ply limit",
    "white wins by resignation",
    "black wins by resignation",
    "draw by agreement",
    "white wins on time",
    "black wins on time",
    "draw on time",
)

_LISTS: Final = {
    "alphazero": _Kind(alphazero_texts, "q"),
    "leela": _Kind(leela_texts, "n", castling="rook"),
    "gym-chess": _Kind(alphazero_texts, "q", turn=63),
    "lczero": _Kind(lczero_texts, "n"),
    "openspiel": _Kind(openspiel_texts, "q", castling="own", extra=("O-O-O", "O-O")),
    "pgx": _Kind(pgx_texts, "q"),
    "uci": _Kind(uci_texts, "", turn=0),
    "maia2": _Kind(maia2_texts, ""),
    "maia3": _Kind(maia3_texts, ""),
    "pawn": _Kind(uci_texts, "", turn=0, extra=_ENDS),
}


def move_list(name: str) -> MoveList:
    """Return a list of moves by its name.

    >>> move_list("leela").texts[877]
    'h4g3'
    """
    choice("layout", name, _LISTS)
    return _made(name)


@functools.cache
def _made(name: str) -> MoveList:
    kind = _LISTS[name]
    texts = kind.texts()
    table = np.full((2, 1 << 16), NONE, np.uint16)
    for index, text in enumerate(texts):
        if text:
            for black, turn in enumerate((0, kind.turn)):
                for word in _words(text, kind, turn):
                    table[black, word] = index
    indices = {text: index for index, text in enumerate(texts)}
    for king in range(64):
        for rook in range(king & 56, (king & 56) + 8):
            if rook != king:
                for black, turn in enumerate((0, kind.turn)):
                    index = _castling(king, rook, kind, turn, indices, len(texts))
                    table[black, word_of(king, rook, kind=CASTLING)] = index
    return MoveList((*texts, *kind.extra), table)


def _words(text: str, kind: _Kind, turn: int) -> list[int]:
    """Return the words of the moves that a text stands for, on a board that is turned."""
    source, target = (SQUARE_NAMES.index(name) ^ turn for name in (text[:2], text[2:4]))
    if text[4:]:
        return [word_of(source, target, text[4:])]
    seen, seen_target = source ^ turn, target ^ turn
    words = [word_of(source, target), word_of(source, target, kind=EN_PASSANT)]
    if kind.plain and seen // 8 == 6 and seen_target // 8 == 7 and abs(seen % 8 - seen_target % 8) < 2:
        words.append(word_of(source, target, kind.plain))
    return words


def _castling(king: int, rook: int, kind: _Kind, turn: int, indices: dict[str, int], size: int) -> int:
    """Return the index of castling."""
    if kind.castling == "own":
        return size + (rook > king)
    file = 6 if rook > king else 2
    is_step = kind.castling == "step" and abs(king % 8 - file) > 1
    target = (king & 56) + file if is_step else rook
    return indices[SQUARE_NAMES[king ^ turn] + SQUARE_NAMES[target ^ turn]]
