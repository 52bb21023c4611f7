"""Aggregates of groups of rows: partial ones of some rows, merged in any division, and finished.

Each aggregate has *states*: columns with a value for each row, which sums, minima or maxima of the rows of a group
replace by one. To combine states is to combine rows, so partial aggregates are combined in the same way, and a group
has the same values however its rows were divided.

Numbers with a fraction are added in three parts: multiples of 2**-10, of 2**-36, and the rest. Sums of the first two
are exact, so the order of the rows does not show.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.data.plans.row_hashes import expression_of, normal
from rookery.frames.arrow import compute_module, empty_array, pyarrow_module, whole_array
from rookery.positions.language.tokens import separated

_NAMED: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)(.*)", re.DOTALL)
_CALL: Final = re.compile(r"([a-z]+)\s*(?:\((.*)\))?", re.DOTALL)
STATE: Final = "\x1f"  # between the name of an aggregate and the number of its state
_ROW: Final = "\x1frow"
_COARSE, _FINE = 2.0**10, 2.0**36
_WITHOUT: Final = ("count", "games")  # kinds that aggregate rows, not values
_RESULT: Final = re.compile(r"result\((white|black|us|them)\)")
_RESULTS: Final = ("wins", "draws", "losses", "score")


class Aggregate(NamedTuple):
    """An aggregate: the name of its column, one of `KINDS`, and the name or expression of what is aggregated."""

    name: str
    kind: str
    of: str = ""

    @property
    def call(self) -> str:
        """Return the aggregate as text: ``mean(score)``."""
        if self.kind in _WITHOUT:
            return self.kind
        of = expression_of(self.of)
        side = _RESULT.fullmatch(of) if self.kind == "results" else None
        return f"{self.kind}({of if side is None else side[1]})"

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of its columns: those of results are four."""
        if self.kind != "results":
            return (self.name,)
        prefix = "" if self.name == "results" or "(" in self.name else f"{self.name}_"
        return tuple(prefix + one for one in _RESULTS)


States = list[tuple[str, Any]]  # how values of a group are combined, and the values


class Kind(NamedTuple):
    """A kind of aggregate: what it means, the states of a column, and what becomes of combined states."""

    description: str
    states: Callable[[str, Any], States]
    finished: Callable[[list[Any]], list[Any]]
    type: Callable[[Any], list[Any]]  # of the result, for the type of the column


def _count(_: str, array: Any) -> States:
    return [("sum", pyarrow_module().array(np.ones(len(array), np.int64)))]


def _counts(name: str, array: Any) -> States:
    return _count(name, normal(name, array))


def _sum(name: str, array: Any) -> States:
    pa, pc = pyarrow_module(), compute_module()
    array = normal(name, array)
    if not pa.types.is_floating(array.type):
        return [("sum", _cast(name, array, pa.int64()))]
    values = array.cast(pa.float64())
    coarse = pc.divide(pc.round(pc.multiply(values, _COARSE), round_mode="half_to_even"), _COARSE)
    left = pc.subtract(values, coarse)
    left = pc.if_else(pc.is_finite(left), left, pa.scalar(0.0))  # an infinity is in the first part
    fine = pc.divide(pc.round(pc.multiply(left, _FINE), round_mode="half_to_even"), _FINE)
    return [("sum", coarse), ("sum", fine), ("sum", pc.subtract(left, fine))]


def _cast(name: str, array: Any, kind: Any) -> Any:
    pa = pyarrow_module()
    types = pa.types
    if not (types.is_integer(array.type) or types.is_boolean(array.type) or types.is_null(array.type)):
        raise TypeError(f"{name}: a column of {shown(str(array.type))}: expected numbers or truth values")
    return array.cast(kind)


def _total(states: list[Any]) -> list[Any]:
    """Return the sum of the parts of sums."""
    pc = compute_module()
    return [states[0] if len(states) == 1 else pc.add(states[0], pc.add(states[1], states[2]))]


def _mean(name: str, array: Any) -> States:
    pa, pc = pyarrow_module(), compute_module()
    states = _sum(name, array)
    return [*states, ("sum", pc.is_valid(states[0][1]).cast(pa.int64()))]


def _quotient(states: list[Any]) -> list[Any]:
    pa, pc = pyarrow_module(), compute_module()
    (total,) = _total(states[:-1])
    number = states[-1].cast(pa.float64())
    return [
        pc.if_else(pc.greater(number, 0), pc.divide(total.cast(pa.float64()), number), pa.scalar(None, pa.float64()))
    ]


def _results(name: str, array: Any) -> States:
    """Return wins, draws and losses by points: 1, 0.5 or 0 for each row."""
    pa, pc = pyarrow_module(), compute_module()
    points = normal(name, array)
    if not (pa.types.is_floating(points.type) or pa.types.is_integer(points.type)):
        raise TypeError(f"{name}: a column of {shown(str(points.type))}: expected points such as result(white)")
    points = points.cast(pa.float64())
    return [("sum", pc.equal(points, value).fill_null(False).cast(pa.int64())) for value in (1.0, 0.5, 0.0)]


