"""Native functions: what they take, what they leave to Python, and that nothing makes them read foreign memory."""

import contextlib
import gc
import inspect
import sys
import threading
from pathlib import Path
from struct import pack
from typing import Any

import pytest

import rookery
from rookery.board.moves import CHESS960, CLASSICAL
from rookery.kernel.codecache import cache, trust
from rookery.kernel.native import bind, layouts, marks, native
from rookery.native_methods import twins


class Answered(Exception):
    """The Python body was called."""


class Small:
    """A class with the slots of a board."""

    __slots__ = layouts.BOARD_SLOTS

    @native
    def first_word(self) -> int:
        """Return the first word."""
        raise Answered(self)

    @native
    def has(self, square: int, *, checked: bool = False) -> bool:
        """Check for a square."""
        raise Answered(square, checked)

    @native
    def summed(self, colour: bool, piece_type: int, move: int) -> int:
        raise Answered(colour, piece_type, move)

    @native
    def same_board(self, board: int) -> Any:
        raise Answered(board)

    @native
    def reversed_text(self, text: str = "none") -> str:
        raise Answered(text)

    @native
    def plies(self) -> int:
        raise Answered

    @property
    @native
    def board(self) -> Any:
        """The board."""
        raise Answered

    @board.setter
    def board(self, value: Any) -> None:
        raise Answered("set", value)

    @native
    def push(self, move: Any) -> None:
        raise Answered(move)

    @native
    def pop(self) -> Any:
        raise Answered

    @native
    def moves(self) -> list[Any]:
        raise Answered

    @native
    def equals(self, other: Any) -> bool:
        raise Answered(other)

    @native
    def copy(self) -> Any:
        raise Answered

    @native
    def __len__(self) -> int:
        raise Answered

    @native
    def __contains__(self, square: object) -> bool:
        raise Answered(square)

    @native
    def __eq__(self, other: object) -> bool:
        raise Answered(other)


class Derived(Small):
    """A class derived from it, with a dictionary."""


@pytest.fixture(scope="module", autouse=True)
def bound() -> None:
    provided = dict(marks._objects)
    named = {"Board": Small, "Move": rookery.Move, "Bitboard": rookery.Bitboard}
    for name, value in {**named, "moves": tuple(CLASSICAL), "moves960": tuple(CHESS960)}.items():
        marks.provide(name, value)
    bind(Small, "native_twins")
    small = small_board()
    for name in ("first_word", "plies", "pop", "copy", "moves"):  # the objects of this class are taken now
        getattr(small, name)() if name != "pop" else None
    small.has(0), small.summed(True, 1, rookery.Move(0, 1)), small.same_board(1), small.reversed_text("a"), small.board
    small.push(rookery.Move(0, 1)), small.pop(), small.equals(small)
    for operate in (len, lambda s: 0 in s, lambda s: s == small):  # Python answers the first time
        with pytest.raises(Answered):
            operate(small)
    marks._objects.clear()
    marks._objects.update(provided)


def row_of(*words: int) -> bytes:
    return pack("=14Q", *words, *[0] * (14 - len(words)))


def small_board(*words: int, kind: type[Any] = Small) -> Any:
    found = kind()
    found._history, found._row, found.chess960 = [], row_of(*words), False
    return found


E2E4 = rookery.Move.from_uci("e2e4")


def test_machine_code_answers() -> None:
    small = small_board(0xA5, *[0] * 12, 7)
    assert small.first_word() == 0xA5
    assert [small.has(square) for square in range(8)] == [0xA5 >> i & 1 == 1 for i in range(8)]
    assert small.summed(True, 3, E2E4) == 7 + 1 + 6 + 16 * int(E2E4)
    assert small.reversed_text("abc") == "cba"
    assert small.board == rookery.Bitboard(0xA5)
    assert type(small.board) is rookery.Bitboard


def test_a_method_that_is_held_from_before_its_first_call_is_bound_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late:
        __slots__ = Small.__slots__

        def plies(self) -> int:
            raise Answered

    Late.plies.__qualname__ = "Small.plies"
    native(Late.plies)
    bind(Late, "native_twins")
    held = small_board(kind=Late).plies
    assert held() == 0
    monkeypatch.setattr("rookery.native_methods.twins.twin_of", lambda *_: pytest.fail("bound again"))
    assert held() == 0


@pytest.mark.parametrize("word", [0, 1, 2**30 - 1, 2**30, 2**31, 2**60 - 1, 2**60, 2**63, 2**64 - 1])
def test_words_of_every_length(word: int) -> None:
    small = small_board(word)
    assert small.first_word() == word
    assert small.board == word
    assert hash(small.board) == hash(word)
    assert int(small.board) + 1 == word + 1
    assert small.same_board(word) == small.same_board(rookery.Bitboard(word)) == word
    assert type(small.same_board(word)) is rookery.Bitboard


SPOILED: dict[str, Any] = {
    "unset": None,
    "an int": 5,
    "too short": bytes(111),
    "too long": bytes(113),
    "a bytearray": bytearray(112),
    "none": None,
    "derived": type("Data", (bytes,), {})(112),
    "a text": "x" * 112,
}


