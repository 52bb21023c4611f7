"""How wrappers make objects of a kernel's result: one function for each kind."""

from collections.abc import Callable
from typing import Any, Final

from rookery.kernel.native import layouts
from rookery.kernel.native.building import BIT, BYTE, INT, NOTHING, WORD
from rookery.native_methods.kinds import Kind
from rookery.native_methods.rows import drop_row, item, refresh, small_or_new
from rookery.native_methods.values import history_list, is_chess960, require_answer, require_row

_DIGITS: Final = 4  # of an int of 64 bits, and one to spare
_PLAIN_TEXTS: Final = 1 << 12  # of moves without promotion
_LONGEST_UCI: Final = 5


def _int(w: Any, word: Any, kind: Kind) -> Any:
    return small_or_new(w, word, w.object("small ints"))


def _signed(w: Any, word: Any, kind: Kind) -> Any:
    return w.call("PyLong_FromLongLong", word)


def _bool(w: Any, word: Any, kind: Kind) -> Any:
    return w.truth(w.build.icmp_unsigned("!=", word, WORD(0)))


def _none(w: Any, word: Any, kind: Kind) -> Any:
    return w.shared(w.symbol("_Py_NoneStruct"))


def _fill_set(w: Any, word: Any, kind: Kind) -> Any:
    w.store(word, w.board, layouts.FIRST_SLOT)
    return w.shared(w.symbol("_Py_NoneStruct"))


def _allocated(w: Any, owner: str, items: int) -> Any:
    """Make an object of a class, with room for items of its size."""
    made = w.call("PyType_GenericAlloc", w.object(owner), WORD(items))
    w.return_if_null(made)
    return made


def _new_set(w: Any, word: Any, kind: Kind) -> Any:
    made = _allocated(w, "SquareSet", 0)
    w.store(word, made, layouts.FIRST_SLOT)
    return made


def _bitboard(w: Any, word: Any, kind: Kind) -> Any:
    """Make a Bitboard, a class derived from int. ``int.__new__(Bitboard, word)`` takes four times as long.

    Python's ints have a word for the sign and the number of digits. It is copied from an int with as many digits, since
    versions of Python write it differently.
    """
    build, digit = w.build, (1 << layouts.DIGIT_BITS) - 1
    least = [build.icmp_unsigned(">=", word, WORD(1 << i * layouts.DIGIT_BITS)) for i in (1, 2)]
    several, three = (build.zext(bit, WORD) for bit in least)
    digits = build.add(build.add(build.zext(build.icmp_unsigned("!=", word, WORD(0)), WORD), several), three)
    made = _allocated(w, "Bitboard", _DIGITS)
    w.store(w.load(w.load(w.object("ints by digits"), _nth(w, digits)), layouts.INT, WORD), made, layouts.INT)
    second = build.and_(build.lshr(word, WORD(layouts.DIGIT_BITS)), WORD(digit))
    w.store(build.or_(build.and_(word, WORD(digit)), build.shl(second, WORD(32))), made, layouts.INT + 8)
    with build.if_then(least[1]):
        w.store(build.trunc(build.lshr(word, WORD(2 * layouts.DIGIT_BITS)), INT), made, layouts.INT + 16)
    return made


def _square_or_none(w: Any, word: Any, kind: Kind) -> Any:
    with w.build.if_then(w.same(word, 64)):
        w.build.ret(w.shared(w.symbol("_Py_NoneStruct")))
    return _item(w, word, kind)


def _item(w: Any, word: Any, kind: Kind) -> Any:
    return item(w, w.object(kind.objects[0]), word)


def _nth(w: Any, i: Any) -> Any:
    """Return the offset of an item of a tuple."""
    return w.build.add(w.build.shl(i, WORD(3)), WORD(layouts.TUPLE_ITEMS))


def _table(w: Any) -> Any:
    """Return the tuple of the moves of all words, for the kind of chess of the board."""
    return w.build.select(is_chess960(w), w.object("moves960"), w.object("moves"))


def _move_list(w: Any, number: Any, kind: Kind) -> Any:
    table = _table(w)
    made = w.call("PyList_New", number)
    w.return_if_null(made)
    items = w.load(made, layouts.LIST_ITEMS)
    with w.counting(number) as i:
        word = w.build.zext(w.build.load(w.build.gep(w.buffers["moves"], [i])), WORD)
        move = w.load(table, _nth(w, word))
        w.store(w.shared(move), items, w.build.shl(i, WORD(3)))
    return made


def _move_iterator(w: Any, number: Any, kind: Kind) -> Any:
    return _iterator(w, _move_list(w, number, kind))


def _iterator(w: Any, made: Any) -> Any:
    """Return the iterator over a new list, which it alone keeps."""
    iterator = w.call("PyObject_GetIter", made)
    w.call("Py_DecRef", made)
    return iterator


