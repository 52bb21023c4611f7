"""Translate kernels to exported code: parse their Python source and write it as words, statements and tables.

So a technique is described once, by the kernel that runs and is proved. A kernel's other arguments disappear in the
translation: tables, rows of tables and other kernels are known by then, and a kernel that is called with different ones
becomes several functions.
"""

import ast
import builtins
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rookery import kernel
from rookery.explain.export import ir, kernel_values
from rookery.explain.export.kernel_values import StateWords, TableRow, Tables, Untranslatable, Value, parsed
from rookery.kernel import U64

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class KernelTranslator:
    """A builder that adds functions to a program, with the constants and tables they need.

    `taken` are names that are in use elsewhere; `instead` replaces globals of the kernels' modules.
    """

    def __init__(
        self, program: ir.Program, taken: Iterable[str] = (), instead: Mapping[str, Any] | None = None
    ) -> None:
        self.program = program
        self.taken = {name.lower() for name in taken} | set(ir.INSTRUCTIONS)
        self.instead = instead or {}
        self._functions: dict[Any, str] = {}
        self._arrays: dict[int, TableRow] = {}
        self._kept: list[Any] = []  # arrays whose id is a key must live

    def unique(self, wanted: str, otherwise: str = "") -> str:
        """Return an unused name, whatever its case; append `otherwise` before trying a number."""
        wanted = wanted.strip("_")
        name, n = wanted, 1
        if name.lower() in self.taken and otherwise:
            name = wanted = f"{wanted}_{otherwise}"
        while name.lower() in self.taken:
            n += 1
            name = f"{wanted}_{n}"
        self.taken.add(name.lower())
        return name

    def table(self, name: str, array: Any) -> TableRow:
        """Add a table."""
        if id(array) not in self._arrays:
            self._kept.append(array)
            name = self.unique(name.strip("_").upper() + "_TABLE")
            self.program.tables[name] = ir.Table(name, ir.flat(array))
            self._arrays[id(array)] = TableRow(name, array.shape)
        return self._arrays[id(array)]

    def constant(self, name: str, value: int) -> ir.Expression:
        """Return a named constant, added when first used."""
        name = name.strip("_").upper()
        known = self.program.constants.get(name)
        if known != value and name.lower() in self.taken:  # two modules may mean different things by one name
            return ir.Int(value)
        self.program.constants[name] = value
        self.taken.add(name.lower())
        return ir.Constant(name, value)

    def function(self, kernel_: Callable[..., Any], arguments: tuple[Value, ...], name: str | None = None) -> str:
        """Translate a kernel for its arguments: words may vary, everything else is built in."""
        python = inspect.unwrap(kernel_)
        fixed = kernel_values.shapes(arguments)
        key = (python, fixed)
        if key not in self._functions:
            own = self.unique(name or python.__name__, kernel_values.table_suffix(fixed))
            self._functions[key] = own
            self.program.functions[own] = _Body(self, python, fixed).function(own)
        return self._functions[key]

    def word_functions(self, kernel_: Callable[..., Any], arguments: tuple[Value, ...], name: str) -> dict[str, str]:
        """Translate a kernel that returns a record into one function for each word; return their names by word."""
        python = inspect.unwrap(kernel_)
        fixed = kernel_values.shapes(arguments)
        kind, _, _ = _Body(self, python, fixed).returned_record(parsed(python))
        found = {}
        for word in kind._fields:  # type: ignore[attr-defined]
            found[word] = own = self.unique(f"{name}_{word}")
            self.program.functions[own] = _Body(self, python, fixed).word_function(own, word)
        return found

    def enter(self, function: ir.Function) -> ir.Function:
        """Add a function made elsewhere."""
        self.program.functions[function.name] = function
        return function


