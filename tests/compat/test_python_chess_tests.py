"""python-chess's own tests of squares, moves, boards, sets, PGN, books and SVG, on ``import rookery.compat as chess``.

Its tests are no part of this repository: see `python_chess_source`.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from python_chess_source import VERSION, source

SCRIPT: Final = Path(__file__).parent / "judged.py"
NUMBER: Final = 177
PAGE: Final = Path(__file__).parents[2] / "docs" / "coming-from-python-chess.md"

# The tests that fail, and why they may.
DIFFERENT: Final = {
    "Move.copy": "drops of Crazyhouse, such as N@f3, are no moves here",
    "Move.uci_parsing": "drops of Crazyhouse, such as P@e4, are no moves here",
    "Move.xboard_move": "drops of Crazyhouse, such as P@e4, are no moves here",
    "Piece.hash": "a piece is a text of one letter, and equal texts have equal hashes: those of texts",
    "Board.epd": "an EPD whose last quote is not closed is an error",
    "Board.get_set": "no piece remembers that it was a pawn: set_piece_at refuses promoted=True",
    "Board.is_legal_move": "a promotion to a pawn or a king is no move, so from_uci raises",
    "LegalMoveGenerator.traverse_once": "the legal moves have a length: list() asks a mock board for it in vain",
    "Pgn.comment_at_eol": "a line break in a comment is a blank, and a comment has no blanks at its ends",
    "Pgn.missing_setup_tag": "a game with a header FEN has the header SetUp, which PGN requires",
    "Pgn.parse_time_control": "periods of a time control are not split into parts",
    "Pgn.variants": "chess and Chess960 are the only variants",
    "Pgn.variation_stack": "a game that begins with a bracket is bad: it has no move that a variation could replace",
    "Svg.svg_arrows": "an arrow is drawn as one path, not as a line and a head",
}


def test_the_page_says_how_many_pass() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"Of the {NUMBER} tests that python-chess {VERSION} has" in text
    assert f" {NUMBER - len(DIFFERENT)} pass with `rookery.compat`" in text


def test_python_chess_s_own_tests() -> None:
    command = [sys.executable, str(SCRIPT), str(source())]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    outcomes: dict[str, str] = json.loads(done.stdout)
    assert len(outcomes) == NUMBER
    failed = {name: reason for name, reason in outcomes.items() if reason}
    assert {name: reason for name, reason in failed.items() if name not in DIFFERENT} == {}
    assert [name for name in DIFFERENT if name not in failed] == []  # those that pass by now
    assert NUMBER - len(failed) >= 150
