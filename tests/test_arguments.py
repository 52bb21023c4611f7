"""What errors quote: short, on one line, and nothing that a terminal obeys."""

import numpy as np
import pytest

from rookery.arguments import printable, shown


class Strange:
    def __repr__(self) -> str:
        raise RuntimeError


class Coloured:
    def __repr__(self) -> str:
        return "red \x1b[31m\n  text"


@pytest.mark.parametrize(
    "value", ["", "e4", "a\tb", "'\"", "\x1b[31m", "\u202e", "\ud800", b"\x1b", 5, None, 1.5, [1, "a"]]
)
def test_what_is_short_is_its_repr(value: object) -> None:
    assert shown(value) == repr(value)
    assert shown(value).isprintable()


def test_long_values_are_cut_and_their_length_is_shown() -> None:
    assert shown("x" * 80) == repr("x" * 80)
    assert shown("x" * 81) == repr("x" * 80) + "... (81 characters)"
    assert shown(b"x" * 1_000, 4) == "b'xxxx'... (1,000 bytes)"
    assert shown([0] * 1_000_000, 7) == "[0, 0, ... (1,000,000 elements)"
    assert shown(1 << 100_000) == "an int of 100,001 bits"
    assert len(shown({i: i for i in range(10_000)})) < 120
    assert len(shown("\x1b" * 10_000_000)) < 400


def test_odd_values_are_shown_on_one_line() -> None:
    assert shown(Strange()) == "<Strange, whose repr raises RuntimeError>"
    assert shown(Coloured()) == "red \\x1b[31m text"
    assert "\n" not in shown(np.zeros((3, 3)))
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    assert "RecursionError" in shown(nested)


def test_printable() -> None:
    assert printable("Łódź 国際") == "Łódź 国際"
    assert printable("a\x1b]0;x\x07\x9b\u202eb\r\n") == "a\\x1b]0;x\\x07\\x9b\\u202eb\\r\\n"
