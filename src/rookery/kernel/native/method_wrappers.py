"""The wrappers of marked functions, which read rows, squares and moves: see `wrapping`."""

from typing import Any

from llvmlite import ir

from rookery.kernel.compiler.kinds import Number
from rookery.kernel.compiler.linkable import Compiled
from rookery.kernel.native import results, values
from rookery.kernel.native.building import INT, NOTHING, POINTER, WORD, Builder, text
from rookery.kernel.native.kinds import REFUSED, SET_UP, Kind, Twin, objects_of
from rookery.kernel.native.wrapping import (
    FUNCTION_TYPE,
    Wrapper,
    called,
    define_function,
    number_at,
    otherwise,
    variable,
)


def wrapper_of(twin: Twin, kernel: Compiled, symbol: str) -> ir.Module:
    """Return the module with the wrapper of a twin."""
    module = ir.Module(symbol)
    arguments = [POINTER, POINTER] if twin.is_getter else FUNCTION_TYPE
    wrapper = Wrapper(module, symbol, arguments, objects_of(twin))
    owner = wrapper.function.args[0]
    given = [kind for kind in twin.arguments if kind.name not in values.OF_SELF and not kind.is_buffer]
    if not twin.is_getter:
        _, _, number, names = wrapper.function.args
        fits = wrapper.same(number, len(given))
        if given and given[-1].default:
            fits = wrapper.build.or_(fits, wrapper.same(number, len(given) - 1))
        wrapper.require(wrapper.build.and_(fits, wrapper.same(names, NOTHING)))
    wrapper.board = values.board(wrapper, owner, twin.through)
    if twin.returns.name == SET_UP.name and given[-1].default:
        # The row that is provided needs no reading of a text.
        with wrapper.build.if_then(wrapper.same(wrapper.function.args[2], len(given) - 1)):
            wrapper.build.ret(results.start(wrapper, wrapper.object(given[-1].default)))
    flat: list[Any] = []
    place = 0
    for kind in twin.arguments:
        found = owner
        if kind in given:
            found = _given(wrapper, place, kind)
            place += 1
        flat += values.ARGUMENTS[kind.name](wrapper, found, kind)
    status, where = called(wrapper, kernel, flat)
    values.require_answer(wrapper, wrapper.same(status, 0))
    word = number_at(wrapper, where, kernel.return_type) if isinstance(kernel.return_type, Number) else WORD(0)
    if twin.refuses:
        values.require_answer(wrapper, wrapper.build.icmp_unsigned("!=", word, WORD(REFUSED)))
    wrapper.build.ret(results.RESULTS[twin.returns.name](wrapper, word, twin.returns))
    otherwise(wrapper, is_method=twin.is_method, is_getter=twin.is_getter)
    if twin.is_getter:
        _define_attribute(wrapper, twin)
    else:
        define_function(wrapper, twin.name.rpartition(".")[2])
    return module


def _given(wrapper: Wrapper, place: int, kind: Kind) -> Any:
    """Return an argument, or the object that stands in for it."""
    build = wrapper.build

    def load() -> Any:
        return build.load(build.gep(wrapper.function.args[1], [WORD(place)]))

    if not kind.default:
        return load()
    found = wrapper.place(POINTER)
    with build.if_else(wrapper.same(wrapper.function.args[2], place)) as (missing, present):
        with missing:
            build.store(wrapper.object(kind.default), found)
        with present:
            build.store(load(), found)
    return build.load(found)


def _define_attribute(wrapper: Wrapper, twin: Twin) -> None:
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
    variable(module, f"{wrapper.function.name}.definition", [*fields, NOTHING, NOTHING])
