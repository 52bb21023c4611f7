"""The questions of the gallery, answered in its sample on python-chess, as their sentences say."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn
import pytest

import gallery
import rookery
from rookery.bench.questions import QUESTIONS, GalleryQuestion
from rookery.games.search.hits import Hits

B, N, P, Q, R, K = chess.BISHOP, chess.KNIGHT, chess.PAWN, chess.QUEEN, chess.ROOK, chess.KING
SAMPLE = Path(__file__).parents[2] / "docs" / "gallery.pgn"
VALUES = {P: 1, N: 3, B: 3, R: 5, Q: 9, K: 0}
LONG_DIAGONALS = [chess.SquareSet.ray(chess.A1, chess.H8), chess.SquareSet.ray(chess.H1, chess.A8)]


class Place(NamedTuple):
    """A position of a game, with what comes before and after."""

    headers: chess.pgn.Headers
    boards: list[chess.Board]  # of the game
    moves: list[chess.Move]
    clocks: list[float | None]  # after each move
    ply: int

    @property
    def board(self) -> chess.Board:
        return self.boards[self.ply]

    @property
    def move(self) -> chess.Move | None:
        return self.moves[self.ply] if self.ply < len(self.moves) else None

    @property
    def us(self) -> chess.Color:
        return self.board.turn

    def number(self, kind: int, colour: chess.Color) -> int:
        return len(self.board.pieces(kind, colour))

    def both(self, kind: int) -> int:
        return self.number(kind, True) + self.number(kind, False)

    def king(self, colour: chess.Color) -> int:
        square = self.board.king(colour)
        assert square is not None
        return square

    def taken(self, plies: int = 0) -> int | None:
        """The kind of piece that the move some half-moves later captures."""
        at = self.ply + plies
        if at >= len(self.moves) or not self.boards[at].is_capture(self.moves[at]):
            return None
        return self.boards[at].piece_type_at(self.moves[at].to_square) or P

    def after(self) -> chess.Board:
        return self.boards[self.ply + 1]

    def lead(self, at: int) -> int:
        """The material of the side to move less that of the other."""
        board = self.boards[at]
        signs = ((piece, 1 if piece.color == board.turn else -1) for piece in board.piece_map().values())
        return sum(sign * VALUES[piece.piece_type] for piece, sign in signs)


def places() -> Iterator[tuple[int, Place]]:
    """Every position, with the number of its game."""
    file = io.StringIO(SAMPLE.read_text(encoding="utf-8"))
    number = 0
    while (game := chess.pgn.read_game(file)) is not None:
        number += 1
        nodes = list(game.mainline())
        boards = [game.board(), *(node.board() for node in nodes)]
        moves, clocks = [node.move for node in nodes], [node.clock() for node in nodes]
        for ply in range(len(boards)):
            yield number, Place(game.headers, boards, moves, clocks, ply)


Condition = Callable[[Place], bool]


def first(holds: Condition) -> Condition:
    return lambda p: holds(p) and not any(holds(p._replace(ply=ply)) for ply in range(p.ply))


def pieces_but_pawns(p: Place) -> dict[str, int]:
    symbols = "".join(piece.symbol() for piece in p.board.piece_map().values() if piece.piece_type not in (P, K))
    return {symbol: symbols.count(symbol) for symbol in symbols}


def rank_of(square: int, colour: chess.Color) -> int:
    """The rank from 1, as a side sees it."""
    return 1 + (chess.square_rank(square) if colour else 7 - chess.square_rank(square))


def behind_castled_pawns(board: chess.Board) -> bool:
    """A white knight on f5, and Black's king on g8, rook on f8 and pawns from f7 to h7."""
    expected = {"f5": "N", "g8": "k", "f8": "r", "f7": "p", "g7": "p", "h7": "p"}
    return all(str(board.piece_at(chess.parse_square(name))) == symbol for name, symbol in expected.items())


def stonewall(p: Place) -> bool:
    expected = {"c3": "P", "d4": "P", "e3": "P", "f4": "P", "d5": "p"}
    return sum(str(p.board.piece_at(chess.parse_square(name))) == symbol for name, symbol in expected.items()) >= 4


def bishops_of_opposite_colours(p: Place) -> bool:
    if pieces_but_pawns(p) != {"B": 1, "b": 1}:
        return False
    squares = [square for square, piece in p.board.piece_map().items() if piece.piece_type == B]
    return sum(sum(divmod(square, 8)) % 2 for square in squares) == 1


