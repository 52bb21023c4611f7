"""A castling move is to a program what it is in python-chess: in every attribute, on boards of both kinds of chess."""

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

import rookery
from rookery import Board, Move, Positions
from rookery.positions.features.policy import index_to_move, move_to_index

CLOSE_TO_CASTLING = (
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k2r/6pp/8/8/8/8/PP6/R3K3 b Qk - 0 1",
    "r3k3/p7/8/3pP3/8/8/7P/4K2R w Kq d6 0 1",
)
MAY_STEP_TO_ITS_TARGET = (  # only Chess960 has these
    "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1",
    "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1",
    "1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1",
    "r5kr/8/8/8/8/8/8/R5KR b HAha - 0 1",
    "4k3/8/8/8/8/8/8/R3KR2 w FA - 0 1",
    "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
)


def pair(fen: str, chess960: bool) -> tuple[Board, chess.Board]:
    return Board(fen, chess960), chess.Board(fen, chess960=chess960)


def games(chess960: bool, count: int, seed: int) -> Iterator[tuple[Board, chess.Board]]:
    """Boards along random games, in which whoever may castle often does."""
    rng = random.Random(seed)
    for number in range(count):
        if number % 3 == 0:
            fen = rng.choice(CLOSE_TO_CASTLING + MAY_STEP_TO_ITS_TARGET * chess960)
        else:
            fen = chess.Board.from_chess960_pos(rng.randrange(960) if chess960 else 518).fen()
            if number % 3 == 1:  # without what stands between kings and rooks
                bare = chess.Board(fen, chess960=chess960)
                for square in chess.SQUARES:
                    if bare.piece_type_at(square) in (chess.KNIGHT, chess.BISHOP, chess.QUEEN):
                        bare.remove_piece_at(square)
                fen = bare.fen()
        ours, theirs = pair(fen, chess960)
        for _ in range(40):
            yield ours, theirs
            moves = list(theirs.legal_moves)
            if not moves:
                break
            castling = [move for move in moves if theirs.is_castling(move)]
            move = rng.choice(castling if castling and rng.random() < 0.5 else moves)
            theirs.push(move)
            ours.push(Move.from_uci(move.uci()))
    return


def ours_of(move: chess.Move) -> Move:
    return Move.of(move.from_square, move.to_square, promotion=move.promotion) if move else Move.null()


def attributes(move: Any) -> tuple[Any, ...]:
    return move.from_square, move.to_square, move.promotion, bool(move), move.uci(), move.xboard(), repr(move.uci())


ASK: dict[str, Callable[[Any, Any], Any]] = {
    name: (lambda board, move, name=name: getattr(board, name)(move))
    for name in (
        "uci", "xboard", "san", "lan", "is_capture", "is_castling", "is_kingside_castling", "is_queenside_castling",
        "is_en_passant", "is_zeroing", "is_irreversible", "is_legal", "is_pseudo_legal", "is_into_check", "gives_check",
    )
} | {
    "uci, classical": lambda board, move: board.uci(move, chess960=False),
    "uci, Chess960": lambda board, move: board.uci(move, chess960=True),
    "xboard, Chess960": lambda board, move: board.xboard(move, chess960=True),
    "in legal_moves": lambda board, move: move in board.legal_moves,
    "in a list": lambda board, move: move in list(board.legal_moves),
    "in pseudo_legal_moves": lambda board, move: move in board.pseudo_legal_moves,
    "found": lambda board, move: attributes(board.find_move(move.from_square, move.to_square, move.promotion)),
    "variation_san": lambda board, move: board.variation_san([move]),
}  # fmt: skip


def after(board: Any, move: Any) -> tuple[Any, ...]:
    """The position and the stack after a move, and what is taken back."""
    board.push(move)
    found = board.fen(), attributes(board.peek()), [attributes(made) for made in board.move_stack]
    return (*found, attributes(board.pop()))


@pytest.mark.parametrize("chess960", [False, True])
def test_every_attribute_of_every_legal_move(chess960: bool) -> None:
    castled = 0
    for ours, theirs in games(chess960, 12, seed=1):
        moves = {attributes(move): move for move in theirs.legal_moves}
        assert {attributes(move) for move in ours.legal_moves} == moves.keys()
        assert len(list(ours.legal_moves)) == len(moves)
        assert {attributes(m) for m in ours.pseudo_legal_moves} == {attributes(m) for m in theirs.pseudo_legal_moves}
        assert {attributes(m) for m in ours.generate_castling_moves()} == {
            attributes(m) for m in theirs.generate_castling_moves()
        }
        for move in ours.legal_moves:
            same = moves[attributes(move)]
            if not theirs.is_castling(same) and move % 7:
                continue
            castled += theirs.is_castling(same)
            for name, ask in ASK.items():
                assert ask(ours, move) == ask(theirs, same), (name, ours.fen(), move)
            assert after(ours, move) == after(theirs, same)
            for text in (theirs.uci(same, chess960=False), theirs.uci(same, chess960=True), theirs.san(same)):
                read = "parse_san" if text == theirs.san(same) else "parse_uci"
                assert attributes(getattr(ours, read)(text)) == attributes(getattr(theirs, read)(text))
    assert castled > 30


