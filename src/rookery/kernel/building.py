"""Parts of LLVM code that several instructions build, with nothing but llvmlite."""

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple


class Memory(NamedTuple):
    """A contiguous array: a pointer to its first element, and the number of elements."""

    data: Any
    size: Any


def external(builder: Any, name: str, kind: Any) -> Any:
    """Return the function of a name, declared if the module does not know it yet."""
    from llvmlite import ir

    found = builder.module.globals.get(name)
    return found if found is not None else ir.Function(builder.module, kind, name)


def place(builder: Any, kind: Any, number: Any = None) -> Any:
    """Return a pointer to memory for one value of a type or several, reserved when the function begins."""
    with builder.goto_entry_block():
        return builder.alloca(kind, number)


def splat(builder: Any, value: Any, lanes: int) -> Any:
    """Return a vector whose lanes all hold a value."""
    from llvmlite import ir

    index = ir.IntType(32)
    one = builder.insert_element(ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined), value, index(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(index, lanes), [0] * lanes))


@contextlib.contextmanager
def counting(builder: Any, stop: Any, step: int = 1) -> Iterator[Any]:
    """Build a loop around the code that the block builds.

    Yield its counter, which begins at 0, grows by `step` and stays below `stop`.
    """
    before, head, body, end = builder.block, *(builder.append_basic_block(name) for name in ("head", "body", "end"))
    builder.branch(head)
    builder.position_at_end(head)
    counter = builder.phi(stop.type)
    counter.add_incoming(stop.type(0), before)
    builder.cbranch(builder.icmp_unsigned("<", counter, stop), body, end)
    builder.position_at_end(body)
    yield counter
    counter.add_incoming(builder.add(counter, stop.type(step)), builder.block)
    builder.branch(head)
    builder.position_at_end(end)
