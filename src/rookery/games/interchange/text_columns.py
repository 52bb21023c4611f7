"""Columns of texts as sources: whole PGN texts, or bare movetext beside other columns, as datasets have it."""

import contextlib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.games.columns import Numbers, Texts
from rookery.games.cuts import BLOCK, Block, Buffers
from rookery.games.interchange.header_columns import header_column, text_column, whole_array
from rookery.positions.arrow import pyarrow_module

MOVETEXT: Final = "movetext"
LONGEST_TEXT: Final = 1 << 30  # bytes: places in a block are numbers of 31 bits
STARTS: Final = ("FEN", "SetUp", "Variant")  # headers that moves cannot be read without


class TextColumn(NamedTuple):
    """Texts end to end, each read for itself; and the columns beside them, if there is to be one game a row."""

    texts: Texts
    rows: NDArray[np.int64]  # of the source, from 0
    beside: dict[str, Numbers | Texts] | None
    skipped: NDArray[np.int64]  # bytes and lines put before each text that are not the source's, a pair a row

    @classmethod
    def of(cls, texts: Texts, beside: dict[str, Numbers | Texts] | None) -> Self:
        """A column as it is."""
        sizes = np.diff(texts.offsets)
        if sizes.size and sizes.max() > LONGEST_TEXT:
            raise ValueError(
                f"source: row {sizes.argmax()}: a text of {sizes.max():,} bytes: expected at most {LONGEST_TEXT:,}; a "
                "file, or bytes, may have any length"
            )
        return cls(texts, np.arange(texts.size), beside, np.zeros((texts.size, 2), np.int64))

    def chosen(self, rows: NDArray[np.int64]) -> "TextColumn":
        """Some of its rows."""
        beside = None if self.beside is None else {name: column.chosen(rows) for name, column in self.beside.items()}
        return TextColumn(self.texts.chosen(rows), self.rows[rows], beside, self.skipped[rows])


def is_column(source: Any) -> bool:
    """Whether a source is a column of texts, or a table."""
    arrow = hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")
    return arrow or (hasattr(source, "to_numpy") and hasattr(source, "dtype"))


def column_of(source: Any) -> TextColumn:
    """The texts of an Arrow array or of a data frame's column; or of a table's column ``movetext``, and the others."""
    arrow = pyarrow_module()
    if hasattr(source, "__arrow_c_stream__"):
        array = arrow.chunked_array(source)
    elif hasattr(source, "__arrow_c_array__"):
        array = arrow.chunked_array([arrow.array(source)])
    else:
        array = arrow.chunked_array([arrow.array(source.to_numpy(), from_pandas=True)])
    if not arrow.types.is_struct(array.type):
        return TextColumn.of(_texts("source", array), None)
    table = arrow.table(source)
    if MOVETEXT not in table.column_names:
        names = ", ".join(table.column_names)
        hint = "; Games.from_arrow reads a table with a column 'moves'" if "moves" in table.column_names else ""
        raise ValueError(
            f"source: a table of {shown(names)}: expected a column {MOVETEXT!r}, or a column of PGN texts itself{hint}"
        )
    texts = _texts(MOVETEXT, table.column(MOVETEXT))
    beside = {name: header_column(name, table.column(name)) for name in table.column_names if name != MOVETEXT}
    if not any(name in beside for name in STARTS):
        return TextColumn.of(texts, beside)
    heads = [_head(beside, i) for i in range(texts.size)]
    whole = Texts.of([head + (text or "") for head, text in zip(heads, texts, strict=True)])
    skipped = [(len(head.encode()), head.count("\n")) for head in heads]
    return TextColumn.of(whole, beside)._replace(skipped=np.array(skipped, np.int64).reshape(-1, 2))


def kinds_of(schema: Any) -> dict[str, Numbers | Texts]:
    """The columns of a schema that stand beside movetext, without values."""
    arrow = pyarrow_module()
    kinds: dict[str, Numbers | Texts] = {}
    for field in schema:
        with contextlib.suppress(TypeError):  # lists, for instance, are not compared with anything
            kinds[field.name] = header_column(field.name, arrow.chunked_array([], field.type))
    return kinds


def _head(columns: dict[str, Numbers | Texts], i: int) -> str:
    """The headers of a row that say where its game begins."""
    lines = []
    for name in STARTS:
        column = columns.get(name)
        if isinstance(column, Texts) and (text := column.text(i)):
            escaped = text.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'[{name} "{escaped}"]\n')
    return "".join([*lines, "\n"]) if lines else ""


def _texts(name: str, array: Any) -> Texts:
    return text_column(name, whole_array(array))


def blocks_of(texts: Texts, buffers: Buffers) -> Iterator[tuple[Block, NDArray[np.int64]]]:
    """Blocks of whole texts, which know the first one's row, and where each begins and ends."""
    offsets, row = texts.offsets, 0
    while row < texts.size:
        start = int(offsets[row])
        stop = max(int(np.searchsorted(offsets, start + BLOCK, side="right")) - 1, row + 1)
        size = int(offsets[stop]) - start
        block = buffers.block(max(size, BLOCK))
        block.text[:size] = texts.data[start : start + size]
        block.stop, block.row = size, row
        ranges = np.ones((stop - row, 3), np.int64)
        ranges[:, 0] = offsets[row:stop] - start
        ranges[:, 1] = offsets[row + 1 : stop + 1] - start
        yield block, ranges
        row = stop
