"""What notebooks show of games, and of one game: well-formed HTML, with nothing of a file interpreted."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import rookery
from rookery import Move, OpeningTree, ScoredPositions, pgn
from rookery.games.games import Games
from rookery.games.read.reader import read_pgn
from rookery.games.search.counts import HitCounts

SAMPLE = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
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


def test_a_tree_of_openings() -> None:
    tree = read_pgn(SAMPLE).opening_tree()
    html = tree._repr_html_()
    head, *rows = cells(html)
    assert head == ["move", "games", "white", "draws", "black", "score"]
    for row, move in zip(rows, tree.root.moves, strict=True):
        assert row[:5] == [move.san, *map(str, (move.games, move.white_wins, move.draws, move.black_wins))]
    assert tree.root.board.svg(size=240) in html
    assert f"<p>{repr(tree)[1:-1]}</p>" in html
    empty = OpeningTree()._repr_html_()
    assert cells(empty)[1:] == []
    assert "0 games: 0 positions, 0 moves" in empty


def test_counts_of_hits() -> None:
    games = read_pgn(TEXT.encode() + b"\n\n1. d4 *")
    counts = HitCounts("White")
    counts.add(games.search("ply >= 0", headers=["White"]))
    head, *rows = cells(counts._repr_html_())
    assert head == ["White", "hits", "games"]
    assert rows == [['<script>alert("x")</script> & \\x1b[31m', "3", "1"], ["", "2", "1"]]


def test_rows_of_training_data() -> None:
    rows = ScoredPositions.from_games(read_pgn(SAMPLE))
    head, *found = cells(rows._repr_html_())
    assert head == ["", "fen", "move", "score", "result", "ply"]
    assert [row[0] for row in found] == [*"01234", "...", *(str(len(rows) - k) for k in range(5, 0, -1))]
    first = rows[0]
    assert found[0][1] == first.positions.to_fens()[0]
    assert found[0][2] == first.positions.uci(first.moves)[0]
    assert found[0][5] == "0"
    unknown = ScoredPositions(rows.positions[:1])
    assert cells(unknown._repr_html_())[1][2:5] == ["", "", ""]


def test_a_dataset(tmp_path: Path) -> None:
    rookery.make_dataset(SAMPLE, tmp_path / "dataset", split=[1])
    dataset = rookery.open_dataset(tmp_path / "dataset", batch=100, shuffle=True)
    assert repr(dataset) == "<633 rows of train: 7 batches of 100>"
    shown = {row[0]: row[1] for row in cells(dataset._repr_html_())}
    assert shown["rows"] == "633"
    assert shown["shuffled"] == "yes"
    assert shown["policy"] == "alphazero"
    assert shown["planes"].startswith("18 of float32: ")


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
