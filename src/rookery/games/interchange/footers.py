"""The footers of Parquet files, which say where their columns are."""

from pathlib import Path
from typing import Any, Final

from rookery.frames.arrow import parquet_file


class Footers:
    """The footers of Parquet files: threads that read ranges of one file parse it once, since it may be large."""

    _MOST: Final = 4

    def __init__(self) -> None:
        self._known: dict[Any, tuple[Any, Any]] = {}

    def opened(self, file: Any, content: Any) -> tuple[Any, Any]:
        """Open a Parquet file; return it and its schema. `content` is what was opened as `file`: a path, or bytes."""
        identity = None
        if isinstance(content, Path):
            found = content.stat()
            identity = found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
        metadata, schema = self._known.get(identity, (None, None))
        # No buffer for a whole row group: some files have all their games in one.
        opened = parquet_file(file, metadata=metadata, pre_buffer=False)
        if schema is None:
            # Unlike `schema_arrow`, this has all metadata. A read with threads would make all later ones use threads.
            schema = opened.read_row_groups([], use_threads=False).schema
            if identity is not None:
                if len(self._known) >= self._MOST:
                    self._known.clear()
                self._known[identity] = opened.metadata, schema
        return opened, schema
