"""Public calls with objects that lie: about their lengths, their values, what they are, and when they change."""

import contextlib
import copy
import functools
import io
import json
import operator
import pickle
import random
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import pyarrow as pa
import test_wrong_arguments as public  # what is public, and right values for its parameters

from fuzzing import Target


class LiedError(Exception):
    """The error that hostile objects raise."""


# AttributeError is that of an object that was never initialised.
CLEAR: Final = (
    ValueError,
    TypeError,
    LookupError,
    OSError,
    OverflowError,
    BufferError,
    AttributeError,
    ImportError,
    LiedError,
)
_HUGE: Final = (-1, 0, 1, 63, 65, 255, 1 << 31, 1 << 32, 1 << 63, -(1 << 63) - 1, 1 << 64, 10**400)
_SPECIAL: Final = (
    "len index int float bool iter next getitem contains hash eq lt str repr format bytes fspath array arrow_c_array "
    "arrow_c_stream dataframe call enter exit getattr and rand add radd mul array_ufunc array_function complex trunc "
    "round reversed length_hint copy deepcopy reduce_ex setstate dir instancecheck class_getitem"
).split()
_METHODS: Final = (
    "read readline readinto write seek tell keys items values encode decode fileno mode name close".split()
)


class _Liar:
    """An object whose methods all answer by one function."""


def _answers(rng: random.Random, value: Any) -> Callable[..., Any]:
    """Return a function that answers anything: an error, another type, another value each time, or the right value."""
    wrong: list[Any] = [None, "x", b"x", 1.5, [], object(), NotImplemented, value, *_HUGE, np.zeros(3), "\ud800", ()]
    kind = rng.randrange(5)

    def answer(*_: Any, **__: Any) -> Any:
        if kind == 0:
            raise LiedError("lied")
        if kind == 1:
            raise rng.choice((StopIteration, AttributeError, KeyError, ValueError))("lied")
        if kind == 2:
            return rng.choice(wrong)
        return value if rng.random() < 0.5 else wrong[0] if kind == 3 else rng.choice(_HUGE)

    return answer


def liar(rng: random.Random, value: Any) -> Any:
    """Return an object of a class of its own, whose special methods lie; most often it looks like the right value."""
    is_ours = not type(value).__module__.startswith("pyarrow")  # which crashes at objects that were never initialised
    base = type(value) if is_ours and rng.random() < 0.6 else _Liar
    names = rng.sample(_SPECIAL, rng.randrange(1, 6))
    body: dict[str, Any] = {f"__{name}__": _answers(rng, value) for name in names}
    body |= {name: _answers(rng, value) for name in rng.sample(_METHODS, rng.randrange(3))}
    try:
        made = type("Liar", (base,), body)
        return made(value) if base in (int, str, bytes, list, tuple, dict, float) else _bare(made)
    except Exception:  # classes that cannot be derived from, or made
        body.pop("__getattr__", None)
        return type("Liar", (_Liar,), body)()


