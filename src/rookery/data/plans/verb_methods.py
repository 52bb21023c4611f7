"""The methods of `Plan` for verbs that need all rows. They take more rows than memory holds."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Generic, Literal, Self, TypeVar

from rookery.arguments import count, flag, shown
from rookery.data.pipeline.features import DIVIDERS, HASHES, POSITION, named_columns
from rookery.data.plans.aggregates import Aggregate, aggregates_of
from rookery.data.plans.exchanging import MEMORY, Hidden
from rookery.data.plans.ordering import Key
from rookery.data.plans.sampling import Sample
from rookery.data.plans.steps import Select, Step
from rookery.data.plans.verbs import GroupBy, Head, Shuffle, Sort, Split, Unique
from rookery.tasks.exchange import fractions_of

_Plan = TypeVar("_Plan", bound="VerbMethods")

_SIDES: Final = ("white", "black", "us", "them")
_MOST_SEED: Final = (1 << 63) - 1
_LEAST_MEMORY: Final = 10**6
_UNITS: Final = {"KB": 10**3, "MB": 10**6, "GB": 10**9}


class VerbMethods:
    """The verbs of a plan that need all rows."""

    __slots__ = ()
    _steps: tuple[Step, ...]

    def _with(self, step: Step) -> Self:
        raise NotImplementedError

    def sort(
        self,
        by: str,
        *more: str,
        descending: bool | Sequence[bool] = False,
        memory: int | str = MEMORY,
    ) -> Self:
        """Sort the rows by columns or expressions; missing values come last, and equal rows keep their order.

        `descending` is one truth value for all, or one for each. `memory` is what a task may take: a number of bytes or
        a text such as ``"512MB"``; larger tables are sorted in parts on the disk. Rows are the same with any `memory`.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("is_mate or ply == 0").select("number", "ply")
        >>> plan.sort("ply", "number", descending=[True, False]).head(2).collect().to_pylist()
        [{'number': 1, 'ply': 42}, {'number': 1, 'ply': 0}]
        """
        held = memory_of(memory)
        keys = self._keys((by, *more))
        directions = _directions(descending, len(keys))
        ordering = tuple(itertools.starmap(Key, zip(keys, directions, strict=True)))
        return self._with(Sort(ordering, memory=held, hidden=self._hidden(keys)))

    def head(self, n: int = 5) -> Self:
        """Keep the first rows. After `sort`, no more rows than these are sorted at a time.

        >>> scan("docs/lichess-2025-05.pgn.zst").select("ply").head(3).collect().column("ply").to_pylist()
        [0, 1, 2]
        """
        n = count("n", n, 0)
        last = self._steps[-1] if self._steps else None
        if isinstance(last, Sort):
            step = replace(last, most=n if last.most is None else min(n, last.most))
            return type(self)(self._source, (*self._steps[:-1], step))  # type: ignore[attr-defined, call-arg]
        return self._with(Head(n))

    def sample(self, n: int, *, seed: int = 0) -> Self:
        """Keep `n` random rows, or all if there are fewer, in their order; the `seed` decides which.

        `positions` keeps a share of the positions instead, while it reads.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions(to_ply=0).select("number")
        >>> plan.sample(4, seed=1).collect().column("number").to_pylist()
        [1, 7, 9, 11]
        """
        return self._with(Sample(count("n", n, 1), count("seed", seed, 0, _MOST_SEED)))

    def shuffle(self, seed: int = 0, *, memory: int | str = MEMORY) -> Self:
        """Put all rows in random order, which the `seed` decides. The order is the same wherever the work runs.

        More rows than memory holds are shuffled in parts on the disk; `memory` is as in `sort`.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions(to_ply=0).select("number")
        >>> plan.shuffle(seed=1).head(4).collect().column("number").to_pylist()
        [11, 7, 1, 9]
        """
        return self._with(Shuffle(count("seed", seed, 0, _MOST_SEED), memory_of(memory)))

    def split(
        self,
        *fractions: float,
        by: Literal["game", "date", "player", "position"] | str = "game",
        column: str = "split",
    ) -> Self:
        """Add a column that divides the rows into train, validation and test, by some fractions that add up to 1.

        Rows with the same value of `by` are in one part, in whatever file they are and with any seed: its hash decides.
        ``"game"`` is the first position and all moves of the game, ``"date"`` its header, ``"player"`` the name of the
        player to move, ``"position"`` the position; else `by` is the name of a column, or an expression.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions(to_ply=0).select("number").split(0.7, 0.3)
        >>> plan.collect().column("split").value_counts().to_pylist()
        [{'values': 'train', 'counts': 9}, {'values': 'validation', 'counts': 3}]
        """
        if not isinstance(column, str) or not column:
            raise TypeError(f"column: {shown(column)}: expected the name of a column")
        shares = fractions_of(fractions or (0.98, 0.01, 0.01), "fractions")
        expression = DIVIDERS.get(by, by) if isinstance(by, str) else by
        keys = self._keys((expression,))
        return self._with(Split(keys, shares, column, expression in HASHES, self._hidden(keys)))

    def unique(self, *by: str, memory: int | str = MEMORY, **aggregates: str) -> Self:
        """Keep the first row of each position, or of each value of some columns or expressions.

        Positions are equal if their pieces, side to move, castling rights and legal en-passant captures are; they are
        compared in full. `aggregates` are further columns about all rows that are equal, as in `agg`; one with the name
        of a column replaces it, as in ``score="mean(eval)"``. The order of the rows stays. `memory` is as in `sort`.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").select("fen", "result")
        >>> plan.unique(n="count", result="mean(result(white))").head(2).collect().column("n").to_pylist()
        [12, 8]
        """
        held = memory_of(memory)
        keys = self._keys(by or (POSITION,))
        made, hidden = self._aggregates((), aggregates)
        return self._with(Unique(keys, made, held, (*self._hidden(keys), *hidden)))

    def group_by(self, *by: str, memory: int | str = MEMORY, **named: str) -> "Groups[Self]":
        """Group the rows by columns or expressions; `agg` says what becomes of each group.

        Expressions are separated by commas, or in arguments of their own, and `named` have a name of their own.
        `memory` is as in `sort`.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("ply > 0")
        >>> plan.group_by(phase="ply // 40").agg("count", least="min(count(occupied))").collect().to_pylist()[0]
        {'phase': 0.0, 'count': 431, 'least': 21}
        """
        held = memory_of(memory)
        for name, expression in named.items():
            if not isinstance(expression, str):
                raise TypeError(f"{name}: {shown(expression)}: expected an expression such as 'elo(us) // 100'")
        columns = [*named_columns(by, "by"), *named.items()]
        if not columns:
            raise ValueError("by: no columns: expected at least one column or expression")
        return Groups(self, tuple(columns), held)

    # How verbs name what they need.

    def _keys(self, by: Iterable[Any]) -> tuple[str, ...]:
        """Return the names of columns: those that are given, and of expressions the names of hidden columns."""
        names = []
        for i, one in enumerate(by):
            if not isinstance(one, str) or not one:
                raise TypeError(f"by[{i}]: {shown(one)}: expected the name of a column or an expression")
            names.append(one if self._has(one) else f"\x1f{len(self._steps)} {one}")
        if not names:
            raise ValueError("by: no columns: expected at least one column or expression")
        return tuple(names)

    def _has(self, name: str) -> bool:
        """Check whether a name must be that of a column: a step has made it, or rows are groups already."""
        for step in self._steps:
            if isinstance(step, Select) and name in dict(step.columns):
                return True
            if isinstance(step, Split) and name == step.column:
                return True
            if isinstance(step, GroupBy) and (
                not isinstance(step, Unique) or any(name in one.columns for one in step.aggregates)
            ):
                return True
        return False

    @staticmethod
    def _hidden(keys: Iterable[str]) -> Hidden:
        """Return the expressions of hidden columns."""
        return tuple((name, name.partition(" ")[2]) for name in keys if name.startswith("\x1f"))

    def _aggregates(self, texts: Sequence[str], named: dict[str, str]) -> tuple[tuple[Aggregate, ...], Hidden]:
        """Return aggregates of columns, and the hidden columns among these."""
        made = []
        hidden: Hidden = ()
        for one in aggregates_of(texts, named):
            of = f"result({one.of})" if one.kind == "results" and one.of in _SIDES else one.of
            of = "game" if one.kind == "games" else of
            (key,) = self._keys((of,)) if of else ("",)
            hidden = tuple(dict.fromkeys((*hidden, *self._hidden((key,)))))
            made.append(one._replace(of=key))
        return tuple(made), hidden


class Groups(Generic[_Plan]):
    """The groups of a plan's rows: see `Plan.group_by`."""

    __slots__ = ("_by", "_memory", "_plan")

    def __init__(self, plan: _Plan, by: tuple[tuple[str, str], ...], memory: int) -> None:
        """Make the groups; `Plan.group_by` does so."""
        self._plan, self._by, self._memory = plan, by, memory

    def agg(self, *aggregates: str, **named: str) -> _Plan:
        """Return a plan with a row for each group, in the order of the values that are grouped by.

        Aggregates are ``count`` (rows), ``games`` (different games), ``sum(...)``, ``mean(...)``, ``min(...)``,
        ``max(...)``, ``mode(...)`` (the most frequent) and ``first(...)`` of a column or an expression, and
        ``results(white)``, or of another side: the columns wins, draws, losses and score.
        Missing values do not count; where none is known the result is null.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("ply == 1")
        >>> plan.group_by("fen").agg("count", "results(white)").sort("count", descending=True).collect().num_rows
        3
        """
        made, hidden = self._plan._aggregates(aggregates, named)
        if not made:
            raise ValueError("agg: no aggregates: expected such as count or mean(eval)")
        plan: Any = self._plan
        keys = []
        for name, expression in self._by:
            if name != expression and plan._has(expression):
                raise ValueError(f"group_by: {shown(name)}: is a name for the column {expression}: expected the column")
            keys.append(name if plan._has(expression) else f"\x1f{len(plan._steps)} {expression}")
        shown_names = tuple(name for name, _ in self._by)
        hidden = tuple(dict.fromkeys((*hidden, *plan._hidden(keys))))
        return self._plan._with(GroupBy(tuple(keys), made, self._memory, hidden, shown_names))


def _directions(descending: Any, n: int) -> list[bool]:
    if isinstance(descending, (list, tuple)):
        if len(descending) != n:
            raise ValueError(f"descending: {shown(descending)}: expected a truth value, or one for each column")
        return [flag(f"descending[{i}]", one) for i, one in enumerate(descending)]
    return [flag("descending", descending)] * n


def memory_of(memory: Any, label: str = "memory") -> int:
    """Return a number of bytes, given as such or as a text such as ``"512MB"``.

    >>> memory_of("2GB")
    2000000000
    """
    expected = f'expected bytes, {_LEAST_MEMORY} at least, or a text such as "512MB"'
    if isinstance(memory, str):
        digits, unit = memory.strip()[:-2], memory.strip()[-2:].upper()
        try:
            found = round(float(digits) * _UNITS[unit])
        except (ValueError, KeyError, OverflowError):
            raise ValueError(f"{label}: {shown(memory)}: {expected}") from None
    else:
        found = count(label, memory, 0)
    if found < _LEAST_MEMORY:
        raise ValueError(f"{label}: {shown(memory)}: {expected}")
    return found