class _Body:
    """The translation of one function."""

    def __init__(self, translator: KernelTranslator, python: Callable[..., Any], fixed: tuple[Value, ...]) -> None:
        self.translator = translator
        self.python = python
        self.tree = parsed(python)
        self.names = [a.arg for a in self.tree.args.args]
        self.first_line = inspect.getsourcelines(python)[1]
        if len(self.names) != len(fixed):
            raise self.untranslatable(self.tree, f"it takes {len(self.names)} arguments, not {len(fixed)}")
        self.locals: dict[str, Value] = {}
        parameters: list[str] = []
        for name, value in zip(self.names, fixed, strict=True):
            self.locals[name] = ir.Name(name) if value is None else value
            if value is None:
                parameters.append(name)
            elif kernel_values.is_record(value):
                self.locals[name] = record = StateWords(
                    value, tuple(ir.Name(f"{name}_{word}") for word in value._fields)
                )
                parameters += [word.name for word in record.words]
        self.parameters = tuple(parameters)
        self.with_records = any(isinstance(value, StateWords) for value in self.locals.values())
        self.before: list[ir.Statement] = []  # what has to stand before the statement being translated
        self.avoided: set[str] = set()  # variables of a function that this one is written into
        closure = inspect.getclosurevars(python)
        self.outside = {**vars(builtins), **closure.globals, **closure.nonlocals, **translator.instead}

    def untranslatable(self, node: ast.AST, why: str = "") -> Untranslatable:
        return Untranslatable(f"{self.python.__qualname__}: cannot be exported: {why or ast.unparse(node)}")

    def function(self, name: str) -> ir.Function:
        return self.made(name, self.block(self.tree.body), kernel_values.first_line(self.python))

    def word_function(self, name: str, word: str) -> ir.Function:
        """Return a function that computes one word of the record that this one returns."""
        kind, values, origin = self.returned_record(self.tree)
        value = values[kind._fields.index(word)]  # type: ignore[attr-defined]
        text = f"{kernel_values.first_line(self.python)} This is the word {word}."
        self.with_records = True
        if isinstance(value, ast.Name) and value.id in self.parameters:  # no statement is needed
            return self.made(name, (ir.Return(self.word(value), origin=origin),), text)
        before = self.block(self.tree.body[:-1])
        return self.made(name, (*before, ir.Return(self.word(value), origin=origin)), text)

    def returned_record(self, whole: ast.AST) -> tuple[type, list[ast.expr], ir.Origin]:
        """Return the class of the record with which a function ends, the values of its words, and its lines."""
        match self.tree.body[-1]:
            case ast.Return(value=ast.Call(func=kind, args=values, keywords=[])) as answer:
                last = answer.end_lineno or answer.lineno
                lines = (self.first_line + number - 1 for number in (answer.lineno, last))
                return self.value(kind), values, ir.Origin(self.python, *lines)
        raise self.untranslatable(whole)

    def made(self, name: str, body: ir.Block, text: str) -> ir.Function:
        """Return a function with a translated body."""
        filled = {s.table for s in ir.statements(body) if isinstance(s, ir.Store)}
        if self.with_records:
            body = ir.used(body)
        # Only the words of a record that are used are passed.
        parameters = tuple(p for p in self.parameters if p in self.names or p in ir.names_in(body))
        changing = {s.name for s in ir.statements(body) if isinstance(s, ir.Assign)}
        squares = {
            a.arg for a in self.tree.args.args if isinstance(a.annotation, ast.Name) and a.annotation.id == "Square"
        }
        return ir.Function(
            name,
            parameters,
            body,
            text,
            next(iter(filled), None),
            frozenset(squares & set(parameters) - changing),
            self.python,
        )

    # Statements.

    def block(self, nodes: list[ast.stmt]) -> ir.Block:
        return tuple(s for node in nodes for s in self.statement(node))

    def statement(self, node: ast.stmt) -> list[ir.Statement]:
        outer, self.before = self.before, []
        made = self.bare(node)
        made, self.before = [*self.before, *made], outer
        last = (
            node.end_lineno
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return)
            else node.lineno
        )
        lines = (self.first_line + number - 1 for number in (node.lineno, last or node.lineno))
        origin = ir.Origin(self.python, *lines)
        return [s if s.origin else replace(s, origin=origin) for s in made]

    def bare(self, node: ast.stmt) -> list[ir.Statement]:
        """Return the statements without their origin."""
        match node:
            case ast.Expr(value=ast.Constant(value=str())):  # the docstring
                return []
            case ast.Return(value=ast.expr() as value):
                return [ir.Return(self.word(value))]
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self.assign(name, self.value(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                return self.assign(name, self.value(value))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                found = [self.value(value) for value in values]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                later = {e.id for v in values[1:] for e in ast.walk(v) if isinstance(e, ast.Name)}
                if len(names) != len(targets) or later & set(names):
                    raise self.untranslatable(node)
                return [s for name, value in zip(names, found, strict=True) for s in self.assign(name, value)]
            case ast.Assign(targets=[ast.Subscript(value=array, slice=index)], value=value):
                load = self.load(self.array(array), index)
                if not isinstance(load, ir.Load):
                    raise self.untranslatable(node)
                return [ir.Store(load.table, load.index, self.word(value))]
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                left = self.locals[name]
                return self.assign(name, self.binary(_OPERATORS[type(op)], left, self.word(value)))
            case ast.If(test=ast.BoolOp(op=ast.And(), values=[first, *rest]), body=body, orelse=[]):
                test = rest[0] if len(rest) == 1 else ast.BoolOp(op=ast.And(), values=rest)
                inner = ast.copy_location(ast.If(test=test, body=body, orelse=[]), node)
                return [ir.If(self.truth(first), self.block([inner]))]
            case ast.If(test=test, body=body, orelse=orelse):
                return [ir.If(self.truth(test), self.block(body), self.block(orelse))]
            case ast.While(test=test, body=body, orelse=[]):
                return [ir.While(self.truth(test), self.block(body))]
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))]),
                body=body,
            ):
                self.locals[name] = ir.Name(name.strip("_") or "i")
                return [ir.For(name.strip("_") or "i", count, self.block(body))]
            case ast.Break():
                return [ir.Break()]
        raise self.untranslatable(node)

    def assign(self, name: str, value: Value) -> list[ir.Statement]:
        for held in self.locals.values():
            if isinstance(held, TableRow) and ir.Name(name) in ir.walk(held.start):
                raise self.untranslatable(
                    self.tree, f"{name} changes while a row of {held.table} that it has chosen is in use"
                )
        if not kernel_values.is_word(value):
            self.locals[name] = value
            return []
        own = f"{name}_" if name in self.avoided else name
        self.locals[name] = ir.Name(own)
        return [ir.Assign(own, kernel_values.word_of(value))]

    # Values.

    def word(self, node: ast.expr) -> ir.Expression:
        value = self.value(node)
        if isinstance(value, int):
            return ir.Int(value & kernel_values.WORD)
        if not kernel_values.is_word(value):
            raise self.untranslatable(node)
        return kernel_values.word_of(value)

    def truth(self, node: ast.expr) -> ir.Expression:
        value = self.value(node)
        if isinstance(value, int):
            value = ir.Int(value)
        return value if ir.is_truth(value) else ir.Compare("!=", value, ir.Int(0))

    def array(self, node: ast.expr) -> TableRow:
        value = self.value(node)
        if not isinstance(value, TableRow):
            raise self.untranslatable(node)
        return value

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=int(number)):
                return ir.Int(number & kernel_values.WORD)
            case ast.Name(id=name):
                return self.named(name, node)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in self.locals:
                return self.field(self.locals[name], attribute, node)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if inspect.ismodule(self.outside.get(name)):
                return self.found(attribute, getattr(self.outside[name], attribute))
            case ast.Subscript(value=array, slice=index):
                return self.load(self.array(array), index)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return ir.Invert(self.word(operand))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return ir.Binary("-", ir.Int(0), self.word(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self.binary(_OPERATORS[type(op)], self.value(left), self.value(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPERATORS:
                return ir.Compare(_OPERATORS[type(op)], self.word(left), self.word(right))
            case ast.IfExp(test=test, body=yes, orelse=no):
                return ir.Select(self.truth(test), self.word(yes), self.word(no))
            case ast.Call(func=function, args=arguments, keywords=[]):
                return self.call(function, [self.value(a) for a in arguments], node)
        raise self.untranslatable(node)

    def named(self, name: str, node: ast.expr) -> Value:
        if name in self.locals:
            return self.locals[name]
        if name not in self.outside:
            raise self.untranslatable(node, f"{name} is unknown")
        return self.found(name, self.outside[name])

    def found(self, name: str, value: Any) -> Value:
        """Return what a name of a module stands for."""
        if isinstance(value, int | np.integer):
            number = int(value) & kernel_values.WORD
            return self.translator.constant(name, number) if name.isupper() and number > 1 else ir.Int(number)
        if isinstance(value, np.ndarray):
            return self.translator.table(name, value)
        return value

    def field(self, t: Value, name: str, node: ast.expr) -> Value:
        if isinstance(t, StateWords):
            word = t.word(name)
            if word is None:
                raise self.untranslatable(node)
            return word
        array = getattr(t.t, name, None) if isinstance(t, Tables) else None
        if not isinstance(array, np.ndarray):
            raise self.untranslatable(node)
        return self.translator.table(name, array)

    def load(self, array: TableRow, index: ast.expr) -> Value:
        """Return an element, or a row where there are fewer indices than dimensions."""
        start, shape = array.start, array.shape
        for node in index.elts if isinstance(index, ast.Tuple) else [index]:
            stride = int(np.prod(shape[1:], dtype=int))
            start = kernel_values.plus(start, kernel_values.times(self.word(node), stride))
            shape = shape[1:]
        return TableRow(array.table, shape, start) if shape else ir.Load(array.table, start)

    def binary(self, operator: str, left: Value, right: Value) -> ir.Expression:
        if operator in "&|" and ir.is_truth(left) and ir.is_truth(right):
            return ir.Binary(operator, left, right)
        return ir.Binary(operator, kernel_values.word_of(left), kernel_values.word_of(right))

    def call(self, node: ast.expr, arguments: list[Value], whole: ast.expr) -> Value:
        function = np.maximum if ast.unparse(node) == "np.maximum" else self.value(node)
        if function is U64:
            return kernel_values.word_of(arguments[0])
        if function is np.maximum:
            left, right = arguments
            return ir.Select(ir.Compare(">", left, right), left, right)
        if isinstance(function, ir.Function):
            return ir.Call(function.name, tuple(map(kernel_values.word_of, arguments)))
        for name in ir.INSTRUCTIONS:
            if function is getattr(kernel, name):
                return ir.Call(name, tuple(map(kernel_values.word_of, arguments)))
        if not callable(function) or isinstance(function, type):
            raise self.untranslatable(whole)
        python = inspect.unwrap(function)
        for a in arguments:
            if isinstance(a, TableRow) and any(isinstance(e, ir.Name) for e in ir.walk(a.start)):
                raise self.untranslatable(whole, "a row of a table, which one is not known, is handed on")
        if python.__module__ == kernel_values.PLUMBING:
            return self.inlined(python, arguments, whole)
        arguments = [ir.Int(a & kernel_values.WORD) if isinstance(a, int) else a for a in arguments]
        if kernel_values.gives_record(python):
            return self.recorded(python, arguments, whole)
        name = self.translator.function(function, tuple(arguments))
        taken = self.translator.program.functions[name].parameters
        words: list[ir.Expression] = []
        for parameter, a in zip((a.arg for a in parsed(python).args.args), arguments, strict=True):
            if isinstance(a, StateWords):
                fields = a.kind._fields  # type: ignore[attr-defined]
                words += [w for f, w in zip(fields, a.words, strict=True) if f"{parameter}_{f}" in taken]
            elif kernel_values.is_word(a):
                words.append(kernel_values.word_of(a))
        return ir.Call(name, tuple(words))

    def recorded(self, python: Callable[..., Any], arguments: list[Value], whole: ast.expr) -> StateWords:
        """Write out a function that returns a NamedTuple of words where it is called, each word a variable."""
        body = _Body(self.translator, python, tuple(arguments))
        body.avoided = set(self.locals)
        self.with_records = True
        kind, values, origin = body.returned_record(whole)
        self.before += body.block(body.tree.body[:-1])
        words = []
        for field_, value in zip(kind._fields, map(body.word, values), strict=True):  # type: ignore[attr-defined]
            own = f"{field_}_" if field_ in self.locals or field_ in body.locals else field_
            words.append(value if isinstance(value, ir.Name) else ir.Name(own))
            if value is not words[-1]:
                self.before.append(ir.Assign(own, value, origin=origin))
        return StateWords(kind, tuple(words))

    def inlined(self, python: Callable[..., Any], arguments: list[Value], whole: ast.expr) -> ir.Expression:
        body = _Body(self.translator, python, tuple(arguments))
        match body.tree.body[-1]:
            case ast.Return(value=ast.expr() as value):
                return body.word(value)
        raise self.untranslatable(whole)
