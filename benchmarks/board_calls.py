"""Time every common call of `Board`, and compare with python-chess: ``python benchmarks/board_calls.py``.

The calls are made on one position unless a row names another.

Every answer is compared with the peer's, in a form that both have: moves as UCI, pieces as letters, boards as ints.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import click

from recording import out_option, record
from rookery.bench.machine import describe
from rookery.bench.perft import KIWIPETE
from rookery.bench.turns import Row, Work, compare_all, installed
from rookery.bitboards.colours import BLACK, WHITE
from rookery.bitboards.squares import B1, E4
from rookery.board.board import Board

PEER: Final = "chess"
IN_CHECK: Final = "rnbqk1nr/pppp1ppp/8/4p3/1b1PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 3"
Call = tuple[Callable[[], Any], int]  # and how many of them it makes


def shown(answer: Any) -> Any:
    """Return an answer in a form that both libraries' answers share."""
    if isinstance(answer, list):
        return [shown(one) for one in answer]
    if isinstance(answer, dict):
        return {square: shown(piece) for square, piece in answer.items()}
    if answer is None or isinstance(answer, str):
        return answer
    for form in ("fen", "uci", "symbol", "result"):
        if hasattr(answer, form):
            return getattr(answer, form)()
    return int(answer)  # a number, a truth value or a set of squares


# Where the same answer has more than one form.
FORMS: Final[dict[str, Callable[[Any], Any]]] = {
    "list(legal_moves)": sorted,
    "generate_legal_captures()": sorted,
}


def calls(of: Any, knight: Any, texts: list[str], sans: list[str]) -> dict[str, Call]:
    """Return the calls to measure, for a class of boards; `knight` is a white knight of that class."""
    board, spare, checked = of(KIWIPETE), of(KIWIPETE), of(IN_CHECK)
    moves = {move.uci(): move for move in board.legal_moves}
    listed = [moves[text] for text in texts]
    white = [square for square in range(64) if board.color_at(square)]
    spare.set_piece_at(B1, knight)
    knights = spare.piece_type_at(B1)

    def one(ask: Callable[[], Any]) -> Call:
        return ask, 1

    def per_move(ask: Callable[[Any], Any]) -> Call:
        return lambda: [ask(move) for move in listed], len(listed)

    def per_text(ask: Callable[[str], Any], words: Iterable[str]) -> Call:
        kept = list(words)
        return lambda: [ask(word) for word in kept], len(kept)

    def per_square(ask: Callable[[int], Any], squares: Sequence[int] = range(64)) -> Call:
        return lambda: [ask(square) for square in squares], len(squares)

    def push_and_pop(move: Any) -> Any:
        board.push(move)
        return board.pop()

    def put(square: int) -> Any:
        spare.set_piece_at(square, knight)
        return spare

    return {
        "Board(fen)": one(lambda: of(KIWIPETE)),
        "copy()": one(board.copy),
        "copy(stack=False)": one(lambda: board.copy(stack=False)),
        "mirror()": one(board.mirror),
        "fen()": one(board.fen),
        "board_fen()": one(board.board_fen),
        "epd()": one(board.epd),
        "str(board)": one(lambda: str(board)),
        "unicode()": one(board.unicode),
        "board == board": one(lambda: board == board),
        "is_valid()": one(board.is_valid),
        "is_valid(), in check": one(checked.is_valid),
        "piece_at, every square": per_square(board.piece_at),
        "piece_type_at, every square": per_square(board.piece_type_at),
        "color_at, every square": per_square(board.color_at),
        "piece_map()": one(board.piece_map),
        "pieces(KNIGHT, WHITE)": one(lambda: board.pieces(knights, WHITE)),
        "king(BLACK)": one(lambda: board.king(BLACK)),
        "turn": one(lambda: board.turn),
        "attacks, every square": per_square(board.attacks),
        "attackers, every square": per_square(lambda square: board.attackers(WHITE, square)),
        "is_attacked_by, every square": per_square(lambda square: board.is_attacked_by(BLACK, square)),
        "is_pinned, every piece": per_square(lambda square: board.is_pinned(WHITE, square), white),
        "pin, every piece": per_square(lambda square: board.pin(WHITE, square), white),
        "checkers()": one(board.checkers),
        "is_check()": one(board.is_check),
        "is_checkmate()": one(board.is_checkmate),
        "is_stalemate()": one(board.is_stalemate),
        "is_insufficient_material()": one(board.is_insufficient_material),
        "is_repetition()": one(board.is_repetition),
        "can_claim_draw()": one(board.can_claim_draw),
        "outcome()": one(board.outcome),
        "is_game_over()": one(board.is_game_over),
        "list(legal_moves)": one(lambda: list(board.legal_moves)),
        "legal_moves.count()": one(board.legal_moves.count),
        "any(legal_moves)": one(lambda: bool(board.legal_moves)),
        "generate_legal_captures()": one(lambda: list(board.generate_legal_captures())),
        "move in legal_moves": per_move(lambda move: move in board.legal_moves),
        "is_legal": per_move(board.is_legal),
        "is_capture": per_move(board.is_capture),
        "is_castling": per_move(board.is_castling),
        "is_zeroing": per_move(board.is_zeroing),
        "gives_check": per_move(board.gives_check),
        "push and pop": per_move(push_and_pop),
        "uci": per_move(board.uci),
        "parse_uci": per_text(board.parse_uci, texts),
        "san": per_move(board.san),
        "lan": per_move(board.lan),
        "parse_san": per_text(board.parse_san, sans),
        "set_piece_at": one(lambda: put(E4)),
    }


def rows() -> list[Row]:
    """Return the comparisons."""
    chess = installed(PEER)
    if not chess:
        raise click.ClickException("python-chess is not installed: pip install 'rookery[peers]'")
    peer = chess.Board(KIWIPETE)
    texts = sorted(move.uci() for move in peer.legal_moves)
    sans = [peer.san(peer.parse_uci(text)) for text in texts]
    theirs = calls(chess.Board, chess.Piece.from_symbol("N"), texts, sans)
    found = []
    for what, (call, units) in calls(Board, "N", texts, sans).items():
        other = theirs[what][0]
        form = FORMS.get(what, _as_it_is)
        expected = form(shown(other()))

        def right(answer: Any, form: Any = form, expected: Any = expected) -> bool:
            return bool(form(shown(answer)) == expected)

        found.append(Row(what, "calls", Work(call, units, right), Work(other, units, right), PEER))
    return found


def _as_it_is(answer: Any) -> Any:
    return answer


def measure(*, rounds: int = 9, progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Time all rows; `progress` is called with each."""
    return {
        "benchmark": "board",
        "command": "python benchmarks/board_calls.py",
        "machine": describe(),
        "rounds": rounds,
        "rows": compare_all(rows(), rounds, progress),
    }


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=9, show_default=True)
@out_option
def main(rounds: int, out: Path | None) -> None:
    """Time every common call of Board, and compare with python-chess. Every answer is checked."""
    record(measure, out, rounds=rounds)


if __name__ == "__main__":
    main()