@pytest.mark.parametrize("what", SPOILED)
@pytest.mark.parametrize("call", ["first_word", "plies", "pop", "moves"])
def test_a_row_that_is_none_is_left_to_python(what: str, call: str) -> None:
    small = small_board(1)
    if what == "unset":
        del small._row
    else:
        small._row = SPOILED[what]
    with pytest.raises(Answered):
        getattr(small, call)()
    with pytest.raises(Answered):
        small.has(3)
    with pytest.raises(Answered):
        small.push(E2E4)
    with pytest.raises(Answered):
        small_board(1).equals(small)
    with pytest.raises(Answered):
        _ = small.board


@pytest.mark.parametrize("history", ["unset", 5, (), None, [5], [bytes(3)], type("Rows", (list,), {})()], ids=repr)
def test_a_history_that_is_none_is_left_to_python(history: Any) -> None:
    small = small_board(1)
    if history == "unset":
        del small._history
    else:
        small._history = history
    with pytest.raises(Answered):
        small.plies()
    if type(history) is not list:
        for call in (lambda: small.push(E2E4), small.pop, small.copy):
            with pytest.raises(Answered):
                call()


@pytest.mark.parametrize("flag", ["unset", 1, None, "x"])
def test_a_flag_that_is_none_is_left_to_python(flag: Any) -> None:
    small = small_board(2)
    if flag == "unset":
        del small.chess960
    else:
        small.chess960 = flag
    with pytest.raises(Answered):
        small.moves()


WRONG: dict[str, list[tuple[Any, ...]]] = {
    "has": [(), (1, 2), (64,), (-1,), (2**70,), (-(2**70),), (True,), (1.0,), ("a1",), (None,), (E2E4,)],
    "summed": [(1, 1, E2E4), (True, 0, E2E4), (True, 7, E2E4), (True, 1, 1804), (True, 1), (True, 1, E2E4, 1)],
    "same_board": [(-1,), (2**64,), (True,), (1.0,), (rookery.SquareSet(3),)],
    "reversed_text": [("",), ("x" * 129,), (b"abc",), ("\ud800",), (type("Text", (str,), {})("abc"),)],
    "push": [(1804,), (rookery.Move.null(),), (None,)],
    "equals": [(5,), (None,), (Derived,)],
}


@pytest.mark.parametrize(("name", "given"), [(name, given) for name, many in WRONG.items() for given in many], ids=repr)
def test_unusual_arguments_are_left_to_python(name: str, given: tuple[Any, ...]) -> None:
    small = small_board(1)
    before = small._row, list(small._history)
    with pytest.raises((Answered, TypeError)) as caught:
        getattr(small, name)(*given)
    if caught.type is Answered and len(given) == len(caught.value.args):
        assert caught.value.args == given
    assert (small._row, small._history) == before


def test_keywords_and_defaults_are_those_of_python() -> None:
    small = small_board(1)
    with pytest.raises(Answered) as caught:
        small.has(square=3, checked=True)
    assert caught.value.args == (3, True)
    with pytest.raises(Answered) as caught:
        small.has(3, checked=True)
    assert caught.value.args == (3, True)
    with pytest.raises(Answered) as caught:
        small.reversed_text()
    assert caught.value.args == ("none",)
    with pytest.raises(TypeError, match="unexpected keyword argument 'wrong'"):
        small.has(wrong=3)


def test_texts_that_python_holds_in_other_forms() -> None:
    assert small_board(1).reversed_text("x" * 128) == "x" * 128
    with pytest.raises(UnicodeDecodeError):  # the bytes of a letter, in the other order
        small_board(1).reversed_text("é")


def test_a_setter_is_the_one_of_python_and_there_is_no_deleter() -> None:
    small = small_board(1)
    with pytest.raises(Answered) as caught:
        small.board = 5
    assert caught.value.args == ("set", 5)
    with pytest.raises(AttributeError, match="property 'board' of 'Small' object has no deleter"):
        del small.board


def test_a_method_wants_an_instance_of_its_class() -> None:
    for wrong in (5, object(), Small, None):
        with pytest.raises(TypeError):
            Small.first_word(wrong)  # type: ignore[arg-type]
    assert Small.first_word(small_board(9)) == 9


def test_operators_take_machine_code_from_a_slot_of_the_class() -> None:
    small = small_board(0xA5)
    assert len(small) == 0xA5
    assert [square in small for square in range(8)] == [0xA5 >> i & 1 == 1 for i in range(8)]
    assert small == small_board(0xA5)
    assert small != small_board(0xA4)
    assert not small != small_board(0xA5)  # noqa: SIM202  # the other operator


@pytest.mark.parametrize(
    "operate",
    [
        lambda small: 64 in small,
        lambda small: "a1" in small,
        lambda small: None in small,
        lambda small: small == 5,
        lambda small: small != 5,
        lambda small: small == Derived(),
        lambda small: Derived.__len__(small),
        lambda small: Small.__contains__(small, 3),
    ],
)
def test_operators_leave_the_unusual_to_python(operate: Any) -> None:
    with pytest.raises(Answered):
        operate(small_board(1))


