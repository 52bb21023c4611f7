"""Tag puzzles: from their positions and moves to their themes."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_threads, choice, iterator, shown
from rookery.data.puzzles.lines import replayed, spelled
from rookery.data.puzzles.nodes import describe, empty_nodes
from rookery.data.puzzles.tagger import tag
from rookery.data.puzzles.themes import bits_of, names_of, texts_of
from rookery.kernel import U64
from rookery.positions.layout import Columns
from rookery.positions.notation.sources import lines_of_texts
from rookery.positions.notation.text import BadLine, read
from rookery.positions.positions import Positions
from rookery.positions.threads import each_in_threads
from rookery.rules.compiled import default_technique

BLOCK: Final = 2048  # puzzles whose positions stay in the cache while they are examined
_ERRORS: Final = {"raise": True, "mark": False}


class BadPuzzle(NamedTuple):
    """A puzzle that cannot be tagged: its index, the field at fault, what was found there, and what was expected."""

    puzzle: int
    field: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.field}[{self.puzzle}]: {shown(self.found)}: expected {self.expected}"


class PuzzleThemes:
    """The themes of n puzzles.

    bits    uint64, (n,): bit i is set if the puzzle has the theme ``rookery.data.puzzles.THEMES[i]``
    bad     the puzzles that could not be tagged, which have no themes

    >>> themes = tag_puzzles(["6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1"], ["g8h8 a1a8"])
    >>> themes
    <the themes of 1 puzzles>
    >>> themes[0]
    ('backRankMate', 'endgame', 'mate', 'mateIn1', 'oneMove', 'rookEndgame')
    """

    __slots__ = ("bad", "bits")
    bits: NDArray[np.uint64]
    bad: tuple[BadPuzzle, ...]

    def __init__(self, bits: NDArray[np.uint64], bad: tuple[BadPuzzle, ...] = ()) -> None:
        if not isinstance(bits, np.ndarray) or bits.dtype != np.uint64 or bits.ndim != 1:
            raise TypeError(f"bits: {shown(bits)}: expected one dimension of uint64")
        if not isinstance(bad, tuple) or not all(isinstance(puzzle, BadPuzzle) for puzzle in bad):
            raise TypeError(f"bad: {shown(bad)}: expected a tuple of BadPuzzle")
        self.bits = bits
        self.bad = bad

    def __len__(self) -> int:
        return self.bits.size

    def __getitem__(self, index: int) -> tuple[str, ...]:
        """Return the names of a puzzle's themes, sorted."""
        if isinstance(index, (bool, np.bool_)) or not isinstance(index, (int, np.integer)):
            raise TypeError(f"index: {shown(index)}: expected an int")
        if not -len(self) <= index < len(self):
            raise IndexError(f"index: {shown(int(index))} is outside the {len(self)} puzzles")
        return names_of(int(self.bits[index]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PuzzleThemes):
            return NotImplemented
        return np.array_equal(self.bits, other.bits) and self.bad == other.bad

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # the array is mutable

    def __repr__(self) -> str:
        return f"<the themes of {len(self)} puzzles>"

    def has(self, theme: str) -> NDArray[np.bool_]:
        """Return True for each puzzle that has a theme: bool, (n,).

        >>> themes = tag_puzzles(["6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1"], ["g8h8 a1a8"])
        >>> themes.has("backRankMate").tolist()
        [True]
        >>> themes.has("fork").tolist()
        [False]
        """
        if not isinstance(theme, str):
            raise TypeError(f"theme: {shown(theme)}: expected the name of a theme")
        found: NDArray[np.bool_] = self.bits & U64(bits_of([theme], "theme")) != 0
        return found

    def texts(self) -> list[str]:
        """Return the themes of each puzzle as Lichess writes them: names, sorted and separated by spaces.

        >>> tag_puzzles(["6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1"], ["g8h8 a1a8"]).texts()
        ['backRankMate endgame mate mateIn1 oneMove rookEndgame']
        """
        return texts_of(self.bits)


def tag_puzzles(
    fens: Any, moves: Iterable[str], *, errors: Literal["raise", "mark"] = "raise", threads: int = 1
) -> PuzzleThemes:
    """Return the themes of puzzles, as Lichess defines them: `PuzzleThemes`.

    A puzzle is a position and a line of moves in UCI notation, separated by spaces. The first move is the opponent's.
    It leads to the position that the player solves; the other moves are the solution, and the last is the player's.
    `fens` and `moves` are iterables of n texts, such as columns of a data frame; `fens` may also be `Positions`.

    Themes that depend on an engine's evaluation (advantage, crushing, equality, zugzwang) or on the players (master,
    masterVsMaster, superGM) are left out.

    Raises
    ------
    ValueError
        If a position or a move cannot be read, or a move is not legal. With ``errors="mark"`` such a puzzle gets no
        themes, and ``bad`` lists it. Different numbers of positions and lines raise an error in any case.

    Examples
    --------
    >>> themes = tag_puzzles(["r3k2r/8/8/8/4N3/8/8/4K3 b kq - 0 1"], ["h8h7 e4f6 e8e7 f6h7"])
    >>> themes[0]
    ('endgame', 'fork', 'short')
    """
    stops = choice("errors", errors, _ERRORS)
    check_threads(threads)
    positions, bad_lines = (fens, ()) if isinstance(fens, Positions) else _read(fens, threads)
    lines = list(iterator("moves", moves, "an iterable of texts"))
    for i, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"moves[{i}]: {shown(line)}: expected a text of moves in UCI notation")
    if len(lines) != len(positions):
        raise ValueError(f"moves: {len(lines)} lines: expected {len(positions)}, one for each of the fens")
    bits = np.zeros(len(lines), np.uint64)

    def work(start: int) -> list[BadPuzzle]:
        part = slice(start, start + BLOCK)
        bits[part], bad = _tagged(positions[part], lines[part])
        return [puzzle._replace(puzzle=puzzle.puzzle + start) for puzzle in bad]

    bad: list[BadPuzzle] = []
    for found in each_in_threads(work, range(0, len(lines), BLOCK), threads) if lines else ():
        bad += found
        if bad and stops:
            raise ValueError(str(_explained(bad[0], bad_lines)))
    return PuzzleThemes(bits, tuple(_explained(puzzle, bad_lines) for puzzle in bad))


