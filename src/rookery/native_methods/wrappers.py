"""The wrappers of marked functions, which read rows, squares and moves: see `kernel.native.wrapping`."""

from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import ir

from rookery.kernel.compiler.kinds import Number
from rookery.kernel.compiler.linkable import Compiled
from rookery.kernel.native import layouts, wrapping
from rookery.kernel.native.building import INT, NOTHING, POINTER, WORD, Builder, text
from rookery.native_methods import results, values
from rookery.native_methods.kinds import BOARD_OF, REFUSED, Kind, Twin, objects_of

FLAG = "flag"  # of a kind that `kinds.flag_by_name` returns
_EQUAL, _UNEQUAL = 2, 3  # the numbers of the comparisons


class _Given(NamedTuple):
    """The arguments besides `self`."""

    number: Any  # of the arguments, or None if it is always the same
    load: Callable[[int], Any]  # the argument at a place


def wrapper_of(twin: Twin, kernel: Compiled, symbol: str) -> ir.Module:
    """Return the module with the wrapper of a twin."""
    module = ir.Module(symbol)
    arguments = [POINTER, POINTER] if twin.is_getter else wrapping.FUNCTION_TYPE
    returns, arguments = wrapping.SLOT_TYPES.get(twin.slot, (POINTER, arguments))
    wrapper = wrapping.Wrapper(module, symbol, arguments, objects_of(twin), returns)
    owner = wrapper.function.args[0]
    kinds = [kind for kind in twin.arguments if kind.name not in values.OF_SELF and not kind.is_buffer]
    given = _given(wrapper, twin)
    flag = kinds.pop() if kinds and kinds[-1].name == FLAG else None
    if given.number is not None:
        fits = wrapper.same(given.number, len(kinds))
        if kinds and kinds[-1].default:
            fits = wrapper.build.or_(fits, wrapper.same(given.number, len(kinds) - 1))
        names = wrapper.function.args[-1]
        wrapper.require(fits if flag else wrapper.build.and_(fits, wrapper.same(names, NOTHING)))
    wrapper.board = values.board(wrapper, owner, twin.through)
    if twin.is_constructor:
        wrapper.require(wrapper.same(owner, wrapper.object(twin.arguments[0].objects[0])))
        wrapping.define_constructor(wrapper)
    if twin.returns.name == BOARD_OF.name:
        # The row that is provided needs no reading of a text.
        with wrapper.build.if_then(wrapper.same(given.number, len(kinds) - 1)):
            wrapper.build.ret(results.start(wrapper, wrapper.object(kinds[-1].default)))
    flat: list[Any] = []
    place = 0
    for kind in twin.arguments:
        found = owner
        if kind in kinds:
            found = _argument(wrapper, given, place, kind)
            place += 1
        flat += [_flag(wrapper, given, kind)] if kind is flag else values.ARGUMENTS[kind.name](wrapper, found, kind)
    status, where = wrapping.called(wrapper, kernel, flat)
    values.require_answer(wrapper, wrapper.same(status, 0))
    word = wrapping.number_at(wrapper, where, kernel.return_type) if isinstance(kernel.return_type, Number) else WORD(0)
    if twin.refuses:
        values.require_answer(wrapper, wrapper.build.icmp_unsigned("!=", word, WORD(REFUSED)))
    if twin.slot in ("__len__", "__bool__", "__contains__"):
        is_set = wrapper.build.icmp_unsigned("!=", word, WORD(0))
        wrapper.build.ret(word if twin.slot == "__len__" else wrapper.build.zext(is_set, INT))
    else:
        if twin.slot == "__eq__":
            word = wrapper.build.xor(word, wrapper.build.zext(wrapper.same(wrapper.function.args[2], _UNEQUAL), WORD))
        wrapper.build.ret(results.RESULTS[twin.returns.name](wrapper, word, twin.returns))
    if twin.slot:
        if twin.slot in layouts.OPERATORS:
            wrapping.define_operator(wrapper, twin.arguments[0].objects[0])
        else:
            wrapping.define_slot(wrapper, twin.slot)
        return module
    wrapping.otherwise(wrapper, is_method=twin.is_method and not twin.is_constructor, is_getter=twin.is_getter)
    if twin.is_getter:
        _define_attribute(wrapper, twin)
    elif not twin.is_constructor:
        wrapping.define_function(wrapper, twin.name.rpartition(".")[2])
    return module


