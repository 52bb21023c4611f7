"""Games as an HTML table, for notebooks."""

from typing import Any, Final

from rookery.games.columns import header_text
from rookery.games.scan.tags import RESULTS
from rookery.pgn.game_html import shown_text

_ROWS: Final = 5  # shown from the beginning, and as many from the end
_COLUMNS: Final = 12
_LONGEST: Final = 60  # characters of a cell


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
    shown = list(range(n)) if n <= 2 * _ROWS else [*range(_ROWS), *range(n - _ROWS, n)]
    names = [
        name for name in games.headers if any(header_text(name, games.headers[name], i) is not None for i in shown)
    ]
    left_out = max(len(names) - _COLUMNS, 0)
    names = names[:_COLUMNS]
    faults = games.parse_errors
    has_faults = any(faults[i] is not None for i in shown)
    heads = ["", *names, "Result", "plies", *(["fault"] if has_faults else [])]
    rows = []
    for k, i in enumerate(shown):
        if k and shown[k - 1] != i - 1:
            rows.append(f'<tr><td colspan="{len(heads)}">...</td></tr>')
        cells = [
            *(header_text(name, games.headers[name], i) for name in names),
            RESULTS[games.scores[i]],
            str(games.plies[i]),
        ]
        cells += [faults[i]] if has_faults else []
        rows.append(f"<tr><th>{i}</th>{''.join(map(_cell, cells))}</tr>")
    bad = int(games.is_bad.sum())
    note = f"{n:,} {'game' if n == 1 else 'games'}, {games.moves.moves.size:,} half-moves"
    note += f", {bad:,} bad" if bad else ""
    note += f"; {left_out} more {'column' if left_out == 1 else 'columns'}" if left_out else ""
    head = "".join(f"<th>{shown_text(name)}</th>" for name in heads)
    return f"<div><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table><p>{note}</p></div>"


def _cell(text: str | None) -> str:
    text = text or ""
    return f"<td>{shown_text(text if len(text) <= _LONGEST else f'{text[:_LONGEST]}...')}</td>"
