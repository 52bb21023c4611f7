"""Kernels chosen by the types of their arguments: compiled code and plain Python go the same way."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from rookery.kernel import U64, Bits, Word, entry, kernel, kernel_by_type
from rookery.kernel.by_type import KernelByType
from rookery.techniques import technique
from rookery.techniques.base.protocol import Bishop, Rook, attacks, fill, prepare


class Twice(NamedTuple):
    """The question: what is twice as much?"""


class Plus(NamedTuple):
    """The question: how much is it with so many more?"""

    more: Word


class Late(NamedTuple):
    """A question that comes when others have been compiled."""


class Never(NamedTuple):
    """A question that nobody answers."""


@kernel_by_type("question")
def answer(question: NamedTuple, x: Word) -> Word:
    """What a question gives for a word."""


@answer.register(Twice)
@kernel
def twice(question: Twice, x: Word) -> Word:
    return x + x


@answer.register(Plus)
def plus(question: Plus, x: Word) -> Word:
    return x + question.more


@answer.register(U64)
def number(question: Word, x: Word) -> Word:
    return x * question


@entry
def ask(question: Any, x: Any) -> Any:
    return answer(question, x)


@kernel_by_type("sink", "t")
def pair(x: Word, sink: NamedTuple, t: NamedTuple) -> Word:
    """Chosen by its last two."""


@pair.register(Twice, Plus)
def twice_plus(x: Word, sink: Twice, t: Plus) -> Word:
    return x + x + t.more


@pair.register(Plus, Twice)
def plus_twice(x: Word, sink: Plus, t: Twice) -> Word:
    return (x + sink.more) * U64(2)


@entry
def ask_pair(x: Any, sink: Any, t: Any) -> Any:
    return pair(x, sink, t)


CASES: list[tuple[Any, int]] = [(Twice(), 10), (Plus(U64(3)), 8), (U64(7), 35)]


@pytest.mark.parametrize(("question", "expected"), CASES)
def test_compiled_code_and_plain_python_choose_alike(question: Any, expected: int) -> None:
    assert ask(question, U64(5)) == expected
    assert answer(question, U64(5)) == expected
    assert type(answer(question, U64(5))) is U64
    assert answer(question, 5) == expected
    assert type(answer(question, 5)) is int


def test_plain_python_wraps_and_takes_arrays() -> None:
    top = 1 << 63
    assert answer(Twice(), top | 1) == 2
    assert answer(Twice(), np.array([top, 3], U64)).tolist() == [0, 6]


def test_two_arguments_choose() -> None:
    for one in (pair, ask_pair):
        assert one(U64(5), Twice(), Plus(U64(3))) == 13
        assert one(U64(5), Plus(U64(3)), Twice()) == 16
    with pytest.raises(TypeError, match=r"pair has no kernel for sink and t of type Twice and Twice: registered are "):
        pair(5, Twice(), Twice())


def test_what_is_not_registered_is_a_clear_error() -> None:
    message = r"answer has no kernel for question of type Never: registered are Twice; Plus; a word"
    with pytest.raises(TypeError, match=message):
        answer(Never(), 5)
    with pytest.raises(TypeError, match=message):
        ask(Never(), U64(5))


def test_what_comes_late_is_as_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))  # an earlier run has cached what is compiled with the late one
    ask(Twice(), U64(5))
    for _ in range(2):  # to have failed once makes no difference
        with pytest.raises(TypeError, match="has no kernel for question of type Late"):
            ask(Late(), U64(5))

    @answer.register(Late)
    def late(question: Late, x: Word) -> Word:
        return x + U64(100)

    try:
        assert ask(Late(), U64(5)) == answer(Late(), 5) == 105
        assert ask(Twice(), U64(5)) == 10
    finally:
        del answer._kernels[Late,]


def test_a_second_kernel_for_a_class_is_refused() -> None:
    with pytest.raises(TypeError, match="answer has a kernel for Twice already"):

        @answer.register(Twice)
        def thrice(question: Twice, x: Word) -> Word:
            return x * U64(3)

    assert ask(Twice(), U64(5)) == answer(Twice(), 5) == 10


def test_what_does_not_fit_is_refused_when_it_is_registered() -> None:
    with pytest.raises(TypeError, match=r"answer takes 2 arguments, .*alone 1"):

        @answer.register(Never)
        def alone(question: Never) -> Bits:
            return U64(0)

    with pytest.raises(TypeError, match="answer is chosen by question, not by Twice and Plus"):
        answer.register(Twice, Plus)
    with pytest.raises(TypeError, match="answer takes no argument by name"):
        answer(question=Twice(), x=5)


def test_it_keeps_the_words_of_its_declaration() -> None:
    assert isinstance(answer, KernelByType)
    assert (answer.__name__, answer.__doc__) == ("answer", "What a question gives for a word.")


def test_techniques_are_found_by_question_and_tables() -> None:
    pext, rotated = technique("pext"), technique("rotated-hyatt")
    assert attacks(Rook(), 0, 1 << 8, pext.tables()) == int(pext.rook(0, 1 << 8))
    state = prepare(1 << 8, rotated.tables())
    assert prepare(state, rotated.tables()) is state  # prepared before
    assert attacks(Bishop(), U64(1), state, rotated.tables()) == int(rotated.bishop(1, 1 << 8))
    message = r"fill has no kernel for t of type Gathered_pext: registered are .*kogge_stone"
    with pytest.raises(TypeError, match=message):
        fill(0, 1, 2, pext.tables())


def test_a_class_may_be_apart_from_its_kernels() -> None:
    class Apart(NamedTuple):
        """A question whose kernel is registered when it is first looked for."""

        @staticmethod
        def register_kernels() -> None:
            registered.append(Apart)
            answer.register(Apart)(lambda question, x: x + 7)

    registered: list[type] = []
    assert answer(Apart(), 5) == answer(Apart(), 5) == 12
    assert registered == [Apart]