def royal_fork(p: Place) -> bool:
    queens = p.board.pieces(Q, p.us)
    return any(
        p.king(p.us) in p.board.attacks(knight) and queens & p.board.attacks(knight)
        for knight in p.board.pieces(N, not p.us)
    )


def pin_along_a_long_diagonal(p: Place) -> bool:
    """Without the piece on the same long diagonal as its king, a bishop or queen there would give check."""
    for diagonal in LONG_DIAGONALS:
        if p.king(p.us) not in diagonal:
            continue
        for square in diagonal & chess.SquareSet(p.board.occupied_co[p.us]):
            if square != p.king(p.us):
                board = p.board.copy(stack=False)
                board.remove_piece_at(square)
                if (board.checkers() - p.board.checkers()) & diagonal:
                    return True
    return False


def smothered_mate(p: Place) -> bool:
    rating = p.headers.get("BlackElo" if p.us else "WhiteElo", "?")
    return (
        p.board.is_checkmate()
        and all(p.board.piece_type_at(square) == N for square in p.board.checkers())
        and not chess.SquareSet(chess.BB_KING_ATTACKS[p.king(p.us)]) - chess.SquareSet(p.board.occupied_co[p.us])
        and rating.isdigit()
        and int(rating) < 1500
    )


def back_rank_mate(p: Place) -> bool:
    return (
        p.board.is_checkmate()
        and rank_of(p.king(p.us), p.us) == 1
        and all(rank_of(square, p.us) == 1 and p.board.piece_type_at(square) in (R, Q) for square in p.board.checkers())
    )


def missed_mate(p: Place) -> bool:
    def mates(move: chess.Move) -> bool:
        board = p.board.copy(stack=False)
        board.push(move)
        return board.is_checkmate()

    return p.move is not None and not mates(p.move) and any(map(mates, p.board.legal_moves))


def queen_sacrifice(p: Place) -> bool:
    return p.taken() == Q and any(
        p.boards[at].is_checkmate() and p.lead(at) >= 5 for at in range(p.ply + 1, min(p.ply + 7, len(p.boards)))
    )


def isolated(board: chess.Board, square: int) -> bool:
    x = chess.square_file(square)
    own = board.pieces(P, board.color_at(square) or False)
    return not any(abs(chess.square_file(other) - x) == 1 for other in own)


def isolated_queens_pawn(p: Place) -> bool:
    phase = p.both(N) + p.both(B) + 2 * p.both(R) + 4 * p.both(Q)
    pawns = [square for square in p.board.pieces(P, p.us) if chess.square_file(square) == 3]
    return phase >= 16 and any(isolated(p.board, square) for square in pawns)


def connected_passed_pawns(p: Place) -> bool:
    def passed(square: int) -> bool:
        return not any(
            abs(chess.square_file(other) - chess.square_file(square)) <= 1
            and rank_of(other, p.us) > rank_of(square, p.us)
            for other in p.board.pieces(P, not p.us)
        )

    far = [square for square in p.board.pieces(P, p.us) if rank_of(square, p.us) >= 6 and passed(square)]
    return any(chess.square_file(a) + 1 == chess.square_file(b) for a in far for b in far)


def tripled(p: Place) -> bool:
    files = [(chess.square_file(s), colour) for colour in (True, False) for s in p.board.pieces(P, colour)]
    return any(files.count(pair) >= 3 for pair in files)


def from_d1_by_h5_to_f7(p: Place) -> bool:
    """The last three places of the queen of d1, at the time of her arrival or later."""
    at = [chess.D1] if str(p.boards[0].piece_at(chess.D1)) == "Q" else [-1]
    for move in p.moves[: p.ply]:
        if move.from_square == at[-1]:
            at.append(move.to_square)
        elif move.to_square == at[-1]:
            return False
    return at[-3:] == [chess.D1, chess.H5, chess.F7]


def third_time(p: Place) -> bool:
    keys = [" ".join(board.fen(en_passant="legal").split()[:4]) for board in p.boards]
    return keys[: p.ply + 1].count(keys[p.ply]) == 3


def in_time_trouble(p: Place) -> bool:
    clock = p.clocks[p.ply - 2] if p.ply >= 2 else None
    return clock is not None and clock < 10 and p.taken() == Q


def moves_a(kind: int, p: Place) -> bool:
    return p.move is not None and p.board.piece_type_at(p.move.from_square) == kind


