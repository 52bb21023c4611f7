"""Opening trees in files: the data of their page, and books at their limits; and arrays that grow."""

import json
import re
from random import Random
from typing import Any

import numpy as np
import pytest

from game_samples import SAMPLE
from meeting_games import made_games
from rookery import Board, Games, Move, OpeningTree, read_book, read_pgn
from rookery.frames.columns import Categorical
from rookery.games.openings.books import Book, raw_moves
from rookery.games.openings.facts import by_file
from rookery.games.openings.page import page_of
from rookery.games.openings.position import Example
from rookery.games.openings.storage import Storage


def data_of(page: str) -> dict[str, Any]:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*)</script>', page)
    found: dict[str, Any] = json.loads(text)
    return found


def rounded(found: Any) -> list[Any]:
    """Return what a page shows of a position or a move."""
    return [
        found.games,
        found.white_wins,
        found.draws,
        found.black_wins,
        None if found.score is None else round(found.score, 4),
        None if found.average_rating is None else round(found.average_rating),
        None if found.performance is None else round(found.performance),
        None if found.last_played is None else str(found.last_played),
    ]


def test_a_page_has_all_positions_and_moves() -> None:
    tree = read_pgn(SAMPLE).opening_tree(6)
    data = data_of(tree.to_html(title="</script>"))
    assert (data["title"], data["least"]) == ("</script>", 1)
    shown = data["positions"]
    assert len(shown) == len(tree)
    assert Board.from_epd(shown[data["start"]][0])[0] == Board()
    for epd, name, *rest in shown:
        position = tree[Board.from_epd(epd)[0]]
        assert rest == rounded(position)
        assert data["names"][name] == " ".join(filter(None, (position.eco, position.opening)))
    assert len(data["moves"]) == tree.move_count
    games = []
    for before, san, source, target, after, *rest in data["moves"]:
        position = tree[Board.from_epd(shown[before][0])[0]]
        move = position[san]
        assert rest == rounded(move)
        assert (source, target) == (move.move.from_square, move.move.to_square)
        assert move.position.board == tree[Board.from_epd(shown[after][0])[0]].board
        games.append((before, -move.games))
    assert games == sorted(games)


def test_a_page_leaves_out_positions_of_few_games() -> None:
    tree = read_pgn(made_games(120, 2).encode()).opening_tree(8)
    start = tree.root.moves[0].position
    reached, waiting = {start.board.epd()}, [start]
    counts = {start.board.epd(): start.games}
    while waiting:
        for move in waiting.pop().moves:
            epd = move.position.board.epd()
            counts[epd] = move.position.games
            if epd not in reached:
                reached.add(epd)
                waiting.append(move.position)
    for most in (1, 5, 20, len(reached) - 1, len(reached), len(reached) + 1):
        data = data_of(page_of(tree, start.board, "x", most))
        assert data["positions"][data["start"]][0] == start.board.epd()
        kept = {row[0] for row in data["positions"]}
        assert kept == {epd for epd, n in counts.items() if n >= data["least"] or epd == start.board.epd()}
        assert len(kept) <= most
        if data["least"] > 1:  # with one game less, there would be too many
            assert sum(n >= data["least"] - 1 for n in counts.values()) > most
    with pytest.raises(ValueError, match="max_positions: 0"):
        tree.to_html(max_positions=0)
    with pytest.raises(TypeError, match="title: 5: expected a text"):
        tree.to_html(title=5)  # type: ignore[arg-type]


class Fixed(Random):
    """A source of random numbers that always gives the lowest, or the highest."""

    def __init__(self, is_low: bool) -> None:
        super().__init__()
        self.is_low = is_low

    def randint(self, a: int, b: int) -> int:
        return a if self.is_low else b


def book_of(*moves: tuple[str, int]) -> Book:
    """Return a book of weights of moves of the start position, in this order."""
    words = raw_moves([int(Move.from_uci(uci)) for uci, _ in moves])
    return read_book(
        b"".join(
            Board().polyglot_key.to_bytes(8, "big")
            + int(word).to_bytes(2, "big")
            + weight.to_bytes(2, "big")
            + bytes(4)
            for word, (_, weight) in zip(words, moves, strict=True)
        )
    )


