"""Statistics of training data, as plain Python and python-chess count them."""

import io
from collections import Counter
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest
import zstandard

import rookery
from naive_training import Entry
from rookery import ScoredPositions, read_pgn, scan_pgn, training_stats, write_training
from training_samples import game, games, rows_of

DATA = Path(__file__).parents[3] / "docs/lichess-2025-05.pgn.zst"
WEIGHTS = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
NAMES = {1: "won", 0: "drawn", -1: "lost", None: "unknown"}


def naive(entries: list[Entry], score_bin: int, ply_bin: int) -> dict[str, object]:
    """What `training_stats` counts, row by row; a score or result of None is missing, and so is a null move."""
    found: dict[str, Counter[object]] = {
        name: Counter() for name in ("results", "white_results", "scores", "plies", "pieces", "phases", "moves")
    }
    found["results"] += Counter(dict.fromkeys(NAMES.values(), 0))
    scores, missing, mates, beginnings = [], 0, 0, 0
    before: tuple[int, int | None] | None = None
    for board, move, score, result, ply in entries:
        white = result if result is None or board.turn else -result
        beginnings += before is None or ply <= before[0] or white != before[1]
        before = ply, white
        found["results"][NAMES[result]] += 1
        found["white_results"][NAMES[white]] += 1
        if score is None:
            missing += 1
        elif abs(score) >= 31_000:
            mates += 1
        else:
            scores.append(abs(score))
            found["scores"][score // score_bin * score_bin] += 1
        found["plies"][ply // ply_bin * ply_bin] += 1
        found["pieces"][len(board.piece_map())] += 1
        found["phases"][sum(WEIGHTS.get(piece.piece_type, 0) for piece in board.piece_map().values())] += 1
        found["moves"]["missing"] += not move
        found["moves"]["captures"] += bool(move) and board.is_capture(move)
        found["moves"]["promotions"] += bool(move) and move.promotion is not None
        found["moves"]["castling"] += bool(move) and board.is_castling(move)
    counted = {name: {key: n for key, n in counts.items() if n} for name, counts in found.items()}
    mean = sum(scores) / len(scores) if scores else None
    return {
        "rows": len(entries),
        "games": beginnings,
        "no_score": missing,
        "mates": mates,
        "mean_score": mean,
        **counted,
    }


def without_zeros(stats: object) -> dict[str, object]:
    document = stats._asdict()  # type: ignore[attr-defined]
    return {
        name: {key: n for key, n in value.items() if n} if isinstance(value, dict) else value
        for name, value in document.items()
    }


@pytest.mark.parametrize("kind", ["binpack", "viriformat", "plain", "packed-sfen"])
@pytest.mark.parametrize(("score_bin", "ply_bin"), [(100, 10), (7, 1)])
def test_files_of_every_format_are_counted(kind: str, score_bin: int, ply_bin: int) -> None:
    entries = [entry for entry in games(40) if entry.board.halfmove_clock < 128]
    file = io.BytesIO()
    assert write_training(rows_of(entries), file, kind).written == len(entries)
    found = without_zeros(training_stats(file.getvalue(), kind, score_bin=score_bin, ply_bin=ply_bin))
    expected = naive(entries, score_bin, ply_bin)
    assert found.pop("mean_score") == pytest.approx(expected.pop("mean_score"))
    assert found == expected


def test_games_of_a_real_file_are_counted() -> None:
    text = zstandard.ZstdDecompressor().decompressobj().decompress(DATA.read_bytes()).decode()
    handle, entries = io.StringIO(text), []
    while (one := chess.pgn.read_game(handle)) is not None:
        result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(one.headers["Result"])
        nodes = [one, *one.mainline()]
        for node, after in zip(nodes, [*nodes[1:], None], strict=True):
            board, ply = node.board(), node.ply()
            score = node.eval().pov(board.turn).score(mate_score=100_000) if node.eval() else None
            score = None if score is None else 32_000 if score > 50_000 else -32_000 if score < -50_000 else score
            own = result if result is None or board.turn else -result
            entries.append(Entry(board, after.move if after else chess.Move.null(), score, own, ply))  # type: ignore[arg-type]
    expected = naive(entries, 100, 10)
    for source in (read_pgn(DATA), scan_pgn(DATA), ScoredPositions.from_games(read_pgn(DATA))):
        found = without_zeros(training_stats(source))
        assert found.pop("mean_score") == pytest.approx(expected["mean_score"])
        assert found == {name: value for name, value in expected.items() if name != "mean_score"}


def test_a_query_selects_rows_and_batches_do_not_matter() -> None:
    rows = rows_of(games(40))
    assert training_stats(rows, query="ply > 20") == training_stats(rows.where("ply > 20"))
    parts = [rows[i : i + 7] for i in range(0, len(rows), 7)]
    assert training_stats(parts) == training_stats(rows)
    assert training_stats(rows[:0]).rows == 0
    assert training_stats([]).mean_score is None


def test_odd_values_are_counted() -> None:
    boards = [entry.board for entry in game(1, plies=3)]
    positions = rookery.Positions.from_fens([board.fen() for board in boards])
    rows = ScoredPositions(positions, scores=[-32_768, 32_767, -31_000], plies=[-5, 2_000_000, 4095])
    stats = training_stats(rows, ply_bin=1)
    assert (stats.no_score, stats.mates, stats.mean_score, stats.scores) == (1, 2, None, {})
    assert stats.plies == {0: 1, 4095: 2}
    assert stats.results["unknown"] == stats.white_results["unknown"] == 3
    assert np.all(np.array(list(stats.moves.values())) == [3, 0, 0, 0])


def test_what_is_no_training_data_is_an_error() -> None:
    with pytest.raises(TypeError, match="source: 5: expected a file of training data, ScoredPositions or Games"):
        training_stats([5])
    with pytest.raises(ValueError, match="score_bin"):
        training_stats(rows_of(games(40)), score_bin=0)
