"""How wrappers read the arguments of methods: one function for each kind."""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir

from rookery.kernel.native import layouts
from rookery.kernel.native.building import BIT, BYTE, INT, NOTHING, POINTER, WORD
from rookery.native_methods.kinds import LONGEST_TEXT, MOST_MOVES, PADDING, ROW_WORDS, Kind
from rookery.native_methods.rows import ROW_BYTES, drop_row, new_row

HALF: Final = ir.IntType(16)
OF_SELF: Final = frozenset(
    ("row", "history", "chess960", "self int", "self bitboard", "self set", "self letter", "self type")
)


def array(data: Any, items: Any) -> list[Any]:
    """Return a one-dimensional array as kernels take it: see `kinds.flattened`."""
    return [data, WORD(items) if isinstance(items, int) else items]


def board(w: Any, owner: Any, through: str) -> Any:
    """Return the board: the owner itself, or what its only slot holds."""
    if not through:
        return owner
    found = w.load(owner, layouts.FIRST_SLOT)
    w.require_present(found)
    w.require_type(found, w.object("Board"))
    return found


def require_answer(w: Any, condition: Any) -> None:
    """Leave the fast path after a kernel unless a condition holds, and give up a row that was made for it."""
    made = w.buffers.get("new row")
    if made is None:
        w.require(condition)
        return
    onward, given_up = (w.build.append_basic_block(name) for name in ("onward", "refused"))
    w.build.cbranch(condition, onward, given_up).set_weights([1000, 1])
    w.build.position_at_end(given_up)
    drop_row(w, made)
    w.build.branch(w.otherwise)
    w.build.position_at_end(onward)


# Arguments.


def _row_of(w: Any, found: Any) -> Any:
    """Return the bytes object in the row's slot of a board."""
    row = w.load(found, layouts.ROW_SLOT)
    w.require_present(row)
    require_row(w, row)
    return row


def require_row(w: Any, row: Any) -> None:
    """Leave the fast path unless an object is a bytes object of a row's length."""
    w.require_type(row, w.symbol("PyBytes_Type"))
    w.require(w.same(w.load(row, layouts.SIZE, WORD), ROW_BYTES))


def _row_array(w: Any, row: Any) -> list[Any]:
    return array(w.build.gep(row, [WORD(layouts.BYTES)]), ROW_WORDS)


def _row(w: Any, found: Any, kind: Kind) -> list[Any]:
    w.row = _row_of(w, w.board)
    return _row_array(w, w.row)


def _other_row(w: Any, found: Any, kind: Kind) -> list[Any]:
    w.require_type(found, w.object("Board"))
    return _row_array(w, _row_of(w, found))


def history_list(w: Any) -> Any:
    """Return the list in the history's slot of a board."""
    history = w.load(w.board, layouts.HISTORY_SLOT)
    w.require_present(history)
    w.require_type(history, w.symbol("PyList_Type"))
    return history


def _history(w: Any, found: Any, kind: Kind) -> list[Any]:
    history = history_list(w)
    number = w.load(history, layouts.SIZE, WORD)
    items = w.load(history, layouts.LIST_ITEMS)
    looked_at, before = number, WORD(0)
    if kind.size:  # as `recent_history` says
        most = w.load(w.row, layouts.BYTES + 8 * (kind.size - 1), WORD)
        looked_at = w.build.select(w.build.icmp_unsigned("<", most, number), most, number)
        before = w.build.sub(number, looked_at)
    with w.counting(looked_at) as i:
        row = w.load(items, w.build.mul(w.build.add(before, i), WORD(8)))
        require_row(w, row)
    return [*array(items, number), number]


def is_chess960(w: Any) -> Any:
    """Return whether the board is one of Chess960."""
    flag = w.load(w.board, layouts.CHESS960_SLOT)
    is_set = w.same(flag, w.symbol("_Py_TrueStruct"))
    require_answer(w, w.build.or_(is_set, w.same(flag, w.symbol("_Py_FalseStruct"))))
    return is_set


