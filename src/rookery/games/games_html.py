"""Games as an HTML table, for notebooks."""

from typing import Any, Final

from rookery.frames.html_tables import first_and_last, table_html
from rookery.games.headers import header_text
from rookery.pgn.scan.lexing.vocabulary import RESULTS

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