def _square_iterator(w: Any, number: Any, kind: Kind) -> Any:
    made = w.call("PyList_New", number)
    w.return_if_null(made)
    items = w.load(made, layouts.LIST_ITEMS)
    with w.counting(number) as i:
        square = w.build.zext(w.load(w.buffers["characters"], i, BYTE), WORD)
        # Python keeps these ints: it cannot fail.
        w.store(w.call("PyLong_FromUnsignedLongLong", square), items, w.build.shl(i, WORD(3)))
    return _iterator(w, made)


def _move_of(w: Any, word: Any, kind: Kind) -> Any:
    return item(w, _table(w), word)


def _plain_move(w: Any, word: Any, kind: Kind) -> Any:
    return item(w, w.object("moves"), word)


def _move_text(w: Any, word: Any, kind: Kind) -> Any:
    with w.build.if_then(w.build.icmp_unsigned("<", word, WORD(_PLAIN_TEXTS)), likely=True):
        w.build.ret(_item(w, word, kind))
    return w.call("PyUnicode_FromStringAndSize", w.buffers["characters"], WORD(_LONGEST_UCI))


def _characters(w: Any, number: Any, kind: Kind) -> Any:
    return w.call("PyUnicode_FromStringAndSize", w.buffers["characters"], number)


def _piece_map(w: Any, number: Any, kind: Kind) -> Any:
    build = w.build
    made = w.call("PyDict_New")
    w.return_if_null(made)
    pieces = w.object("pieces")
    with w.counting(number) as i:
        pair = build.shl(i, WORD(1))
        square, piece = (
            build.zext(w.load(w.buffers["characters"], place, BYTE), WORD) for place in (pair, build.add(pair, WORD(1)))
        )
        key = w.call("PyLong_FromUnsignedLongLong", square)  # Python keeps these ints: it cannot fail
        failed = w.call("PyDict_SetItem", made, key, w.load(pieces, _nth(w, piece)))
        w.call("Py_DecRef", key)
        with build.if_then(build.icmp_signed("<", failed, INT(0)), likely=False):
            w.call("Py_DecRef", made)
            build.ret(w.failed)
    return made


def _replace(w: Any, offset: int, value: Any) -> None:
    """Put an object in a slot, in place of another one or of nothing."""
    old = w.load(w.board, offset)
    w.store(value, w.board, offset)
    with w.build.if_then(w.build.icmp_unsigned("!=", old, NOTHING)):
        w.release(old)


def _put_row(w: Any, row: Any) -> None:
    """Put a new reference to a row in the board's slot, in place of another one or of nothing."""
    old = w.load(w.board, layouts.ROW_SLOT)
    w.store(row, w.board, layouts.ROW_SLOT)
    refresh(w, w.board, row, w.object("small ints"))
    with w.build.if_then(w.build.icmp_unsigned("!=", old, NOTHING)):
        drop_row(w, old)


def _give_up(w: Any) -> None:
    drop_row(w, w.buffers["new row"])
    w.build.ret(w.failed)


def _push(w: Any, word: Any, kind: Kind) -> Any:
    history = w.load(w.board, layouts.HISTORY_SLOT)
    fits = w.build.icmp_unsigned("!=", history, NOTHING)
    require_answer(w, fits)
    require_answer(w, w.same(w.load(history, layouts.TYPE), w.symbol("PyList_Type")))
    failed = w.call("PyList_Append", history, w.row)
    with w.build.if_then(w.build.icmp_signed("<", failed, INT(0)), likely=False):
        _give_up(w)
    _put_row(w, w.buffers["new row"])
    return _none(w, word, kind)


def _push_move(w: Any, word: Any, kind: Kind) -> Any:
    table = _table(w)
    w.release(_push(w, word, kind))
    return w.shared(w.load(table, _nth(w, word)))


def _place(w: Any, word: Any, kind: Kind) -> Any:
    _clear_history(w, lambda: _give_up(w))
    _put_row(w, w.buffers["new row"])
    return _none(w, word, kind)


def _clear_history(w: Any, give_up: Callable[[], Any]) -> None:
    """Put a new list in the history's slot, unless it holds an empty one."""
    build = w.build
    history, is_empty = w.load(w.board, layouts.HISTORY_SLOT), w.place(BIT)
    build.store(BIT(0), is_empty)
    with build.if_then(build.icmp_unsigned("!=", history, NOTHING)):
        is_list = w.same(w.load(history, layouts.TYPE), w.symbol("PyList_Type"))
        with build.if_then(is_list):
            build.store(w.same(w.load(history, layouts.SIZE, WORD), 0), is_empty)
    with build.if_then(build.not_(build.load(is_empty))):
        empty = w.call("PyList_New", WORD(0))
        with build.if_then(w.same(empty, NOTHING), likely=False):
            give_up()
        _replace(w, layouts.HISTORY_SLOT, empty)


