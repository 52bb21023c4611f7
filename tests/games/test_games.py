"""Games as an array: columns and their types, slices, masks, single games, positions."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from rookery import Board, Games, Positions, read_pgn
from rookery.games.positions.game_positions import GamePositions

SAMPLE = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
MIXED = (
    b'[White "A"]\n[WhiteElo "2100"]\n[BlackElo "?"]\n[WhiteRatingDiff "-7"]\n[UTCDate "2024.02.29"]\n'
    b'[UTCTime "23:59:58"]\n[WhiteTitle "GM"]\n[Annotator "me \\"x\\""]\n[Result "1-0"]\n\n'
    b"{first} 1. e4 {[%clk 1:00:00.5] [%eval 0.31,12] good} e5 $1 $14 {[%eval #-2]} (1... c5 (1... e6)) 2. Nf3! "
    b"{[%emt 0:00:07]} 1-0\n\n"
    b'[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 3 40"]\n[SetUp "1"]\n[UTCDate "2023.02.29"]\n[White "M\xfcller"]\n\n'
    b"40. a8=Q+ Ke7 1/2-1/2\n\n"
    b"1. e4 e5 2. Ke3 *\n\n"
    b'[Variant "Chess960"]\n\n1. e4 *\n'
)


def mixed() -> Games:
    return read_pgn(MIXED)


def test_columns_have_types() -> None:
    games = read_pgn(MIXED)
    assert games["WhiteElo"].dtype == np.int16
    assert games["WhiteElo"].tolist() == [2100, None, None, None]
    assert games["BlackElo"].tolist() == [None] * 4
    assert games["WhiteRatingDiff"].tolist() == [-7, None, None, None]
    assert games["UTCDate"].astype(str).tolist() == ["2024-02-29", "NaT", "NaT", "NaT"]
    assert games["UTCTime"].astype("m8[s]").tolist()[0].total_seconds() == 86398
    assert games["White"].tolist() == ["A", "Müller", None, None]
    assert games["WhiteTitle"].tolist() == ["GM", None, None, None]
    assert games["Result"].tolist() == ["1-0", "1/2-1/2", "*", "*"]
    assert games.scores.tolist() == [1, 3, 0, 0]
    assert list(games.headers) == [
        *("Event", "Site", "Date", "Round", "White", "Black", "UTCDate", "UTCTime", "WhiteElo", "BlackElo"),
        *("WhiteRatingDiff", "BlackRatingDiff", "WhiteTitle", "BlackTitle", "ECO", "Opening", "TimeControl"),
        "Termination",
    ]
    some = read_pgn(MIXED, headers=["Annotator", "White", "BlackElo"])
    assert list(some.headers) == ["Annotator", "White", "BlackElo"]
    assert some["Annotator"].tolist() == ['me "x"', None, None, None]
    assert some["BlackElo"].tolist() == [None] * 4
    known = "file, number, Result, date, year, base, increment, speed, Annotator, White, BlackElo"
    with pytest.raises(KeyError, match=f"column 'Elo': expected one of {known}"):
        some["Elo"]


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        *(
            ("1970.01.01", "1970-01-01"),
            ("2000.02.29", "2000-02-29"),
            ("1900.02.29", "NaT"),
            ("1900.03.01", "1900-03-01"),
        ),
        *(("0001.01.01", "0001-01-01"), ("9999.12.31", "9999-12-31"), ("2024.13.01", "NaT"), ("2024.00.10", "NaT")),
        *(("????.??.??", "NaT"), ("2024.1.1", "2024-01-01"), ("2024-01-01", "2024-01-01"), ("2024.04.31", "NaT")),
        ("", "NaT"),
    ],
)
def test_dates(date: str, expected: str) -> None:
    assert str(read_pgn(f'[UTCDate "{date}"]\n\n*'.encode())["UTCDate"][0]) == expected


@pytest.mark.parametrize(
    ("elo", "expected"),
    [("0", 0), ("+12", 12), ("-3", -3), ("32767", 32767), ("32768", None), ("1500?", None), ("", None), ("-", None)],
)
def test_numbers(elo: str, expected: int | None) -> None:
    assert read_pgn(f'[WhiteElo "{elo}"]\n\n*'.encode())["WhiteElo"].tolist() == [expected]


def test_values_of_plies() -> None:
    games = read_pgn(MIXED)
    assert games.plies.tolist() == [3, 2, 2, 1]
    nan = np.nan
    np.testing.assert_array_equal(games.clocks, np.array([3600.5, *[nan] * 7], np.float32))
    np.testing.assert_array_equal(games.evals, np.array([0.31, -998, *[nan] * 6], np.float32))
    np.testing.assert_array_equal(games.emts, np.array([nan, nan, 7, *[nan] * 5], np.float32))
    assert np.isnan(read_pgn(MIXED, clocks=False).clocks).all()


def test_remarks() -> None:
    games = mixed()
    assert games.nags is not None
    assert games.variations is not None
    assert games.comments is not None
    assert games.nags.rows(0) == [(2, 1, 0), (2, 14, 0), (3, 1, 0)]
    assert games.variations.rows(0) == [(2, "1... c5 (1... e6)")]
    assert games.comments.rows(0)[0] == (0, "first", 0)
    assert games[0].movetext().nags == {2: [1, 14], 3: [1]}
    assert games[0].movetext().variations == {2: ["1... c5 (1... e6)"]}
    assert games[0].movetext().comments[1] == "[%clk 1:00:00.5] [%eval 0.31,12] good"
    assert games[0].headers["Annotator"] == 'me "x"'
    odd = read_pgn(b"1. e4 () ( 1. d4 ) (1. c4", variations=True)
    assert odd.variations is not None
    assert odd.variations.rows(0) == [(1, ""), (1, " 1. d4 ")]  # one that is open is none
    assert odd[0].movetext().variations == {1: ["", "1. d4"]}
    plain = read_pgn(MIXED, headers=["White"], comments=False, nags=False, variations=False)
    assert (plain.nags, plain.variations, plain.comments, plain.tags) == (None, None, None, None)
    assert plain[0].movetext().variations == {}


def test_single_games() -> None:
    games = read_pgn(MIXED)
    assert games[1].start == "4k3/P7/8/8/8/8/8/4K3 w - - 3 40"
    assert games[1].end().board().fen() == "Q7/4k3/8/8/8/8/8/4K3 w - - 1 41"
    assert games[-1].board().chess960
    assert games[0].headers["UTCDate"] == "2024.02.29"
    assert games[0].headers["UTCTime"] == "23:59:58"
    assert games[0].headers["WhiteRatingDiff"] == "-7"
    assert [str(game.result) for game in games] == ["1-0", "1/2-1/2", "*", "*"]
    with pytest.raises(IndexError, match="index: 4 is outside the 4 games"):
        games[4]


def test_slices_masks_and_concatenation() -> None:
    games = mixed()
    whole = list(games)
    assert list(games[1:3]) == whole[1:3]
    assert list(games[::-2]) == whole[::-2]
    assert list(games[[3, 0, 0, -1]]) == [whole[3], whole[0], whole[0], whole[3]]
    assert list(games[games.scores > 0]) == whole[:2]
    assert list(games[games["WhiteElo"] > 2000]) == whole[:1]
    assert list(games[[]]) == list(games[2:2]) == list(games[3:1]) == []
    assert games[2:].errors == games[[2]].errors == games.errors
    assert games[:2].errors == ()
    assert games[2:].is_bad.tolist() == [True, False]
    parts = [games[:1], games[1:3], games[3:]]
    again = Games.concatenate(parts)
    assert list(again) == whole
    assert again.errors == games.errors
    assert np.array_equal(again.clocks, games.clocks, equal_nan=True)
    assert again.starts == games.starts
    assert np.shares_memory(games[1:3].moves.moves, games.moves.moves)
    assert repr(games) == "<4 games, 8 plies, 1 bad>"
    assert len(Games.concatenate([])) == 0
    with pytest.raises(ValueError, match=r"parts\[1\]: columns "):
        Games.concatenate([games, read_pgn(MIXED, headers=["White"])])
    with pytest.raises(IndexError, match="index: a mask of 3 values for 4 games"):
        games[np.array([True, False, True])]
    with pytest.raises(IndexError, match="outside the 4 games"):
        games[[4]]
    with pytest.raises(TypeError, match="expected an int, a name, a slice"):
        games[[1.5]]  # type: ignore[list-item]


def test_errors() -> None:
    (error,) = read_pgn(MIXED).errors
    assert (error.game, error.place, error.move) == (3, "move 2.", "Ke3")
    assert MIXED[error.offset :].startswith(b"Ke3")
    assert (
        error.reason == "SAN move: 'Ke3' is not legal in 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'"
    )
    assert read_pgn(MIXED).parse_errors.tolist() == [None, None, str(error), None]


# Positions.


def positions_one_by_one(games: Games) -> list[list[Board]]:
    return [list(game.positions()) for game in games]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("every", "start", "stop"), [(1, 0, None), (2, 0, None), (3, 1, 20), (5, 4, 4), (1, 30, 1000)])
def test_positions(every: int, start: int, stop: int | None, threads: int) -> None:
    games = Games.concatenate([read_pgn(SAMPLE), read_pgn(MIXED)])
    boards = positions_one_by_one(games)
    chosen = {
        "before": [list(range(len(game) - 1))[start:stop:every] for game in boards],
        "after": [list(range(1, len(game)))[start:stop:every] for game in boards],
        "all": [list(range(len(game)))[start:stop:every] for game in boards],
        "last": [[len(game) - 1] for game in boards],
    }
    for when, plies in chosen.items():
        found = games.positions(when, every=every, start=start, stop=stop, threads=threads)  # type: ignore[arg-type]
        assert found.game.tolist() == [i for i, some in enumerate(plies) for _ in some]
        assert found.ply.tolist() == [ply for some in plies for ply in some]
        expected = [boards[i][ply] for i, some in enumerate(plies) for ply in some]
        assert found == Positions.from_boards(expected)
        blocks = list(
            games.position_blocks(50, when=when, every=every, start=start, stop=stop)  # type: ignore[arg-type]
        )
        assert Positions.concatenate(blocks) == found
        assert np.array_equal(np.concatenate([b.game for b in blocks]), found.game)
        assert all(len(block) <= 50 or len(set(block.game)) == 1 for block in blocks)


def test_positions_keep_their_games() -> None:
    positions = read_pgn(SAMPLE).positions()
    part = positions[positions.ply == 10]
    assert isinstance(part, GamePositions)
    assert part.game.tolist() == list(range(12))
    assert positions[5:9].ply.tolist() == [5, 6, 7, 8]
    assert positions[[7, 3]].ply.tolist() == [7, 3]
    assert positions[3].fen() == positions[3:4].to_fens()[0]
    again = pickle.loads(pickle.dumps(part))
    assert again == part
    assert again.game.tolist() == part.game.tolist()


def test_wrong_choices() -> None:
    games = read_pgn(MIXED)
    with pytest.raises(ValueError, match="when: 'during': expected 'before', 'after', 'all' or 'last'"):
        games.positions("during")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="every: 0: expected an int of at least 1"):
        games.positions(every=0)
    with pytest.raises(ValueError, match="start: -1: expected an int of at least 0"):
        games.positions(start=-1)
    with pytest.raises(ValueError, match="size: 0: expected an int of at least 1"):
        games.position_blocks(0)


def test_policy_index_of_games() -> None:
    """The moves of games are those that were played in their positions, whichever of these were chosen."""
    games = read_pgn(SAMPLE)
    positions = games.positions()
    every = positions.policy_index(games.moves.moves)
    assert np.array_equal(positions.policy_index(games.moves), every)
    assert np.array_equal(
        positions[::3].policy_index(games.moves, "leela"), positions.policy_index(games.moves, "leela")[::3]
    )
    assert np.array_equal(
        games.positions(every=5, start=3).policy_index(games.moves),
        every[(positions.ply >= 3) & (positions.ply % 5 == 3)],
    )
    blocks = [block.policy_index(games.moves) for block in games.position_blocks(100)]
    assert np.array_equal(np.concatenate(blocks), every)
    plain = Positions.from_numpy(positions.to_numpy())
    assert np.array_equal(plain.policy_index(games.moves), every)
    with pytest.raises(ValueError, match=r"^moves: 633 moves for 632 positions: expected one for each"):
        plain[1:].policy_index(games.moves)
    with pytest.raises(ValueError, match=r"^moves: position 0 comes after the last move of game 0"):
        games.positions("last").policy_index(games.moves)
    with pytest.raises(ValueError, match=r"^moves: of 3 games: expected those of all games, 12 at least"):
        positions.policy_index(games[:3].moves)
