"""Tokens of searchless chess and boards of maia2 and Maia-3, judged by their definitions over python-chess."""

from typing import Final

import chess
import numpy as np
import pytest

from corpus import corpus
from rookery import Board, Positions, read_pgn
from rookery.aliases import EnPassant
from rookery.data import encoders

ALPHABET: Final = "0123456789abcdefghpnrkqPBNRQKw."


def boards(count: int = 600) -> list[Board]:
    return [b for b in corpus(count) if not b.chess960 and len(b.kings) == 2]


def spelt(fen: str) -> str:
    placement, turn, rights, en_passant, clock, number = fen.split()
    for digit in "12345678":
        placement = placement.replace(digit, "." * int(digit))
    rights, en_passant = rights.replace("-", "").ljust(4, "."), en_passant.replace("-", "..")
    return turn + placement.replace("/", "") + rights + en_passant + clock.ljust(3, ".") + number.ljust(3, ".")


@pytest.mark.parametrize("count", [12, 600])
@pytest.mark.parametrize("en_passant", ["legal", "fen"])
def test_tokens_spell_the_fen(en_passant: EnPassant, count: int) -> None:
    given = boards(count)
    tokens = encoders.searchless_tokens(Positions.from_boards(given), en_passant=en_passant)
    assert tokens.shape == (len(given), 77)
    assert tokens.dtype == np.uint8
    for i, board in enumerate(given):
        fen = chess.Board(board.fen(en_passant="fen")).fen(en_passant=en_passant)
        assert "".join(ALPHABET[token] for token in tokens[i]) == spelt(fen)


def test_tokens_of_threads_agree() -> None:
    positions = Positions.from_boards(boards()).taken(np.arange(4000) % 300)
    assert np.array_equal(encoders.searchless_tokens(positions, threads=3), encoders.searchless_tokens(positions))


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 1000 1", "expected counters up to 999"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1000", "expected counters up to 999"),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "expected castling rights of classical chess"),
        ("4k3/8/8/8/8/8/8/R2K4 w A - 0 1", "expected castling rights of classical chess"),
    ],
)
def test_positions_without_tokens_are_named(fen: str, reason: str) -> None:
    positions = Positions.from_fens(["4k3/8/8/8/8/8/8/4K3 w - - 0 1", fen])
    with pytest.raises(ValueError, match=rf"positions\[1\]: .*: {reason}"):
        encoders.searchless_tokens(positions)


def test_bins_of_values() -> None:
    assert encoders.win_chance([0])[0] == 0.5
    assert encoders.win_chance([1000])[0] == pytest.approx(1 / (1 + np.exp(-3.68208)))
    chances = np.linspace(0, 1, 5001)
    expected = [sum(i / 128 < chance for i in range(1, 128)) for chance in chances]
    assert encoders.value_bins(chances).tolist() == expected
    assert encoders.bin_values([5], 10)[0] == 0.55
    with pytest.raises(ValueError, match="bins: 0: expected an int of at least 1"):
        encoders.value_bins([0.5], 0)


def maia2(board: chess.Board) -> np.ndarray:
    board = board if board.turn else board.mirror()
    planes = np.zeros((18, 64))
    for square, piece in board.piece_map().items():
        planes[piece.piece_type - 1 + 6 * (not piece.color), square] = 1
    planes[12] = 1
    for k, colour in enumerate((chess.WHITE, chess.BLACK)):
        planes[13 + 2 * k] = board.has_kingside_castling_rights(colour)
        planes[14 + 2 * k] = board.has_queenside_castling_rights(colour)
    if board.ep_square is not None:
        planes[17, board.ep_square] = 1
    return planes.reshape(18, 8, 8)


@pytest.mark.parametrize("count", [12, 600])
def test_planes_of_maia2(count: int) -> None:
    given = boards(count)
    planes = encoders.maia2_planes(Positions.from_boards(given))
    for i, board in enumerate(given):
        assert np.array_equal(planes[i], maia2(chess.Board(board.fen(en_passant="fen")))), board.fen()


def maia3(boards: list[chess.Board], history: int) -> np.ndarray:
    last = [*[boards[0]] * history, *boards][-history:]
    out = np.zeros((64, 12 * history))
    for k, board in enumerate(last):
        for square, piece in (board if board.turn else board.mirror()).piece_map().items():
            out[square, 12 * k + piece.piece_type - 1 + 6 * (not piece.color)] = 1
    return out


@pytest.mark.parametrize("history", [1, 3, 8])
def test_squares_of_maia_3(history: int) -> None:
    games = read_pgn(b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4 6. d4 b5 *\n\n1. d4 d5 *")
    squares, row = encoders.maia3_squares(games, history), 0
    for game in games:
        seen = [chess.Board()]
        for move in game.moves:
            assert np.array_equal(squares[row], maia3(seen, history))
            seen.append(seen[-1].copy())
            seen[-1].push_uci(move.uci())
            row += 1
    assert squares.shape == (row, 64, 12 * history)


def test_wrong_arguments_of_maia_are_named() -> None:
    with pytest.raises(ValueError, match="history: 0: expected an int of at least 1"):
        encoders.maia3_squares([Board()], 0)
    with pytest.raises(TypeError, match=r"positions: \[Board.*expected Positions"):
        encoders.maia2_planes([Board()])  # type: ignore[arg-type]
