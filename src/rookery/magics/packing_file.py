"""The file a packing is kept in between its rounds, so that it goes on where it was ended."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from rookery.magics.columns import shape_of
from rookery.magics.ledger import free_name
from rookery.magics.pack import LARGE, State, boards
from rookery.magics.tiling import Place
from rookery.techniques._magics import Packed

_ABOUT = "rookery magics pack, version 1"


def save(path: Path, state: State) -> None:
    """Write a state; a crash leaves the file as it was before."""
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
    text = json.dumps({"about": _ABOUT, "digest": _digest(body), "state": body})
    beside = path.with_name(f"{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def load(path: Path, form: str, seed: int) -> tuple[State | None, Path | None]:
    """The state a file holds, or None if there is none.

    A damaged file is renamed, never overwritten, and its new name given. One of another form or seed is a ValueError.
    """
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None, None
    except OSError as error:
        raise ValueError(f"state: {path}: {error.strerror}") from error
    try:
        document = json.loads(text)
        if document["about"] != _ABOUT or document["digest"] != _digest(document["state"]):
            raise ValueError("digest")
        state = _read(document["state"])
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        aside = free_name(path)
        path.rename(aside)
        return None, aside
    if (state.form, state.seed) != (form, seed):
        raise ValueError(
            f"state: {path}: a packing of form {state.form} and seed {state.seed}; expected {form} and {seed}"
        )
    return state, None


def _digest(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _read(body: dict[str, Any]) -> State:
    pools = [
        [shape_of(boards(body["form"], case)[0], int(magic, 16), bits) for magic, bits in pool]
        for case, pool in enumerate(body["pools"])
    ]
    places = [
        place and Place(pools[case][place[0]], place[1], place[2])
        for case, place in zip(LARGE, body["places"], strict=True)
    ]
    return State(**{**body, "pools": pools, "places": places, "records": [Packed(*row) for row in body["records"]]})
