"""Without Numba: skip tests that need a compiler by nature, and find calls that a wheel has no machine code for."""

import contextlib
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Final

import pytest

REASON: Final = "needs Numba: pip install '.[compile]'"
HAS_NUMBA: Final = find_spec("numba") is not None
# Wheels have no machine code of these: a benchmark times what it compiles, and single questions about a prepared state
# of rotated boards are quick enough in Python.
NOT_SHIPPED: Final = ("rookery.bench.", "rookery.techniques.base.protocol.answer_one")


@contextlib.contextmanager
def all_in_machine_code() -> Iterator[None]:
    """Fail if a function of the library runs in Python although a wheel with machine code is installed.

    Then the wheel has no code for the types of a call: the answer is right, but many times slower than others.
    """
    from rookery.kernel.entries import Entry
    from rookery.kernel.native.shipped import shipped

    left: list[str] = []
    made = Entry._made

    def note(self: Entry, key: Any, types: str | None, examples: tuple[Any, ...]) -> Any:
        name = f"{self.function.__module__}.{self.function.__name__}"
        if name.startswith("rookery.") and not name.startswith(NOT_SHIPPED):
            left.append(f"{name}{types}")
        return made(self, key, types, examples)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Entry, "_made", note)
        yield
    if shipped() is not None:
        assert left == [], "the wheel has no machine code for these calls; declare examples, or pass other types"
