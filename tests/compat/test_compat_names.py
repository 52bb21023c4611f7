"""rookery.compat has python-chess's public names, and its constants and functions of boards answer alike."""

import random
import subprocess
import sys
from typing import Any, Final, TypeVar

import chess
import chess.pgn
import chess.svg
import pytest

import rookery.compat as compat
from rookery.compat import pgn, svg

MODULES: Final = ((chess, compat), (chess.pgn, pgn), (chess.svg, svg))
OBJECTS: Final = (
    (chess.Board(), compat.Board()),
    (chess.BaseBoard(), compat.BaseBoard()),
    (chess.Move.null(), compat.Move.null()),
    (chess.Piece.from_symbol("K"), compat.Piece.from_symbol("K")),
    (chess.SquareSet(), compat.SquareSet()),
    (chess.Board().legal_moves, compat.Board().legal_moves),
    (chess.Termination.CHECKMATE, compat.Termination.CHECKMATE),
    (chess.Outcome(chess.Termination.CHECKMATE, True), compat.Outcome(compat.Termination.CHECKMATE, True)),
    (chess.pgn.Game(), pgn.Game()),
    (chess.pgn.Game().add_variation(chess.Move.null()), pgn.Game().add_variation(compat.Move.null())),
    (chess.pgn.Headers(), pgn.Headers()),
    (chess.pgn.GameBuilder(), pgn.GameBuilder()),
    (chess.pgn.StringExporter(), pgn.StringExporter()),
    (chess.svg.Arrow(0, 1), svg.Arrow(0, 1)),
)
# Names that are not there, and why.
ABSENT: Final = {
    "Board": {
        **dict.fromkeys(["promoted"], "no piece remembers that it was a pawn"),
        **dict.fromkeys(
            [name for name in dir(chess.Board) if name.startswith(("tb", "pawnless_tb"))], "names of files of tables"
        ),
    },
    "BaseBoard": {"promoted": "no piece remembers that it was a pawn"},
    "Move": {"drop": "drops belong to Crazyhouse"},
    "SquareSet": {"mask": "int(squares) is the number"},
    "LegalMoveGenerator": {"board": "the moves are those of the board as it then is"},
    "Game": {"time_control": "time controls are not split into parts"},
    "Headers": {"builder": "read_headers reads headers", "variant": "chess and Chess960 are the only variants"},
    "GameBuilder": {
        "begin_parse_san": "moves are read by rookery.pgn",
        "parse_san": "moves are read by rookery.pgn",
    },
    "StringExporter": {
        **dict.fromkeys(
            [
                "current_line", "flush_current_line", "force_movenumber", "lines", "variation_depth", "write_line",
                "write_token", "found_headers",
            ],
            "internal",
        ),
        "begin_parse_san": "moves are read by rookery.pgn",
        "parse_san": "moves are read by rookery.pgn",
        "handle_error": "a visitor without this method has errors raised",
    },
    "Arrow": {"from_pgn": "`GameNode.arrows` reads them", "pgn": "`GameNode.set_arrows` writes them"},
    "chess": {"FEN_CASTLING_REGEX": "Board reads FEN", "SAN_REGEX": "Board reads SAN"},
    "chess.pgn": {
        **{name: "a pattern of the reader" for name in dir(chess.pgn) if name.endswith("_REGEX")},
        **dict.fromkeys(
            ["TimeControl", "TimeControlPart", "TimeControlType", "parse_time_control"],
            "time controls are not split into parts",
        ),
    },
    "chess.svg": dict.fromkeys(
        ["CHECK_GRADIENT", "COORDS", "DEFAULT_COLORS", "MARGIN", "PIECES", "SQUARE_SIZE", "SvgWrapper", "XX"],
        "how a picture is drawn",
    ),
}  # fmt: skip


def own_names(module: Any) -> list[str]:
    """The public names of a module of python-chess that it does not only import."""
    imported = {"Color", "Square", "IntoSquareSet"} if module is not chess else set()
    return [
        name
        for name, value in vars(module).items()
        if name[0] != "_"
        and name not in imported
        and not isinstance(value, TypeVar)
        and not isinstance(value, type(chess))
        and (
            getattr(value, "__module__", module.__name__) in (module.__name__, "builtins", "logging") or name.isupper()
        )
    ]


@pytest.mark.parametrize(("theirs", "ours"), MODULES, ids=lambda module: module.__name__)
def test_modules_have_their_names(theirs: Any, ours: Any) -> None:
    absent = ABSENT[theirs.__name__]
    names = own_names(theirs)
    assert len(names) > (5 if theirs is chess.svg else 40)
    missing = [name for name in names if name not in absent and not (name == "LOGGER" or hasattr(ours, name))]
    assert missing == []
    assert [name for name in absent if hasattr(ours, name) or name not in names] == []


