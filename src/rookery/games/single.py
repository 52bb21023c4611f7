"""One game of `Games` as a `rookery.pgn.Game`."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rookery.games import movetext
from rookery.games.columns import Lists, Texts
from rookery.games.signs import PAD
from rookery.games.tags import RESULTS, ROSTER
from rookery.rules.fen import START
from rookery.rules.moves import Move
from rookery.rules.pgn_game import Game
from rookery.rules.pgn_variations import normal
from rookery.rules.pgn_writer import one_line

if TYPE_CHECKING:
    from rookery.games.games import Games

_VALUES: Final = ("clocks", "evals", "emts")


def game_at(games: "Games", i: int) -> Game:
    """Return game `i` with all that was kept of it."""
    headers = headers_at(games, i)
    moves = [Move(word) for word in games.moves[i].tolist()]
    comments: dict[int, str] = {}
    for ply, text in [*_value_comments(games, i), *(games.comments.rows(i) if games.comments else ())]:
        if tidy := one_line(text):
            comments[ply] = f"{comments[ply]} {tidy}" if ply in comments else tidy
    comments = dict(sorted(comments.items()))
    nags: dict[int, list[int]] = {}
    for ply, nag in games.nags.rows(i) if games.nags else ():
        nags.setdefault(ply, []).append(nag)
    variations: dict[int, list[str]] = {}
    for ply, text in games.variations.rows(i) if games.variations else ():
        variations.setdefault(ply, []).append(normal(text))
    game = Game(headers, moves, comments, nags, variations)
    if not games.headers.keys() >= set(ROSTER) - {"Result"}:
        game.headers = headers  # what was not read is not unknown
    return game


def headers_at(games: "Games", i: int) -> dict[str, str]:
    """Return the headers of game `i` as PGN has them: the roster, other columns, other tags, the start position."""
    found = {name: text for name in games.headers if (text := _header_text(games.headers[name], name, i)) is not None}
    if games.tags is not None:
        found |= dict(games.tags.rows(i))
    if games.start_places[i] >= 0:
        start = games.board(i)
        if start.chess960:
            found.setdefault("Variant", "Chess960")
        fen = start.fen(en_passant="fen")
        if fen != START and "FEN" not in found:
            found |= {"SetUp": "1", "FEN": fen}
    found["Result"] = RESULTS[games.scores[i]]
    return {name: found[name] for name in ROSTER if name in found} | found


def _header_text(column: Any, name: str, i: int) -> str | None:
    """Return a value of a column as PGN has it."""
    if isinstance(column, Texts):
        return column.text(i)
    if not column.valid[i]:
        return None
    value = column.values[i]
    if column.values.dtype.kind == "M":
        return str(value).replace("-", ".")
    if column.values.dtype.kind == "m":
        seconds = int(value.astype(np.int64))
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{int(value):+}" if name.endswith("Diff") else str(int(value))


def _value_comments(games: "Games", i: int) -> list[tuple[int, str]]:
    """Return the clocks, evaluations and times of game `i` as comments, each with the half-moves before it."""
    parts = games.parts()
    first, last = games.moves.offsets[i : i + 2].tolist()
    values = [np.array(parts["plies"].get(name, ())[first:last], np.float32) for name in _VALUES]
    if all(np.isnan(column).all() for column in values):
        return []
    lists: Lists | None = games.comments
    none: dict[str, Any] = {"ply": np.zeros(0, np.int32), "text": Texts.of([])}
    own = none if lists is None else lists.cut(i, i + 1).columns
    texts: Texts = own["text"]
    data = np.zeros(texts.data.size + PAD, np.uint8)
    data[: texts.data.size] = texts.data
    out = np.empty(3 * movetext.PER_VALUE * (last - first), np.uint8)
    ends = np.zeros(last - first + 1, np.int64)
    plies = np.array(own["ply"], np.int32)
    movetext.write_value_comments(out, *values, plies, np.array(texts.offsets), data, ends)
    written = Texts(ends, out, np.ones(last - first, np.bool_))
    return [(ply + 1, text) for ply, text in enumerate(written) if text]
