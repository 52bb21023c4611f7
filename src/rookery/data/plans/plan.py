"""`scan` and `Plan`: a lazy plan over games and positions."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from rookery.aliases import PgnErrors
from rookery.arguments import check_threads, choice, count, flag, shown, text
from rookery.board.board import Board
from rookery.data.index import catalogue
from rookery.data.pipeline.features import Feature, column_of, named_columns
from rookery.data.pipeline.inputs import FORMATS, LABELS, Input, agreed, columns_in, describe, describe_rows, paths_of
from rookery.data.pipeline.line_columns import expression_of_lines
from rookery.data.pipeline.memory import input_in_memory, source_in_memory
from rookery.data.pipeline.packed_rows import NUMBER, ROWS, Packing
from rookery.data.pipeline.stages import Stage
from rookery.data.pipeline.training_rows import RowsMade
from rookery.data.plans.calls import call_of
from rookery.data.plans.exchanging import Hidden
from rookery.data.plans.running import Ready
from rookery.data.plans.sinks import SinkMethods
from rookery.data.plans.steps import Choose, Select, Step
from rookery.data.plans.verb_methods import VerbMethods
from rookery.data.training.limits import ILLEGAL
from rookery.data.training.text.labels import has_labels
from rookery.games.read.options import ReadOptions
from rookery.lazy_imports import modules_later
from rookery.positions.language.query import Query, query_of
from rookery.tasks.interface import Executor

if TYPE_CHECKING:
    from rookery.data.index import answers, game_index
    from rookery.data.plans import explaining
else:
    (explaining,) = modules_later("rookery.data.plans", "explaining")
    answers, game_index = modules_later("rookery.data.index", "answers game_index")

_OF_GAMES: Final = ("file", "number", "ply", "fen", "move")  # the columns without a `select`


class Scan(NamedTuple):
    """A source as the caller described it."""

    sources: tuple[Any, ...]  # paths, objects in memory, and inputs that are known
    format: str | None
    reading: ReadOptions
    fen: str
    index_folder: str | None = None  # the folder of an index, if the sources are its tables of games

    def inputs(self, *, rows: bool = False) -> list[Input]:
        """Find out what the sources are; text with scores is training data if the `rows` of such data are needed."""
        if rows:
            return [input_in_memory(one, self.format) or describe_rows(one, self.format) for one in self.sources]
        given = None if self.format == "table" else self.format
        known = [one if isinstance(one, Input) else input_in_memory(one, given) for one in self.sources]
        described = [one or describe(source, given, self.fen) for one, source in zip(known, self.sources, strict=True)]
        return agreed(described)

    def call(self) -> str:
        """Return the call of `scan`; an object in memory is the name of its class."""
        sources = self.sources if self.index_folder is None else (self.index_folder,)
        named = [one.name if isinstance(one, Input) else one for one in sources]
        shown_sources = [one if isinstance(one, str) else _InMemory(one) for one in named]
        given = {"where": self.reading.where, "format": self.format, "fen": None if self.fen == "fen" else self.fen}
        given |= {name: getattr(self.reading, name) for name in ("encoding", "letters", "names")}
        given |= {"bad": None if self.reading.errors == "keep" else self.reading.errors}
        source = shown_sources[0] if len(shown_sources) == 1 else shown_sources
        return call_of("scan", [source], {name: value for name, value in given.items() if value is not None})


class _InMemory:
    """An object in memory, as plans show it."""

    def __init__(self, value: Any) -> None:
        self._name = type(value).__name__

    def __repr__(self) -> str:
        return self._name


class Plan(VerbMethods, SinkMethods):
    """A lazy plan: what to read, which rows to keep, and which columns to compute. `scan` begins one.

    A plan is immutable: each verb returns a new one, and only a sink, such as `collect`, reads the source.

    >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("is_mate").select("ply", "fen")
    >>> plan.collect().to_pylist()
    [{'ply': 42, 'fen': 'r7/p1p2k1n/2p4r/4P2p/4Np2/BP3P1b/P1P2Kq1/R2QR3 w - - 4 22'}]
    """

    __slots__ = ("_source", "_steps")
    _source: Scan
    _steps: tuple[Step, ...]

    def __init__(self, source: Scan, steps: tuple[Step, ...] = ()) -> None:
        """Make a plan of a source and steps; `scan` does so."""
        self._source, self._steps = source, steps

    def _with(self, step: Step) -> Self:
        """Return the plan with one more step."""
        if isinstance(step, (Choose, Select)):
            name = "positions" if isinstance(step, Choose) else "select"
            for other in self._steps:
                if not isinstance(other, (Choose, Select)):
                    raise ValueError(f"{name}: comes after {other.name}: expected before it")
                if isinstance(other, type(step)):
                    raise ValueError(f"{name}: comes twice: expected once")
        return type(self)(self._source, (*self._steps, step))

    # Verbs.

    def where(self, condition: str) -> "Plan":
        """Keep the games for which a condition on headers is true, too: see `rookery.read_pgn`.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").where("WhiteElo > 1500").select("number")
        >>> plan.collect().column("number").unique().to_pylist()
        [3, 5, 8, 11, 12]
        """
        reading = self._source.reading
        both = condition if reading.where is None else f"({reading.where}) and ({condition})"
        text("condition", condition, "a condition such as WhiteElo >= 2000")
        return Plan(self._source._replace(reading=replace(reading, where=both)), self._steps)

    def positions(
        self,
        query: "Query | str | None" = None,
        *,
        every: int = 1,
        from_ply: int = 0,
        to_ply: int | None = None,
        sample: float | None = None,
        seed: int = 0,
    ) -> "Plan":
        """Keep the positions for which a condition of the query language is true.

        Of games, only positions from half-move `from_ply` to `to_ply` count, and of these each whose number of
        half-moves is a multiple of `every`. A `sample` is the share of these that chance keeps, from 0 to 1, which
        `seed` decides; the same positions are kept on any executor. Of games, a hash of the first position, the moves
        and the half-move decides, in whatever format and file they are; of training data, one of the row, so that equal
        rows are kept or left out together; of other sources, the place of the row.

        >>> scan("docs/lichess-2025-05.pgn.zst").positions("is_check", every=2).collect().num_rows
        11
        """
        condition = None if query is None else query_of(query)
        if condition is not None:
            condition.plan.check_condition()
        is_share = isinstance(sample, (int, float)) and not isinstance(sample, bool) and 0 <= sample <= 1
        if sample is not None and not is_share:
            raise ValueError(f"sample: {shown(sample)}: expected a share from 0 to 1")
        last = None if to_ply is None else count("to_ply", to_ply, 0)
        asked = None if condition is None else condition.text
        first = count("from_ply", from_ply, 0)
        return self._with(Choose(asked, count("every", every, 1), first, last, sample, count("seed", seed, 0)))

    def select(self, *names: str, **expressions: str) -> "Plan":
        """Compute the columns of the table.

        Each is a name or an expression of the query language; `expressions` have a name of their own. Names are those
        of headers of games (``WhiteElo``), of columns of the input, of `rookery.annotate`'s features, and ``file``,
        ``number`` (of the game in its file, from 1), ``game`` (its index among all games that are read, from 0),
        ``ply``, ``fen``, ``move`` (in UCI notation), ``move.san``, ``clock``, ``eval`` and ``result``, from the view of
        the side to move; ``"*"`` stands for the columns of a plan without `select`. What is missing is null.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions(to_ply=1)
        >>> plan.select("White", "move", spent="clock(us) - next(clock(them))").collect().to_pylist()[1]
        {'White': 'alanbrito4', 'move': 'e7e5', 'spent': None}
        """
        for name, expression in expressions.items():
            if not isinstance(expression, str):
                raise TypeError(f"{name}: {shown(expression)}: expected an expression such as 'elo(us)'")
        columns: tuple[tuple[str, str], ...] = ()
        for one in names:
            is_star = isinstance(one, str) and one == "*"
            columns += (("*", "*"),) if is_star else tuple(named_columns([one], "names"))
        columns = (*columns, *expressions.items())
        if not columns:
            raise ValueError("names: no columns: expected at least one")
        seen: set[str] = set()
        for name, _ in columns:
            if name in seen:
                raise ValueError(f"names: {shown(name)}: named twice")
            seen.add(name)
        return self._with(Select(columns))

    def explain(self, *, run: bool = False, executor: Executor | str | None = None, threads: int = 1) -> str:
        """Return the plan as a table: each step with the rows after it and the seconds that it takes.

        Both are predicted, which ``~`` says: the first part of each of a few files is read, and counts for the rest.
        Seconds are those of one step for all that stream; of verbs that need all rows they are not predicted. With
        `run` the plan runs, too, and the actual rows and seconds stand next to the predicted ones.

        >>> plan = scan("docs/lichess-2025-05.pgn.zst").positions("is_check", every=2).select("ply").sort("ply")
        >>> for line in plan.explain().splitlines():
        ...     print(line[:43].rstrip())
        step                                  rows
        scan('docs/lichess-2025-05.pgn.zst')  ~645
        positions('is_check', every=2)         ~11
        select('ply')                          ~11
        sort('ply')                            ~11
        """
        flag("run", run)
        if executor is not None and not run:
            raise ValueError(f"executor: {shown(executor)}: runs the plan: expected run=True")
        return self._explained(self._ready(check_threads(threads)), run, executor, threads)

    def _explained(self, ready: Ready, run: bool, executor: Executor | str | None, threads: int) -> str:
        texts = [self._source.call(), *(step.call() for step in sorted(self._steps, key=_order))]
        guesses = explaining.predicted(ready, texts, threads)
        return explaining.table(guesses, explaining.actual(ready, texts, executor, threads) if run else None)

    def _explain_rows(self, threads: int) -> str:
        """Return the plan of rows of training data as a table, as `explain` does."""
        ready = self._ready_for_rows("explain", "explains", RowsMade("rows"), threads)
        return self._explained(ready, False, None, threads)

    def _selecting(self, columns: tuple[tuple[str, str], ...]) -> "Plan":
        """Return the plan with a selection in front of the verbs that need all rows."""
        first = next((i for i, step in enumerate(self._steps) if not isinstance(step, Choose)), len(self._steps))
        return Plan(self._source, (*self._steps[:first], Select(columns), *self._steps[first:]))

    def at(self, board: Board | str, *, limit: int = 1_000) -> "answers.IndexedPosition":
        """Look up a position in an index of games, which is the source of the plan: see `GameIndex.at`.

        An index has all positions of all of its games, so the plan has no steps and no `where`.

        >>> import tempfile, rookery
        >>> index = rookery.index_games("docs/lichess-2025-05.pgn.zst", tempfile.mkdtemp())
        >>> [(move.san, move.games) for move in scan(index.folder).at(Board()).moves]
        [('e4', 8), ('d4', 3), ('c4', 1)]
        """
        if self._source.index_folder is None:
            raise ValueError(f"at: {self}: expected the folder of an index, which rookery.index_games makes")
        if self._steps or self._source.reading.where is not None:
            raise ValueError(f"at: {self}: expected a plan without steps: an index counts all of its games")
        return game_index.open_index(self._source.index_folder).at(board, limit=limit)

    def _ready(
        self, threads: int, *, games: bool = False, packing: Packing | None = None, rows: RowsMade | None = None
    ) -> Ready:
        """Return the plan with what its inputs are: the one place where steps are dispatched.

        With `packing` the rows are those of a dataset: own columns, and the position and its game as bytes.
        """
        chosen = next((step for step in self._steps if isinstance(step, Choose)), None)
        selected = next((step for step in self._steps if isinstance(step, Select)), None)
        exchanges = [step for step in self._steps if not isinstance(step, (Choose, Select))]
        inputs = self._source.inputs(rows=rows is not None)
        stage = Stage(fen=self._source.fen, reading=replace(self._source.reading, threads=threads), games=games)
        if rows is not None and not exchanges:
            stage = stage._replace(rows=rows)
        stage = stage if chosen is None else stage._replace(choice=chosen)
        hidden = tuple(pair for step in exchanges for pair in getattr(step, "hidden", ()))
        for one in inputs:
            _check_query(stage.choice.query, one)
            if games and one.format != "games":
                raise ValueError(f"write_pgn: {one.name} has no games: expected files of games")
            if rows is not None and not one.knows_games:
                raise ValueError(f"{one.name}: has no scores: expected games or training data")
        if stage.rows is not None:
            return Ready.of(inputs, [stage] * len(inputs), (), self._source.sources)
        selected = Select(()) if selected is None and packing is not None else selected
        stages = [stage._replace(columns=_columns(one, selected, stage.fen, hidden)) for one in inputs]
        if packing is not None:
            stages = [_packed(one, stage, packing) for one, stage in zip(inputs, stages, strict=True)]
        return Ready.of(inputs, stages, exchanges, self._source.sources)

    def __repr__(self) -> str:
        return ".".join([self._source.call(), *(step.call() for step in self._steps)])


def _order(step: Step) -> int:
    """Return the place of a step among those of other kinds, as they run."""
    return 0 if isinstance(step, Choose) else 1 if isinstance(step, Select) else 2


def _columns(source: Input, selected: Select | None, fen: str, hidden: Hidden) -> tuple[Feature, ...]:
    """Return the columns of the rows of an input, and those that steps need without being shown."""
    own = columns_in(source, fen)
    known = own or (_OF_GAMES if source.knows_games else ("fen",))
    everything = tuple((name, name) for name in known)
    asked = (("*", "*"),) if selected is None else selected.columns
    pairs = [pair for one in asked for pair in (everything if one == ("*", "*") else (one,))]
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"select: {shown(name)}: is a column of {source.name}, too: give it another name")
    columns = tuple(
        Feature(name, "", asked) if asked in own else expression_of_lines(name, asked, source) or column_of(name, asked)
        for name, asked in (*pairs, *hidden)
    )
    for column in columns:
        _check_asked("select", column.asked, column.needs_games, column.headers, source)
    return columns


def _packed(source: Input, stage: Stage, packing: Packing) -> Stage:
    """Return the stage of the rows of a dataset; the reader has checked the moves of games."""
    checked = (*packing.limits, *((ILLEGAL.name,) if source.format == "training" else ()))
    packing = packing._replace(limits=checked)
    number = (column_of(NUMBER, "number"),) if source.knows_games else ()
    return stage._replace(columns=(*stage.columns, packing.column(ROWS), *number), packing=packing)


def _check_query(text: str | None, source: Input) -> None:
    """Raise a ValueError if an input lacks what a query asks about."""
    if text is not None:
        query = Query(text)
        _check_asked("query", text, query.needs_games, query.headers, source)


def _check_asked(verb: str, asked: str, needs_games: bool, headers: Sequence[str], source: Input) -> None:
    if needs_games and not source.knows_games:
        is_labelled = source.schema is not None and has_labels(source.schema.names)
        raise ValueError(
            f"{verb}: {shown(asked)}: asks about games, and {source.name} has none: expected a question about "
            f"positions{' or a column of the file' if verb == 'select' else ''}"
            f"{'; format=' + shown(LABELS) + ' (--from labels) reads its labels as scores' if is_labelled else ''}"
        )
    if source.format == "training" and set(headers) - {"Result"}:
        raise ValueError(f"{verb}: {shown(asked)}: asks about headers, and {source.name} is training data without them")


def scan(
    source: Any,
    *,
    where: str | None = None,
    format: str | None = None,
    fen: str = "fen",
    encoding: str | None = None,
    letters: str | None = None,
    names: Any = None,
    bad: PgnErrors = "keep",
) -> Plan:
    """Begin a lazy plan over a source; nothing is read before a sink.

    `source` is a path, a pattern such as ``"games/*.pgn"``, an object in memory, or a list of these. Files have

    - games: PGN, packed or not, JSON of Lichess and chess.com, or tables of games in Parquet or Arrow;
    - lines: FEN or EPD, or CSV, JSON lines, Parquet or Arrow with a column `fen`; their other columns are columns, too;
    - training data: binpack, viriformat, bulletformat, plain or packed-sfen.

    The folder of an index stands for its tables of games, and `Plan.at` looks positions up in it.

    Paths may have the scheme of a store, such as ``s3://``, if fsspec is installed; ``"-"`` is standard input. The
    content of a file, and of training data its name, says which it is; `format` says it where that is not clear: one of
    ``"fen"``, ``"csv"``, ``"jsonl"``, ``"games"``, ``"table"``, ``"labels"`` (CSV or lines of labelled positions, read
    as training data) and the formats of training data. Objects in memory are `Games`, `Positions`, `ScoredPositions`,
    the hits of a search, and Arrow tables of games or with a column `fen`.

    `where` is a condition on headers that chooses games, or on the columns of lines; `encoding`, `letters` and `names`
    (of openings) are those of games, as in `rookery.read_pgn`. A bad game counts up to its first fault; with
    ``bad="skip"`` it is left out, and with ``bad="raise"`` it is an error.

    >>> scan("docs/lichess-2025-05.pgn.zst", where="WhiteElo > 1500").positions("is_check").collect().num_rows
    7
    """
    if format is not None:
        choice("format", format, {name: name for name in FORMATS})
    choice("bad", bad, {name: name for name in ("keep", "skip", "raise")})
    reading = ReadOptions(where=where, encoding=encoding, letters=letters, names=names, errors=bad)
    given = list(source) if isinstance(source, (list, tuple)) else [source]
    sources: list[Any] = []
    index = _index_of(given)
    given = given if index is None else game_index.open_index(index).tables
    for i, one in enumerate(given):
        in_memory = source_in_memory(one)
        sources += paths_of(one, f"source[{i}]" if len(given) > 1 else "source") if in_memory is None else [in_memory]
    if not sources:
        raise ValueError("source: no files: expected at least one")
    return Plan(Scan(tuple(sources), format, reading, text("fen", fen, "the name of a column"), index))


def _index_of(sources: list[Any]) -> str | None:
    """Return the folder of an index if that is the only source."""
    (one, *others) = sources or [None]
    is_index = not others and isinstance(one, (str, os.PathLike)) and catalogue.is_index(one)
    return os.fsdecode(one) if is_index else None