def _read(fens: Any, threads: int) -> tuple[Positions, tuple[BadLine, ...]]:
    """Return the positions of FENs, and those that could not be read, which are marked."""
    columns, bad_lines = read(lines_of_texts(fens, "fens"), None, "mark", threads)
    return Positions(columns), bad_lines


def _explained(bad: BadPuzzle, bad_lines: tuple[BadLine, ...]) -> BadPuzzle:
    """Return a bad puzzle with the text and the reason of a FEN that could not be read."""
    for line in bad_lines if bad.field == "fens" else ():
        if line.line == bad.puzzle + 1:
            return bad._replace(found=line.text or "", expected=f"a FEN: {line.reason}")
    return bad


def _tagged(positions: Positions, lines: list[str]) -> tuple[NDArray[np.uint64], list[BadPuzzle]]:
    """Return the themes of a block of puzzles, and the bad ones."""
    words = spelled(lines)
    bad = _bad_starts(positions, lines, np.diff(words.offsets))
    line = replayed(positions.columns, words)
    for puzzle, move in line.bad.items():
        if puzzle not in bad:
            found = lines[puzzle].split()[move.move]
            bad[puzzle] = BadPuzzle(puzzle, "moves", found, f"{move.expected} (move {move.move + 1} of the line)")
    tables = default_technique().tables()
    nodes = empty_nodes(line.moves.size)
    nodes.replies[:] = Positions(line.columns).legal_move_counts()
    nodes.legal_before[:] = line.before
    good = np.ones(len(lines), np.bool_)
    good[list(bad)] = False
    offsets = line.offsets.astype(U64)
    firsts, lasts = offsets[:-1][good], offsets[1:][good] - U64(1)
    describe(line.columns, line.moves, firsts, lasts, nodes, tables)
    bits, found_bits = np.zeros(len(lines), np.uint64), np.zeros(firsts.size, np.uint64)
    tag(line.columns, nodes, firsts, lasts, found_bits, tables)
    bits[good] = found_bits
    return bits, [bad[puzzle] for puzzle in sorted(bad)]


def _bad_starts(positions: Positions, lines: list[str], counts: NDArray[np.int64]) -> dict[int, BadPuzzle]:
    """Return the puzzles with positions that are none, or with a number of moves that no puzzle has."""
    c: Columns = positions.columns
    bad = {}
    for i in np.flatnonzero((counts % 2 != 0) | (counts == 0)).tolist():
        bad[i] = BadPuzzle(i, "moves", lines[i], f"an even number of moves, not {counts[i]}")
    kings = (np.bitwise_count(c.kings & c.white) == 1) & (np.bitwise_count(c.kings & ~c.white) == 1)
    for i in np.flatnonzero(~kings).tolist():
        text = "" if positions.marked[i] else positions[i].fen()
        bad[i] = BadPuzzle(i, "fens", text, "one king of each side")
    return bad