@pytest.mark.parametrize("row", [None, 5, b"", b"x" * 111, "x" * 112])
def test_operators_of_a_spoiled_row_are_left_to_python(row: Any) -> None:
    small = small_board(1)
    if row is None:
        del small._row
    else:
        small._row = row
    for operate in (len, lambda s: 3 in s, lambda s: s == small_board(1), lambda s: small_board(1) == s):
        with pytest.raises(Answered):
            operate(small)


def test_classes_derived_from_it() -> None:
    derived = small_board(5, kind=Derived)
    derived.other = 1
    assert derived.first_word() == 5
    derived.push(E2E4)
    assert derived.pop() is E2E4
    with pytest.raises(Answered):  # a copy is of the same class: Python makes it
        derived.copy()
    with pytest.raises(Answered):
        small_board(5).equals(derived)


def test_push_and_pop_share_rows() -> None:
    small = small_board(3)
    first = small._row
    small.push(E2E4)
    assert small._history[0] is first
    assert small._row == row_of(3, *[0] * 12, int(E2E4))
    copy = small.copy()
    assert copy._row is small._row
    assert copy._history == small._history
    assert copy._history is not small._history
    assert small.pop() is E2E4
    assert small._row is first
    assert small._history == []
    with pytest.raises(Answered):
        small.pop()
    assert copy.plies() == 1


def test_references_are_counted() -> None:
    """Nothing leaks, and nothing is let go too early: many calls change no count."""
    small, move = small_board(4), E2E4
    objects = (small._row, move, None, True, rookery.Bitboard, Small, CLASSICAL[1], CHESS960[1], small)

    def run() -> None:
        for _ in range(1000):
            small.push(move), small.pop(), small.moves(), small.board, small.has(1), small.copy()
            small.equals(small), small.reversed_text("ab")
            for name, wrong in (("push", rookery.Move.null()), ("has", 64), ("push", 0)):
                with contextlib.suppress(Answered):
                    getattr(small, name)(wrong)

    run()
    gc.collect()
    before = [sys.getrefcount(value) for value in objects]
    run()
    gc.collect()
    after = [sys.getrefcount(value) for value in objects]
    assert all(abs(b - a) < 100 for a, b in zip(before, after, strict=True)), (before, after)


def test_one_board_in_several_threads() -> None:
    small = small_board(6)
    faults: list[BaseException] = []
    stop = threading.Event()

    def ask() -> None:
        try:
            while not stop.is_set():
                assert small.first_word() in (6, 7)
                assert len(small.moves()) in (6, 7)
                small.copy().plies()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(3000):
        small._row = row_of(7)
        small.push(E2E4)
        small._row = row_of(6)
        small.pop()
        small._row = row_of(6)
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults


def listed(a: Any, b: int = 3, *more: Any, c: str = "x", d: Any = object(), **others: Any) -> None:  # noqa: B008
    """Do nothing."""


def test_every_kind_of_parameter_is_in_the_signature() -> None:
    text = marks.documentation(listed, of_class=False).decode()
    assert text == "listed(a, b=3, *more, c='x', d=..., **others)\n--\n\nDo nothing."
    assert marks.documentation(lambda x: x, of_class=True).decode().startswith("<lambda>($x)")


def test_documentation_and_signatures() -> None:
    assert Small.has.__doc__ == "Check for a square."
    assert str(inspect.signature(Small.has)) == "(self, /, square, *, checked=False)"
    assert str(inspect.signature(small_board(1).has)) == "(square, *, checked=False)"
    assert Small.first_word.__qualname__ == "Small.first_word"
    assert Small.board.__doc__ == "The board."
    assert type(Small.has).__name__ == "method_descriptor"


class Moved:
    """A class whose slots lie elsewhere: Python lays them out in alphabetical order."""

    __slots__ = ("_extra", *layouts.BOARD_SLOTS)

    @native
    def first_word(self) -> int:
        return 5


Moved.first_word.__qualname__ = "Small.first_word"


def test_slots_elsewhere_are_left_to_python() -> None:
    bind(Moved, "native_twins")
    moved: Any = Moved()
    moved._extra, moved._history, moved._row, moved.chess960 = 1, [], row_of(9), False
    assert moved.first_word() == 5
    assert inspect.isfunction(vars(Moved)["first_word"])


def test_machine_code_depends_on_the_code_of_its_wrapper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert inspect.unwrap(twins.twin_of)("Small.first_word", tuple)
    (file,) = tmp_path.rglob("*.code")
    kept = cache.read(file, trust.owners(Path(__file__)))
    assert kept is not None
    names = {dependency.file for dependency in kept.made_from}
    assert {
        *(f"native_methods/{name}.py" for name in ("wrappers", "values", "results", "rows")),
        "kernel/native/building.py",
    } <= names
    assert not names & {"sources/files.py", "kernel/codecache/cache.py"}