def test_the_first_and_the_last_move_may_be_chosen() -> None:
    book = book_of(("e2e4", 1), ("d2d4", 2), ("c2c4", 1), ("a2a3", 0))
    for is_low, even, weighted in ((True, "e2e4", "e2e4"), (False, "c2c4", "c2c4")):
        assert book.choice(Board(), random=Fixed(is_low)).move.uci() == even
        assert book.weighted_choice(Board(), random=Fixed(is_low)).move.uci() == weighted
    with pytest.raises(TypeError, match=r"^random: 5: expected a random\.Random or None"):
        book.choice(Board(), random=5)  # type: ignore[arg-type]
    drawn = [book.weighted_choice(Board(), random=_Drawn(k)).move.uci() for k in range(4)]
    assert drawn == ["e2e4", "d2d4", "d2d4", "c2c4"]


class _Drawn(Random):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def randint(self, a: int, b: int) -> int:
        assert (a, b) == (0, 3)
        return self.number


def test_weights_decide_what_is_found() -> None:
    book = book_of(("e2e4", 3), ("d2d4", 3), ("c2c4", 1), ("a2a3", 0))
    key = Board().polyglot_key
    for board in (Board(), Board().fen(), key):
        assert [entry.move.uci() for entry in book.find_all(board)] == ["e2e4", "d2d4", "c2c4"]
        assert [entry.move.uci() for entry in book.find_all(board, minimum_weight=3)] == ["e2e4", "d2d4"]
        assert len(book.find_all(board, minimum_weight=0)) == 4
        assert book.find(board).move.uci() == "e2e4"  # the first of the highest weight
    assert book.find(key, exclude_moves=[Move.from_uci("e2e4")]).move.uci() == "d2d4"
    assert Board() in book
    assert Board() not in book_of(("e2e4", 0))
    with pytest.raises(IndexError, match=r"the book has no move for it of minimum_weight 4$"):
        book.find(Board(), minimum_weight=4)
    with pytest.raises(ValueError, match=r"^minimum_weight: 65,?536"):
        book.find_all(Board(), minimum_weight=1 << 16)
    assert book.find_all(Board(), minimum_weight=(1 << 16) - 1) == []
    for wrong in (-1, 1 << 64):
        with pytest.raises(ValueError, match=rf"^key: {wrong}: expected a key from 0 to 2\*\*64 - 1$"):
            book.bisect_key_left(wrong)
        with pytest.raises(ValueError, match=rf"^board: {wrong}: expected a key from 0"):
            book.find_all(wrong)
    assert (book.bisect_key_left(0), book.bisect_key_left(key), book.bisect_key_left((1 << 64) - 1)) == (0, 0, 4)
    assert book.bisect_key_left(key + 1) == 4
    for moves in ("e2e4", b"e2e4", 5):
        with pytest.raises(TypeError, match=r"^exclude_moves: .*: expected moves"):
            book.find_all(Board(), exclude_moves=moves)  # type: ignore[arg-type]


def test_promotions_of_a_book() -> None:
    for kind, piece in enumerate("nbrq", 1):
        move = Move.from_uci(f"a7b8{piece}")
        raw = kind << 12 | 48 << 6 | 57
        assert raw_moves([int(move)]).tolist() == [raw]
        entry = read_book(bytes(8) + raw.to_bytes(2, "big") + bytes(6))[0]
        assert (entry.raw_move, entry.move) == (raw, move)
    for kind in (0, 5, 7):  # no promotion has these numbers
        entry = read_book(bytes(8) + (kind << 12 | 48 << 6 | 57).to_bytes(2, "big") + bytes(6))[0]
        assert entry.move == Move.from_uci("a7b8")


def test_games_of_a_book_are_enough() -> None:
    tree = read_pgn(b"1. e4 1-0\n\n1. e4 1/2-1/2\n\n1. d4 0-1\n\n1. c4 *").opening_tree()
    for weights, least, expected in (
        ("games", 1, {"e2e4": 2, "d2d4": 1, "c2c4": 1}),
        ("games", 2, {"e2e4": 2}),
        ("games", 3, {}),
        ("points", 1, {"e2e4": 3}),
    ):
        found = tree.to_book(weights=weights, min_games=least).find_all(Board())  # type: ignore[arg-type]
        assert {entry.move.uci(): entry.weight for entry in found} == expected
    with pytest.raises(ValueError, match="min_games: 0"):
        tree.to_book(min_games=0)


