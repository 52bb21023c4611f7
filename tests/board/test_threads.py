"""One board read from many threads: every answer is that of one thread."""

import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from rookery.bitboards.colours import BLACK, WHITE
from rookery.board.board import Board

FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "4r1k1/8/8/7b/8/5P2/3RB3/r2NK3 w - - 0 1",
)
THREADS = 8


@pytest.fixture
def busy() -> Iterator[None]:
    """Threads that take turns after every few bytecodes."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def everything(board: Board) -> list[object]:
    """What a board can be asked, in an order that mixes what writes room with what reads it."""
    moves = board.generate_legal_moves()
    answers: list[object] = [moves, board.count_legal_moves(), board.fen(), str(board), board.key, board.piece_map()]
    for move in moves:
        san = board.san(move)
        answers += [san, board.lan(move), board.parse_san(san), board.parse_uci(board.uci(move)), board.is_legal(move)]
        answers += [board.see(move), board.gives_check(move), move in board.legal_moves, board.is_capture(move)]
    answers += [
        board.generate_captures(),
        board.generate_quiet_moves(),
        board.generate_checks(),
        repr(board.legal_moves),
    ]
    for colour in (WHITE, BLACK):
        answers += [board.pinned(colour), board.batteries(colour), board.discoverers(colour), board.king(colour)]
        answers += [[board.attackers(colour, s), board.is_pinned(colour, s), board.piece_at(s)] for s in range(64)]
    answers += [board.status(), board.outcome(), board.is_checkmate(), board.copy(), board.epd(bm=moves[0])]
    answers += [board.can_claim_draw(), board.mirror(), board == board.copy(), board.variation_san(moves[:1])]
    return answers


def in_threads(work: Callable[[], None]) -> None:
    failures: list[BaseException] = []
    start = threading.Barrier(THREADS)

    def run() -> None:
        start.wait()
        try:
            work()
        except BaseException as error:  # told by the thread that waits
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("fen", FENS)
def test_every_query_of_one_board(fen: str) -> None:
    expected = everything(Board(fen))
    board = Board(fen)  # of which nothing is known yet

    def work() -> None:
        for _ in range(2):
            assert everything(board) == expected

    in_threads(work)


@pytest.mark.usefixtures("busy")
def test_lists_of_several_kinds() -> None:
    """A room that all calls shared held the captures of one thread where another read its quiet moves, in about one
    call of a thousand.
    """
    board = Board(FENS[0])
    moves, captures, quiet = board.generate_legal_moves(), board.generate_captures(), board.generate_quiet_moves()
    sans = [board.san(move) for move in moves]

    def work() -> None:
        for i in range(1500):
            assert board.generate_legal_moves() == moves
            assert board.generate_quiet_moves() == quiet
            move, san = moves[i % len(moves)], sans[i % len(moves)]
            assert board.generate_captures() == captures
            assert board.san(move) == san
            assert board.parse_san(san) is move

    in_threads(work)


@pytest.mark.usefixtures("busy")
def test_copies_played_in_their_own_threads() -> None:
    """Copies share rows with their board, and each goes its own way."""
    board = Board(FENS[0])
    before = board.words().tobytes(), board.fen()

    def work() -> None:
        for move in board.generate_legal_moves():
            mine = board.copy()
            mine.push(move)
            for reply in mine.generate_legal_moves():
                mine.push(reply)
                mine.pop()
            assert mine.pop() is move
            assert mine == board
            mine.set_piece_at(0, None)

    in_threads(work)
    assert (board.words().tobytes(), board.fen()) == before
