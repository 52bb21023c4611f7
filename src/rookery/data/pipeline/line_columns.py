"""Questions about the columns of lines, in the language of queries: conditions, and expressions."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from rookery.arguments import shown
from rookery.data.pipeline.evaluations import flat_schema
from rookery.data.pipeline.features import TYPES, Feature, arrow_type
from rookery.data.pipeline.inputs import Input
from rookery.frames.arrow import arrow_column, empty_array, pyarrow_module
from rookery.frames.columns import Numbers, Texts
from rookery.games.headers.header_types import Header, header_column
from rookery.games.headers.named_columns import GivenColumns
from rookery.games.headers.where import Condition, expression_over, kinds_of
from rookery.games.interchange.text_columns import headers_in
from rookery.positions.language.game_block import GameBlock
from rookery.positions.language.grammar import OF_GAME


def condition_of(source: Input, where: str | None) -> Condition | None:
    """Return the condition over the columns of lines, None if there is none; a ValueError if they lack a column."""
    if where is None:
        return None
    if source.schema is None:
        raise ValueError(f"where: {shown(where)}: {source.name} has neither headers nor columns: expected a query")
    schema = flat_schema(source.schema)
    empty = headers_in(schema)
    condition = Condition(where, empty)
    missing = [name for name in (*condition.names, *condition.of_moves) if name not in empty]
    if missing:
        if missing[0] in schema.names:
            header_column(missing[0], empty_array(schema.field(missing[0]).type))  # raises the error of its type
        raise ValueError(f"where: {missing[0]}: not a column of {source.name}: expected one of {', '.join(empty)}")
    return condition


def headers_of(names: Iterable[str], table: Any) -> dict[str, Header]:
    """Return columns of a table as the language looks at them."""
    return {name: header_column(name, table.column(name)) for name in names}


def expression_of_lines(name: str, asked: str, source: Input) -> Feature | None:
    """Return the column of an expression over columns of lines, None if it does not ask about these alone."""
    if source.schema is None:
        return None
    columns = headers_in(flat_schema(source.schema))
    if columns.keys().isdisjoint(re.findall(r"\w+", asked)):
        return None
    try:
        root = expression_over(asked, tuple(kinds_of(columns).items()))
    except ValueError:
        return None
    if not root.columns or not columns.keys() >= set(root.columns):
        return None
    if root.scope != OF_GAME:
        column = root.columns[0]
        raise ValueError(f"select: {shown(asked)}: asks about positions and {column}: expected positions or columns")
    return Feature(name, TYPES.get(root.kind, "float64"), asked, of_lines=True)


def values_of_lines(feature: Feature, table: Any) -> Any:
    """Return the values of an expression over the columns of a table, null where they are missing."""
    names = [field.name for field in table.schema if not pyarrow_module().types.is_nested(field.type)]
    columns = headers_of([name for name in names if name in re.findall(r"\w+", feature.asked)], table)
    root = expression_over(feature.asked, tuple(kinds_of(columns).items()))
    with np.errstate(all="ignore"):
        values = GameBlock(GivenColumns(columns), table.num_rows).value(root)
    if np.ndim(values) == 0 and not isinstance(values, (Numbers, Texts)):
        values = np.full(table.num_rows, values)
    return arrow_column(values).cast(arrow_type(feature))
