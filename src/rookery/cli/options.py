"""The options that commands share, each declared once. Those of reading games are the fields of `ReadOptions`."""

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from rookery.sources import files as disk_files

if TYPE_CHECKING:
    from rookery.data.plans.plan import Plan

Command = TypeVar("Command", bound=Callable[..., Any])

_FORCE: Final = "rookery.force"  # where a context keeps whether files that exist may be overwritten

executor_option = click.option(
    "--executor",
    metavar="KIND[:WORKERS]",
    help="Where to run: threads:8, processes:8, dask:tcp://host:8786, ray:auto, loky:8 or mpi:8.",
)
as_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
encoding_option = click.option(
    "--encoding", metavar="NAME", help="The encoding of PGN, such as cp1251. [default: UTF-8, else Windows-1252]"
)
explain_option = click.option(
    "--explain", is_flag=True, help="Print the plan: rows and seconds of its steps, or how a query was evaluated."
)
where_option = click.option("--where", help="Select games by their headers: 'WhiteElo >= 2000'.")


def fractions_in(split: str) -> list[float]:
    """Return the fractions that a value of --split names."""
    try:
        return [float(number) for number in split.split(",")]
    except ValueError:
        raise ValueError(f"--split: {split!r}: expected numbers with commas between, such as 0.98,0.01,0.01") from None


# One declaration for each option that chooses the rows of a plan, or orders them.
ROWS: Final[dict[str, Callable[[Any], Any]]] = {
    "query": click.option("--query", help="Select positions: 'not is_check and not move.captures and ply > 16'."),
    "select": click.option(
        "--select", multiple=True, metavar="NAME,...", help="The columns; * stands for the usual ones."
    ),
    "every": click.option(
        "--every", type=click.IntRange(1), default=1, show_default=True, help="Of games, every N-th half-move."
    ),
    "from_ply": click.option("--from-ply", type=click.IntRange(0), default=0, help="Of games, the first half-move."),
    "to_ply": click.option("--to-ply", type=click.IntRange(0), help="Of games, the last half-move."),
    "sample": click.option("--sample", type=click.FloatRange(0, 1), help="Keep a random share of the rows."),
    "seed": click.option(
        "--seed",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help="The seed of what is random, such as --shuffle.",
    ),
    "by": click.option(
        "--by",
        metavar="NAME,...",
        help="Count rows by a header, such as ECO, or by expressions: 'elo(us)//200, move.san'.",
    ),
    "unique": click.option("--unique", is_flag=True, help="Keep each position once, the first in the inputs."),
    "sort": click.option(
        "--sort", metavar="NAME", help="Sort the rows by a column or an expression; -NAME sorts downward."
    ),
    "shuffle": click.option("--shuffle", is_flag=True, help="Put all rows in random order."),
    "split": click.option(
        "--split", metavar="F,...", help="Add a column split by fractions: train, validation and test."
    ),
    "split_by": click.option(
        "--split-by",
        default="game",
        show_default=True,
        help="With --split, what is in one part only: game, date, player (who moves), position, or an expression.",
    ),
    "memory": click.option(
        "--memory",
        default="512MB",
        show_default=True,
        metavar="SIZE",
        help="What a task of --unique, --sort or --shuffle may take; more rows go through files.",
    ),
    "limit": click.option("--limit", type=click.IntRange(0), help="Keep only the first rows."),
}


class RowOptions(NamedTuple):
    """The options of a plan's rows: which of them are kept, their columns, and their order.

    A command that lacks one has its default.
    """

    query: str | None = None
    select: tuple[str, ...] = ()
    every: int = 1
    from_ply: int = 0
    to_ply: int | None = None
    sample: float | None = None
    seed: int = 0
    by: str | None = None
    unique: bool = False
    sort: str | None = None
    shuffle: bool = False
    split: str | None = None
    split_by: str = "game"
    memory: str = "512MB"
    limit: int | None = None

    @property
    def choose(self) -> bool:
        """Check whether positions are left out."""
        chosen = self.query is not None or self.every > 1 or self.from_ply > 0
        return chosen or self.to_ply is not None or self.sample is not None

    @property
    def order(self) -> bool:
        """Check whether a verb needs all rows, but for the first ones."""
        verbs = self.by is not None, self.unique, self.sort is not None, self.shuffle, self.split is not None
        return any(verbs)

    def chosen(self, plan: "Plan") -> "Plan":
        """Return a plan with the choice of positions."""
        if not self.choose:
            return plan
        return plan.positions(
            self.query,
            every=self.every,
            from_ply=self.from_ply,
            to_ply=self.to_ply,
            sample=self.sample,
            seed=self.seed,
        )

    def ordered(self, plan: "Plan") -> "Plan":
        """Return a plan with the verbs that need all rows, and the first of its rows.

        With `by`, the rows are the values with their hits and games.
        """
        from rookery.data.plans.verb_methods import memory_of
        from rookery.tasks.exchange import fractions_of

        held = memory_of(self.memory, "--memory")
        if self.by is not None:
            plan = plan.group_by(self.by, memory=held).agg("hits=count", "games").sort("hits", descending=True)
        plan = plan.unique(memory=held) if self.unique else plan
        if self.sort:
            plan = plan.sort(self.sort.removeprefix("-"), descending=self.sort.startswith("-"), memory=held)
        plan = plan.shuffle(self.seed, memory=held) if self.shuffle else plan
        plan = plan if self.limit is None else plan.head(self.limit)
        if self.split is None:
            return plan
        return plan.split(*fractions_of(fractions_in(self.split), "--split"), by=self.split_by)


