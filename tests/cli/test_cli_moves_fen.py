"""``rookery moves | fen``."""

import json
import re

import chess

from command_line import KIWIPETE, document, run


def test_moves() -> None:
    answer = document("moves", "kiwipete")
    board = chess.Board(KIWIPETE)
    assert {(m["uci"], m["san"]) for m in answer["moves"]} == {(m.uci(), board.san(m)) for m in board.legal_moves}
    captures = document("moves", "kiwipete", "--captures")
    assert {m["uci"] for m in captures["moves"]} == {m.uci() for m in board.generate_legal_captures()}
    assert "48 legal moves" in run("moves", "kiwipete").stdout
    assert "8 captures and promotions" in run("moves", "kiwipete", "--captures").stdout


def test_captures_have_their_exchanges_in_json() -> None:
    moves = json.loads(run("moves", "kiwipete", "--captures", "--json").stdout)["moves"]
    printed = dict(
        re.findall(r"^(\w+) +\S+ +see ([+-]\d+)$", run("moves", "kiwipete", "--captures").stdout, re.MULTILINE)
    )
    assert {move["uci"]: f"{move['see']:+d}" for move in moves} == printed
    assert "see" not in json.loads(run("moves", "kiwipete", "--json").stdout)["moves"][0]


def test_fen() -> None:
    text = run("fen", KIWIPETE).stdout
    assert "white to move, 48 legal moves" in text
    assert "p . p p q p b ." in text
    assert document("fen", KIWIPETE) == {"fen": KIWIPETE, "valid": True, "faults": []}


def test_fen_explains_every_fault() -> None:
    text = run("fen", "Pk6/8/8/8/8/8/8/KKq5 w - e6 0 1", status=1).stdout
    for fault in (
        "white pawn on a8: pawns never stand on a back rank",
        "white has 2 kings, expected one",
        "en passant on e6: no black pawn on e5 has jumped over it",
    ):
        assert fault in text
    answer = document("fen", "k7/8/8/8/8/8/8/K7 x - - 0 1", status=1)
    assert answer["valid"] is False
    assert answer["faults"] == ["FEN field 2 (side to move): 'x': expected 'w' or 'b'"]


def test_the_board_of_fen_has_coordinates() -> None:
    lines = run("fen", "start").stdout.splitlines()
    assert lines[0] == "8 r n b q k b n r"
    assert lines[7] == "1 R N B Q K B N R"
    assert lines[8] == "  a b c d e f g h"