def _with_score(states: list[Any]) -> list[Any]:
    pa, pc = pyarrow_module(), compute_module()
    wins, draws, losses = states
    number = pc.add(wins, pc.add(draws, losses)).cast(pa.float64())
    points = pc.add(wins.cast(pa.float64()), pc.multiply(draws.cast(pa.float64()), 0.5))
    return [*states, _ratio(points, number)]


def _ratio(total: Any, number: Any) -> Any:
    """Return a quotient, null where the number is 0."""
    pa, pc = pyarrow_module(), compute_module()
    return pc.if_else(pc.greater(number, 0), pc.divide(total, number), pa.scalar(None, pa.float64()))


def _result_types(_: Any) -> list[Any]:
    pa = pyarrow_module()
    return [pa.int64()] * 3 + [pa.float64()]


def _sum_type(kind: Any) -> list[Any]:
    pa = pyarrow_module()
    return [pa.float64() if pa.types.is_floating(kind) else pa.int64()]


def _same(states: list[Any]) -> list[Any]:
    return states


def _last(states: list[Any]) -> list[Any]:
    return states[-1:]


def _own_type(kind: Any) -> list[Any]:
    return [whole_array(empty_array(kind)).type]


def _ordered_type(kind: Any) -> list[Any]:
    """Return the type that a column has as `normal` returns it."""
    return [normal("", empty_array(kind)).type]


KINDS: Final = {
    "count": Kind("number of rows", _count, _same, lambda kind: [pyarrow_module().int64()]),
    "games": Kind("number of different games", _count, _same, lambda kind: [pyarrow_module().int64()]),
    "sum": Kind("sum of the values that are known; null if none is", _sum, _total, _sum_type),
    "mean": Kind("mean of the values that are known", _mean, _quotient, lambda kind: [pyarrow_module().float64()]),
    "min": Kind("least value", lambda name, array: [("min", normal(name, array))], _same, _ordered_type),
    "max": Kind("greatest value", lambda name, array: [("max", normal(name, array))], _same, _ordered_type),
    "first": Kind("value of the first row", lambda name, array: [("first", whole_array(array))], _same, _own_type),
    "mode": Kind("most frequent of the values that are known, the first of several", _counts, _last, _ordered_type),
    "results": Kind("wins, draws, losses and score of points (1, 0.5 or 0)", _results, _with_score, _result_types),
}


def aggregates_of(texts: Sequence[str], named: dict[str, str], label: str = "aggregates") -> tuple[Aggregate, ...]:
    """Return the aggregates of texts such as ``"count, mean(score)"``, or ``"n=count"``, and of named ones.

    >>> aggregates_of(["count, mean(score)"], {"best": "max(elo(us))"})[2]
    Aggregate(name='best', kind='max', of='elo(us)')
    """
    found: dict[str, Aggregate] = {}
    pairs: list[tuple[str | None, Any]] = []
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{label}[{i}]: {shown(text)}: expected text such as mean(score)")
        for one in separated(text, label):
            match = _NAMED.fullmatch(one)
            pairs.append((match[1], match[2].strip()) if match else (None, one.strip()))
    taken: set[str] = set()
    for name, text in [*pairs, *named.items()]:
        aggregate = _aggregate(name, text, label if name is None else name)
        if repeated := taken.intersection(aggregate.columns):
            raise ValueError(f"{label}: {shown(min(repeated))}: named twice")
        taken.update(aggregate.columns)
        found[aggregate.name] = aggregate
    return tuple(found.values())


def _aggregate(name: str | None, text: Any, label: str) -> Aggregate:
    expected = f"expected {', '.join(f'{kind}(...)' for kind in KINDS if kind not in _WITHOUT)}, games or count"
    if not isinstance(text, str):
        raise TypeError(f"{label}: {shown(text)}: {expected}")
    call = _CALL.fullmatch(text.strip())
    kind, of = (call[1], (call[2] or "").strip()) if call else ("", "")
    if kind not in KINDS or (kind in _WITHOUT) == bool(of):
        raise ValueError(f"{label}: {shown(text)}: {expected}")
    return Aggregate(name or Aggregate("", kind, of).call, kind, of)


def types_of(aggregate: Aggregate, schema: Any, label: str = "agg") -> list[Any]:
    """Return the types of the columns of an aggregate over rows with a schema; an error if they cannot have it."""
    if aggregate.kind in _WITHOUT:
        return KINDS[aggregate.kind].type(None)
    kind = schema.field(aggregate.of).type
    KINDS[aggregate.kind].states(f"{label}: {aggregate.kind}({expression_of(aggregate.of)})", empty_array(kind))
    return KINDS[aggregate.kind].type(kind)


