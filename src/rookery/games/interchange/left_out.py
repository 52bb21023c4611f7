"""Errors and warnings of games that were left out and of files: no row has them, so they go into a table's metadata."""

import contextlib
import json
from collections.abc import Mapping
from typing import Any, Final

from rookery.arguments import is_number, shown
from rookery.games.errors import GameError
from rookery.games.game_columns import GameColumns, Report
from rookery.sources.files import parse_json

_ERRORS: Final = b"rookery games left out"
_WARNINGS: Final = b"rookery games warnings left out"
_MOST: Final = 10_000  # of each, so that they need less memory than a row group


class LeftOut:
    """The errors and warnings without a row, collected from several arrays of games."""

    def __init__(self) -> None:
        self._counts = [0, 0]
        self._kept: tuple[list[GameError], list[GameError]] = [], []

    def add(self, games: GameColumns) -> None:
        """Add those of some games."""
        for i, reports in enumerate((games.errors, games.warnings)):
            left_out = [report for _, report in reports.left_out]
            self._counts[i] += len(left_out)
            self._kept[i].extend(left_out[: _MOST - len(self._kept[i])])

    @property
    def metadata(self) -> dict[bytes, bytes]:
        """Return the entries of the metadata: none, one or two."""
        entries = {}
        for key, count, kept in zip((_ERRORS, _WARNINGS), self._counts, self._kept, strict=True):
            if count:
                content = {"number": count, "errors": [report._asdict() for report in kept]}
                entries[key] = json.dumps(content).encode()
        return entries


def without_left_out(table: Any) -> Any:
    """Return a table without these errors and warnings, for a file that is made of several tables."""
    metadata = {key: value for key, value in (table.schema.metadata or {}).items() if key not in (_ERRORS, _WARNINGS)}
    return table.replace_schema_metadata(metadata)


def with_warning(table: Any, warning: GameError) -> Any:
    """Return a table with one more warning, about the table itself."""
    metadata = dict(table.schema.metadata or {})
    known = [report._asdict() for _, report in _read(metadata, _WARNINGS, "warnings")]
    metadata[_WARNINGS] = json.dumps({"number": len(known) + 1, "errors": [warning._asdict(), *known]}).encode()
    return table.replace_schema_metadata(metadata)


def read_left_out(metadata: Mapping[bytes, bytes]) -> tuple[list[Report], list[Report]]:
    """Return the errors and the warnings in a table's metadata."""
    return _read(metadata, _ERRORS, "errors"), _read(metadata, _WARNINGS, "warnings")


def read_report(name: str, fields: Any) -> GameError:
    """Return an error or a warning from its fields by name; ValueError if they are others, or have other types."""
    kinds = GameError.__annotations__
    if isinstance(fields, dict):  # pandas makes floats of integers in a column with missing values
        fields = {
            key: int(value) if kinds.get(key) is int and isinstance(value, float) and value.is_integer() else value
            for key, value in fields.items()
        }
    if not isinstance(fields, dict) or {key: type(value) for key, value in fields.items()} != kinds:
        expected = ", ".join(f"{key} ({kind.__name__})" for key, kind in kinds.items())
        raise ValueError(f"{name}: {shown(fields)}: expected {expected}")
    return GameError(**fields)


def _read(metadata: Mapping[bytes, bytes], key: bytes, kind: str) -> list[Report]:
    if key not in metadata:
        return []
    name = f"metadata {key.decode()!r}"
    content: Any = metadata[key]
    with contextlib.suppress(ValueError):
        content = parse_json(content)
    if (
        not isinstance(content, dict)
        or not isinstance(content.get("errors"), list)
        or not is_number(content.get("number"))
    ):
        raise ValueError(f"{name}: {shown(content)}: expected a number and a list of errors")
    reports = [read_report(name, report) for report in content["errors"]]
    if more := content["number"] - len(reports):
        reports.append(
            GameError("", 0, 0, 0, "", "", f"{more:,} more {kind} of games that were left out were not kept")
        )
    return [(-1, report) for report in reports]
