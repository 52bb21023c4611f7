"""Games as other objects: one as a `rookery.pgn.Game`, the first and the last ones as an HTML table."""

import itertools
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.board.moves import CHESS960, CLASSICAL, Move
from rookery.frames.columns import Lists
from rookery.frames.html_tables import first_and_last, table_html
from rookery.games.game_columns import PLY_VALUES, GameColumns
from rookery.games.headers.header_types import header_text
from rookery.games.write.movetext import PER_VALUE, write_value_comments
from rookery.pgn import faults
from rookery.pgn.headers import Headers
from rookery.pgn.scan.lexing.vocabulary import RESULTS, ROSTER
from rookery.pgn.scan.output import PAD
from rookery.pgn.tree.game import Game
from rookery.pgn.tree.growth import movetext_of
from rookery.rules.notation.start import START


def game_at(games: GameColumns, i: int) -> Game:
    """Return game `i` with everything that was read of it."""
    headers = headers_at(games, i)
    first, last = games.plies.offsets[i : i + 2].tolist()
    moves = _moves(games, i, games.plies.columns["moves"][first:last])
    comments = [(ply, text, 0) for ply, text in _value_comments(games, i).items()] + _rows(games.comments, i)
    for row, error in games.errors.of_rows:
        if row == i:
            comments.insert(0, (len(moves), faults.mark(error.place, error.reason), 0))
            break
    comments.sort(key=lambda row: row[0])
    movetext = movetext_of(moves, _rows(games.nags, i), comments, _rows(games.variations, i))
    game = Game(Headers.unchecked(headers), *movetext)
    if not games.headers.keys() >= set(ROSTER) - {"Result"}:
        game.headers = Headers.unchecked(headers)  # a header that was not read is missing, not "?"
    return game


def _moves(games: GameColumns, i: int, words: NDArray[np.uint16]) -> list[Move]:
    """Return the moves of game `i`."""
    place = int(games.starts.places[i])
    moves = CHESS960 if place >= 0 and games.starts.table.chess960[place] else CLASSICAL
    return list(map(moves.__getitem__, words.tolist()))


def _rows(lists: Lists | None, i: int) -> list[tuple[Any, ...]]:
    """Return the rows of list `i`, none if there are no lists."""
    if lists is None or lists.offsets[i] == lists.offsets[i + 1]:
        return []
    return lists.rows(i)


def headers_at(games: GameColumns, i: int) -> dict[str, str]:
    """Return the headers of game `i` as in PGN: the roster, other columns, other tags, the start position."""
    texts = {name: header_text(name, column, i) for name, column in games.headers.items()}
    found = {name: text for name, text in texts.items() if text is not None}
    found |= dict(_rows(games.tags, i))
    if games.starts.places[i] >= 0 and "FEN" not in found:
        start = games.starts.board(i)
        if start.chess960:
            found.setdefault("Variant", "Chess960")
        fen = start.fen(en_passant="fen")
        if fen != START:
            found |= {"SetUp": "1", "FEN": fen}
    found.setdefault("Result", RESULTS[games.scores[i]])
    return {name: found[name] for name in ROSTER if name in found} | found


def _value_comments(games: GameColumns, i: int) -> dict[int, str]:
    """Return the clocks, evaluations and times of game `i` as comments, by the number of half-moves before them."""
    plies = games.plies.columns
    first, last = games.plies.offsets[i : i + 2].tolist()
    values = [np.array(plies.get(name, ())[first:last], np.float32) for name in PLY_VALUES]
    if all(np.isnan(column).all() for column in values):
        return {}
    lists = games.comments
    stated = np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros(PAD, np.uint8)
    if lists is not None and lists.offsets[i] < lists.offsets[i + 1]:
        own = lists.cut(i, i + 1).columns
        stated = np.array(own["ply"]), np.array(own["text"].offsets), np.append(own["text"].data, stated[2])
    out = np.empty(3 * PER_VALUE * (last - first), np.uint8)
    ends = np.zeros(last - first + 1, np.int64)
    size = int(write_value_comments(out, *values, *stated, ends))
    text = out[:size].tobytes().decode()
    return {ply: text[a : b - 1] for ply, (a, b) in enumerate(itertools.pairwise(ends.tolist()), 1) if a < b}


_COLUMNS: Final = 12


def games_html(games: Any) -> str:
    r"""Return an HTML table of the first and the last games.

    It has the headers that any of these games has, the result and the number of half-moves.

    >>> from rookery.games.read.reader import read_pgn
    >>> text = games_html(read_pgn(b'[White "Anna & Bert"]\n\n1. e4 e5 1-0'))
    >>> "<td>Anna &amp; Bert</td><td>1-0</td><td>2</td>" in text
    True
    >>> text.endswith("<p>1 game, 2 half-moves</p></div>")
    True
    """
    n = len(games)
    shown = first_and_last(n)
    names = [
        name for name in games.headers if any(header_text(name, games.headers[name], i) is not None for i in shown)
    ]
    left_out = max(len(names) - _COLUMNS, 0)
    names = names[:_COLUMNS]
    faults = games.parse_errors
    has_faults = any(faults[i] is not None for i in shown)
    rows = []
    for i in shown:
        cells = [
            *(header_text(name, games.headers[name], i) for name in names),
            RESULTS[games.scores[i]],
            games.plies[i],
        ]
        rows.append((i, [*cells, *([faults[i]] if has_faults else [])]))
    bad = int(games.is_bad.sum())
    note = f"{n:,} {'game' if n == 1 else 'games'}, {games.moves.moves.size:,} half-moves"
    note += f", {bad:,} bad" if bad else ""
    note += f"; {left_out} more {'column' if left_out == 1 else 'columns'}" if left_out else ""
    return table_html(["", *names, "Result", "plies", *(["fault"] if has_faults else [])], rows, note)
