"""An entry and all kernels that it calls, as one module in LLVM's language.

Each kernel is one function for arguments of some types. A tuple passes its items and an array a pointer and its
lengths, so no record is put together and taken apart again. A kernel returns its result: it raises no exception.

No aliasing: LLVM may assume that no array is written through one argument of an entry and read through another. A table
look-up can read anywhere. Without the assumption it might read what the loop has just written, so nothing is vectorised
(hyperbola with its 512-byte table: 179 M/s without it, 529 M/s with it).

Full width: for Intel CPUs with AVX-512, LLVM prefers vectors of 256 bits, because early ones lowered their clock for
wider vectors. On later ones (Emerald Rapids) 512 bits answered 17 to 35 % more positions per second. The early ones
lack VPOPCNTDQ. AMD's CPUs have no such limit, and their code is unaffected. The preference is an attribute of each
function, including the inlined ones.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel import notice
from rookery.kernel.building import Memory
from rookery.kernel.compiler import arithmetic, arrays, values
from rookery.kernel.compiler.emitted import Code
from rookery.kernel.compiler.kinds import (
    BOOL,
    SIGNED,
    WORD,
    Array,
    Number,
    Record,
    Tuple,
    Type,
    flattened,
    of_dtype,
    type_of,
)
from rookery.kernel.compiler.translate import Translator
from rookery.kernel.compiler.values import Arr, Num, Static, Tup, Unsupported
from rookery.kernel.compiling import Instruction, instruction_of, replacement_of
from rookery.kernel.settings import has_full_width, settings

_LARGEST: Final = 1_000_000  # bytes of a constant array


class Kernel(NamedTuple):
    """A function of the module."""

    name: str
    returns: Type


class Unit:
    """The module of an entry, while it is translated."""

    def __init__(self, function: Callable[..., Any], examples: tuple[Any, ...], aliases: bool) -> None:
        self.sources: set[str] = set()
        self.is_checked = settings().bounds_checked
        self._functions: list[str] = []
        self._constants: dict[bytes, str] = {}
        self._declared: dict[str, str] = {}
        self._kernels: dict[Any, Kernel | None] = {}
        self._instructions: Any = None
        self._attributes = 'nounwind "prefer-vector-width"="512"' if has_full_width() else "nounwind"
        self.argument_types = tuple(map(type_of, examples))
        types = hashlib.sha256(repr(self.argument_types).encode()).hexdigest()[:16]
        self.symbol = re.sub(r"[^\w.]", "_", f"{function.__module__}.{function.__qualname__}.{types}")
        self.return_type: Type = self._entry(function, aliases)

    def _entry(self, function: Callable[..., Any], aliases: bool) -> Type:
        parameters = [f"{kind} %a{n}" for n, kind in enumerate(k for t in self.argument_types for k in flattened(t))]
        numbers = iter(range(len(parameters)))
        translator = self._translator(function, len(self.argument_types))
        code = translator.code
        arguments = [self._passed(code, kind, numbers, parameters, aliases) for kind in self.argument_types]
        result = translator.run(arguments)
        try:
            self._return(code, result)
        except Unsupported as reason:
            translator.locate(reason)
            raise
        code.current.end = "ret i32 0"
        if code.failed is not None:
            code.failed.end = "ret i32 1"
        parameters = ["ptr noalias %result", *parameters]
        head = f'define i32 @"{self.symbol}"({", ".join(parameters)}) noinline {self._attributes}'
        self._functions.append(f"{head} {{\n{code.text()}\n}}")
        kind: Type = result.kind
        return kind

    def _translator(self, function: Callable[..., Any], count: int) -> Translator:
        """Return the translator of a function that is called with so many arguments."""
        code = function.__code__
        self.sources.add(code.co_filename)
        notice.count_function()
        missing = code.co_argcount - count
        defaults = function.__defaults__ or ()
        if missing < 0 or missing > len(defaults) or code.co_kwonlyargcount or code.co_flags & 0b1100:
            raise Unsupported(f"{function.__qualname__} with {count} arguments")
        translator = Translator(self, function)
        names = code.co_varnames[count : code.co_argcount]
        for name, value in zip(names, defaults[len(defaults) - missing :], strict=True):
            translator.variables[name] = translator.runtime(translator.static(value))
        return translator

    def _passed(self, code: Code, kind: Type, numbers: Iterator[int], parameters: list[str], aliases: bool) -> Any:
        """Return an argument of the entry, which takes it as `kinds.flattened` says."""
        if isinstance(kind, Array):
            data, *others = (next(numbers) for _ in flattened(kind))
            if not aliases:
                parameters[data] = f"ptr noalias %a{data}"
            shape, strides = ([f"%a{n}" for n in part] for part in (others[: kind.ndim], others[kind.ndim :]))
            return Arr(kind, f"%a{data}", shape, strides)
        if isinstance(kind, Tuple):
            return Tup([self._passed(code, k, numbers, parameters, aliases) for k in kind.items], kind.instance_class)
        if isinstance(kind, Number):
            name = f"%a{next(numbers)}"
            return Num(kind, code.value(f"trunc i8 {name} to i1") if kind == BOOL else name)
        return Static(None)

    def _return(self, code: Code, result: Any) -> None:
        """Store the entry's result."""
        if isinstance(result, Num):
            number = result.code
            if result.kind == BOOL:
                number = code.value(f"zext i1 {number} to i8")
            code.do(f"store {values.in_memory(result.kind)} {number}, ptr %result")
        elif isinstance(result, Tup) and all(isinstance(item, Num) for item in result.items):
            record = f"{{ {', '.join(values.in_memory(item.kind) for item in result.items)} }}"
            for place_in_it, item in enumerate(result.items):
                place = code.value(f"getelementptr {record}, ptr %result, i32 0, i32 {place_in_it}")
                operand = code.value(f"zext i1 {item.code} to i8") if item.kind == BOOL else item.code
                code.do(f"store {values.in_memory(item.kind)} {operand}, ptr {place}")
        elif not isinstance(result, Static):
            raise Unsupported("an entry that returns an array")

    def call(self, translator: Translator, function: Any, arguments: list[Any]) -> Any:
        """Return the result of a call of a kernel or an instruction."""
        kinds = tuple(value.kind for value in arguments)
        try:
            instruction = instruction_of(function)
            target = replacement_of(function, kinds)
        except TypeError as error:
            raise Unsupported(str(error)) from None
        if instruction is not None:
            self.sources.add(instruction.build.__code__.co_filename)
            _check_arguments(instruction.function, arguments)
            is_unchecked = self.is_checked and any(isinstance(kind, Array) for kind in kinds)
            if instruction.applies(*kinds) and not is_unchecked:
                return self._call_instruction(translator.code, instruction, arguments)
            target = instruction.function
        if target is None:
            raise Unsupported(f"a call of {getattr(function, '__name__', function)!r:.60}, which is not a kernel")
        kernel = self._kernel(target, arguments, kinds)
        passed = zip((k for kind in kinds for k in values.leaves(kind)), self._operands(arguments), strict=True)
        operands = ", ".join(f"{kind} {operand}" for kind, operand in passed)
        result = self._results(kernel.returns)
        text = f'call {_returned(result)} @"{kernel.name}"({operands})'
        if not result:
            translator.code.do(text)
            return Static(None)
        names = [translator.code.value(text)]
        code = translator.code
        if len(result) > 1:
            record = f"{_returned(result)} {names[0]}"
            names = [code.value(f"extractvalue {record}, {n}") for n in range(len(result))]
        if code.failed is not None:
            following = code.block()
            code.split(names.pop(0), code.failed, following)
            code.start(following)
        return values.rebuilt(kernel.returns, iter(names))

    def _results(self, kind: Type) -> list[str]:
        """Return the types of what a kernel returns: whether it failed, if indices are checked, and its result."""
        return ["i1", *values.leaves(kind)] if self.is_checked else [*values.leaves(kind)]

    def _operands(self, arguments: Sequence[Any]) -> Iterator[str]:
        for value in arguments:
            yield from values.operands(value)

    def _kernel(self, function: Callable[..., Any], arguments: list[Any], kinds: tuple[Type, ...]) -> Kernel:
        key = function, kinds
        if key in self._kernels:
            found = self._kernels[key]
            if found is None:
                raise Unsupported(f"{function.__qualname__} calls itself")
            return found
        self._kernels[key] = None
        parameters = [*values.leaves(Tuple(kinds))]
        names = iter([f"%a{n}" for n in range(len(parameters))])
        translator = self._translator(function, len(kinds))
        result = translator.run([values.rebuilt(kind, names) for kind in kinds])
        code = translator.code
        returns = self._results(result.kind)
        operands = [*values.operands(result)]
        if code.failed is not None:
            operands.insert(0, "false")
            others = "".join(f", {kind} poison" for kind in returns[1:])
            failed = "true" if len(returns) == 1 else f"{{ i1 true{others} }}"
            code.failed.end = f"ret {_returned(returns)} {failed}"
        if not returns:
            code.current.end = "ret void"
        elif len(returns) == 1:
            code.current.end = f"ret {returns[0]} {operands[0]}"
        else:
            record = "poison"
            for number, (kind, operand) in enumerate(zip(returns, operands, strict=True)):
                record = code.value(f"insertvalue {_returned(returns)} {record}, {kind} {operand}, {number}")
            code.current.end = f"ret {_returned(returns)} {record}"
        kernel = Kernel(f"{function.__name__}.{len(self._functions)}", result.kind)
        is_called = getattr(function, "rookery_is_called", False)
        attributes = "noinline" if is_called else "alwaysinline"
        if getattr(function, "rookery_is_cold", False):
            attributes += " cold"
        listed = ", ".join(f"{kind} %a{n}" for n, kind in enumerate(parameters))
        head = f'define internal {_returned(returns)} @"{kernel.name}"({listed}) {attributes} {self._attributes}'
        self._functions.append(f"{head} {{\n{code.text()}\n}}")
        self._kernels[key] = kernel
        return kernel

    def intrinsic(self, code: Code, name: str, kind: str, operands: list[str]) -> str:
        """Return the result of a function of LLVM's own, whose arguments and result are of one type."""
        listed = ", ".join([kind] * len(operands))
        self._declared[name] = f"declare {kind} @{name}({listed})"
        return code.value(f"call {kind} @{name}({', '.join(f'{kind} {operand}' for operand in operands)})")

    def _call_instruction(self, code: Code, instruction: Instruction, arguments: list[Any]) -> Any:
        from llvmlite import ir

        if self._instructions is None:
            self._instructions = ir.Module()
        word = ir.IntType(64)
        types, operands = [], []
        for value in arguments:
            if isinstance(value, Arr) and value.kind.layout == "C":
                types += [_pointer(value.kind.item), word]
                operands += [f"ptr {value.data}", f"i64 {arrays.total(code, value)}"]
            elif isinstance(value, Num):
                types.append(word)
                operands.append(f"i64 {arithmetic.cast(code, value, WORD)}")
            else:
                raise Unsupported("an instruction with this")
        kinds = "".join(str(value.kind) for value in arguments)
        short = hashlib.sha256(kinds.encode()).hexdigest()[:8]
        name = f"{instruction.build.__module__}.{instruction.function.__name__}.{short}"
        result = word if instruction.returns_word else ir.VoidType()
        if name not in self._instructions.globals:
            made = ir.Function(self._instructions, ir.FunctionType(result, types), name)
            made.attributes.add("alwaysinline")
            builder = ir.IRBuilder(made.append_basic_block())
            parts = iter(made.args)
            passed = [
                Memory(next(parts), next(parts)) if isinstance(value, Arr) else next(parts) for value in arguments
            ]
            built = instruction.build(builder, *passed)
            if instruction.returns_word:
                builder.ret(built)
            else:
                builder.ret_void()
        returned = "i64" if instruction.returns_word else "void"
        listed = ", ".join("ptr" if isinstance(t, ir.PointerType) else "i64" for t in types)
        self._declared[name] = f'declare {returned} @"{name}"({listed})'
        text = f'call {returned} @"{name}"({", ".join(operands)})'
        if instruction.returns_word:
            return values.word(code.value(text))
        code.do(text)
        return Static(None)

    def array(self, array: Any) -> Arr:
        """Return a NumPy array as a constant of the module."""
        if array.nbytes > _LARGEST:
            raise Unsupported(f"a constant array of {array.nbytes} bytes")
        try:
            item = of_dtype(array.dtype)
        except TypeError as error:
            raise Unsupported(str(error)) from None
        content = np.ascontiguousarray(array).tobytes()
        name = self._constants.get(content)
        if name is None:
            name = self._constants[content] = f"@table.{len(self._constants)}"
        return Arr(Array(item, array.ndim, "C", False), name, [str(extent) for extent in array.shape], [])

    def table(self, items: tuple[Any, ...], has_words: bool) -> Arr | None:
        """Return a tuple of numbers as an array of the module, or None if its items are not numbers of one type."""
        if not items or hasattr(items, "_fields"):
            return None
        if all(type(item) is int for item in items):
            if any(item < 0 for item in items):
                has_words = False
            kind = WORD if has_words or max(items) >= values.SIGN else SIGNED
            if kind == WORD and min(items) < 0:
                return None
            return self.array(np.array(items, np.uint64 if kind == WORD else np.int64))
        if all(isinstance(item, np.generic) and item.dtype == items[0].dtype for item in items):
            return self.array(np.array(items))
        return None

    def text(self, triple: str, layout: str) -> str:
        """Return the module."""
        lines = [f'target datalayout = "{layout}"', f'target triple = "{triple}"', *self._declared.values()]
        for content, name in self._constants.items():
            escaped = "\\" + content.hex("\\") if content else ""
            lines.append(f'{name} = internal unnamed_addr constant [{len(content)} x i8] c"{escaped}", align 64')
        return "\n".join([*lines, *self._functions, ""])

    def instructions(self) -> str:
        """Return the module of the instructions that are called, or an empty text."""
        return str(self._instructions) if self._instructions is not None else ""

    def files(self) -> frozenset[str]:
        """Return the files of all functions."""
        return frozenset(str(Path(file).resolve()) for file in self.sources)


def _check_arguments(function: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """Refuse a call of an instruction with more or fewer arguments, or with what is not a number for a word."""
    code = function.__code__
    if len(arguments) != code.co_argcount:
        raise Unsupported(f"{function.__name__} with {len(arguments)} arguments")
    for name, value in zip(code.co_varnames, arguments, strict=False):
        if hasattr(function.__annotations__[name], "__metadata__") and not isinstance(value, Num):
            raise Unsupported(f"{function.__name__} with a {name} that is not a number")


def _returned(kinds: list[str]) -> str:
    return "void" if not kinds else kinds[0] if len(kinds) == 1 else f"{{ {', '.join(kinds)} }}"


def _pointer(kind: Number | Record) -> Any:
    from llvmlite import ir

    if isinstance(kind, Record):
        return ir.IntType(8).as_pointer()
    if kind.kind == "f":
        return (ir.FloatType() if kind.bits == 32 else ir.DoubleType()).as_pointer()
    return ir.IntType(max(kind.bits, 8)).as_pointer()