@pytest.mark.parametrize("chess960", [False, True])
def test_castling_in_the_other_form_and_moves_that_are_not_legal(chess960: bool) -> None:
    """Python-chess takes both forms on some boards, and answers for moves that are not legal, too."""
    rng = random.Random(3)
    others = 0
    for ours, theirs in games(chess960, 6, seed=2):
        given = [chess.Move(rng.randrange(64), rng.randrange(64)) for _ in range(5)]
        for move in theirs.generate_castling_moves():
            given += [chess.Move.from_uci(theirs.uci(move, chess960=form)) for form in (False, True)]
            given += [chess.Move(move.from_square, target) for target in (2, 6, 58, 62)]
        for move in given:
            if move.from_square == move.to_square:
                continue
            for name in (
                "is_legal", "is_pseudo_legal", "uci", "uci, classical", "uci, Chess960", "in legal_moves", "in a list",
                "in pseudo_legal_moves",
            ):  # fmt: skip
                mine = ours_of(move)
                assert ASK[name](ours, mine) == ASK[name](theirs, move), (name, ours.fen(), move)
            if theirs.is_castling(move) and theirs._to_chess960(move) in [
                theirs._to_chess960(legal) for legal in theirs.generate_castling_moves()
            ]:
                others += move not in list(theirs.legal_moves)
                assert after(ours, ours_of(move)) == after(theirs, move)
                for name in ("san", "lan", "is_castling", "is_kingside_castling", "is_zeroing", "is_irreversible"):
                    assert ASK[name](ours, ours_of(move)) == ASK[name](theirs, move), (name, ours.fen(), move)
            elif not theirs.is_legal(move) and not theirs.is_castling(move):
                with pytest.raises(rookery.IllegalMoveError):
                    ours.push(ours_of(move))
    assert others > 5


def test_a_board_that_becomes_one_of_chess960() -> None:
    for fen in CLOSE_TO_CASTLING:
        ours, theirs = pair(fen, False)
        for board in (ours, theirs):
            board.chess960 = True
        assert {attributes(move) for move in ours.legal_moves} == {attributes(move) for move in theirs.legal_moves}
        for source in (4, 60):
            for target in (source + 2, source + 3, source - 2, source - 4):
                found = []
                for board in (ours, theirs):
                    try:
                        found.append(attributes(board.find_move(source, target)))
                    except ValueError:
                        found.append(())
                assert found[0] == found[1], (fen, source, target)


@pytest.mark.parametrize(
    "fen", [chess.STARTING_FEN, *CLOSE_TO_CASTLING, "7k/8/8/8/8/8/1q6/K7 w - - 0 1", "7k/8/8/8/8/8/2K5/q7 b - - 0 1"]
)
def test_the_null_move(fen: str) -> None:
    ours, theirs = Board(fen), chess.Board(fen)
    assert attributes(Move.null()) == attributes(chess.Move.null())
    for name in (
        "uci", "xboard", "is_capture", "is_castling", "is_kingside_castling", "is_queenside_castling", "is_en_passant",
        "is_zeroing", "is_legal", "is_pseudo_legal", "in legal_moves", "in a list",
    ):  # fmt: skip
        assert ASK[name](ours, Move.null()) == ASK[name](theirs, chess.Move.null()), name
    if not theirs.is_check():
        for name in ("is_irreversible", "gives_check", "san"):
            assert ASK[name](ours, Move.null()) == ASK[name](theirs, chess.Move.null()), name
        assert ours.move_word(Move.null()) == 0
    else:
        for name in ("is_irreversible", "gives_check", "san"):
            with pytest.raises(rookery.IllegalMoveError, match="the king is in check"):
                ASK[name](ours, Move.null())


# One object for all moves that are equal.


@cache
def listed() -> list[tuple[Board, Move, int]]:
    """Legal moves of many boards, with their words."""
    found = []
    for chess960 in (False, True):
        for ours, _ in games(chess960, 6, seed=4):
            words = Positions.from_boards([ours]).legal_moves()[0].tolist()
            found += [(ours.copy(stack=False), move, word) for move, word in zip(ours.legal_moves, words, strict=True)]
    return found


