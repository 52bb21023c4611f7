"""Every public name of python-chess's board and moves is accounted for, and what is told of it is so."""

import inspect
import re
from pathlib import Path
from typing import Any

import chess
import pytest

import python_chess
import rookery
from python_chess import Name

PAGE = Path(__file__).parents[2] / "docs" / "coming-from-python-chess.md"
PAIRS = [
    pytest.param(python_chess.BOARD, chess.Board(), rookery.Board(), id="board"),
    pytest.param(python_chess.MOVE, chess.Move.from_uci("e2e4"), rookery.Move.from_uci("e2e4"), id="move"),
]
SPELLING = {"color": "colour"}


def public(value: object) -> list[str]:
    return [name for name in dir(value) if not name.startswith("_")]


def test_a_board_has_many_names() -> None:
    assert len(public(chess.Board())) > 140


@pytest.mark.parametrize(("names", "theirs", "ours"), PAIRS)
def test_no_name_is_missing(names: dict[str, Name], theirs: object, ours: object) -> None:
    assert sorted(names) == public(theirs)
    for name, entry in names.items():
        if entry.how in ("there", "stricter"):
            assert hasattr(ours, name), name
            assert callable(getattr(ours, name)) == callable(getattr(theirs, name)), name
        elif entry.how == "otherwise":
            first = re.match(r"\w+", entry.called)
            assert first is not None
            assert hasattr(ours, first[0]), entry
            assert name == first[0] or not hasattr(ours, name), name
        else:
            assert not hasattr(ours, name), name
            assert entry.note, name


@pytest.mark.parametrize(("names", "theirs", "ours"), PAIRS)
def test_what_is_there_takes_what_it_takes_there(names: dict[str, Name], theirs: object, ours: object) -> None:
    looked_at = 0
    for name, entry in names.items():
        if entry.how not in ("there", "stricter") or not callable(getattr(theirs, name)):
            continue
        their_parameters = inspect.signature(getattr(theirs, name)).parameters
        our_parameters = inspect.signature(getattr(ours, name)).parameters
        by_position = [p for p in our_parameters.values() if p.kind is not p.KEYWORD_ONLY]
        places = 0
        for parameter in their_parameters.values():
            if parameter.name in entry.without:
                assert parameter.name not in our_parameters, (name, parameter)
            elif parameter.kind is parameter.VAR_KEYWORD:
                assert any(p.kind is p.VAR_KEYWORD for p in our_parameters.values()), name
            elif parameter.kind is parameter.KEYWORD_ONLY:
                same = our_parameters[SPELLING.get(parameter.name, parameter.name)]
                assert same.default is not same.empty, (name, parameter)
            else:
                same = by_position[places]
                places += 1
                assert (same.default is same.empty) == (parameter.default is parameter.empty), (name, parameter)
        extra = set(our_parameters) - {SPELLING.get(n, n) for n in their_parameters}
        for parameter in (our_parameters[n] for n in extra if our_parameters[n] not in by_position[:places]):
            assert parameter.default is not parameter.empty or parameter.kind is parameter.VAR_KEYWORD, (
                name,
                parameter,
            )
        looked_at += 1
    assert looked_at > (1 if isinstance(ours, rookery.Move) else 70)


def test_properties_that_are_read_only_say_so() -> None:
    board = rookery.Board()
    for name, entry in python_chess.BOARD.items():
        if entry.how not in ("there", "stricter") or callable(getattr(board, name)):
            continue
        try:
            setattr(board, name, getattr(board, name))
        except AttributeError:
            printed = entry.note.startswith(("read only", "a fresh list", "takes UCI", "takes moves"))
            assert printed or name in ("starting_fen",), name
        else:
            assert "read only" not in entry.note, name


def test_the_page_names_what_is_there() -> None:
    for name in re.findall(r"`rookery\.([A-Za-z]\w*)", PAGE.read_text(encoding="utf-8")):
        assert hasattr(rookery, name), name


def test_constants_are_those_of_python_chess() -> None:
    for square, name in enumerate(chess.SQUARE_NAMES):
        assert getattr(rookery, name.upper()) == square == getattr(chess, name.upper())
        assert name.upper() in rookery.__all__
    for kind, ours in zip(chess.PIECE_TYPES, rookery.PIECE_TYPES, strict=True):
        constant = chess.PIECE_NAMES[kind].upper()  # type: ignore[union-attr]  # None is that of kind 0
        assert getattr(rookery, constant) == ours == kind
        assert (rookery.piece_symbol(ours), rookery.piece_name(ours)) == (
            chess.piece_symbol(kind),
            chess.piece_name(kind),
        )
        assert rookery.PIECE_SYMBOLS[kind] == chess.PIECE_SYMBOLS[kind]
        assert rookery.PIECE_NAMES[kind] == chess.PIECE_NAMES[kind]
    assert (rookery.WHITE, rookery.BLACK, rookery.STARTING_FEN) == (chess.WHITE, chess.BLACK, chess.STARTING_FEN)
    errors: list[Any] = [rookery.InvalidMoveError, rookery.IllegalMoveError, rookery.AmbiguousMoveError]
    for error in errors:
        assert issubclass(error, ValueError)
        assert issubclass(getattr(chess, error.__name__), ValueError)
