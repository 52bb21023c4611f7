"""Tables as HTML, for notebooks."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from rookery.arguments import printable

_ENDS: Final = 5  # rows shown from the beginning, and as many from the end
_LONGEST: Final = 60  # characters of a cell


def shown_text(text: str) -> str:
    """Return a text from a file as HTML, without control characters."""
    return escape(printable(text))


def first_and_last(n: int) -> list[int]:
    """Return the indices of the rows that a table of `n` rows shows: all if they are few.

    >>> first_and_last(3)
    [0, 1, 2]
    >>> first_and_last(1000)
    [0, 1, 2, 3, 4, 995, 996, 997, 998, 999]
    """
    return list(range(n)) if n <= 2 * _ENDS else [*range(_ENDS), *range(n - _ENDS, n)]


def table_html(heads: Sequence[str], rows: Iterable[tuple[object, Sequence[object]]], note: str) -> str:
    """Return a table with a note below it. A row has a name and its cells, of which None is an empty one.

    A row of dots stands where the names of two rows are numbers that do not follow each other.

    >>> text = table_html(["", "move"], [(0, ["e4"]), (9, ["<b>"])], "10 moves")
    >>> '<tr><td colspan="2">...</td></tr><tr><th>9</th><td>&lt;b&gt;</td></tr>' in text
    True
    """
    head = "".join(f"<th>{shown_text(name)}</th>" for name in heads)
    lines, before = [], None
    for name, cells in rows:
        if isinstance(name, int) and isinstance(before, int) and name != before + 1:
            lines.append(f'<tr><td colspan="{len(heads)}">...</td></tr>')
        before = name
        lines.append(f"<tr><th>{shown_text(str(name))}</th>{''.join(map(_cell, cells))}</tr>")
    thead = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f"<div><table>{thead}<tbody>{''.join(lines)}</tbody></table><p>{shown_text(note)}</p></div>"


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f"<td>{shown_text(text if len(text) <= _LONGEST else f'{text[:_LONGEST]}...')}</td>"