def test_runs_of_a_file() -> None:
    files = Categorical(np.array([1, 1, 0, 0, 0, 1], np.int32), ("a", "b"))
    runs = list(by_file(files, np.array([5, 6, 1, 3, 4, 7])))
    assert [(first, name, list(numbers)) for first, name, numbers in runs] == [
        (0, "b", [5, 6]),
        (2, "a", [1, 3, 4]),
        (5, "b", [7]),
    ]
    assert runs[0][2] == range(5, 7)


def test_examples_of_games_of_several_files(tmp_path: Any) -> None:
    for name, text in (("a", b"1. e4 *\n\n1. e4 e5 *\n"), ("b", b"1. d4 *\n\n1. c4 *\n\n1. e4 c5 *\n")):
        (tmp_path / f"{name}.pgn").write_bytes(text)
    games = Games.concatenate([read_pgn(str(tmp_path / f"{name}.pgn")) for name in "ab"])
    tree = games.opening_tree()
    tree.add(read_pgn(b"1. a3 *"))
    first, second = (str(tmp_path / f"{name}.pgn") for name in "ab")
    assert tree.root.play("e4 e5").examples == [Example(first, 2)]
    assert tree.root.play("c4").examples == [Example(second, 2)]
    assert tree.root.play("e4 c5").examples == [Example(second, 3)]
    assert tree.root.play("a3").examples == [Example("", 1)]
    assert tree.root.examples == [Example(first, 1), Example(second, 1), Example(second, 2)]


@pytest.mark.parametrize("more", [1, 1023, 1024, 1025, 3000])
def test_positions_and_names_stay_when_the_arrays_grow(more: int) -> None:
    text = '[ECO "A{0:02}"]\n[Opening "{0}"]\n\n1. {1} e5 *\n\n'
    games = read_pgn("".join(text.format(k, move) for k, move in enumerate(("e4", "d4", "e4", "c4", "e4"))).encode())
    tree = OpeningTree(4)
    tree.add(games)
    expected = [(position.board.epd(), position.games, position.eco) for position in tree]
    names = [array.tolist() for array in tree._storage.other_names()]
    tree._storage.reserve(more, more, more)
    storage = tree._storage
    n, moves = storage.position_count + more, storage.move_count + more
    assert storage.positions.first.size >= n
    assert storage.slots.size >= 2 * n
    assert storage.moves.links.shape[0] >= moves
    assert storage.names.keys.size >= 2 * (int(storage.used[2]) + more)
    for size in (storage.slots.size, storage.names.keys.size):
        assert size & (size - 1) == 0
    assert [(position.board.epd(), position.games, position.eco) for position in tree] == expected
    assert sorted(zip(*(array.tolist() for array in storage.other_names()), strict=True)) == sorted(
        zip(*names, strict=True)
    )
    assert all(tree[position.board] == position for position in tree)
    tree.add(games)
    assert len(tree) == len(expected)
    assert [position.games for position in tree] == [2 * games for _, games, _ in expected]


def test_an_empty_storage_has_room_for_some_rows() -> None:
    storage = Storage()
    first, slots = storage.positions.first, storage.slots
    storage.reserve(1024, 1024, 1024)
    assert storage.positions.first is first
    assert storage.slots is slots
    storage.reserve(1025, 0, 0)
    assert storage.positions.first.size == 1280  # a quarter more
    assert storage.slots.size == 4096
    assert storage.moves.links.shape == (1024, 4)
    storage.reserve(0, 9000, 0)
    assert storage.moves.links.shape == (9000, 4)


@pytest.mark.parametrize(("number", "more"), [(1, ""), (12, ""), (13, "; 1 more moves"), (20, "; 8 more moves")])
def test_a_notebook_shows_twelve_moves(number: int, more: str) -> None:
    moves = [move.uci() for move in Board().legal_moves][:number]
    tree = read_pgn("\n\n".join(f"1. {move} *" for move in moves).encode()).opening_tree()
    html = tree._repr_html_()
    assert html.count("<tr>") == 1 + min(number, 12)
    assert f"<p>{repr(tree)[1:-1]}{more}</p>" in html