def _chess960(w: Any, found: Any, kind: Kind) -> list[Any]:
    return [w.build.zext(is_chess960(w), WORD)]


def _self_type(w: Any, found: Any, kind: Kind) -> list[Any]:
    w.require(w.same(found, w.object(kind.objects[0])))
    return []


def _self_bitboard(w: Any, found: Any, kind: Kind) -> list[Any]:
    w.require_type(found, w.object("Bitboard"))
    return [w.call("PyLong_AsUnsignedLongLong", found)]


def _self_set(w: Any, found: Any, kind: Kind) -> list[Any]:
    w.require_type(found, w.object("SquareSet"))
    return [w.load(found, layouts.FIRST_SLOT, WORD)]


def _self_letter(w: Any, found: Any, kind: Kind) -> list[Any]:
    size = w.place(WORD)
    characters = w.call("PyUnicode_AsUTF8AndSize", found, w.build.bitcast(size, POINTER))
    w.require_present(characters)
    return [w.build.zext(w.build.load(characters), WORD)]


def _self_int(w: Any, found: Any, kind: Kind) -> list[Any]:
    return [_sixteen_bits(w, found)]


def _sixteen_bits(w: Any, found: Any) -> Any:
    number = _digit(w, found)
    w.require(w.build.icmp_unsigned("<=", number, WORD(0xFFFF)))
    return number


def _digit(w: Any, found: Any) -> Any:
    """Return an int that has at most one digit, and no sign.

    The word before the digits says so: `layouts.fit` compares it for different ints. A call takes 2 ns more.
    """
    one = w.load(w.object("ints by digits"), layouts.TUPLE_ITEMS + 8)
    w.require(w.build.icmp_unsigned("<=", w.load(found, layouts.INT, WORD), w.load(one, layouts.INT, WORD)))
    return w.build.zext(w.load(found, layouts.INT + 8, INT), WORD)


def _number(w: Any, found: Any, least: int, most: int) -> Any:
    w.require_type(found, w.symbol("PyLong_Type"))
    number = _digit(w, found)
    w.require(w.build.icmp_unsigned("<=", w.build.sub(number, WORD(least)), WORD(most - least)))
    return number


def _square(w: Any, found: Any, kind: Kind) -> list[Any]:
    return [_number(w, found, 0, kind.size)]


def _piece_type(w: Any, found: Any, kind: Kind) -> list[Any]:
    return [_number(w, found, 1, 6)]


def truth(w: Any, found: Any) -> Any:
    """Return 1 for True and 0 for False."""
    is_true = w.same(found, w.symbol("_Py_TrueStruct"))
    w.require(w.build.or_(is_true, w.same(found, w.symbol("_Py_FalseStruct"))))
    return w.build.zext(is_true, WORD)


def _colour(w: Any, found: Any, kind: Kind) -> list[Any]:
    return [truth(w, found)]


def _piece(w: Any, found: Any, kind: Kind) -> list[Any]:
    """Read the only character of a text, or 0 for None."""
    build = w.build
    before, given, done = build.block, build.append_basic_block("given"), build.append_basic_block("piece")
    build.cbranch(w.same(found, w.symbol("_Py_NoneStruct")), done, given)
    build.position_at_end(given)
    type_ = w.load(found, layouts.TYPE)
    w.require(build.or_(w.same(type_, w.symbol("PyUnicode_Type")), w.same(type_, w.object(kind.objects[0]))))
    size = w.place(WORD)
    characters = w.call("PyUnicode_AsUTF8AndSize", found, build.bitcast(size, POINTER))
    w.require_present(characters)
    w.require(w.same(build.load(size), 1))
    letter = build.zext(build.load(characters), WORD)
    w.require(build.icmp_unsigned("!=", letter, WORD(0)))
    given_end = build.block
    build.branch(done)
    build.position_at_end(done)
    piece = build.phi(WORD)
    piece.add_incoming(WORD(0), before)
    piece.add_incoming(letter, given_end)
    return [piece]


