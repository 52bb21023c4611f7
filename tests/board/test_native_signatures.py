"""Signatures of native functions: those of the Python functions behind them."""

import inspect
from collections.abc import Callable

import pytest

from rookery.board import copying, listing, placing, setup, text
from rookery.kernel.native.marks import documentation


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (text.epd, "epd($board, *, shredder=False, en_passant='legal', **operations)"),
        (text.fen, "fen($board, *, shredder=False, en_passant='legal')"),
        (copying.copy, "copy($board, *, stack=True)"),
        (setup.set_fen, "set_fen($board, fen, chess960=None, *, strict=False)"),
        (placing.piece_at, "piece_at($board, square)"),
        (listing.count_legal_moves, "count_legal_moves($board)"),
    ],
)
def test_every_parameter_is_shown(function: Callable[..., object], expected: str) -> None:
    head, _, body = documentation(function, of_class=True).decode().partition("\n--\n\n")
    assert head == expected
    assert body == function.__doc__
    assert list(inspect.signature(function).parameters) == [
        part.strip("$* ").partition("=")[0] for part in head.partition("(")[2][:-1].split(", ") if part != "*"
    ]
