"""The file that keeps a packing between rounds, so that it can be continued."""

from pathlib import Path
from typing import Any

from magics.pack.columns import shape_of
from magics.pack.packing import LARGE, MOST_LEVELS, State, boards
from magics.pack.tiling import Place
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.techniques._magics import Packed

_KIND = files.Kind("state", "rookery magics pack, version 2")


def save(path: Path, state: State) -> None:
    """Write a state. An OSError leaves the file as it was before."""
    places = [
        place and [state.pools[case].index(place.shape), place.turn, place.level]
        for case, place in zip(LARGE, state.places, strict=True)
    ]
    body = {
        **state._asdict(),
        "pools": [[[f"0x{shape.magic:016x}", shape.bits] for shape in pool] for pool in state.pools],
        "places": places,
        "records": [list(record) for record in state.records],
    }
    files.save(path, _KIND, {"state": body})


def load(path: Path, form: str, seed: int) -> tuple[State | None, Path | None]:
    """Load the state from a file; return None if the file does not exist.

    A damaged file is renamed, never overwritten, and its new name is the second value. A file that is not a state, or
    has another form or seed, is a ValueError and stays unchanged.
    """
    try:
        document = files.load(path, _KIND)
        if document is None:
            return None, None
        state = _read(document)
    except files.Damaged:
        aside = files.free_name(path)
        try:
            DISK.replace(path, aside)
        except OSError as error:
            raise ValueError(f"state: {path}: damaged, and cannot be renamed: {error.strerror}") from error
        return None, aside
    if (state.form, state.seed) != (form, seed):
        raise ValueError(
            f"state: {path}: a packing of form {state.form} and seed {state.seed}; expected {form} and {seed}"
        )
    return state, None


def _read(document: dict[str, Any]) -> State:
    try:
        return _state_of(document["state"])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError) as error:
        raise files.Damaged(f"state: {error}") from error


def _number(name: str, value: Any, most: int) -> int:
    """Return a number that compiled code uses as an index, after a check."""
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{name}: {value!r}: expected an int from 0 to {most}")
    return value


def _state_of(body: dict[str, Any]) -> State:
    levels = _number("levels", body["levels"], MOST_LEVELS)
    pools = [
        [shape_of(boards(body["form"], case)[0], int(magic, 16), bits) for magic, bits in pool]
        for case, pool in enumerate(body["pools"])
    ]
    places = [
        place and Place(pools[case][place[0]], _number("turn", place[1], 63), _number("level", place[2], levels))
        for case, place in zip(LARGE, body["places"], strict=True)
    ]
    return State(**{**body, "pools": pools, "places": places, "records": [Packed(*row) for row in body["records"]]})
