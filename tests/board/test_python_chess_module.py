"""Every public name of python-chess's module, sets and submodules is accounted for, and what is told of it is so."""

import builtins
import fnmatch
import importlib
import pkgutil
import random
import re
from collections.abc import Iterable
from typing import Any

import chess
import chess.pgn
import pytest

import rookery
from python_chess import Name
from python_chess_module import MODULE, PGN, PGN_GAME, SQUARE_SET, SUBMODULES

ROOMS = ("bits", "sets", "squares", "lines", "placement")


def of_chess(name: str) -> bool:
    """Whether a public name of the module is its own, not one that it imports."""
    value = getattr(chess, name)
    own = getattr(value, "__module__", "chess") == "chess" or name.isupper() or name in ALIASES
    return own and not isinstance(value, type(chess)) and name not in ("BaseBoardT", "BoardT", "annotations")


# Its aliases of what other modules define.
ALIASES = {"Bitboard", "Color", "ColorName", "EnPassantSpec", "IntoSquareSet", "PieceType", "Square", "popcount"}
NAMES = [name for name in dir(chess) if name[0] != "_" and of_chess(name)]
IN_SETS = [name for name in dir(chess.SquareSet) if name[0] != "_"]
IN_PGN = [
    name
    for name in dir(chess.pgn)
    if name[0] != "_"
    and (name.isupper() or getattr(getattr(chess.pgn, name), "__module__", "") == "chess.pgn")
    and not name.endswith("T")  # its type variables
]
OF_GAMES = [name for name in dir(chess.pgn.Game()) if name[0] != "_"]
BESIDE = [module.name for module in pkgutil.iter_modules(chess.__path__)]


def key_of(name: str, keys: Iterable[str]) -> str:
    """The key with a pattern for a name: the first, since those that say more stand before those that say less."""
    return next((key for key in keys if any(fnmatch.fnmatchcase(name, one) for one in key.split(", "))), "")


def here(called: str, ours: Any = rookery) -> Any:
    """What a `called` begins with: of what is compared, of the library, of one of its modules, or of Python."""
    path = re.match(r"[\w.]+", called)
    assert path is not None, called
    first, *rest = path[0].split(".")
    if first in ROOMS:
        value: Any = importlib.import_module(f"rookery.bitboards.{first}")
    elif first == "bitboard":
        value = rookery.Bitboard(0)
    else:
        owner = next(owner for owner in (ours, rookery, builtins) if hasattr(owner, first))
        value = getattr(owner, first)
    for name in rest:
        value = getattr(value, name)
    return value


@pytest.mark.parametrize(
    ("table", "theirs", "ours"),
    [
        pytest.param(MODULE, NAMES, rookery, id="module"),
        pytest.param(SQUARE_SET, IN_SETS, rookery.SquareSet, id="sets"),
        pytest.param(PGN, IN_PGN, rookery.pgn, id="pgn"),
        pytest.param(PGN_GAME, OF_GAMES, rookery.pgn.Game(), id="games"),
        pytest.param(SUBMODULES, BESIDE, rookery, id="submodules"),
    ],
)
def test_no_name_is_missing(table: dict[str, Name], theirs: list[str], ours: Any) -> None:
    keys = {name: key_of(name, table) for name in theirs}
    assert [name for name, key in keys.items() if not key] == []
    patterns = [pattern for key in table for pattern in key.split(", ")]
    assert [p for p in patterns if not fnmatch.filter(theirs, p)] == []
    for name, key in keys.items():
        entry = table[key]
        if entry.how in ("there", "stricter"):
            assert hasattr(ours, name), name
        elif entry.how == "otherwise":
            assert here(entry.called, ours) is not None, name
            assert name == entry.called or not hasattr(ours, name), name
        else:
            assert entry.how == "never"
            assert entry.note, name
            assert not hasattr(ours, name), name


def test_there_are_many_names() -> None:
    assert len(NAMES) > 250
    assert len(IN_SETS) > 20
    assert len(BESIDE) > 5
    assert len(IN_PGN) > 40
    assert len(OF_GAMES) > 40


ON_BOARDS = {
    name: entry.called
    for name, entry in MODULE.items()
    if entry.called.startswith(("bits.", "sets.")) and not name.startswith("BB_")
}


@pytest.mark.parametrize("name", ON_BOARDS)
def test_what_is_called_otherwise_answers_alike(name: str) -> None:
    r = random.Random(name)
    ours = here(ON_BOARDS[name])
    for _ in range(100):
        board = r.getrandbits(64)
        assert int(ours(rookery.Bitboard(board))) == getattr(chess, name)(board)


def test_squares_and_lines_answer_alike() -> None:
    assert len(ON_BOARDS) > 10
    for a in chess.SQUARES:
        assert here("squares.square_at")(chess.square_rank(a), chess.square_file(a)) == a
        assert here("squares.file_index")(a) == chess.square_file(a)
        assert here("squares.rank_index")(a) == chess.square_rank(a)
        assert a ^ 56 == chess.square_mirror(a)
        for b in chess.SQUARES:
            assert rookery.between(a, b) == chess.between(a, b)
            assert a == b or rookery.line(a, b) == chess.ray(a, b)


def test_sets_answer_alike() -> None:
    mask = 0x8100_0000_0024_0081
    ours, theirs = rookery.Bitboard(mask), chess.SquareSet(mask)
    assert list(ours) == list(theirs) == list(chess.scan_forward(mask))
    assert list(reversed(ours)) == list(chess.scan_reversed(mask))
    assert sorted(here("bits.subsets")(mask)) == sorted(theirs.carry_rippler())
    assert int(here("bits.flip_vertical")(ours)) == int(theirs.mirror())
    for other in (0, 1, mask, 0x24_0000):
        assert ours.isdisjoint(other) == theirs.isdisjoint(chess.SquareSet(other))
        assert ours.issubset(other) == theirs.issubset(chess.SquareSet(other))
        assert ours.difference(other) == int(theirs.difference(chess.SquareSet(other)))