# Exact answers by the name of the question.
EXACT: dict[str, Condition] = {
    "A position, whatever the order of moves": lambda p: (
        p.board.board_fen() == "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R"
    ),
    "Part of a position": lambda p: behind_castled_pawns(p.board) or behind_castled_pawns(p.board.mirror()),
    "Similar positions": first(stonewall),
    "Two bishops against two knights": lambda p: (
        p.board.fullmove_number == 30
        and (p.number(B, p.us), p.number(N, p.us), p.number(B, not p.us), p.number(N, not p.us)) == (2, 0, 0, 2)
    ),
    "Rook endings": first(lambda p: pieces_but_pawns(p) == {"R": 1, "r": 1}),
    "Bishops of opposite colours": first(bishops_of_opposite_colours),
    "Many queens": lambda p: p.both(Q) >= 3,
    "Royal forks": royal_fork,
    "Pins along a long diagonal": pin_along_a_long_diagonal,
    "Double checks": lambda p: len(p.board.checkers()) == 2,
    "Smothered mates": smothered_mate,
    "Back-rank mates": back_rank_mate,
    "Missed mates": missed_mate,
    "Queen sacrifices": queen_sacrifice,
    "Underpromotions": lambda p: p.move is not None and p.move.promotion in (N, B, R),
    "En passant with check": lambda p: p.move is not None and p.board.is_en_passant(p.move) and p.after().is_check(),
    "Castling with check": lambda p: p.move is not None and p.board.is_castling(p.move) and p.after().is_check(),
    "Forced moves": lambda p: p.board.legal_moves.count() == 1 and not p.board.is_check(),
    "Isolated queen's pawns": first(isolated_queens_pawn),
    "Connected passed pawns": connected_passed_pawns,
    "Tripled pawns": first(tripled),
    "Rooks on the seventh rank": lambda p: sum(rank_of(square, p.us) == 7 for square in p.board.pieces(R, p.us)) == 2,
    "A king on the march": first(
        lambda p: rank_of(p.king(True), True) >= 5 and min(p.number(Q, True), p.number(Q, False)) >= 1
    ),
    "The path of a piece": first(from_d1_by_h5_to_f7),
    "Threefold repetition": third_time,
    "Time trouble": in_time_trouble,
}

# Motifs are compared with second definitions elsewhere. What every answer has at least:
NECESSARY: dict[str, Condition] = {
    "Skewers": lambda p: any(
        p.board.attackers(not p.us, square) for square in [p.king(p.us), *p.board.pieces(Q, p.us)]
    ),
    "Uncovered attacks": lambda p: moves_a(N, p) and p.after().is_check(),
    "The Greek gift": lambda p: (
        moves_a(B, p)
        and p.taken() == P
        and p.after().is_check()
        and p.move is not None
        and chess.square_name(p.move.to_square) in ("h7", "h2")
    ),
    "Overlooked queens": lambda p: (
        not p.board.is_check()
        and not moves_a(Q, p)
        and p.taken() is None
        and p.taken(1) == Q
        and any(p.board.attackers(not p.us, square) for square in p.board.pieces(Q, p.us))
    ),
}


@pytest.fixture(scope="module")
def sample() -> list[tuple[int, Place]]:
    return list(places())


def test_every_question_has_an_answer_of_its_own() -> None:
    assert len(QUESTIONS) == 30
    assert {question.name for question in QUESTIONS} == EXACT.keys() | NECESSARY.keys()
    assert len({question.query for question in QUESTIONS}) == 30


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_hits_in_the_sample(question: GalleryQuestion, sample: list[tuple[int, Place]]) -> None:
    hits = rookery.search(SAMPLE, question.query)
    assert isinstance(hits, Hits)
    found = list(zip(hits.number.tolist(), hits.ply.tolist(), strict=True))
    assert found
    if question.name in EXACT:
        assert found == [(number, place.ply) for number, place in sample if EXACT[question.name](place)]
    else:
        possible = {(number, place.ply) for number, place in sample if NECESSARY[question.name](place)}
        assert set(found) <= possible


def test_the_page_draws_the_first_hits(sample: list[tuple[int, Place]]) -> None:
    page = gallery.questions()
    for question in QUESTIONS:
        hit = gallery.first_hit(question)
        board = next(place.board for number, place in sample if (number, place.ply) == (hit.number, hit.ply))
        section = page.split(f"### {question.name}\n")[1].split("\n### ")[0]
        drawn = section.split("```board\n")[1].split("\n```")[0]
        assert [line[::2].ljust(8) for line in drawn.splitlines()] == str(board).replace(" ", "").splitlines()
        assert question.sentence in section
        assert question.query in section
