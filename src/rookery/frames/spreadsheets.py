"""Texts in Arrow tables that a spreadsheet would run: marked when a table is written, and read back."""

from typing import Any, Final

import numpy as np

from rookery.frames.arrow import compute_module, pyarrow_module
from rookery.sources.csv_text import harmless

_RUN_PATTERN: Final = "^'*[=@\t\r]"  # what `rookery.sources.csv_text.harmless` marks, for Arrow
_WRITTEN_PATTERN: Final = "^'('*[=@\t\r])"
_MAY_RUN: Final = np.isin(np.arange(256), list(b"'=@\t\r"))


def harmless_table(table: Any) -> Any:
    """Return an Arrow table or record batch whose texts and names are as `harmless` returns them."""
    pc = compute_module()

    def written(column: Any) -> Any:
        marked = pc.match_substring_regex(column, _RUN_PATTERN)
        return pc.if_else(marked, pc.binary_join_element_wise("'", column, ""), column)

    columns = [written(column) if _may_run(column) else column for column in table.columns]
    return type(table).from_arrays(columns, names=[harmless(name) for name in table.schema.names])


def table_as_it_was(table: Any) -> Any:
    """Return an Arrow table of texts as `harmless_table` was given it; names stay as they are."""
    pc = compute_module()

    def read(column: Any) -> Any:
        return pc.replace_substring_regex(column, _WRITTEN_PATTERN, r"\1")

    columns = [read(column) if _may_run(column) else column for column in table.columns]
    return type(table).from_arrays(columns, names=table.schema.names)


def _may_run(column: Any) -> bool:
    """Check whether a column has a text that begins like one that a spreadsheet runs, or with an apostrophe."""
    pa = pyarrow_module()
    if not pa.types.is_string(column.type):
        return False
    for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        _, offsets, data = chunk.buffers()
        if data is not None and len(chunk):
            places = np.frombuffer(offsets, np.int32)[chunk.offset : chunk.offset + len(chunk) + 1]
            firsts = np.frombuffer(data, np.uint8)[places[:-1][np.diff(places) > 0]]
            if _MAY_RUN[firsts].any():
                return True
    return False
