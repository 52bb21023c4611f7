"""Arrays between pages that nobody may read or write: an access outside an array ends the process.

`install` makes each call of an entry two calls with copies of its arrays: first with copies that end where a forbidden
page begins, then with copies that begin where one ends. Both must give equal results. Arrays that overlap are copied
as one. The rest of the pages has a pattern, which must remain.

What is not covered: addresses in arrays of words, tables in the machine code itself, and methods of single boards.
"""

import ctypes
import functools
import mmap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel import entries

PAGE: Final = mmap.PAGESIZE
PATTERN: Final = 0xA5
_PROT_NONE: Final = 0
_ROOM: Final = 128  # bytes of the note
_free: Final[dict[int, list["Memory"]]] = {}  # by pages


class Memory:
    """Some pages between two forbidden ones."""

    def __init__(self, pages: int) -> None:
        self.size = pages * PAGE
        self._mapped = mmap.mmap(-1, self.size + 2 * PAGE)
        first = ctypes.addressof(ctypes.c_char.from_buffer(self._mapped))
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        for address in (first, first + PAGE + self.size):
            if protect(ctypes.c_void_p(address), ctypes.c_size_t(PAGE), _PROT_NONE):
                raise OSError(ctypes.get_errno(), "mprotect")
        self.address = first + PAGE
        self.bytes = np.ndarray(self.size, np.uint8, self._mapped, PAGE)


class Span(NamedTuple):
    """Memory of the caller that one array takes, or several that overlap."""

    start: int
    stop: int
    alignment: int
    is_shared: bool = False  # by arrays that are not the same, or of which one may be written


class Block:
    """A guarded copy of a span."""

    def __init__(self, span: Span, at_end: bool) -> None:
        self.span, self.size = span, span.stop - span.start
        try:
            self._memory = _free.setdefault(-(-self.size // PAGE), []).pop()
        except IndexError:
            self._memory = Memory(-(-self.size // PAGE))
        self._before = self._memory.size - self.size if at_end else 0
        # Numbers stay aligned, so a few bytes may lie between a copy for several arrays and the page.
        wrong = (self._memory.address + self._before - span.start) % span.alignment
        self._before += -wrong if at_end else (span.alignment - wrong) % span.alignment
        self.address = self._memory.address + self._before
        self._memory.bytes[:] = PATTERN
        ctypes.memmove(self.address, span.start, self.size)

    def content(self) -> bytes:
        """Return the bytes of the copy."""
        return ctypes.string_at(self.address, self.size)

    def is_whole(self) -> bool:
        """Check whether the bytes around the copy are as they were."""
        around = (self._memory.bytes[: self._before], self._memory.bytes[self._before + self.size :])
        return all((part == PATTERN).all() for part in around)

    def close(self) -> None:
        """Give the memory back."""
        _free[self._memory.size // PAGE].append(self._memory)


class _Elsewhere:
    """An array at another address."""

    def __init__(self, array: Any, address: int) -> None:
        is_readonly = not array.flags.writeable
        self.__array_interface__ = {**array.__array_interface__, "data": (address, is_readonly)}


def _arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _arrays(item)


def _start(array: Any) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _span(array: Any) -> Span:
    start = _start(array)
    if array.size == 0:
        return Span(start, start, 1)
    reach = [(extent - 1) * stride for extent, stride in zip(array.shape, array.strides, strict=True)]
    first, last = (start + sum(chosen(n, 0) for n in reach) for chosen in (min, max))
    return Span(first, last + array.itemsize, array.dtype.alignment)


def _spans(arrays: list[Any]) -> list[Span]:
    """Return the memory that arrays take: those that overlap are one span."""
    found: list[Span] = []
    for span in sorted(_span(array) for array in arrays):
        if found and span.start < found[-1].stop:
            last = found[-1]
            found[-1] = Span(last.start, max(last.stop, span.stop), max(last.alignment, span.alignment), True)
        elif not found or span != found[-1]:
            found.append(span)
    return found


def _moved(value: Any, blocks: list[Block]) -> Any:
    """Return an argument whose arrays are in the blocks."""
    if isinstance(value, tuple):
        items = [_moved(item, blocks) for item in value]
        return value._make(items) if hasattr(value, "_make") else tuple(items)
    if not isinstance(value, np.ndarray):
        return value
    span = _span(value)
    block = next(
        b for b in blocks if b.span.start <= span.start and span.stop <= b.span.stop and (b.size > 0 or not value.size)
    )
    made = np.asarray(_Elsewhere(value, block.address + _start(value) - block.span.start))
    return made.view(value.dtype, type(value))


class Guard:
    """The guarded calls of a process: the entries called, and those that wrote to memory that arrays share."""

    def __init__(self, note: Path) -> None:
        self.called: dict[str, int] = {}
        self.shared: set[str] = set()
        note.write_bytes(bytes(_ROOM))
        with note.open("r+b") as file:
            self._note = mmap.mmap(file.fileno(), _ROOM)  # remains when the process ends

    def call(self, name: str, code: Callable[..., Any], *args: Any) -> Any:
        """Call machine code twice with guarded copies of its arrays, and return the result."""
        spans = _spans([*_arrays(args)])
        before = [ctypes.string_at(span.start, span.stop - span.start) for span in spans]
        answers = []
        for side in ("end", "begin"):
            self._note[:] = f"{name}, arrays that {side} at a forbidden page".encode().ljust(_ROOM)[:_ROOM]
            blocks = [Block(span, side == "end") for span in spans]
            try:
                result = code(*(_moved(arg, blocks) for arg in args))
                answers.append((repr(result), [block.content() for block in blocks]))
                assert all(block.is_whole() for block in blocks), f"{name} writes beside an array"
            finally:
                for block in blocks:
                    block.close()
        self._note[:] = bytes(_ROOM)
        assert answers[0] == answers[1], f"{name} gives two answers to one question"
        for span, old, new in zip(spans, before, answers[0][1], strict=True):
            if new != old:
                ctypes.memmove(span.start, new, len(new))
                if span.is_shared:
                    self.shared.add(name)
        self.called[name] = self.called.get(name, 0) + 1
        return result


def install(note: Path) -> Guard:
    """Guard all calls of entries of this process from now on. The file `note` has the name of the entry that runs."""
    guard = Guard(note)
    wrapped: dict[int, tuple[Any, Any]] = {}

    def guarded(entry: Any, code: Any) -> Any:
        if id(code) not in wrapped:
            function = getattr(entry, "function", None) or entry
            name = f"{function.__module__}.{function.__qualname__}"
            call = functools.partial(guard.call, name + "*" * getattr(entry, "aliases", False), code)
            wrapped[id(code)] = code, call
            wrapped[id(call)] = call, call
        return wrapped[id(code)][1]

    for cls in (entries.Entry, entries._EntryElsewhere):
        resolve = cls.resolve

        def resolved(self: Any, *examples: Any, _resolve: Any = resolve) -> Any:
            return guarded(self, _resolve(self, *examples))

        cls.resolve = resolved  # type: ignore[method-assign]
    entries._ByTypes.__call__ = lambda self, *args: self.resolve(*args)(*args)  # type: ignore[method-assign]
    return guard
