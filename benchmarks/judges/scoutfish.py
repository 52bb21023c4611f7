"""scoutfish (Marco Costalba, GPL 3): the rules of its 29 tests, on the games that come with it.

A folder holds a build of the repository mcostalba/scoutfish: `src/scoutfish`, `src/test.py` and `pgn/`. Its questions
are read from that file when they are asked; here are only our queries.
"""

import ast
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from judges.questions import Question, compared
from rookery import Games, read_pgn

_SAME: Final = " and ".join(
    f"count(white.{kind}) == count(black.{kind})" for kind in ("knights", "bishops", "rooks", "queens")
)
_TWO_KNIGHTS_FOR_A_BISHOP: Final = (
    "count(white.pawns) == count(black.pawns) and count(white.knights) == count(black.knights) + 2 and "
    "count(white.bishops) == count(black.bishops) - 1 and count(white.rooks) == count(black.rooks) and "
    "count(white.queens) == count(black.queens)"
)
_BISHOP_FOR_A_KNIGHT: Final = (
    "count(white.pawns) == count(black.pawns) and count(white.knights) == count(black.knights) - 1 and "
    "count(white.bishops) == count(black.bishops) + 1 and count(white.rooks) == count(black.rooks) and "
    "count(white.queens) == count(black.queens)"
)
_FOUR_KNIGHTS: Final = 'pattern("r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/2N2N2/PPPP1PPP/R1BQK2R")'
_BENONI: Final = 'pattern("rnbqkb1r/pp1p1ppp/4pn2/2pP4/2P5/2N5/PP2PPPP/R1BQKBNR")'
_E5: Final = 'white_to_move and move.piece == "P" and move.to_square == e5'
_D_TAKES_E5: Final = (
    'not white_to_move and move.piece == "P" and move.captures and move.to_square == e5 and move.from_square == d6'
)
_F5: Final = 'white_to_move and move.piece == "P" and move.to_square == f5'
_NE4: Final = 'white_to_move and move.piece == "N" and move.to_square == e4'
_GLUED: Final = (
    "in some games the result is glued to the last move, a mate: `Rxg20-1`; scoutfish does not read that move"
)

QUESTIONS: Final = (
    Question(
        "1",
        "All pieces are at home, White to move",
        'pattern("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR") and white_to_move',
    ),
    Question("2", "The position after 1. e4", 'pattern("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")'),
    Question(
        "3",
        "A black pawn on a6, a white bishop on b3 and a white knight on f3",
        "a6 in black.pawns and b3 in white.bishops and f3 in white.knights",
    ),
    Question("4", "The black king reaches b4 in a drawn game", "black.king == b4 and result(white) == 0.5"),
    Question("5", "A black queen or rook on a5", "a5 in black.queens | black.rooks"),
    Question(
        "6",
        "This material, Black to move",
        'not white_to_move and signature == "KQRRBNPPPPvKQRRNNPPPP"',
    ),
    Question(
        "7",
        "This material in a game that Black wins",
        'signature == "KQRRBNNPPPPvKQRRBNNPPPP" and result(black) == 1',
    ),
    Question("8", "One of two kinds of material", 'signature in ("KRBPPPvKRPPP", "KRPPPvKRPPP")'),
    Question("9", "White plays Nb7", 'white_to_move and move.piece == "N" and move.to_square == b7'),
    Question("10", "Black plays c3", 'not white_to_move and move.piece == "P" and move.to_square == c3'),
    Question("11", "Black plays e1=Q", 'not white_to_move and move.promotion == "Q" and move.to_square == e1'),
    Question("12", "Black castles on the king's side", "not white_to_move and move.castles and move.to_square == g8"),
    Question("13", "The same: matches 201 to 300", "not white_to_move and move.castles and move.to_square == g8"),
    Question("14", "Black castles on the queen's side", "not white_to_move and move.castles and move.to_square == c8"),
    Question("15", "Black castles", "not white_to_move and move.castles"),
    Question(
        "16",
        "White plays a7 or b7 with a pawn, or Rac1",
        'white_to_move and (move.piece == "P" and move.to_square in squares("a7 b7") or move.piece == "R" and not '
        'move.castles and move.to_square == c1 and move.from_square in file("a"))',
    ),
    Question(
        "17",
        "White is two pawns down, all else is equal",
        f"count(white.pawns) == count(black.pawns) - 2 and {_SAME}",
    ),
    Question(
        "18",
        "White has a bishop for a knight, or two knights for a bishop",
        f"{_BISHOP_FOR_A_KNIGHT} or {_TWO_KNIGHTS_FOR_A_BISHOP}",
    ),
    Question(
        "19",
        "A king or pawn takes a queen in a decided game",
        'move.captured == "Q" and move.piece in ("K", "P") and result(white) != 0.5',
        _GLUED,
    ),
    Question("20", "Black wins by giving mate", "is_mate and result(black) == 1", _GLUED),
    Question(
        "21",
        "One of two positions of the opening",
        'pattern("rnbqkbnr/pp1p1ppp/2p5/4p3/3PP3/8/PPP2PPP/RNBQKBNR") or '
        'pattern("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R")',
    ),
    Question(
        "22",
        "A black pawn on d7, later a black queen on c7 and white rooks on a1 and h1, in a game that White wins",
        "within(10000, d7 in black.pawns and result(white) == 1, "
        'c7 in black.queens and squares("a1 h1") in white.rooks)',
    ),
    Question(
        "23",
        "A position of the four knights' game, later a white bishop on c4, later one on f3",
        f"within(10000, {_FOUR_KNIGHTS}, c4 in white.bishops, f3 in white.bishops)",
    ),
    Question(
        "24",
        "That position and two more half-moves, in a game that Black wins",
        f"then({_FOUR_KNIGHTS}, result(black) == 1, result(black) == 1)",
    ),
    Question(
        "25",
        "A Benoni, later e5, dxe5 and f5 in a row, later Ne4",
        f"within(10000, {_BENONI}, then({_E5}, {_D_TAKES_E5}, {_F5}), {_NE4})",
    ),
    Question(
        "26",
        "A Benoni, later e5, dxe5, f5 and Ne4 in a row",
        f"within(10000, {_BENONI}, then({_E5}, {_D_TAKES_E5}, {_F5}, {_NE4}))",
    ),
    Question(
        "27",
        "A Benoni, later e5, any move and f5 in a row, later Ne4",
        f"within(10000, {_BENONI}, then({_E5}, True, {_F5}), {_NE4})",
    ),
    Question(
        "28",
        "White has two knights for a bishop for three positions in a row",
        f"for_plies(3, {_TWO_KNIGHTS_FOR_A_BISHOP})",
    ),
    Question(
        "29",
        "A pawn takes a queen, and the reply takes nothing",
        'then(move.piece == "P" and move.captured == "Q", move.exists and not move.captures)',
        "two queens are taken one after the other: scoutfish does not begin the rule again with the second",
    ),
)