def chooses_rows(*fields: str, **helps: str) -> Callable[[Command], Callable[..., Any]]:
    """Add options of a plan's rows to a command, which gets the record `rows`. `helps` are other helps of options."""

    def decorated(command: Command) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_record(*args: Any, **kwargs: Any) -> Any:
            rows = RowOptions(**{field: kwargs.pop(field) for field in fields})
            return command(*args, rows=rows, **kwargs)

        made: Callable[..., Any] = with_record
        for field in reversed(fields):
            made = ROWS[field](made)
            if field in helps:
                made.__click_params__[-1].help = helps[field]  # type: ignore[attr-defined]  # as click.option keeps it
        return made

    return decorated


def limit_option(what: str, default: int) -> Callable[[Command], Command]:
    """Return the option for a number of rows at most."""
    return click.option("--limit", type=click.IntRange(0), default=default, show_default=True, help=what)


def seed_option(what: str | None, most: int | None = None) -> Callable[[Command], Command]:
    """Return the option for what decides a random order or choice."""
    return click.option("--seed", type=click.IntRange(0, most), default=0, show_default=True, help=what)


def threads_option(*, all_cores: bool = False, most: int | None = None) -> Callable[[Command], Command]:
    """Return the option for the number of threads, by default one, or as many as there are cores."""
    default: Any = (lambda: os.cpu_count() or 1) if all_cores else 1
    shown: Any = "all cores" if all_cores else True
    kind = click.IntRange(1, most)
    return click.option("--threads", type=kind, default=default, show_default=shown, help="The number of threads.")


def errors_option(what: str) -> Callable[[Command], Command]:
    """Return the option for the file that lists what cannot be read."""
    return click.option("--errors", "errors_path", type=OutputFile(), help=f"Write {what} as lines of JSON.")


def from_option(formats: tuple[str, ...], what: str, default: str) -> Callable[[Command], Command]:
    """Return the option for the format of the inputs."""
    return click.option("--from", "source", type=click.Choice(formats), help=f"{what}. [default: by {default}]")


def out_option(
    what: str, *, name: str = "path", required: bool = False, kind: Any = None
) -> Callable[[Command], Command]:
    """Return the option for the output: a file, unless `kind` is another type."""
    return click.option("-o", "--out", name, type=kind or OutputFile(), required=required, help=what)


def headers_option(default: str | None, what: str) -> Callable[[Command], Command]:
    """Return the option for names of headers, all of them if there is no default."""
    return click.option("--headers", type=Names(), default=default, show_default=default is not None, help=what)


