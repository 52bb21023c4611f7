"""Print esca's facts of positions as JSON lines. Run by the Python that has esca: FENs come from the standard input."""

import json
import sys
from typing import Any

import esca  # type: ignore[import-not-found]  # needs Python 3.13, see judges.esca


def plain(value: Any) -> Any:
    """Return a value with squares and other objects of esca as texts."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


for line in sys.stdin:
    print(json.dumps(plain(esca.Position.from_fen(line.strip()).facts().to_dict())))