def changing(rng: random.Random, value: Any) -> Any:
    """Return a sequence that changes while it is read."""
    values = list(value) if isinstance(value, (list, tuple, np.ndarray)) else [value] * 3

    class Changing(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            for i in range(rng.choice((0, 2, 5))):
                yield rng.choice(values) if values else i
                self.clear() if rng.random() < 0.3 else self.append(value)

        def __len__(self) -> int:
            return rng.choice((0, 1, 2, 1000))

        def __getitem__(self, index: Any) -> Any:
            self[:] = values[: rng.randrange(3)]
            return rng.choice([*values, None])

    return Changing(values) if rng.random() < 0.7 else (one for one in Changing(values))


def array(rng: random.Random, value: Any) -> Any:
    """Return an array with another dtype, layout or byte order."""
    found: Any
    try:
        found = np.asarray(value)
    except ValueError:
        found = np.arange(6)
    found = found if found.dtype != object and found.size else np.arange(6, dtype=np.uint64)
    kind = rng.randrange(14)
    dtypes = (
        "O",
        "V8",
        "c16",
        "M8[s]",
        ">u8",
        ">i2",
        "f2",
        "g",
        "S3",
        "U3",
        "?",
        "i1",
        "u8",
        [("a", "u1"), ("b", "f8")],
    )
    with contextlib.suppress(Exception):
        if kind < 4:
            return found.astype(np.dtype(rng.choice(dtypes)))
        if kind == 4:
            return found.repeat(2, axis=0)[::-2] if found.ndim else found
        if kind == 5:
            return np.broadcast_to(found.reshape(-1)[0], rng.choice(((1 << 36,), (0, 1 << 40), (3, 0), (1,) * 32)))
        if kind == 6:
            return np.frombuffer(b"\0" + found.tobytes(), np.uint8)[1:].view(found.dtype)
        if kind == 7:
            found = found.copy()
            found.setflags(write=False)
            return found
        if kind == 8:
            return np.asfortranarray(np.stack([found, found]))
        if kind == 9:
            return memoryview(found)[::-1] if found.ndim == 1 else memoryview(found)
        if kind == 10:
            view = memoryview(bytearray(found.tobytes()))
            view.release()
            return view
        if kind == 11:
            return np.ma.masked_array(found, mask=True)
        if kind == 12:
            return found.view(type("Odd", (np.ndarray,), {"__array_finalize__": _answers(rng, None)}))
        return pa.array(found.reshape(-1)).slice(1)
    return found[..., None]


def nested(rng: random.Random, value: Any) -> Any:
    """Return a structure without end, or a very deep or large one."""
    kind = rng.randrange(6)
    if kind == 0:
        deep: Any = value
        for _ in range(rng.choice((10, 5000))):
            deep = [deep]
        return deep
    if kind == 1:
        own: list[Any] = [value]
        own.append(own)
        return own
    if kind == 2:
        return {value if isinstance(value, (str, int)) else "a": value, None: {}, "b": [value]}
    if kind == 3:
        return rng.choice(("\ud800", "\0" * 9, "(" * 5000, "9" * 5000, "e4 " * 5000, "é" * 3, "8/" * 5000, "\n", " "))
    if kind == 4:
        return rng.choice((*_HUGE, float("nan"), float("inf"), -0.0, 1j, Ellipsis, type, int, print, sys))
    return [value, rng.choice((None, object(), -1, "x", b"x", np.nan))]


LIES: Final[dict[str, Callable[[random.Random, Any], Any]]] = {
    one.__name__: one for one in (liar, changing, array, nested)
}
CASES: Final = {one.path: one for one in public.ALL}
# Calls that take long with values that are right.
_SKIPPED: Final = ("rookery.perft", "rookery.perft_suite", "rookery.compile")
_OPERATORS: Final = (
    *public.OPERATORS,
    *public.IN_PLACE,
    "eq",
    "contains",
    "getitem",
    "delitem",
    "call",
    "pow",
    "matmul",
)
_STATES: Final = ("__setstate__", "__reduce_ex__", "__format__", "__deepcopy__", "__array__", "__eq__", "__contains__")


@functools.cache
def _owners() -> dict[str, type]:
    return {owner.__module__ + "." + owner.__qualname__: owner for owner in public.INSTANCES}


def make(rng: random.Random) -> bytes:
    """Return a call, the parameter that is lied about, and the seed of the lie, as JSON."""
    said: dict[str, Any] = {"seed": rng.randrange(1 << 30), "threads": rng.choice((1, 1, 1, 3))}
    kind = rng.randrange(10)
    if kind < 7:
        path = rng.choice([path for path in CASES if path not in _SKIPPED])
        said |= {"call": path, "parameter": rng.choice([*CASES[path].parameters, None])}
    else:
        said |= {
            "owner": rng.choice(list(_owners())),
            "operator": rng.choice((*_OPERATORS, *_STATES, "bare", "pickle")),
        }
    return json.dumps(said | {"lie": rng.choice(list(LIES))}).encode()


def check(data: bytes) -> None:
    """Call it: every error is one of those that are documented."""
    try:
        said = json.loads(data)
        said["seed"], said["threads"], LIES[said["lie"]]
    except (ValueError, KeyError, TypeError):
        return
    with TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        Path("games.parquet").write_bytes(public.stored_games())
        if said["threads"] == 1:
            _call(said, said["seed"])
            return
        errors: list[BaseException] = []

        def run(i: int) -> None:
            try:
                _call(said, said["seed"] + i)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=run, args=(i,)) for i in range(said["threads"])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for error in errors:
            raise error


def _call(said: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    lie = LIES[said["lie"]]
    with contextlib.suppress(*CLEAR, MemoryError):
        if "call" in said:
            one = CASES[said["call"]]
            name = said["parameter"]
            with contextlib.suppress(LookupError):
                value = lie(rng, _right(one, name, rng)) if name is not None else None
                public.call(one, name, value)
            return
        owner = _owners()[said["owner"]]
        instance, name = public.INSTANCES[owner](), said["operator"]
        if name == "bare":
            instance = _bare(type("Sub", (owner,), {}) if rng.random() < 0.5 else owner)
            for part in rng.sample(dir(owner), 12):
                with contextlib.suppress(*CLEAR, RecursionError):  # columns that are made of each other
                    found = getattr(instance, part)
                    if callable(found) and not part.startswith("__"):
                        found(*[lie(rng, 1) for _ in range(rng.randrange(3))])
        elif name == "pickle":
            made = instance.__reduce_ex__(4)
            again = copy.copy(instance)
            with contextlib.suppress(AttributeError):
                again.__setstate__(lie(rng, made[2] if len(made) > 2 else None))
            repr(again), pickle.loads(pickle.dumps(instance))
        elif name in _STATES:
            getattr(instance, name)(lie(rng, instance))
        else:
            given = lie(rng, public.INSTANCES[owner]() if rng.random() < 0.5 else 3)
            function = getattr(operator, name)
            function(given, instance) if rng.random() < 0.3 and name in public.OPERATORS else function(instance, given)


def _right(one: public.Case, name: str, rng: random.Random) -> Any:
    """Return a value of the parameter that is right, or any if none is known: its default is no model for lies."""
    try:
        return one.right(name)
    except LookupError:
        default = one.parameters[name].default
        return (
            default if default is not one.parameters[name].empty and default is not None else rng.choice((1, "e4", []))
        )


def _bare(owner: Any) -> Any:
    """Return an instance that was never initialised."""
    return owner.__new__(owner)


TARGETS: Final = (Target("hostile-objects", make, check),)
