"""Exports for JavaScript: words as pairs of 32-bit numbers.

JavaScript has 64-bit words only as BigInt, each of which is allocated anew. A pair is two numbers that stay in
registers: `x` holds the low half and `x_hi` the high one, both as signed 32-bit numbers, which is what JavaScript's bit
operators make. A function returns the low half and leaves the high one in `high`.

Both were written and measured, a queen on random squares with a quarter of the board occupied, under Node 20:

    technique                 pairs     BigInt    pairs, called with a BigInt
    magic-fancy               19 ns     439 ns    117 ns
    classical                 98 ns     858 ns    254 ns
    obstruction-difference    81 ns     724 ns    149 ns
    kogge-stone              343 ns   3,393 ns    423 ns
    pext                      93 ns   1,243 ns    249 ns
    congruent-modulo         116 ns     287 ns    181 ns

Filling the table of `magic-fancy` takes 0.1 s instead of 0.2. So the look-ups are pairs, and three functions more serve
those who keep boards in BigInts.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from rookery.explain.export import ir
from rookery.explain.export.languages import javascript_texts as js
from rookery.explain.export.program import PUBLIC
from rookery.explain.export.writer import BraceWriter, Export, paragraphs

_ARRAYS = {8: "Uint8Array", 16: "Uint16Array", 32: "Uint32Array", 64: "Int32Array"}


class JavaScript(BraceWriter):
    """The writer of JavaScript modules, for Node and browsers from 2020 on."""

    language = "javascript"
    texts = js.TEXTS
    word = "let"
    reserved = frozenset(
        "arguments as async await break case catch class const continue debugger default delete do else enum eval "
        "export extends false finally for from function get high if implements import in instanceof interface let "
        "multiply new null of package private protected public remainder return set set_high shift_left shift_right "
        "static super switch this throw true try typeof undefined var void while with word yield".split()
    )
    instructions: ClassVar = js.HELPERS

    def __init__(self, export: Export) -> None:
        super().__init__(export)
        self.lines: list[str] = []  # what has to stand before the statement being written
        self.temporaries = 0
        self.single_: set[str] = set()  # variables of the function being written that have no high half
        self.helpers: set[str] = set()

    # Words: the texts of two halves, each of which may be repeated where it is an atom.

    def temporary(self, value: str) -> str:
        """Return a name for a value: the value itself if it is an atom."""
        if js.ATOM.fullmatch(value):
            return value
        self.temporaries += 1
        self.lines.append(f"const ${self.temporaries} = {value};")
        return f"${self.temporaries}"

    def called(self, function: str, arguments: list[str]) -> tuple[str, str]:
        """Return the two halves of a function's result."""
        if function in js.HELPERS:
            self.helpers.add(function)
        self.temporaries += 1
        name = f"${self.temporaries}"
        self.lines.append(f"const {name} = {function}({', '.join(arguments)}), {name}_hi = high;")
        return name, f"{name}_hi"

    def half(self, value: int) -> str:
        """Return a 32-bit number as JavaScript's bit operators give it."""
        return str(value) if value < 100 else f"0x{value:x}" if value < 1 << 31 else f"(0x{value:08x} | 0)"

    def atoms(self, e: ir.Expression) -> tuple[str, str]:
        """Return the two halves of a word, as atoms."""
        low, high = self.pair(e)
        return self.temporary(low), self.temporary(high)

    def pair(self, e: ir.Expression) -> tuple[str, str]:
        """Return the two halves of a word."""
        match e:
            case ir.Int(value):
                return self.half(value & 0xFFFFFFFF), self.half(value >> 32)
            case ir.Constant(name, value):
                return name, f"{name}_hi" if value >> 32 else js.ZERO
            case ir.Name(name):
                name = self.name(name)
                return name, js.ZERO if name in self.single_ else f"{name}_hi"
            case ir.Load(table, index):
                return self.loaded(self.table_of(table), index)
            case ir.Invert(value):
                low, high = self.pair(value)
                return f"~{js.inner(low)}", f"~{js.inner(high)}"
            case ir.Binary("&" | "|" | "^" as operator, left, right):
                (a, a_hi), (b, b_hi) = self.pair(left), self.pair(right)
                return js.joined(operator, a, b), js.joined(operator, a_hi, b_hi)
            case ir.Binary("<<" | ">>" as operator, left, right):
                return self.shifted(operator, left, right)
            case ir.Binary(operator, left, right):
                return self.computed(operator, left, right)
            case ir.ToWord(truth):
                return f"({self.truth(truth)} ? 1 : 0)", js.ZERO
            case ir.Select(truth, yes, no):
                chosen = self.temporary(self.truth(truth))
                (a, a_hi), (b, b_hi) = self.pair(yes), self.pair(no)
                return f"({chosen} ? {a} : {b})", f"({chosen} ? {a_hi} : {b_hi})"
            case ir.Call(function, arguments):
                return self.called(self.name(function), self.handed(function, arguments))
            case _:
                return f"({self.truth(e)} ? 1 : 0)", js.ZERO

    def handed(self, function: str, arguments: tuple[ir.Expression, ...]) -> list[str]:
        """Return the arguments of a call: a number for a square, two halves for any other word."""
        known = self.export.module.functions.get(function) or self.export.check.functions.get(function)
        texts: list[str] = []
        for i, e in enumerate(arguments):
            if known and known.parameters[i] in known.squares:
                texts.append(self.low(e))
            else:
                texts += self.pair(e)
        return texts

    def computed(self, operator: str, left: ir.Expression, right: ir.Expression) -> tuple[str, str]:
        """Return sums and differences with their carry, and products and remainders as calls."""
        (a, a_hi), (b, b_hi) = self.atoms(left), self.atoms(right)
        if operator in "*%":
            return self.called({"*": "multiply", "%": "remainder"}[operator], [a, a_hi, b, b_hi])
        result = self.temporary(f"({a} {operator} {b}) | 0")
        carry = f"({result} >>> 0 < {a} >>> 0)" if operator == "+" else f"({a} >>> 0 < {b} >>> 0)"
        return result, f"({a_hi} {operator} {b_hi} {operator} {carry}) | 0"

    def shifted(self, operator: str, left: ir.Expression, right: ir.Expression) -> tuple[str, str]:
        """Return a shift, without a branch where the count is known."""
        if not isinstance(right, ir.Int):
            return self.called("shift_left" if operator == "<<" else "shift_right", [*self.pair(left), self.low(right)])
        n = right.value
        a, a_hi = self.atoms(left)
        if n == 0:
            return a, a_hi
        if operator == "<<":
            if n >= 32:
                return js.ZERO, f"({a} << {n - 32})" if n > 32 else a
            return f"({a} << {n})", f"(({a_hi} << {n}) | ({a} >>> {32 - n}))"
        if n >= 32:
            return f"({a_hi} >>> {n - 32})" if n > 32 else a_hi, js.ZERO
        return (f"({a} >>> {n})" if a_hi == js.ZERO else f"(({a} >>> {n}) | ({a_hi} << {32 - n}))"), f"({a_hi} >>> {n})"

    def low(self, e: ir.Expression) -> str:
        """Return the low half of a word whose high half is not needed."""
        match e:
            case ir.Binary("+" | "-" as operator, left, right):
                return f"(({self.low(left)} {operator} {self.low(right)}) | 0)"
            case ir.Binary("&" | "|" | "^" as operator, left, right):
                return js.joined(operator, self.low(left), self.low(right))
            case ir.Binary("*", left, right):
                return f"Math.imul({self.low(left)}, {self.low(right)})"
            case ir.Binary("<<", left, ir.Int(n)) if n < 32:
                return f"({self.low(left)} << {n})"
        return self.pair(e)[0]

    def loaded(self, table: ir.Table, index: ir.Expression) -> tuple[str, str]:
        """Return an element of a table; a wide one is two elements of the array."""
        at = self.low(index)
        if table.bits < 64:
            return f"{table.name}[{at}]" if table.bits < 32 else f"({table.name}[{at}] | 0)", js.ZERO
        at = self.half(2 * index.value) if isinstance(index, ir.Int) else self.temporary(f"{js.inner(at)} << 1")
        return f"{table.name}[{at}]", f"{table.name}[{at} + 1]"

    # Truths.

    def truth(self, e: ir.Expression) -> str:
        """Return a comparison, or joined comparisons."""
        if isinstance(e, ir.Binary):
            return f"({self.truth(e.left)} {e.operator * 2} {self.truth(e.right)})"
        if not isinstance(e, ir.Compare):
            low, high = self.pair(e)
            return f"({js.joined('|', low, high)}) !== 0"
        operator, left, right = e.operator, e.left, e.right
        if right == ir.Int(0) and operator in ("==", "!="):
            low, high = self.pair(left)
            return f"{js.joined('|', low, high)} {operator}= 0"
        (a, a_hi), (b, b_hi) = self.atoms(left), self.atoms(right)
        if operator in ("==", "!="):
            return f"({a} {operator}= {b} {'&&' if operator == '==' else '||'} {a_hi} {operator}= {b_hi})"
        if a_hi == b_hi == js.ZERO:
            return f"{a} >>> 0 {operator} {b} >>> 0"
        strict = operator[0]
        return f"({a_hi} >>> 0 {strict} {b_hi} >>> 0 || ({a_hi} === {b_hi} && {a} >>> 0 {operator} {b} >>> 0))"

    # Statements.

    def flushed(self, *lines: str) -> list[str]:
        """Return lines, preceded by the pending ones that they need."""
        before, self.lines = self.lines, []
        return [*before, *lines]

    def declaration(self, name: str, value: ir.Expression) -> str:
        """Return the declaration of a variable.

        The lines it needs stay in `lines`.
        """
        low, high = self.pair(value)
        own = self.name(name)
        keyword = "let" if name in self.changing else "const"
        if own in self.single_:
            return f"{keyword} {own} = {js.bare(low)};"
        return f"{keyword} {own} = {js.bare(low)}, {own}_hi = {js.bare(high)};"

    def assigned(self, name: str, value: ir.Expression) -> list[str]:
        """Return an assignment to an existing variable, so that neither half overwrites what the other reads."""
        low, high = self.pair(value)
        own = self.name(name)
        if own in self.single_:
            return self.flushed(f"{own} = {js.bare(low)};")
        low_needs = re.search(rf"\b{own}_hi\b", low)
        if re.search(rf"\b{own}\b", high):
            if low_needs:
                low = self.temporary(low)
            return self.flushed(f"{own}_hi = {js.bare(high)};", f"{own} = {js.bare(low)};")
        return self.flushed(f"{own} = {js.bare(low)};", f"{own}_hi = {js.bare(high)};")

    def statement(self, s: ir.Statement, declared: set[str]) -> list[str]:
        """Return the lines of a statement."""
        match s:
            case ir.Assign(name, value):
                if name in declared:
                    return self.assigned(name, value)
                line = self.declaration(name, value)
                return self.flushed(line)
            case ir.Store(table_name, index, value):
                return self.stored(self.table_of(table_name), index, value)
            case ir.If(truth, yes, no):
                head = self.flushed(f"if ({js.bare(self.truth(truth))}) {{")
                lines = [*head, *self.block(yes, declared)]
                return [*lines, "} else {", *self.block(no, declared), "}"] if no else [*lines, "}"]
            case ir.While(truth, body):
                condition = js.bare(self.truth(truth))
                if not self.lines:
                    return [f"while ({condition}) {{", *self.block(body, declared), "}"]
                inside = self.flushed(f"if (!({condition})) {{", f"{self.indent}break;", "}")
                return [
                    "for (;;) {",
                    *(f"{self.indent}{line}" for line in inside),
                    *self.block(body, declared),
                    "}",
                ]
            case ir.For(name, count, body):
                self.single_.add(self.name(name))
                loop = f"for (let {self.name(name)} = 0; {self.name(name)} < {count}; {self.name(name)}++) {{"
                return [loop, *self.block(body, {*declared, name}), "}"]
            case ir.Return(value):
                low, high = self.pair(value)
                return self.flushed(f"high = {js.bare(high)};", f"return {js.bare(low)};")
            case ir.Break():
                return ["break;"]
            case ir.Note() | ir.Tally():
                return [f"{self.watched(s)};"]

    def stored(self, table: ir.Table, index: ir.Expression, value: ir.Expression) -> list[str]:
        """Return the statements that write an element."""
        at = self.temporary(self.low(index))
        low, high = self.pair(value)
        if table.bits < 64:
            return self.flushed(f"{table.name}[{at}] = {js.bare(low)};")
        return self.flushed(
            f"{table.name}[2 * {at}] = {js.bare(low)};",
            f"{table.name}[2 * {at} + 1] = {js.bare(high)};",
        )

    # Functions and tables.

    def header(self, f: ir.Function) -> str:
        """Return the head of a function."""
        parameters = [
            half
            for p in f.parameters
            for half in ([self.name(p)] if p in f.squares else [self.name(p), f"{self.name(p)}_hi"])
        ]
        exported = "export " if f.name in PUBLIC else ""
        return f"{exported}function {self.name(f.name)}({', '.join(parameters)})"

    def function(self, f: ir.Function) -> str:
        """Return a function with its comment."""
        self.temporaries = 0
        self.single_ = {self.name(p) for p in f.squares}
        return super().function(f)

    def rows(self, table: ir.Table) -> str:
        """Return the elements of a table; a wide one is two halves, the low one first."""
        if table.bits < 64:
            return super().rows(table)
        halves = ir.Table(table.name, table.values.astype("<u8").view("<u4"))
        return super().rows(halves)

    def table(self, table: ir.Table) -> str:
        """Return the definition of a table, filled or still empty."""
        array = _ARRAYS[table.bits]
        if table.fillers:
            size = table.values.size * (2 if table.bits == 64 else 1)
            return f"const {table.name} = new {array}({size}); // filled below"
        return f"const {table.name} = new {array}([\n{self.rows(table)}\n]);"

    def constants(self, program: ir.Program) -> str:
        """Return the named constants."""
        lines = []
        for name, value in program.constants.items():
            low, high = js.bare(self.half(value & 0xFFFFFFFF)), js.bare(self.half(value >> 32))
            lines.append(f"const {name} = {low}, {name}_hi = {high};" if value >> 32 else f"const {name} = {low};")
        return "\n".join(lines)

    def body(self, program: ir.Program) -> list[str]:
        """Return constants, tables and functions, with the helpers that are not written yet."""
        there, self.helpers = self.helpers, set()
        functions = self.functions(program)
        helpers = [js.HELPERS[name].strip("\n") for name in sorted(self.helpers - there)]
        self.helpers |= there
        return [self.constants(program), *map(self.table, program.tables.values()), *helpers, *functions]

    def module(self) -> list[str]:
        """Return the look-ups."""
        squares = "\n".join(
            f"export const {', '.join(f'{name} = {sq}' for name, sq in rank)};" for rank in self.export.squares()
        )
        named = f"// Squares are bits of a word, by the mapping {self.export.mapping}.\n{squares}"
        body = self.body(self.export.module)
        bigints = map(js.with_bigints, PUBLIC)
        return [named, "export " + js.HIGH.strip(), js.PAIRS, *body, self.fillers(), *bigints, *self.state_functions()]

    def by_state(self, function: str) -> str:
        """Return a call of a function that takes the halves of a state's words."""
        state = self.export.module.state
        texts = []
        for parameter in self.export.module.functions[function].parameters:
            word = parameter.partition("_")[2]
            if state and word in state.words:
                at = 2 * state.words.index(word)
                texts.append(f"state[{at}], state[{at + 1}]")
            else:
                texts.append("occupied, occupied_hi" if parameter == "occupied" else "sq")
        return f"{self.name(function)}({', '.join(texts)})"

    def made(self, functions: Iterable[str]) -> str:
        """Return the lines that compute the halves of a state's words."""
        state = self.export.module.state
        words = state.words if state else ()
        lines = [f"    const {w} = {self.by_state(f)}, {w}_hi = high;" for w, f in zip(words, functions, strict=True)]
        return "\n".join([*lines, f"    const made = [{', '.join(f'{w}, {w}_hi' for w in words)}];"])

    def imported_state(self) -> list[str]:
        """Return the functions that keep a state for the self-check, which is another module."""
        if not self.export.module.state:
            return []
        return ["const { prepare, toggle } = exported;", *(js.imported(f"{name}_in", "sq, state") for name in PUBLIC)]

    def fillers(self) -> str:
        """Return the calls that fill the tables at start-up."""
        return "\n".join(f"{name}();" for table in self.export.module.tables.values() for name in table.fillers)

    def files(self) -> dict[str, str]:
        """Return the module and a script that checks it."""
        module = paragraphs(self.commented("//"), self.module())
        self.helpers = set()
        check = paragraphs(
            f"// The self-check. To run it:\n//     node {self.check_name}.mjs",
            f'import * as exported from "./{self.module_name}.mjs";',
            js.HIGH,
            js.PAIRS,
            map(js.imported, PUBLIC),
            self.imported_state(),
            self.check(),
            "process.exitCode = selfCheck();",
        )
        return {f"{self.module_name}.mjs": module, f"{self.check_name}.mjs": check}

    def single(self) -> str:
        """Return one module, which checks itself on request."""
        return paragraphs(
            self.commented("//"),
            self.module(),
            f"// The self-check. To run it:\n//     ROOKERY_SELFCHECK=1 node {self.module_name}.mjs",
            self.check(),
            "if (globalThis.process?.env.ROOKERY_SELFCHECK) {\n    process.exitCode = selfCheck();\n}",
        )