def board_of(w: Any, row: Any, flag: Any, give_up: Callable[[], Any]) -> Any:
    """Make a board without a history, of new references to a row and a flag."""
    empty = w.call("PyList_New", WORD(0))
    with w.build.if_then(w.same(empty, NOTHING), likely=False):
        give_up()
    made = w.call("PyType_GenericAlloc", w.object("Board"), WORD(0))
    with w.build.if_then(w.same(made, NOTHING), likely=False):
        w.call("Py_DecRef", empty)
        give_up()
    w.store(empty, made, layouts.HISTORY_SLOT)
    w.store(row, made, layouts.ROW_SLOT)
    refresh(w, made, row, w.object("small ints"))
    w.store(flag, made, layouts.CHESS960_SLOT)
    return made


def start(w: Any, row: Any) -> Any:
    """Make a board of a row that is provided, in classical chess."""
    row, flag = w.shared(row), w.shared(w.symbol("_Py_FalseStruct"))

    def give_up() -> None:
        w.release(row)
        w.build.ret(w.failed)

    return board_of(w, row, flag, give_up)


def _board_of_row(w: Any, word: Any, kind: Kind) -> Any:
    flag = w.truth(w.build.icmp_unsigned("!=", word, WORD(0)))
    return board_of(w, w.buffers["new row"], flag, lambda: _give_up(w))


def _set_up(w: Any, word: Any, kind: Kind) -> Any:
    answer = _place(w, word, kind)
    is_set = w.build.icmp_unsigned("!=", word, WORD(0))
    _replace(w, layouts.CHESS960_SLOT, w.truth(is_set))
    return answer


def _pop(w: Any, word: Any, kind: Kind) -> Any:
    """Restore the last row of the history, and return the move that led away from it."""
    build = w.build
    history = history_list(w)
    number = w.load(history, layouts.SIZE, WORD)
    w.require(build.icmp_signed(">", number, WORD(0)))
    left = build.sub(number, WORD(1))
    row = w.load(w.load(history, layouts.LIST_ITEMS), build.shl(left, WORD(3)))
    require_row(w, row)
    move = w.load(_table(w), _nth(w, word))
    w.store(left, history, layouts.SIZE)  # the reference goes from the list to the slot
    _put_row(w, row)
    return w.shared(move)


def _copy_slot(w: Any, made: Any, slot: int) -> None:
    """Put what is in a slot of the board in that of another one; the slot may be empty by now."""
    held = w.load(w.board, slot)
    w.call("Py_IncRef", held)
    w.store(held, made, slot)


def _copy(w: Any, word: Any, kind: Kind) -> Any:
    type_ = w.object("Board")
    w.require_type(w.board, type_)
    history, flag = history_list(w), w.load(w.board, layouts.CHESS960_SLOT)
    w.require_present(flag)
    number = w.build.select(w.same(word, 0), WORD(0), w.load(history, layouts.SIZE, WORD))
    earlier = w.call("PyList_GetSlice", history, WORD(0), number)
    w.return_if_null(earlier)
    made = w.call("PyType_GenericAlloc", type_, WORD(0))
    with w.build.if_then(w.same(made, NOTHING), likely=False):
        w.call("Py_DecRef", earlier)
        w.build.ret(w.failed)
    # Making these objects may have run Python code: the slots are read again.
    w.store(earlier, made, layouts.HISTORY_SLOT)
    for slot in (*layouts.FOLLOWING, layouts.ROW_SLOT, layouts.CHESS960_SLOT):
        _copy_slot(w, made, slot)
    return made


def _view(w: Any, word: Any, kind: Kind) -> Any:
    made = w.call("PyType_GenericAlloc", w.object(kind.objects[0]), WORD(0))
    w.return_if_null(made)
    w.store(w.shared(w.board), made, layouts.FIRST_SLOT)
    return made


def _new_board(w: Any, word: Any, kind: Kind) -> Any:
    require_answer(w, w.same(w.load(w.board, layouts.TYPE), w.object("Board")))
    return board_of(w, w.buffers["new row"], w.truth(is_chess960(w)), lambda: _give_up(w))


RESULTS: Final[dict[str, Callable[[Any, Any, Kind], Any]]] = {
    "fill set": _fill_set,
    "new set": _new_set,
    "int": _int,
    "signed int": _signed,
    "bool": _bool,
    "none": _none,
    "bitboard": _bitboard,
    "square or none": _square_or_none,
    "item": _item,
    "list of moves": _move_list,
    "iterator of moves": _move_iterator,
    "iterator of squares": _square_iterator,
    "move": _move_of,
    "text": _characters,
    "text of a move": _move_text,
    "piece map": _piece_map,
    "push": _push,
    "push and return the move": _push_move,
    "place": _place,
    "set up": _set_up,
    "new board": _new_board,
    "board of a row": _board_of_row,
    "pop": _pop,
    "copy": _copy,
    "view": _view,
    "plain move": _plain_move,
}
