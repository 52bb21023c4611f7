"""The options of a dataset, checked, and small enough to be sent to workers."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from rookery.arguments import choice, count, shown
from rookery.data.datasets.own_columns import OwnColumn
from rookery.data.encoders.leela import FORMATS as LEELA_FORMATS
from rookery.data.encoders.leela import HISTORY
from rookery.data.training import limits
from rookery.positions.features.channels import DEFAULT
from rookery.positions.features.move_lists import move_list
from rookery.positions.features.planes import plan as plan_of
from rookery.tasks.exchange import SPLITS

VALUES: Final = {"result": "result", "eval": "eval", None: None}
POLICIES: Final = {"alphazero": "alphazero", "leela": "leela", None: None}
_TARGETS: Final = {"first": "first", "mean": "mean"}
MOST_EARLIER: Final = HISTORY - 1
# Planes of Leela Chess Zero, by name, with their input formats; all need the seven earlier positions.
LEELA: Final = {"leela": 1} | {f"leela-{number}": number for number in LEELA_FORMATS}
_OF_MOVES: Final = "legal_targets"  # the channel that is about the side to move alone
_MOST_SHARDS: Final = 4096


class Options(NamedTuple):
    """The options of a dataset; the docstring of `Plan.write_dataset` describes them."""

    planes: tuple[str, ...]
    policy: str | None
    value: str | None
    history: int = 0
    targets: str = "first"
    splits: tuple[str, ...] = SPLITS[:1]
    columns: tuple[OwnColumn, ...] = ()

    @classmethod
    def of_content(cls, content: Any) -> Any:
        """Return options that JSON holds by their names of today; manifests of older datasets have others, too."""
        if not isinstance(content, dict):
            return content
        known: dict[str, Any] = {name: content[name] for name in cls._fields if name in content}
        if isinstance(content.get("split"), list):
            known["splits"] = SPLITS[: len(content["split"])]
        if isinstance(columns := known.get("columns"), list):
            known["columns"] = [
                [*column[:3], *(part for part in column[3:] if isinstance(part, bool))]
                if isinstance(column, list)
                else column
                for column in columns
            ]
        return known

    def content(self) -> dict[str, Any]:
        """Return the options as JSON holds them."""
        return self._asdict()

    @property
    def limits(self) -> tuple[str, ...]:
        """Return the limits of rows: those with the move and the value that are to be learnt are kept."""
        value = {"result": (limits.NO_RESULT.name,), "eval": (limits.NO_SCORE.name,), None: ()}[self.value]
        return (*((limits.NO_MOVE.name,) if self.policy is not None else ()), *value)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `Plan.write_dataset` that are not those by default."""
        default = Options(DEFAULT, "alphazero", "result")
        planes: Any = self.planes[0] if self.planes[0] in LEELA else list(self.planes)
        given = {**self._asdict(), "planes": planes}
        names = ("planes", "policy", "value", "history", "targets")
        return {name: given[name] for name in names if getattr(self, name) != getattr(default, name)}


def checked_options(planes: Any, policy: Any, value: Any, history: Any = 0, targets: Any = "first") -> Options:
    """Return the options, or raise an error that names the first bad one."""
    policy = choice("policy", policy, POLICIES)
    if policy is not None:
        move_list(policy)
    history = count("history", history, 0, MOST_EARLIER)
    planes, value = channels_of(planes, history), choice("value", value, VALUES)
    return Options(planes, policy, value, history, choice("targets", targets, _TARGETS))


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
