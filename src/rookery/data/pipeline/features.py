"""Features: columns about positions, by name or as expressions of the query language."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import shown
from rookery.board.board import Board
from rookery.frames.arrow import arrow_column, pyarrow_module
from rookery.positions.language.query import query_of
from rookery.positions.language.tokens import separated
from rookery.positions.positions import Positions

_NAMED: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)(.*)", re.DOTALL)
_TYPES: Final = {"set": "uint64", "condition": "bool", "text": "string"}


class Known(NamedTuple):
    """A feature with a name: its Arrow type, a description, and a function of `Positions`."""

    type: str
    description: str
    values: Callable[[Positions], Any]


FEATURES: Final[dict[str, Known]] = {
    "legal_moves": Known("uint16", "number of legal moves", lambda p: p.legal_move_counts()),
    "mobility": Known(
        "uint16",
        "squares that the pieces of the side to move attack and do not occupy, summed over its pieces",
        lambda p: p.mobility().sum(axis=0, dtype=np.uint16),
    ),
    "attacks": Known("uint64", "squares that the side to move attacks", lambda p: p.attacks()),
    "checkers": Known("uint64", "pieces that give check to the side to move", lambda p: p.checkers()),
    "pins": Known("uint64", "pieces of the side to move that are pinned to its king", lambda p: p.pinned()),
    "is_check": Known("bool", "whether the side to move is in check", lambda p: p.is_check()),
    "is_mate": Known("bool", "whether the side to move is checkmated", lambda p: p.is_checkmate()),
    "is_stalemate": Known("bool", "whether the side to move is stalemated", lambda p: p.is_stalemate()),
    "tags": Known("uint64", "motifs of the side to move, a bit each (`Positions.tags`)", lambda p: p.tags()),
    "key": Known("uint64", "hash key of the position (`Positions.keys`)", lambda p: p.keys()),
    "signature": Known("string", "pieces of both sides, such as KRPvKR", lambda p: p.signature()),
    "material": Known("int32", "value of the pieces of the side to move: 1, 3, 3, 5, 9", lambda p: p.material()),
}


class Feature(NamedTuple):
    """A column to compute: its name, its Arrow type, and its expression ("" if `FEATURES` has it).

    `needs_games` is set if the expression asks about games, whose `headers` it looks at.
    """

    name: str
    type: str
    expression: str = ""
    needs_games: bool = False
    headers: tuple[str, ...] = ()


Features = str | Iterable[str] | Mapping[str, str]


def features_of(features: Features) -> tuple[Feature, ...]:
    """Return the features that an argument names, in order.

    It is a text such as ``"legal_moves, pawns=count(pawns)"``, a list of such texts, or a mapping from names to
    expressions. Each feature is a name in `FEATURES`, an expression of the query language, or ``name=EXPRESSION``.

    >>> [(feature.name, feature.type) for feature in features_of("legal_moves, pawns=count(pawns), us.king")]
    [('legal_moves', 'uint16'), ('pawns', 'int64'), ('us.king', 'uint64')]
    """
    named: list[tuple[str, str]] = []
    if isinstance(features, Mapping):
        named = list(features.items())
    elif isinstance(features, str):
        named = [_named(part) for part in separated(features, "features")]
    elif isinstance(features, Iterable):
        for i, one in enumerate(features):
            if not isinstance(one, str):
                raise TypeError(f"features[{i}]: {shown(one)}: expected text")
            named += [_named(part) for part in separated(one, "features")]
    else:
        raise TypeError(f"features: {shown(features)}: expected text, a list of texts or a mapping")
    if not named:
        raise ValueError(f"features: {shown(features)}: expected at least one of {', '.join(FEATURES)}")
    found: dict[str, Feature] = {}
    for name, expression in named:
        if not isinstance(name, str) or not isinstance(expression, str):
            raise TypeError(f"features: {shown({name: expression})}: expected texts")
        if name in found:
            raise ValueError(f"features: {shown(name)}: named twice")
        found[name] = _feature(name, expression)
    return tuple(found.values())


def _named(part: str) -> tuple[str, str]:
    found = _NAMED.fullmatch(part)
    return (found[1], found[2].strip()) if found else (part, part)


def _feature(name: str, expression: str) -> Feature:
    if expression in FEATURES:
        known = FEATURES[expression]
        return Feature(name, known.type, "" if name == expression else expression)
    query = query_of(expression, "features")
    if query.kind == "number":
        # A number of a game may be missing, which only a float64 column shows.
        kind = "float64" if query.needs_games else str(query.evaluate(Positions.from_boards([Board()])).dtype)
    else:
        kind = _TYPES[query.kind]
    return Feature(name, kind, expression, query.needs_games, query.headers)


def check_without_games(features: Iterable[Feature]) -> None:
    """Raise a ValueError for a feature that needs games."""
    for feature in features:
        if feature.needs_games:
            raise ValueError(
                f"features: {shown(feature.expression)}: asks about games: expected questions about positions"
            )


def arrow_type(feature: Feature) -> Any:
    """Return the Arrow type of a feature's column."""
    return pyarrow_module().type_for_alias(feature.type)


def computed(features: Iterable[Feature], positions: Positions) -> list[Any]:
    """Return the column of each feature for some positions, as Arrow arrays."""
    features = list(features)
    texts = [f.expression for f in features if f.expression and f.expression not in FEATURES]
    values = dict(zip(texts, positions.select(*texts).values(), strict=True)) if texts else {}
    columns = []
    for feature in features:
        expression = feature.expression or feature.name
        known = FEATURES.get(expression)
        columns.append(_arrow_array(feature, known.values(positions) if known else values[expression]))
    return columns


def _arrow_array(feature: Feature, values: Any) -> Any:
    """Return the values of a feature, in which NaN becomes null: SQL counts and compares NaN as a number."""
    if feature.type != "string":
        kind = "?" if feature.type == "bool" else feature.type
        values = np.ascontiguousarray(values).astype(kind, copy=False)
    return arrow_column(values)