def test_equal_moves_agree_in_every_attribute() -> None:
    assert len(listed()) > 1000
    for board, move, word in listed():
        for same in (
            Move.from_uci(move.uci()),
            Move.of(move.from_square, move.to_square, promotion=move.promotion),
            Move(move.from_square, move.to_square, move.promotion),
            Move(int(move)),
            Move.from_word(word, chess960=board.chess960),
            board.parse_uci(board.uci(move)),
            board.parse_san(board.san(move)),
            pickle.loads(pickle.dumps(move)),
            copy.deepcopy(move),
        ):
            assert same is move
        assert board.move_word(move) == word == board.move_word(word)
        assert board.is_legal(word)
        assert word in board.legal_moves
        assert board.san(word) == board.san(move)


def test_all_moves_are_distinct_objects() -> None:
    moves = {Move(word) for word in range(1 << 16)} | {Move.from_word(w, chess960=True) for w in range(1 << 16)}
    assert len(moves) == len({id(move) for move in moves}) == 64 * 64 * 5
    public = [
        name for name in dir(Move) if name[0] != "_" and not callable(getattr(Move, name, print))
    ]  # no longer there
    for word in range(1 << 16):
        for move in (Move(word), Move.from_word(word, chess960=True)):
            assert move.from_square == word & 63
            if word >> 14 != 3:
                assert move.to_square == word >> 6 & 63
            assert Move(int(move)) is move
    assert {"from_square", "to_square", "promotion", "real", "numerator"} <= set(public)


@pytest.mark.parametrize("name", ["is_castling", "is_en_passant", "kind", "king_to", "rook_to"])
def test_attributes_that_moves_no_longer_have_say_where_they_are(name: str) -> None:
    with pytest.raises(AttributeError, match=f"^{name}: moves no longer have it: use "):
        getattr(Move.from_uci("e1g1"), name)
    assert not hasattr(Move, name)
    with pytest.raises(TypeError, match=r"^kind: 3: moves no longer have a kind: expected the squares alone"):
        Move.of(4, 7, kind=3)
    with pytest.raises(TypeError, match=r"^chess960: True: a move does not know whether it castles: board.uci"):
        Move.from_uci("e1g1").uci(True)  # type: ignore[arg-type]


# Programs that were written for python-chess.


def policy_index(move: Any, turn: bool) -> Any:
    """A policy index as programs for python-chess compute it: 73 planes of moves for each source square."""
    source, target = (move.from_square, move.to_square) if turn else (move.from_square ^ 56, move.to_square ^ 56)
    up, right = target // 8 - source // 8, target % 8 - source % 8
    if move.promotion and move.promotion != 5:
        return source * 73 + 64 + (right + 1) * 3 + move.promotion - 2
    if abs(up * right) == 2:
        return (
            source * 73
            + 56
            + [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)].index((up, right))
        )
    way = (up > 0) - (up < 0), (right > 0) - (right < 0)
    compass = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
    return source * 73 + compass.index(way) * 7 + max(abs(up), abs(right)) - 1


@pytest.mark.parametrize("chess960", [False, True])
def test_a_policy_index_written_for_python_chess(chess960: bool) -> None:
    castled = differ = boards = 0
    for ours, theirs in games(chess960, 12, seed=5):
        boards += 1
        castled += any(theirs.generate_castling_moves())
        mine = sorted(policy_index(move, ours.turn) for move in ours.legal_moves)
        differ += mine != sorted(policy_index(move, theirs.turn) for move in theirs.legal_moves)
    assert boards > 300
    assert castled > 20
    assert differ == 0


def test_our_policy_index_is_that_of_the_king_s_move() -> None:
    for ours, theirs in games(False, 4, seed=6):
        for move in theirs.legal_moves:
            index = policy_index(move, theirs.turn)
            assert move_to_index(ours_of(move), ours) == index
            assert attributes(index_to_move(index, ours)) == attributes(move)


# Moves of arrays.


