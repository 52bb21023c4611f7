"""The options of `make_dataset`, checked, and small enough to be sent to workers."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from rookery.arguments import choice, count, flag, shown, text
from rookery.data.datasets.own_columns import OwnColumn, columns_of
from rookery.data.encoders.leela import FORMATS as LEELA_FORMATS
from rookery.data.encoders.leela import HISTORY
from rookery.data.pipeline.features import DIVIDERS, Feature, column_of
from rookery.games.read.options import ReadOptions
from rookery.positions.features.channels import DEFAULT
from rookery.positions.features.move_lists import move_list
from rookery.positions.features.planes import plan as plan_of
from rookery.positions.language.query import Query, query_of
from rookery.tasks.exchange import SPLITS, fractions_of

_VALUES: Final = {"result": "result", "eval": "eval", None: None}
OF_HEADERS: Final = ("date", "player")  # what divides rows, and training data lacks
_BY: Final = {by: by for by in DIVIDERS}
_POLICIES: Final = {"alphazero": "alphazero", "leela": "leela", None: None}
_TARGETS: Final = {"first": "first", "mean": "mean"}
MOST_EARLIER: Final = HISTORY - 1
# Planes of Leela Chess Zero, by name, with their input formats; all need the seven earlier positions.
LEELA: Final = {"leela": 1} | {f"leela-{number}": number for number in LEELA_FORMATS}
_OF_MOVES: Final = "legal_targets"  # the channel that is about the side to move alone
_MOST_SHARDS: Final = 4096
_MOST_SEED: Final = (1 << 63) - 1


class Options(NamedTuple):
    """The options of a dataset; the docstring of `make_dataset` describes them.

    A manifest has the digest of the `names` of openings.
    """

    planes: tuple[str, ...]
    policy: str | None
    value: str | None
    split: tuple[float, ...]
    by: str
    shuffle: bool
    seed: int
    unique: bool
    where: str | None
    query: str | None
    max_positions: int | None = None
    encoding: str | None = None
    letters: str | None = None
    columns: tuple[OwnColumn, ...] = ()
    history: int = 0
    targets: str = "first"
    names: Any = None

    def content(self) -> dict[str, Any]:
        """Return the options as JSON holds them: of names of openings the digest, if there are any."""
        content = self._asdict()
        names = content.pop("names")
        return content if names is None else {**content, "names": getattr(names, "digest", names)}

    @property
    def divider(self) -> tuple[Feature, ...]:
        """Return the column of headers that divides rows, if one does."""
        return (column_of(self.by, DIVIDERS[self.by]),) if self.by in OF_HEADERS else ()

    @property
    def splits(self) -> tuple[str, ...]:
        """Return the names of the splits."""
        return SPLITS[: len(self.split)]


def checked_options(
    planes: Any,
    policy: Any,
    value: Any,
    split: Any,
    by: Any,
    shuffle: Any,
    seed: Any,
    unique: Any,
    where: Any,
    query: Any,
    max_positions: Any,
    encoding: Any,
    letters: Any,
    columns: Any = None,
    history: Any = 0,
    targets: Any = "first",
    names: Any = None,
) -> Options:
    """Return the options, or raise an error that names the first bad one."""
    asked: Query | None = None if query is None else query_of(query)
    if asked is not None:
        asked.plan.check_condition()
    reading = ReadOptions(encoding=encoding, letters=letters, names=names)
    policy = choice("policy", policy, _POLICIES)
    if policy is not None:
        move_list(policy)
    history = count("history", history, 0, MOST_EARLIER)
    unique, targets = flag("unique", unique), choice("targets", targets, _TARGETS)
    if targets == "mean" and not unique:
        raise ValueError("targets: 'mean': expected unique, which finds the rows of one position")
    return Options(
        channels_of(planes, history),
        policy,
        choice("value", value, _VALUES),
        fractions_of(split),
        choice("by", by, _BY),
        flag("shuffle", shuffle),
        count("seed", seed, 0, _MOST_SEED),
        unique,
        None if where is None else text("where", where, "a condition on headers"),
        None if asked is None else asked.text,
        None if max_positions is None else count("max_positions", max_positions, 1),
        reading.encoding,
        reading.letters,
        columns_of(columns),
        history,
        targets,
        reading.names,
    )


def checked_shards(shards: Any) -> int | None:
    """Return a number of shards, or None."""
    return None if shards is None else count("shards", shards, 1, _MOST_SHARDS)


def channels_of(planes: Any, history: int) -> tuple[str, ...]:
    """Return what an argument `planes` names: channels, ``"default"``, or a name in `LEELA`.

    Rows have `history` earlier positions.
    """
    if isinstance(planes, str) and planes == "default":
        return DEFAULT
    given = [planes] if isinstance(planes, str) and planes in LEELA else planes
    if isinstance(given, str) or not isinstance(given, Iterable):
        kind = ValueError if isinstance(given, str) else TypeError
        raise kind(f'planes: {shown(given)}: expected "default", a list of channels, or one of {", ".join(LEELA)}')
    names = tuple(given)
    if len(names) == 1 and isinstance(names[0], str) and names[0] in LEELA:
        if history < MOST_EARLIER:
            raise ValueError(
                f"planes: {shown(names[0])}: rows have {history} earlier positions: expected history={MOST_EARLIER}"
            )
        return names
    if history and _OF_MOVES in map(str, names):
        raise ValueError(f"planes: {_OF_MOVES!r}: expected none with history: it is about the side to move alone")
    try:
        plan_of(names)
    except (TypeError, ValueError) as error:
        raise type(error)(f"planes: {error}") from error
    if not names:
        raise ValueError("planes: no channels: expected at least one")
    return names
