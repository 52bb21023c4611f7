"""Every public name is in the reference, and has a docstring with an example."""

import pytest

import rookery
from docsite import reference
from docsite.public import Public, names

NAMES = {public.path: public for public in names()}


def test_public_names_are_found() -> None:
    assert {"rookery.Board", "rookery.Board.push", "rookery.Board.turn", "rookery.Board.from_epd"} <= NAMES.keys()
    assert {"rookery.Positions.attacks", "rookery.Bitboard.names", "rookery.pgn.read", "rookery.E4"} - NAMES.keys() == {
        "rookery.E4"
    }
    assert not {"rookery.Bitboard.to_bytes", "rookery.Placement.count", "rookery.pgn.Path"} & NAMES.keys()


def test_the_reference_has_every_public_name_once() -> None:
    assert sorted(reference.named()) == sorted(rookery.__all__)


@pytest.mark.parametrize("public", NAMES.values(), ids=NAMES.keys())
def test_every_public_name_has_a_docstring_and_whatever_is_called_an_example(public: Public) -> None:
    if public.is_described:
        assert (public.value.__doc__ or "").strip()
    if public.is_called:
        assert ">>> " in public.value.__doc__


def test_a_name_without_a_docstring_or_an_example_is_found() -> None:
    def bare() -> None:
        pass

    def printed() -> None:
        """Say what it does."""

    for function in (bare, printed, property(lambda self: None)):
        with pytest.raises((AssertionError, TypeError)):
            test_every_public_name_has_a_docstring_and_whatever_is_called_an_example(Public("x", function))
