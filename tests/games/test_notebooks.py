"""What notebooks show of games, and of one game: well-formed HTML, with nothing of a file interpreted."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from rookery import Move, pgn
from rookery.games.games import Games
from rookery.games.read.reader import read_pgn

SAMPLE = Path(__file__).parents[1] / "data" / "lichess-2025-05.pgn"
EVIL = '<script>alert("x")</script> & \x1b[31m'
TEXT = (
    f'[White "{EVIL.replace(chr(34), chr(92) + chr(34))}"]\n[Event "{"long " * 100}"]\n\n1. e4 {{ <b>x </b> }} e5 1-0'
)


def cells(html: str) -> list[list[str]]:
    tree = ElementTree.fromstring(html)
    return [["".join(cell.itertext()) for cell in row] for row in tree.iter("tr")]


def test_games() -> None:
    games = read_pgn(SAMPLE)
    head, *rows = cells(games._repr_html_())
    assert [row[0] for row in rows] == ["0", "1", "2", "3", "4", "...", "7", "8", "9", "10", "11"]
    for row in rows:
        if row[0] != "...":
            game = games[int(row[0])]
            named = dict(zip(head, row, strict=True))
            assert named["White"] == game.headers["White"]
            assert named["WhiteElo"] == game.headers["WhiteElo"]
            assert named["Result"] == game.result
            assert named["plies"] == str(len(game.moves))
    assert "WhiteTitle" not in head  # which none of them has
    kept = [name for name, column in games.headers.items() if column.valid.any()]
    assert games._repr_html_().endswith(f"<p>12 games, 633 half-moves; {len(kept) - 12} more columns</p></div>")


def test_few_games_and_bad_ones() -> None:
    head, *rows = cells(read_pgn(b"1. e4 Ke2 *\n\n1. d4 *")._repr_html_())
    assert head == ["", "Result", "plies", "fault"]
    assert rows[0][:3] == ["0", "*", "1"]
    assert "Ke2" in rows[0][3]
    assert rows[1] == ["1", "*", "1", ""]
    assert "<p>0 games, 0 half-moves</p>" in read_pgn(b"")[:0]._repr_html_()


@pytest.mark.parametrize("headers", [None, "all"])
def test_nothing_is_interpreted(headers: str | None) -> None:
    games: Games = read_pgn(TEXT.encode(), headers=headers, comments=True)
    for html in (games._repr_html_(), games[0]._repr_html_()):
        assert "<script" not in html
        assert "<b>" not in html
        assert "\x1b" not in html
        text = "".join(ElementTree.fromstring(html).itertext())
        assert '<script>alert("x")</script> & \\x1b[31m' in text
    assert "long " * 50 not in games._repr_html_()


def test_a_game() -> None:
    game = read_pgn(SAMPLE, clocks=False, comments=False)[2]
    html = game._repr_html_()
    assert game.end().board().svg() in html
    assert ["White", game.headers["White"]] in cells(html)
    assert "16. Rfd1 Nef6 17. Qc6 bxa5 18. Qxd6 Rxb1 19. Rxb1 Ne4 20. Qxe6+ 1-0" in html
    assert "<svg" in pgn.Game()._repr_html_()
    illegal = pgn.Game({}, [Move.of(0, 63)])._repr_html_()
    assert "<svg" not in illegal
    assert "a1h8" in illegal