def told_apart_by(aggregates: Sequence[Aggregate]) -> tuple[str, ...]:
    """Return the columns by which rows of a group are told apart until it is complete.

    These are the game, if an aggregate counts games, and what modes are of.
    """
    return tuple(dict.fromkeys(one.of for one in aggregates if one.kind in ("games", "mode")))


def with_whole_groups(table: Any, by: Sequence[str], aggregates: Sequence[Aggregate]) -> Any:
    """Return a table of the states of whole groups, with the states that need these: numbers of games, and modes.

    Rows are of groups by some columns, and told apart by further ones.
    """
    pa = pyarrow_module()
    for one in aggregates:
        if one.kind == "games":
            _, first = np.unique(_codes(table, (*by, one.of)), return_index=True)
            is_first = np.zeros(table.num_rows, np.int64)
            is_first[first] = 1
            table = table.append_column(f"{one.name}{STATE}0", pa.array(is_first))
        if one.kind == "mode":
            table = table.append_column(f"{one.name}{STATE}1", _modes(table, by, one))
    return table


def _codes(table: Any, names: Sequence[str]) -> NDArray[np.int64]:
    """Return a number for each row, which rows have in common that are equal in some columns."""
    codes = np.zeros(table.num_rows, np.int64)
    for name in names:
        column = whole_array(table.column(name)).dictionary_encode("encode")
        index = np.asarray(column.indices).astype(np.int64)
        codes = np.unique(codes * (len(column.dictionary) + 1) + index, return_inverse=True)[1].astype(np.int64)
    return codes


def _modes(table: Any, by: Sequence[str], aggregate: Aggregate) -> Any:
    """Return for each row the most frequent value of its group, the first of several; null if none is known."""
    pa, pc = pyarrow_module(), compute_module()
    values, groups = whole_array(table.column(aggregate.of)), _codes(table, by)
    known = np.flatnonzero(np.asarray(pc.is_valid(values)))
    counts = np.asarray(table.column(f"{aggregate.name}{STATE}0"))[known]
    _, first, inverse = np.unique(_codes(table, (*by, aggregate.of))[known], return_index=True, return_inverse=True)
    totals, group = np.bincount(inverse, counts, first.size), groups[known[first]]
    order = np.lexsort((-first, totals, group))  # the last of each group is its mode
    ends = np.append(np.flatnonzero(np.diff(group[order])), order.size - 1)[: order.size]
    best = np.full(table.num_rows, -1)
    best[group[order[ends]]] = known[first[order[ends]]]
    rows = best[groups]
    return values.take(pa.array(rows, mask=rows < 0))


def with_states(batch: Any, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Any:
    """Return the keys of the rows of a record batch, and the states of aggregates."""
    pa = pyarrow_module()
    arrays = [normal(name, batch.column(name)) for name in keys]
    names = list(keys)
    for one in aggregates:
        if one.kind == "games":
            continue
        column = batch.column(one.of) if one.of else pa.nulls(batch.num_rows)
        for i, (_, values) in enumerate(KINDS[one.kind].states(one.of, column)):
            arrays.append(values)
            names.append(f"{one.name}{STATE}{i}")
    return pa.RecordBatch.from_arrays(arrays, names)


def combined(table: Any, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Any:
    """Return the combined states of each group of a table of states, in the order of the groups' first rows.

    Further columns have the values of the first row.
    """
    pa, pc = pyarrow_module(), compute_module()
    ways = {f"{one.name}{STATE}{i}": way for one in aggregates for i, way in enumerate(_ways(one, table))}
    numbered = table.append_column(_ROW, pa.array(np.arange(table.num_rows)))
    asked = [(name, way, pc.ScalarAggregateOptions(min_count=1)) for name, way in ways.items() if way != "first"]
    groups = numbered.group_by(list(keys), use_threads=False).aggregate([(_ROW, "min"), *asked])
    first = groups.column(f"{_ROW}_min")
    order = pc.sort_indices(first)
    groups, rows = groups.take(order), table.take(first.take(order))
    for name, way, _ in asked:
        place = table.schema.get_field_index(name)
        rows = rows.set_column(place, name, groups.column(f"{name}_{way}").cast(table.schema.field(name).type))
    return rows


def _ways(aggregate: Aggregate, table: Any) -> list[str]:
    """Return how each state of an aggregate in a table is combined."""
    n = sum(name.startswith(aggregate.name + STATE) for name in table.column_names)
    if aggregate.kind == "mode":
        return ["sum", "first"][:n]
    return [{"min": "min", "max": "max", "first": "first"}.get(aggregate.kind, "sum")] * n


def finished(table: Any, aggregates: Sequence[Aggregate]) -> dict[str, Any]:
    """Return the columns of aggregates whose states are combined."""
    found: dict[str, Any] = {}
    for one in aggregates:
        states = [table.column(f"{one.name}{STATE}{i}") for i in range(len(_ways(one, table)))]
        found.update(zip(one.columns, KINDS[one.kind].finished(states), strict=True))
    return found