@pytest.mark.parametrize(("theirs", "ours"), OBJECTS, ids=lambda value: type(value).__name__)
def test_classes_have_their_names(theirs: Any, ours: Any) -> None:
    absent = ABSENT.get(type(theirs).__name__, {})
    names = [name for name in dir(theirs) if name[0] != "_"]
    assert [name for name in names if name not in absent and not hasattr(ours, name)] == []
    assert [name for name in absent if hasattr(ours, name) or name not in names] == []


def test_constants_are_equal() -> None:
    compared = 0
    for name in compat.__all__:
        value = getattr(chess, name, None)
        if name.isupper() and isinstance(value, (int, str, list, dict)) and not name.endswith("_ATTACKS"):
            ours = getattr(compat, name)
            assert (list(ours) if isinstance(value, list) else ours) == value, name
            compared += 1
    assert compared > 190


def test_tables_of_attacks_are_equal() -> None:
    rng = random.Random(3)
    for square in chess.SQUARES:
        assert compat.BB_KNIGHT_ATTACKS[square] == chess.BB_KNIGHT_ATTACKS[square]
        assert compat.BB_KING_ATTACKS[square] == chess.BB_KING_ATTACKS[square]
        for colour in chess.COLORS:
            assert compat.BB_PAWN_ATTACKS[colour][square] == chess.BB_PAWN_ATTACKS[colour][square]
        for line in ("DIAG", "FILE", "RANK"):
            ours, theirs = getattr(compat, f"BB_{line}_ATTACKS"), getattr(chess, f"BB_{line}_ATTACKS")
            assert len(ours) == len(theirs)
            mask = getattr(chess, f"BB_{line}_MASKS")[square]
            for _ in range(20):
                occupied = rng.getrandbits(64) & mask
                assert ours[square][occupied] == theirs[square][occupied]
                assert ours[square][compat.BB_ALL & occupied] == theirs[square][occupied]
    for a in chess.SQUARES:
        for b in chess.SQUARES:
            assert compat.between(a, b) == chess.between(a, b)
            if a != b:  # a square is its own line there
                assert compat.ray(a, b) == compat.BB_RAYS[a][b] == chess.ray(a, b)


FUNCTIONS: Final = [
    name for name in dir(chess) if name.startswith(("flip_", "shift_", "scan_", "lsb", "msb", "popcount"))
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_boards_answer_alike(name: str) -> None:
    rng = random.Random(name)
    ours, theirs = getattr(compat, name), getattr(chess, name)
    boards = [0, 1, 1 << 63, chess.BB_ALL, *chess.BB_SQUARES, *(rng.getrandbits(64) for _ in range(100))]
    for board in boards:
        found, expected = ours(board), theirs(board)
        if name.startswith("scan_"):
            assert list(found) == list(expected)
        else:
            assert found == expected
            assert ours(compat.SquareSet(board)) == ours(compat.Bitboard(board)) == expected
            assert type(found) is (compat.Bitboard if name.startswith(("flip_", "shift_")) else int)
    for wrong in ("x", None, 1.5, True, -1, 1 << 64, [0]):
        with pytest.raises((TypeError, ValueError), match=r"^bb: "):
            ours(wrong)


def test_there_are_many_functions() -> None:
    assert len(FUNCTIONS) > 18


@pytest.mark.parametrize("name", ["engine", "syzygy", "gaviota", "variant", "SAN_REGEX", "FEN_CASTLING_REGEX"])
def test_what_is_not_there_says_what_to_use(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"^module 'rookery\.compat' has no attribute '{name}': \w+"):
        getattr(compat, name)
    with pytest.raises(AttributeError, match=r"^module 'rookery\.compat' has no attribute 'nothing'$"):
        compat.nothing  # noqa: B018


def test_rookery_does_not_import_it() -> None:
    script = "import sys, rookery, rookery.pgn; rookery.Board(); print([m for m in sys.modules if 'compat' in m])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "rookery.compat" not in done.stdout
    script = "import rookery; print(rookery.compat.Board().fen(), rookery.compat.pgn.Game(), rookery.compat.svg.piece)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(chess.STARTING_FEN)


def test_chess_has_no_rules_of_variants() -> None:
    for name in ("aliases", "uci_variant", "xboard_variant", "captures_compulsory", "connected_kings", "one_king"):
        assert getattr(compat.Board, name) == getattr(chess.Board, name), name
    for name in ("is_variant_end", "is_variant_win", "is_variant_loss", "is_variant_draw"):
        assert getattr(compat.Board(), name)() is getattr(chess.Board(), name)() is False


def test_texts_of_castling_rights() -> None:
    for fen in (chess.STARTING_FEN, "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        for name in ("castling_xfen", "castling_shredder_fen"):
            assert getattr(compat.Board(fen), name)() == getattr(chess.Board(fen), name)()