def _move(w: Any, found: Any, kind: Kind) -> list[Any]:
    w.require_type(found, w.object("Move"))
    return [_sixteen_bits(w, found)]


def _board_argument(w: Any, found: Any, kind: Kind) -> list[Any]:
    type_ = w.load(found, layouts.TYPE)
    is_int = w.same(type_, w.symbol("PyLong_Type"))
    w.require(w.build.or_(is_int, w.same(type_, w.object("Bitboard"))))
    return [_board_of(w, found)]


def _set(w: Any, found: Any, kind: Kind) -> list[Any]:
    word = w.place(WORD)
    is_set = w.same(w.load(found, layouts.TYPE), w.object("SquareSet"))
    with w.build.if_else(is_set) as (held, other):
        with held:
            w.build.store(w.load(found, layouts.FIRST_SLOT, WORD), word)
        with other:
            w.build.store(_board_argument(w, found, kind)[0], word)
    return [w.build.load(word)]


def _board_of(w: Any, found: Any) -> Any:
    """Return the word of an int, if it has one."""
    number = w.call("PyLong_AsUnsignedLongLong", found)
    is_error = w.same(number, 0xFFFF_FFFF_FFFF_FFFF)
    with w.build.if_then(is_error, likely=False):
        w.require(w.same(w.call("PyErr_Occurred"), NOTHING))
    return number


def _text(w: Any, found: Any, kind: Kind) -> list[Any]:
    """Copy a text to memory with room behind it."""
    w.require_type(found, w.symbol("PyUnicode_Type"))
    size = w.place(WORD)
    characters = w.call("PyUnicode_AsUTF8AndSize", found, w.build.bitcast(size, POINTER))
    w.require_present(characters)
    number = w.build.load(size)
    w.require(w.build.icmp_unsigned("<=", number, WORD(LONGEST_TEXT)))
    room = LONGEST_TEXT + PADDING
    copy = w.build.bitcast(w.place(BYTE, room), POINTER)
    fill = w.module.declare_intrinsic("llvm.memset", [POINTER, WORD])
    w.build.call(fill, [copy, BYTE(0), WORD(room), BIT(0)])
    move = w.module.declare_intrinsic("llvm.memcpy", [POINTER, POINTER, WORD])
    w.build.call(move, [copy, characters, number, BIT(0)])
    return [*array(copy, room), number]


def _out_moves(w: Any, found: Any, kind: Kind) -> list[Any]:
    w.buffers["moves"] = w.place(HALF, MOST_MOVES)
    return array(w.build.bitcast(w.buffers["moves"], POINTER), MOST_MOVES)


def _out_characters(w: Any, found: Any, kind: Kind) -> list[Any]:
    w.buffers["characters"] = w.build.bitcast(w.place(BYTE, kind.size), POINTER)
    return array(w.buffers["characters"], kind.size)


def _out_row(w: Any, found: Any, kind: Kind) -> list[Any]:
    made = new_row(w)
    w.return_if_null(made)
    w.buffers["new row"] = made
    return _row_array(w, made)


ARGUMENTS: Final[dict[str, Callable[[Any, Any, Kind], list[Any]]]] = {
    "row": _row,
    "other row": _other_row,
    "history": _history,
    "chess960": _chess960,
    "self int": _self_int,
    "self type": _self_type,
    "self letter": _self_letter,
    "self bitboard": _self_bitboard,
    "self set": _self_set,
    "square": _square,
    "piece type": _piece_type,
    "colour": _colour,
    "move": _move,
    "piece": _piece,
    "board": _board_argument,
    "set": _set,
    "text": _text,
    "moves": _out_moves,
    "characters": _out_characters,
    "new row": _out_row,
}