class Names(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """The type of an option that takes names with commas between; ``all`` is None."""

    name = "names"

    def convert(self, value: Any, *_: Any) -> tuple[str, ...] | None:
        """Return the names."""
        if not isinstance(value, str):
            return value  # type: ignore[no-any-return]  # converted before
        return None if value == "all" else tuple(name.strip() for name in value.split(",") if name.strip())


# One declaration for each option of reading that commands have. `clocks` and `moves` follow from the output.
READING: Final[dict[str, Callable[[Any], Any]]] = {
    "headers": headers_option(None, "Keep only the headers of these names, with commas between. [default: all]"),
    "comments": click.option(
        "--comments/--no-comments", default=True, help="Keep comments [default], or only the values in them."
    ),
    "nags": click.option("--nags/--no-nags", default=True, help="Keep annotation glyphs [default], or drop them."),
    "variations": click.option(
        "--variations/--no-variations", default=True, help="Keep variations [default], or drop them."
    ),
    "where": where_option,
    "texts": click.option("--texts", is_flag=True, help="Also keep the PGN of each game as a column."),
    "encoding": encoding_option,
    "letters": click.option(
        "--letters", metavar="LANGUAGE", help="The language of the pieces' letters, such as german. [default: english]"
    ),
    "names": click.option(
        "--names",
        multiple=True,
        metavar="FILE",
        callback=lambda _context, _option, paths: list(paths) or None,
        help="Name openings by position, by files in the format of Lichess' chess-openings, a pattern such as '*.tsv' "
        "included; may be given again.",
    ),
    "errors": click.option(
        "--bad",
        "errors",
        type=click.Choice(["keep", "skip", "raise"]),
        default="keep",
        show_default=True,
        help="Keep the legal moves of a bad game, skip it, or stop at the first one.",
    ),
    "strict": click.option("--strict", is_flag=True, help="Treat annotations like '+/-' or 'Qxf7ch' as errors."),
    "threads": threads_option(),
}


def reads_games(*fields: str, required: bool = True, kind: Any = None) -> Callable[[Command], Callable[..., Any]]:
    """Add the argument FILES and options of reading to a command, which gets `files` and the record `reading`.

    The argument is not `required` if a command may do without; `kind` is its type, by default that of files.
    """

    def decorated(command: Command) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_record(*args: Any, files: tuple[list[str], ...], **kwargs: Any) -> Any:
            from rookery.games.read.options import ReadOptions

            reading = ReadOptions(**{field: kwargs.pop(field) for field in fields})
            return command(*args, files=[name for matched in files for name in matched], reading=reading, **kwargs)

        made: Callable[..., Any] = with_record
        for field in reversed(fields):
            made = READING[field](made)
        return click.argument("files", nargs=-1, required=required, type=kind or Sources())(made)

    return decorated


class Sources(click.Path):
    """The type of an argument that names a file of games, perhaps of a store, or a pattern that files match."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the files."""
        from rookery.sources.stores import is_remote
        from rookery.sources.streams import expanded

        if value == "-" or is_remote(value):
            return [value]
        try:
            return [super(Sources, self).convert(name, param, ctx) for name in expanded(value)]
        except OSError as error:
            self.fail(f"{value!r}: {error.strerror}", param, ctx)


class OutputFile(click.Path):
    """The type of an option that names an output file.

    Anything that would prevent writing is an error before the work begins. The command is decorated by `writes_files`,
    which refuses a file that exists without ``--force``, unless it is `continued`: read, extended and written again. A
    `remote` file may be in another store.
    """

    def __init__(self, *, continued: bool = False, remote: bool = False) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)
        self.continued, self.remote = continued, remote

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Its folder must exist and be writable."""
        from rookery.sources.stores import is_remote

        if self.remote and is_remote(value):
            return value
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.name:
            self.fail(f"{value!r}: expected the name of a file", param, ctx)
        if disk_files.is_stream(path):
            return path
        if not path.parent.is_dir():
            self.fail(f"{str(path)!r}: there is no folder {str(path.parent)!r}", param, ctx)
        if not os.access(path.parent, os.W_OK):
            self.fail(f"{str(path)!r}: the folder {str(path.parent)!r} may not be written to", param, ctx)
        return path


def writes_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option ``--force`` to a command that writes files, and check its outputs before it runs."""

    @functools.wraps(command)
    def checked(*args: Any, **kwargs: Any) -> Any:
        _check_outputs(click.get_current_context())
        return command(*args, **kwargs)

    return force_option("Overwrite files that exist.")(checked)


def force_option(what: str) -> Callable[[Command], Command]:
    """Return the option to begin anew, which `overwrites` looks at."""

    def keep(ctx: click.Context, _param: click.Parameter, force: bool) -> None:
        ctx.meta[_FORCE] = force

    return click.option("--force", is_flag=True, is_eager=True, expose_value=False, callback=keep, help=what)


def overwrites() -> bool:
    """Return whether the running command was given ``--force``."""
    return bool(click.get_current_context().meta.get(_FORCE))


def _check_outputs(ctx: click.Context) -> None:
    """Refuse an output that is also an input or another output, or that exists and must not be overwritten."""
    used: list[tuple[str, Path]] = []
    outputs: list[tuple[str, Path, bool]] = []
    for param in ctx.command.params:
        if not isinstance(param.type, click.Path):
            continue
        value = ctx.params.get(param.name or "")
        name = param.opts[0] if isinstance(param, click.Option) else "the input"
        values = value if isinstance(value, tuple) else (value,)
        for path in (one for several in values for one in (several if isinstance(several, list) else [several])):
            if path is None or disk_files.is_stream(path):
                continue
            if isinstance(param.type, OutputFile):
                outputs.append((name, Path(path), param.type.continued or overwrites()))
            else:
                used.append((name, Path("/dev/stdin" if str(path) == "-" else path)))
    for name, path, may_exist in outputs:
        for other, known in used:
            if _same_file(path, known):
                raise click.UsageError(
                    f"{name}: {str(path)!r} is the same file as {other} {str(known)!r}: give another name"
                )
        if path.exists() and not may_exist:
            raise click.UsageError(
                f"{name}: {str(path)!r} exists already: give another name, or --force to overwrite it"
            )
        used.append((name, path))


def _same_file(one: Path, other: Path) -> bool:
    """Return whether two paths name one file, also through links, whether or not it exists."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)