def _given(wrapper: wrapping.Wrapper, twin: Twin) -> _Given:
    """Return what callers give to a function. A comparison is left to Python unless it is for equality."""
    build, function = wrapper.build, wrapper.function
    if twin.slot or twin.is_getter:
        if twin.slot == "__eq__":
            operator = function.args[2]
            wrapper.require(build.or_(wrapper.same(operator, _EQUAL), wrapper.same(operator, _UNEQUAL)))
        return _Given(None, lambda place: function.args[place + 1])
    items, number = function.args[1:3]
    if twin.is_constructor:  # a caller says in the highest bit that it has room for another argument
        number = build.and_(number, WORD((1 << 63) - 1))
    return _Given(number, lambda place: build.load(build.gep(items, [WORD(place)])))


def _flag(wrapper: wrapping.Wrapper, given: _Given, kind: Kind) -> Any:
    """Return a flag that is given by name: 1 or 0. Names in source code are the same objects everywhere."""
    build, names = wrapper.build, wrapper.function.args[-1]
    found = wrapper.place(WORD)
    build.store(WORD(1), found)
    with build.if_then(build.icmp_unsigned("!=", names, NOTHING)):
        wrapper.require(wrapper.same(wrapper.load(names, layouts.SIZE, WORD), 1))
        name = wrapper.load(wrapper.object(kind.objects[0]), layouts.TUPLE_ITEMS)
        wrapper.require(wrapper.same(wrapper.load(names, layouts.TUPLE_ITEMS), name))
        value = build.load(build.gep(wrapper.function.args[1], [given.number]))
        build.store(values.truth(wrapper, value), found)
    return build.load(found)


def _argument(wrapper: wrapping.Wrapper, given: _Given, place: int, kind: Kind) -> Any:
    """Return an argument, or the object that stands in for it."""
    build = wrapper.build
    if not kind.default:
        return given.load(place)
    found = wrapper.place(POINTER)
    with build.if_else(wrapper.same(given.number, place)) as (missing, present):
        with missing:
            build.store(wrapper.object(kind.default), found)
        with present:
            build.store(given.load(place), found)
    return build.load(found)


def _define_attribute(wrapper: wrapping.Wrapper, twin: Twin) -> None:
    """Add the PyGetSetDef. Binding fills the documentation."""
    module, name = wrapper.module, twin.name.rpartition(".")[2]
    setter = Builder(module, f"{wrapper.function.name}.set", INT, [POINTER, POINTER, POINTER])
    build = setter.build
    owner, value, _ = setter.function.args
    setter.require_present(value)
    both = setter.place(POINTER, 2)
    build.store(owner, both)
    build.store(value, build.gep(both, [WORD(1)]))
    function = build.load(build.gep(wrapper.objects, [INT(0), INT(1)]))
    answer = setter.call("PyObject_Vectorcall", function, build.bitcast(both, POINTER), WORD(2), NOTHING)
    with build.if_then(setter.same(answer, NOTHING)):
        build.ret(INT(-1))
    setter.call("Py_DecRef", answer)
    build.ret(INT(0))
    build.position_at_end(setter.otherwise)
    deleter = build.load(build.gep(wrapper.objects, [INT(0), INT(2)]))
    setter.call("PyObject_Vectorcall", deleter, NOTHING, WORD(0), NOTHING)
    build.ret(INT(-1))
    fields = [text(module, "name", name), wrapper.function.bitcast(POINTER), setter.function.bitcast(POINTER)]
    wrapping.variable(module, f"{wrapper.function.name}.definition", [*fields, NOTHING, NOTHING])
