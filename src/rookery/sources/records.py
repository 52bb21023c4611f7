"""Objects of JSON as named tuples, whose fields must have the types that their annotations say."""

import functools
import types
import typing
from typing import Any, TypeVar

from rookery.arguments import shown
from rookery.sources.files import Damaged

T = TypeVar("T")


def record(kind: type[T], content: Any, where: str) -> T:
    """Return a named tuple from its fields by name, or in their order; `Damaged` names the field that is wrong.

    `where` begins the message, such as ``"index: games/index.json"``.

    >>> class Shard(typing.NamedTuple):
    ...     file: str
    ...     rows: int = 0
    >>> record(Shard, {"file": "a"}, "manifest: m.json")
    Shard(file='a', rows=0)
    >>> record(Shard, {"file": "a", "rows": "many"}, "manifest: m.json")
    Traceback (most recent call last):
        ...
    rookery.sources.files.Damaged: manifest: m.json: rows: 'many': expected int
    """
    found: T = _named(kind, content, where, "")
    return found


def _named(kind: Any, content: Any, where: str, name: str) -> Any:
    if isinstance(content, (list, tuple)) and len(content) <= len(kind._fields):
        content = dict(zip(kind._fields, content, strict=False))
    if not isinstance(content, dict):
        place = f"{where}: {name}" if name else where
        raise Damaged(f"{place}: {shown(content)}: expected the fields of {kind.__name__}")
    hints = _hints(kind)
    before = f"{name}." if name else ""
    for field in content:
        if field not in hints:
            raise Damaged(f"{where}: {before}{field}: unknown: expected {', '.join(kind._fields)}")
    for field in kind._fields:
        if field not in content and field not in kind._field_defaults:
            raise Damaged(f"{where}: {before}{field}: is missing")
    return kind(**{field: _value(hints[field], value, where, before + field) for field, value in content.items()})


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields. Without the cache each shard of a dataset takes 16 us."""
    return typing.get_type_hints(kind)


def _value(kind: Any, value: Any, where: str, name: str) -> Any:
    """Return a value of JSON as a type that an annotation names."""
    if kind is Any:
        return value
    outer, inner = typing.get_origin(kind), typing.get_args(kind)
    if hasattr(kind, "_fields"):
        return value if isinstance(value, kind) else _named(kind, value, where, name)
    if outer in (list, tuple) and isinstance(value, (list, tuple)):
        return outer(_value(inner[0], one, where, f"{name}[{i}]") for i, one in enumerate(value))
    if outer is dict and isinstance(value, dict):
        return {key: _value(inner[1], one, where, f"{name}[{key!r}]") for key, one in value.items()}
    if type(value) in (inner if outer in (types.UnionType, typing.Union) else (kind,)):
        return value
    expected = kind.__name__ if isinstance(kind, type) and outer is None else str(kind)
    raise Damaged(f"{where}: {name}: {shown(value)}: expected {expected}")