@pytest.mark.parametrize("chess960", [False, True])
def test_moves_of_arrays(chess960: bool) -> None:
    boards = [(ours.copy(stack=False), theirs.copy(stack=False)) for ours, theirs in games(chess960, 6, seed=7)]
    positions = Positions.from_boards([ours for ours, _ in boards])
    moves = positions.legal_moves()
    assert (moves.chess960 is not None) == chess960
    expected = [{attributes(move) for move in theirs.legal_moves} for _, theirs in boards]
    targets = [{move.to_square for move in theirs.legal_moves} for _, theirs in boards]
    for i, words in enumerate(moves):
        assert {attributes(Move.from_word(word, chess960=chess960)) for word in words} == expected[i]
        assert set(moves[i : i + 1].to_square.tolist()) == targets[i]
    assert [set(part.tolist()) for part in np.split(moves.to_square, moves.offsets[1:-1])] == targets
    picked = [5, 2, len(moves) - 1]
    squares = [square for i in picked for square in moves[i : i + 1].to_square.tolist()]
    assert moves[picked].to_square.tolist() == squares

    castling = [(i, m) for i, (_, theirs) in enumerate(boards) for m in theirs.generate_castling_moves()]
    assert castling
    rows, theirs_moves = [i for i, _ in castling], [move for _, move in castling]
    made = [ours_of(move) for move in theirs_moves]
    some = positions[rows]
    words = np.array([boards[i][0].move_word(move) for i, move in zip(rows, made, strict=True)], np.uint16)
    after = []
    for i, move in castling:
        board = boards[i][1].copy()
        board.push(move)
        after.append(board.fen())
    for given in (made, np.array(made), np.array(made, np.uint16), words):
        assert [board.fen() for board in some.play(given)] == after
        assert some.san(given).tolist() == [boards[i][1].san(move) for i, move in castling]
        assert some.policy_index(given).tolist() == some.policy_index(words).tolist()
    for given in (made, np.array(made), words):
        assert some.uci(given).tolist() == [boards[i][1].uci(move) for i, move in castling]
        assert not some.captured_pieces(given).any()
        assert [board.fen() for board in some.play(given, check=False)] == after


def test_en_passant_captures_that_are_given_as_moves() -> None:
    positions = Positions.from_fens(["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"] * 2)
    made = [Move.from_uci("e5d6"), Move.from_uci("e5e6")]
    assert positions.captured_pieces(made).tolist() == [1, 0]
    assert positions.play(made)[0].fen() == "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"
    assert positions.play(np.array(made, np.uint16))[0].fen() == "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"
    assert positions.san(made).tolist() == ["exd6", "e6"]


@pytest.mark.parametrize("chess960", [False, True])
def test_moves_of_games_in_files(chess960: bool) -> None:
    """What is read of PGN, as a tree and as columns, has the moves of python-chess's reader."""
    texts: list[str] = []
    expected = []
    for _, theirs in games(chess960, 8, seed=8):
        if len(theirs.move_stack) == 30:
            game = chess.pgn.Game.from_board(theirs)
            game.headers["Event"] = str(len(texts))
            texts.append(f"{game}\n\n")
            expected.append([attributes(move) for move in theirs.move_stack])
    assert sum(castles for moves in expected for castles in (move[0] in (4, 60) for move in moves))
    read = rookery.read_pgn("".join(texts).encode())
    for i, moves in enumerate(expected):
        assert [attributes(move) for move in read[i].moves] == moves
        assert [attributes(node.move) for node in read[i].mainline()] == moves
        assert [attributes(move) for move in next(rookery.pgn.read(texts[i], errors="raise")).moves] == moves
        assert read.moves[i : i + 1].to_square.tolist() == [move[1] for move in moves]
    assert read.moves.to_square.tolist() == [move[1] for moves in expected for move in moves]
    position = read.opening_tree(30)[read.columns.starts.board(0)]
    for move in read[0].moves:
        found = position[move]
        assert found.move is move
        position = found.position
    hits = read.search("move.castles")
    assert len(hits)
    for hit in hits:
        assert hit.move is not None
        assert hit.board.is_castling(hit.move)
        assert hit.move in list(hit.board.legal_moves)
        assert f"from {chess.square_name(hit.move.from_square)} to {chess.square_name(hit.move.to_square)}" in hit.svg()
        assert hit.squares == 1 << hit.move.from_square | 1 << hit.move.to_square


def test_queries_see_the_king_s_square() -> None:
    game = rookery.read_pgn(b"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *")
    assert len(game.search("move.castles and move.to_square == g1")) == 1
    assert len(game.search("move.castles and move.to_square == g8")) == 1
    assert len(game.search("move.to_square == h1")) == len(game.search("move.to_square == h8")) == 0


def test_pictures_and_conversions() -> None:
    ours, theirs = pair(CLOSE_TO_CASTLING[1], False)
    move = ours.push_san("O-O")
    theirs.push_san("O-O")
    assert "from e1 to g1" in move.svg()
    picture = ours.svg()
    assert "last move e1 to g1" in picture or "e1" in picture
    assert ours.to_chess().move_stack == theirs.move_stack
    assert Board.from_chess(theirs).move_stack == ours.move_stack == [Move(4, 6)]
    fischer = Board.from_chess(chess.Board(MAY_STEP_TO_ITS_TARGET[0], chess960=True))
    fischer.push_san("O-O")
    assert fischer.to_chess().peek() == chess.Move.from_uci("f1h1")
    assert Board.from_chess(fischer.to_chess()).move_stack == fischer.move_stack == [Move(5, 7)]