class Scoutfish:
    """A running scoutfish with the index of one file."""

    def __init__(self, program: Path, pgn: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._answer("setoption name threads value 1")
        made = self._answer(f"make {pgn}")
        self.plies = int(json.loads(made[made.index("{") :])["Moves"])
        self._index = pgn.with_suffix(".scout")

    def __enter__(self) -> "Scoutfish":
        return self

    def __exit__(self, *error: object) -> None:
        self._answer("quit", wait=False)
        self._process.__exit__(None, None, None)  # which waits, and closes the pipes

    def _answer(self, command: str, *, wait: bool = True) -> str:
        pipe, answers = self._process.stdin, self._process.stdout
        assert pipe is not None
        assert answers is not None
        pipe.write(f"{command}\nisready\n" if wait else f"{command}\n")
        pipe.flush()
        lines = list(iter(answers.readline, "readyok\n")) if wait else []
        return "".join(lines)

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question, as a dictionary with `match count`, `matches` and the time."""
        text = self._answer(f"scout {self._index} {json.dumps(question)}")
        answer: dict[str, Any] = json.loads(text[text.index("{") :])
        return answer


def tests_of(folder: Path) -> list[dict[str, Any]]:
    """Return the tests of scoutfish: each a question `q`, a count, and the first matches."""
    text = (folder / "src" / "test.py").read_text(encoding="utf-8")
    (value,) = (
        node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "QUERIES"
    )
    tests: list[dict[str, Any]] = ast.literal_eval(value)
    return tests


def _places(text: bytes, answer: dict[str, Any]) -> list[tuple[int, int]]:
    """Return the offset of each game found, where its first header begins, and the first half-move that matches."""
    found = []
    for match in answer["matches"]:
        place = match["ofs"]
        while text[place : place + 1].isspace():
            place += 1
        found.append((place, match["ply"][0]))
    return found


def _places_here(games: Games, positions: Any, query: str) -> list[tuple[int, int]]:
    found = positions.where(query)
    _, first = np.unique(found.game, return_index=True)
    return [(int(games.offsets[g]), int(p)) for g, p in zip(found.game[first], found.ply[first], strict=True)]


def compare(folder: Path, progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Ask the 29 questions about the file of scoutfish's tests, and about all its files.

    Games of all files count that both programs read: without errors, from the usual starting position.
    """
    tests, rows = tests_of(folder), []
    sums = [{"theirs": 0, "ours": 0, "both": 0} for _ in QUESTIONS]
    games_read = 0
    for source in sorted((folder / "pgn").glob("*.pgn")):
        progress(f"scoutfish: {source.name}")
        with tempfile.TemporaryDirectory() as temporary:
            pgn = Path(shutil.copy(source, temporary))
            text, games = pgn.read_bytes(), read_pgn(pgn)
            positions = games.positions("all")
            is_usual = ~games.is_bad & (games.start_places < 0)
            with Scoutfish(folder / "src" / "scoutfish", pgn) as scoutfish:
                usual = {place for place, _ in _places(text, scoutfish.ask({"pass": ""}))}
                usual &= set(games.offsets[is_usual].tolist())
                games_read += len(usual)
                for k, (question, test) in enumerate(zip(QUESTIONS, tests, strict=True)):
                    asked = {key: value for key, value in test["q"].items() if key not in ("skip", "limit")}
                    theirs = [p for p in _places(text, scoutfish.ask(asked)) if p[0] in usual]
                    ours = [p for p in _places_here(games, positions, question.query) if p[0] in usual]
                    for key, value in compared(theirs, ours).items():
                        sums[k][key] += value
                    if source.name == "famous_games.pgn":
                        skip = test["q"].get("skip", 0)
                        part = slice(skip, skip + test["q"].get("limit", len(ours)))
                        rows.append(
                            {
                                "name": question.name,
                                "expected": test["count"],
                                **compared(sorted(theirs)[part], sorted(ours)[part]),
                                "first": set(_places(text, test)) <= set(ours),
                            }
                        )
    for row, total in zip(rows, sums, strict=True):
        row["all"] = total
    return {"games": games_read, "rows": rows}
