"""Functions that wrappers of boards share: rows that are used again, and the slots that Python reads as attributes.

Python reads an attribute that is a slot in a third of the time in which it calls a getter. So what programs read at
each node of a search is in slots, which follow the row: whoever puts a row into a board calls `refresh`.
"""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir

from rookery.kernel.native import layouts
from rookery.kernel.native.building import BIT, INT, NOTHING, POINTER, VOID, WORD, Builder
from rookery.native_methods.kinds import ROW_WORDS

ROW_BYTES: Final = 8 * ROW_WORDS
_SMALL_INTS, _TRUE, _NONE = 257, 258, 259  # in "small ints": their number, and the places of what follows
_EN_PASSANT, _TURN, _CLOCK, _NUMBER = 8, 9, 10, 12  # words of a row


def new_row(w: Builder) -> Any:
    """Return a new bytes object for a row, or null with an error."""
    return w.build.call(_shared(w.module, "rookery.new_row", POINTER, [], _make_row), [])


def drop_row(w: Builder, row: Any) -> None:
    """Give up a reference to an object. If it is the last one to a row, the next new row takes its memory."""
    w.build.call(_shared(w.module, "rookery.drop_row", VOID, [POINTER], _drop_row), [row])


def refresh(w: Builder, board: Any, row: Any, ints: Any) -> None:
    """Fill the slots of a board that follow its row. `ints` are the small ones, and what follows."""
    function = _shared(w.module, "rookery.refresh", VOID, [POINTER] * 3, _refresh)
    w.build.call(function, [board, row, ints])


def small_or_new(w: Builder, word: Any, ints: Any) -> Any:
    """Return a new reference to an int, or null with an error."""
    is_small = w.build.icmp_unsigned("<", word, WORD(_SMALL_INTS))
    found = w.place(POINTER)
    with w.build.if_else(is_small, likely=True) as (small, large):
        with small:
            w.build.store(item(w, ints, word), found)
        with large:
            w.build.store(w.call("PyLong_FromUnsignedLongLong", word), found)
    return w.build.load(found)


def item(w: Builder, objects: Any, index: Any) -> Any:
    """Return a new reference to an item of a tuple."""
    return w.shared(w.load(objects, w.build.add(w.build.shl(index, WORD(3)), WORD(layouts.TUPLE_ITEMS))))


def _shared(module: ir.Module, name: str, returns: Any, arguments: list[Any], build: Callable[[Builder], None]) -> Any:
    """Return a function of which a linker keeps one copy."""
    found = module.globals.get(name)
    if found is None:
        function = Builder(module, name, returns, arguments)
        function.function.linkage = "linkonce_odr"
        build(function)
        function.build.position_at_end(function.otherwise)
        function.build.unreachable()
        found = function.function
    return found


def _spare(module: ir.Module) -> Any:
    """Return the place of a row that nothing refers to, or of null."""
    found = module.globals.get("rookery.spare_row")
    if found is None:
        found = ir.GlobalVariable(module, POINTER, "rookery.spare_row")
        found.linkage, found.initializer = "linkonce_odr", NOTHING
    return found


def _make_row(function: Builder) -> None:
    build, place = function.build, _spare(function.module)
    found = build.load(place)
    with build.if_then(build.icmp_unsigned("!=", found, NOTHING), likely=True):
        build.store(NOTHING, place)
        function.store(WORD(-1), found, layouts.HASH)  # not computed yet
        build.ret(found)
    build.ret(function.call("PyBytes_FromStringAndSize", NOTHING, WORD(ROW_BYTES)))


def _drop_row(function: Builder) -> None:
    build, place = function.build, _spare(function.module)
    (row,) = function.function.args
    is_last = function.same(function.load(row, layouts.REFERENCES, INT), 1)
    with build.if_then(build.and_(is_last, function.same(build.load(place), NOTHING))):
        is_bytes = function.same(function.load(row, layouts.TYPE), function.symbol("PyBytes_Type"))
        with build.if_then(build.and_(is_bytes, function.same(function.load(row, layouts.SIZE, WORD), ROW_BYTES))):
            build.store(row, place)
            build.ret_void()
    function.release(row)
    build.ret_void()


def _refresh(function: Builder) -> None:
    build = function.build
    board, row, ints = function.function.args
    words = {n: function.load(row, layouts.BYTES + 8 * n, WORD) for n in (_EN_PASSANT, _TURN, _CLOCK, _NUMBER)}

    def put(slot: int, value: Any) -> None:
        old = function.load(board, slot)
        function.store(value, board, slot)
        with build.if_then(build.icmp_unsigned("!=", old, NOTHING)):
            # Python does not count references to such objects from 3.12 on.
            counted = build.icmp_signed(">=", function.load(old, layouts.REFERENCES, INT), INT(0))
            with build.if_then(counted, likely=False):
                function.call("Py_DecRef", old)

    put(layouts.TURN_SLOT, item(function, ints, build.sub(WORD(_TRUE), build.and_(words[_TURN], WORD(1)))))
    for slot, n in ((layouts.CLOCK_SLOT, _CLOCK), (layouts.NUMBER_SLOT, _NUMBER)):
        put(slot, small_or_new(function, words[n], ints))
    word = words[_EN_PASSANT]
    highest = build.sub(WORD(63), build.ctlz(word, BIT(0)))
    put(layouts.EN_PASSANT_SLOT, item(function, ints, build.select(function.same(word, 0), WORD(_NONE), highest)))
    build.ret_void()
