"""Games to Arrow tables."""

import json
from typing import Any

import numpy as np

from rookery.arguments import shown
from rookery.frames.arrow import arrow_column, list_column, pyarrow_module
from rookery.frames.columns import Numbers, Texts
from rookery.games.game_columns import LISTS, PLY_VALUES, GameColumns, Reports, Starts
from rookery.games.headers.computed_headers import SOURCES, table_columns
from rookery.games.headers.dates import day_played, tags_for_table
from rookery.games.interchange import schema
from rookery.games.interchange.left_out import LeftOut
from rookery.games.positions.summaries import summaries_of
from rookery.pgn.scan.lexing.vocabulary import COLUMNS, RESULTS


def to_arrow(games: GameColumns) -> Any:
    """Return the table of some games; its columns have several chunks where one would be too large for Arrow."""
    tables = [_table(chunk) for chunk in _chunks(games)]
    table = tables[0] if len(tables) == 1 else pyarrow_module().concat_tables(tables)
    left_out = LeftOut()
    left_out.add(games)
    return table.replace_schema_metadata(table.schema.metadata | left_out.metadata)


def _chunks(games: GameColumns) -> list[GameColumns]:
    """Return parts of some games, each of which fits in one chunk of an Arrow table."""
    if len(games) < 2 or _fits(games):
        return [games]
    half = len(games) // 2
    return [*_chunks(games.cut(0, half)), *_chunks(games.cut(half, len(games)))]


def _fits(games: GameColumns) -> bool:
    lists = [getattr(games, name) for name in LISTS]
    flat = [games.plies.columns["moves"], *games.headers.values()]
    flat += [games.texts] if games.texts is not None else []
    flat += [column for part in lists if part is not None for column in part.columns.values()]
    sizes = [column.data.size if isinstance(column, Texts) else column.size for column in flat]
    names = len(games) * max((len(name.encode()) for name in games.files.names), default=0)
    return max(*sizes, names) < schema.LARGEST


def _table(games: GameColumns) -> Any:
    pa = pyarrow_module()
    headers, tags = games.headers, games.tags
    computed = table_columns(headers, games.dates)
    if taken := [name for name in headers if name in schema.OWN and not (name in SOURCES and name != "date")]:
        raise ValueError(f"header {shown(taken[0])}: a column of games has that name")
    columns = {name: arrow_column(column) for name, column in headers.items()}
    columns["Result"] = pa.array(RESULTS, pa.string()).take(pa.array(games.scores))
    names = [name for name in COLUMNS if name in columns] + [name for name in columns if name not in COLUMNS]
    columns = {name: columns[name] for name in names}
    identity = {"file": arrow_column(games.files), "number": pa.array(games.numbers)}
    days = day_played(headers)
    if tags is not None and all(isinstance(headers.get(name), Numbers) for name in SOURCES["date"]):
        assert days is not None
        tags = tags_for_table(headers, tags)
        columns = {"date" if name == "Date" else name: column for name, column in columns.items()}
        columns["date"] = arrow_column(days)
    columns |= {name: arrow_column(column) for name, column in computed.items()}
    columns["start"], columns["chess960"] = _starts(pa, games.starts)
    offsets = games.plies.offsets
    columns["moves"] = list_column(offsets, pa.array(games.plies.columns["moves"]))
    for name in PLY_VALUES:
        values = games.plies.columns.get(name)
        missing = pa.nulls(int(offsets[-1]), pa.float32())
        columns[name] = list_column(offsets, missing if values is None else arrow_column(values))
    columns |= {name: arrow_column(column) for name, column in summaries_of(games).columns.items()}
    columns["parse_error"], columns["fault"] = _errors(pa, games.errors)
    columns["warnings"] = _warnings(pa, games.warnings)
    columns["offset"] = pa.array(games.offsets)
    if games.rows is not None:
        columns["row"] = pa.array(games.rows)
    for name in LISTS:
        lists = tags if name == "tags" else getattr(games, name)
        if lists is not None:
            columns[name] = arrow_column(lists)
    if games.texts is not None:
        columns["text"] = arrow_column(games.texts, pa.binary())
    columns = identity | columns
    fields = [pa.field(name, column.type, metadata=schema.FIELD_METADATA.get(name)) for name, column in columns.items()]
    from importlib import metadata

    about = {schema.ABOUT: json.dumps({"format": schema.FORMAT, "version": metadata.version("rookery")})}
    return pa.Table.from_arrays(list(columns.values()), schema=pa.schema(fields, about))


def _starts(pa: Any, starts: Starts) -> tuple[Any, Any]:
    """Return the FENs of the start positions, null for the usual one, and whether each is of Chess960."""
    places = starts.places
    own = places >= 0
    if not own.any():
        return pa.nulls(places.size, pa.string()), pa.array(np.zeros(places.size, np.bool_))
    used, index = np.unique(places[own], return_inverse=True)
    table = starts.table[used]
    fens = np.array(table.to_fens(shredder=True, en_passant="fen"), object)
    fens[~table.chess960] = table[~table.chess960].to_fens(en_passant="fen")
    of_games = np.full(places.size, None, object)
    of_games[own] = fens[index]
    chess960 = np.zeros(places.size, np.bool_)
    chess960[own] = table.chess960[index]
    return pa.array(of_games, pa.string()), pa.array(chess960)


def _errors(pa: Any, errors: Reports) -> tuple[Any, Any]:
    """Return the error of each game as text and as a struct."""
    n = errors.size
    texts: list[str | None] = [None] * n
    structs: list[dict[str, Any] | None] = [None] * n
    for row, error in errors.of_rows:
        texts[row], structs[row] = str(error), error._asdict()
    if not any(texts):
        return pa.nulls(n, pa.string()), pa.nulls(n, schema.report_type())
    return pa.array(texts, pa.string()), pa.array(structs, schema.report_type())


def _warnings(pa: Any, warnings: Reports) -> Any:
    """Return a list of warnings for each game, empty for most."""
    n = warnings.size
    kept = sorted(warnings.of_rows, key=lambda item: item[0])
    counts = np.bincount([row for row, _ in kept], minlength=n) if kept else np.zeros(n, np.int64)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return list_column(offsets, pa.array([warning._asdict() for _, warning in kept], schema.report_type()))
