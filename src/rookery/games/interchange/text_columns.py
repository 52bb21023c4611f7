"""Columns of texts as sources: whole PGN texts, or movetext without headers next to columns of headers."""

import contextlib
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.frames.arrow import empty_array, has_arrow_interface, pyarrow_module, whole_array
from rookery.frames.columns import Texts
from rookery.frames.reading import text_column
from rookery.games.headers.header_types import Header, header_column

MOVETEXT: Final = "movetext"
LONGEST_TEXT: Final = 1 << 30  # bytes: offsets in a block have 31 bits
STARTS: Final = ("FEN", "SetUp", "Variant")  # headers that are needed to read moves


class TextColumn(NamedTuple):
    """Texts, each read separately; and the columns of headers next to them, if each row is one game."""

    texts: Texts
    rows: NDArray[np.int64]  # of the source, from 0
    row_headers: dict[str, Header] | None
    skipped: NDArray[np.int64]  # for each row, the bytes and lines in front of its text that are not in the source

    @classmethod
    def of(cls, texts: Texts, row_headers: dict[str, Header] | None) -> Self:
        """Return the column of all texts of a source."""
        sizes = np.diff(texts.offsets)
        if sizes.size and sizes.max() > LONGEST_TEXT:
            raise ValueError(
                f"source: row {sizes.argmax()}: a text of {sizes.max():,} bytes: expected at most {LONGEST_TEXT:,}; a "
                "file, or bytes, may have any length"
            )
        return cls(texts, np.arange(texts.size), row_headers, np.zeros((texts.size, 2), np.int64))

    def chosen(self, rows: NDArray[np.int64]) -> "TextColumn":
        """Return some of the rows."""
        row_headers = (
            None
            if self.row_headers is None
            else {name: column.chosen(rows) for name, column in self.row_headers.items()}
        )
        return TextColumn(self.texts.chosen(rows), self.rows[rows], row_headers, self.skipped[rows])


def is_column(source: Any) -> bool:
    """Check whether a source is a column of texts or a table."""
    return has_arrow_interface(source) or (hasattr(source, "to_numpy") and hasattr(source, "dtype"))


def column_of(source: Any) -> TextColumn:
    """Return the texts of an Arrow array or a column of a data frame, or a table's ``movetext`` and other columns."""
    pa = pyarrow_module()
    if hasattr(source, "__arrow_c_stream__"):
        array = pa.chunked_array(source)
    elif hasattr(source, "__arrow_c_array__"):
        array = pa.chunked_array([pa.array(source)])
    else:
        array = pa.chunked_array([pa.array(source.to_numpy(), from_pandas=True)])
    if not pa.types.is_struct(array.type):
        return TextColumn.of(_texts("source", array), None)
    table = pa.table(source)
    if MOVETEXT not in table.column_names:
        names = ", ".join(table.column_names)
        hint = "; Games.from_arrow reads a table with a column 'moves'" if "moves" in table.column_names else ""
        raise ValueError(
            f"source: a table of {shown(names)}: expected a column {MOVETEXT!r}, or a column of PGN texts itself{hint}"
        )
    texts = _texts(MOVETEXT, table.column(MOVETEXT))
    row_headers = {name: header_column(name, table.column(name)) for name in table.column_names if name != MOVETEXT}
    if not any(name in row_headers for name in STARTS):
        return TextColumn.of(texts, row_headers)
    heads = [_head(row_headers, i) for i in range(texts.size)]
    whole = Texts.of([head + (text or "") for head, text in zip(heads, texts, strict=True)])
    skipped = [(len(head.encode()), head.count("\n")) for head in heads]
    return TextColumn.of(whole, row_headers)._replace(skipped=np.array(skipped, np.int64).reshape(-1, 2))


def headers_in(schema: Any) -> dict[str, Header]:
    """Return the columns of a schema that the language can ask about, without values."""
    found: dict[str, Header] = {}
    for field in schema:
        with contextlib.suppress(TypeError):  # lists and binary data, for instance, are not compared with anything
            found[field.name] = header_column(field.name, empty_array(field.type))
    return found


def _head(columns: dict[str, Header], i: int) -> str:
    """Return the headers of row `i` that state the start position, as PGN."""
    lines = []
    for name in STARTS:
        column = columns.get(name)
        if isinstance(column, Texts) and (text := column.text(i)):
            escaped = text.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'[{name} "{escaped}"]\n')
    return "".join([*lines, "\n"]) if lines else ""


def _texts(name: str, array: Any) -> Texts:
    return text_column(name, whole_array(array))
