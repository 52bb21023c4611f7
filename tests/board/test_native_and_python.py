"""Each native method of a board answers as the Python function below it, and leaves the board in the same state."""

import inspect
import operator
import random
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

import chess
import pytest

from rookery.bitboards.pieces import Piece
from rookery.board import copying, endings, listing, notation, placing, playing, queries, rights, setup, text
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.kernel.native import marks

MODULES: Final = (copying, endings, listing, notation, placing, playing, queries, rights, setup, text)
FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    name: function
    for module in MODULES
    for name, function in vars(module).items()
    if inspect.isfunction(function) and function in marks._marked and "board" in inspect.signature(function).parameters
}
ALIASES: Final = {"is_equal": "__eq__", "drawing": "__str__", "representation": "__repr__"}
# What Python calls without looking for a method; the method itself is tested, too.
OPERATORS: Final[dict[str, Callable[..., Any]]] = {"is_equal": operator.eq, "drawing": str}


def boards(count: int, seed: int) -> list[Board]:
    """Return boards of random games, classical and Chess960, with their history."""
    chooser = random.Random(seed)
    found = []
    for game in range(count):
        theirs = chess.Board.from_chess960_pos(chooser.randrange(960)) if game % 3 == 2 else chess.Board()
        ours = Board(theirs.fen(), chess960=theirs.chess960)
        for _ in range(chooser.randrange(1, 90)):
            moves = list(theirs.legal_moves)
            if not moves:
                break
            move = chooser.choice([m for m in moves if theirs.is_castling(m) or theirs.is_en_passant(m)] or moves)
            theirs.push(move)
            ours.push(Move.of(move.from_square, move.to_square, promotion=move.promotion))
        found.append(ours)
    return found


BOARDS: Final = [
    *boards(12, 5),
    Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"),
    Board("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1"),
    Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
    Board("8/P6k/8/8/8/8/8/4K3 w - - 99 80"),
    Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 150 80"),
    Board.empty(),
    Board.unchecked("8/8/8/8/8/8/8/K1K4k w - - 3 7"),
]


def arguments(function: Callable[..., Any], board: Board, chooser: random.Random) -> Iterator[tuple[Any, ...]]:
    """Yield arguments for a function: usual ones, and some that are wrong."""
    legal = board.generate_legal_moves()
    moves: list[Any] = [
        *chooser.sample(legal, min(4, len(legal))),
        Move.of(0, 63),
        Move.of(12, 28),
        Move.null(),
        1804,
        "e4",
    ]
    texts = [*(board.san(move) for move in moves[:4] if move in legal), *(board.uci(move) for move in moves[:3]), "Zz9"]
    choices: dict[str, list[Any]] = {
        "square": [*chooser.sample(range(64), 6), 64, -1, "e4", True],
        "from_square": [chooser.randrange(64), 12],
        "to_square": [chooser.randrange(64), 28],
        "colour": [True, False, "white", 3],
        "kind": [1, 2, 3, 4, 5, 6, "q", 7],
        "piece": ["Q", Piece(2, False), None, "x", "QQ", 3],
        "move": moves,
        "text": [*texts, "--", "0000", "O-O", 5],
        "fen": [board.fen(), board.fen(shredder=True), "8/8/8/8/8/8/8/8 w - - 0 1", "rubbish", None],
        "other": [board.copy(), BOARDS[0], BOARDS[1], Board(), 5],
    }
    names = [p.name for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD][1:]
    required = [n for n in names if inspect.signature(function).parameters[n].default is inspect.Parameter.empty]
    if not required:
        yield ()
        return
    for turn in range(max(len(choices[name]) for name in required)):
        yield tuple(choices[name][(turn + 3 * place) % len(choices[name])] for place, name in enumerate(required))


def shown(value: Any) -> Any:
    """Return an answer in a form that can be compared."""
    if isinstance(value, Board):
        return "board", value._row, value._history, value.chess960
    if hasattr(value, "_board"):
        return type(value), list(value), len(list(value))
    return type(value), value


def asked(ask: Callable[[Board], Any], board: Board) -> tuple[Any, ...]:
    """Return the answer or the error of a call, and the state of the board after it."""
    board = board.copy()
    try:
        answer = shown(ask(board))
    except Exception as error:
        answer = type(error), str(error)
    return answer, board._row, board._history, board.chess960


def method(name: str, given: tuple[Any, ...]) -> Callable[[Board], Any]:
    """Return the call of a method, or the look at an attribute, with these arguments."""

    def call(board: Board) -> Any:
        found = getattr(board, ALIASES.get(name, name))
        return (
            found
            if isinstance(
                vars(Board)[ALIASES.get(name, name)], property | types.GetSetDescriptorType | types.MemberDescriptorType
            )
            else found(*given)
        )

    return call


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_operators_answer_as_python(name: str) -> None:
    function, chooser, operate = FUNCTIONS[name], random.Random(name), OPERATORS[name]
    for board in BOARDS:
        for given in arguments(function, board, chooser):
            ours = asked(lambda b, given=given: operate(b, *given), board)  # type: ignore[misc]
            expected = function(board, *given)
            assert ours[0] == shown(False if expected is NotImplemented else expected), (name, given, board)
            if name == "is_equal":
                assert (board != given[0]) == (not ours[0][1])


def test_most_functions_have_machine_code() -> None:
    assert len(FUNCTIONS) > 90
    for name in FUNCTIONS:
        given = next(arguments(FUNCTIONS[name], BOARDS[0], random.Random(1)))
        asked(method(name, given), BOARDS[0])
    native = [name for name in FUNCTIONS if "descriptor" in type(vars(Board)[ALIASES.get(name, name)]).__name__]
    left = set(FUNCTIONS) - set(native)
    assert left <= {"clear_stack", "placement", "remove_piece_at", "representation", "reset", "root"}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_native_methods_answer_as_python(name: str) -> None:
    function, chooser = FUNCTIONS[name], random.Random(name)
    looked_at = 0
    for board in BOARDS:
        for given in arguments(function, board, chooser):
            ours = asked(method(name, given), board)
            expected = asked(lambda b, given=given: function(b, *given), board)  # type: ignore[misc]
            assert ours == expected, (name, given, board)
            looked_at += 1
    assert looked_at >= len(BOARDS)
