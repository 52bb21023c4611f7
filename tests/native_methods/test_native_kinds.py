"""Kinds of arguments and results: what kernels get for each, and the objects that wrappers need."""

from typing import Any

import numpy as np
import pytest

from rookery.kernel.entries import Entry
from rookery.kernel.native.marks import CALL, DELETER, PYTHON_FUNCTION, REFLECTED, SETTER, VERSION
from rookery.native_methods import kinds
from rookery.native_methods.kinds import TWINS, Kind, Twin
from rookery.native_methods.rows import ROW_BYTES


def twin(*arguments: Kind, name: str = "Small.name", **changed: Any) -> Twin:
    usual = {
        "returns": kinds.INT,
        "refuses": False,
        "tables": False,
        "is_getter": False,
        "is_method": True,
        "through": "",
        "slot": "",
    }
    entry: Any = None
    return Twin(name, entry, arguments, **{**usual, **changed})


@pytest.mark.parametrize("kind", [kinds.ROW, kinds.OTHER_ROW])
def test_rows_are_read_and_new_ones_are_written(kind: Kind) -> None:
    (row,) = kind.examples
    assert (row.shape, row.dtype, row.flags.writeable, kind.is_buffer) == ((14,), np.uint64, False, False)
    (new,) = kinds.OUT_ROW.examples
    assert (new.shape, new.dtype, new.flags.writeable, kinds.OUT_ROW.is_buffer) == ((14,), np.uint64, True, True)
    assert ROW_BYTES == 112


def test_texts_are_read_with_room_behind_them() -> None:
    text, size = kinds.TEXT.examples
    assert (text.size, text.dtype, text.flags.writeable) == (128 + 64, np.uint8, False)
    assert type(size) is np.uint64
    for room in (1, 64, 128):
        (out,) = kinds.out_text(room).examples
        assert (out.size, out.dtype, kinds.out_text(room).size, kinds.out_text(room).is_buffer) == (
            room,
            np.uint8,
            room,
            True,
        )


def test_moves_have_room_for_those_of_any_words() -> None:
    (moves,) = kinds.OUT_MOVES.examples
    sliders, knights, kings, pawns, castlings, captures = 420, 336, 420, 250, 64, 940
    assert moves.size >= sliders + knights + kings + pawns + castlings
    assert moves.size >= 2 * captures
    assert (moves.dtype, kinds.OUT_MOVES.is_buffer) == (np.uint16, True)


def test_small_ints_have_a_greatest_one() -> None:
    assert [kinds.SQUARE.size, kinds.small(7).size, kinds.SMALL.size] == [63, 7, 2**30 - 1]
    assert kinds.small(7).name == kinds.SQUARE.name
    assert kinds.REFUSED == 2**64 - 1
    assert [kinds.recent_history(word).size for word in (0, 11)] == [1, 12]
    assert kinds.HISTORY.size == 0


def test_a_last_argument_may_be_left_out() -> None:
    kind = kinds.or_object(kinds.SET, "zero")
    assert (kind.default, kind.objects) == ("zero", (*kinds.SET.objects, "zero"))
    assert kinds.SET.default == ""
    assert kinds.flag_by_name("stack").objects == ("name of stack",)
    for make in (kinds.class_itself, kinds.view, kinds.item):
        assert make("things").objects == ("things",)


@pytest.mark.parametrize(
    ("made", "objects"),
    [
        (twin(), (PYTHON_FUNCTION, "small ints")),
        (twin(is_getter=True), (PYTHON_FUNCTION, SETTER, DELETER, "small ints")),
        (twin(name=f"Move{CALL}"), (PYTHON_FUNCTION, VERSION, "small ints")),
        (twin(slot="__or__"), (PYTHON_FUNCTION, REFLECTED, "small ints")),
        (twin(slot="__len__"), ("zero", "small ints")),
        (twin(through="_board"), (PYTHON_FUNCTION, "small ints", "Board")),
        (
            twin(kinds.SET, kinds.SQUARE, returns=kinds.BITBOARD),
            (PYTHON_FUNCTION, "SquareSet", "Bitboard", "ints by digits"),
        ),
        (twin(kinds.SQUARE, kinds.SQUARE), (PYTHON_FUNCTION, "ints by digits", "small ints")),
    ],
)
def test_objects_of_a_wrapper_stand_once_and_the_functions_first(made: Twin, objects: tuple[str, ...]) -> None:
    assert kinds.objects_of(made) == objects
    assert made.is_constructor == made.name.endswith(CALL)


def test_a_description_changes_with_what_a_wrapper_depends_on() -> None:
    made = [
        *(twin(kind) for kind in (kinds.SQUARE, kinds.small(7), kinds.SET, kinds.or_object(kinds.SET, "zero"))),
        *(twin(), twin(returns=kinds.BOOL), twin(refuses=True), twin(tables=True), twin(is_getter=True)),
        *(twin(is_method=False), twin(through="_board"), twin(slot="__len__")),
    ]
    texts = [kinds.described(one) for one in made]
    assert len({*texts}) == len(texts)
    assert kinds.described(twin(name="another")) == kinds.described(twin())


def test_a_declared_kernel_is_an_entry_with_the_options_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "TWINS", {})

    def kernel(square: Any) -> Any:
        return square

    made = kinds.machine_code("Small.plain", kinds.SQUARE, returns=kinds.INT)(kernel)
    assert isinstance(made, Entry)
    plain = kinds.TWINS["Small.plain"]
    assert (plain.arguments, plain.returns, plain.entry) == ((kinds.SQUARE,), kinds.INT, made)
    assert plain[4:] == (False, True, False, True, "", "")
    again = kinds.machine_code(
        "Small.other",
        kinds.SQUARE,
        returns=kinds.BOOL,
        refuses=True,
        tables=False,
        getter=True,
        static=True,
        through="_board",
        slot="__len__",
    )(made)  # an entry is declared for several functions
    assert again is made
    assert kinds.TWINS["Small.other"][4:] == (True, False, True, False, "_board", "__len__")


def test_every_twin_takes_arguments_before_buffers() -> None:
    for name, one in TWINS.items():
        buffers = [kind.is_buffer for kind in one.arguments]
        assert buffers == sorted(buffers), name
        assert len(one.examples) == sum(len(kind.examples) for kind in one.arguments)
