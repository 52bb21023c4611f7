"""Writers of code that is watched while it runs: each `Note` and each `Tally` calls a function from outside.

Both languages write the same program, so a step is decided once, where the notes are put in. Words are Python's ints
and JavaScript's BigInts. The tables come from outside, too.
"""

from typing import ClassVar

from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE
from rookery.explain.export import ir
from rookery.explain.export.languages.javascript import JavaScript
from rookery.explain.export.languages.python import Python
from rookery.explain.export.writer import BraceWriter, Export, LanguageWriter, paragraphs

_WRAPS = ("+", "-", "*", "<<")


def _export(program: ir.Program) -> Export:
    return Export(program, ir.Program(), LITTLE_ENDIAN_RANK_FILE, [])


def _call(writer: LanguageWriter, s: ir.Note | ir.Tally) -> str:
    if isinstance(s, ir.Tally):
        return f"tally({s.count})"
    return f"note({', '.join([str(s.site), *map(writer.expression, s.values)])})"


class WatchedPython(Python):
    """The writer of Python functions on ints."""

    def load(self, table: ir.Table, index: ir.Expression) -> str:
        """Return an element as an int."""
        return f"int({table.name}[{self.expression(index)}])"

    def watched(self, s: ir.Note | ir.Tally) -> str:
        """Return the call that records values or counts operations."""
        return f"_{_call(self, s)}"


def watched_python(program: ir.Program) -> str:
    """Return the constants and functions of a program, and the bit instructions that they call."""
    writer = WatchedPython(_export(program))
    constants = "\n".join(f"{name} = {writer.literal(value)}" for name, value in program.constants.items())
    return paragraphs("WORD = 2**64 - 1", constants, writer.instruction_texts(program), writer.functions(program))


class WatchedJavaScript(BraceWriter):
    """The writer of JavaScript functions on BigInts."""

    language = "javascript"
    word = "let"
    reserved = JavaScript.reserved
    instructions: ClassVar = dict.fromkeys(ir.INSTRUCTIONS, "")

    def literal(self, value: int) -> str:
        """Return a number as a BigInt."""
        return f"{super().literal(value)}n"

    def constant(self, constant: ir.Constant) -> str:
        """Return the number of a constant."""
        return self.literal(constant.value)

    def load(self, table: ir.Table, index: ir.Expression) -> str:
        """Return an element as a BigInt."""
        return f"$at({table.name}, {self.expression(index)})"

    def expression(self, e: ir.Expression) -> str:
        """Return an expression; comparisons and inversions differ from other languages."""
        match e:
            case ir.Invert(value):
                return f"({self.operand(value)} ^ $word)"
            case ir.Binary(operator, left, right) if ir.is_truth(e):
                return f"({self.expression(left)} {operator * 2} {self.expression(right)})"
            case ir.Compare("==" | "!=" as operator, left, right):
                return f"{self.operand(left)} {operator}= {self.operand(right)}"
        return super().expression(e)

    def binary(self, operator: str, left: ir.Expression, right: ir.Expression) -> str:
        """Return two words and an operator; results that may exceed 64 bits are cut."""
        text = super().binary(operator, left, right)
        return f"BigInt.asUintN(64, {text})" if operator in _WRAPS else text

    def to_word(self, truth: ir.Expression) -> str:
        """Return a comparison as 0 or 1."""
        return f"({self.expression(truth)} ? 1n : 0n)"

    def header(self, f: ir.Function) -> str:
        """Return the head of a function."""
        return f"function {self.name(f.name)}({', '.join(map(self.name, f.parameters))})"

    def watched(self, s: ir.Note | ir.Tally) -> str:
        """Return the call that records values or counts operations."""
        return f"${_call(self, s)}"


def watched_javascript(program: ir.Program, entries: tuple[str, ...]) -> str:
    """Return a function that makes the entries of a program, given its tables and helpers."""
    writer = WatchedJavaScript(_export(program))
    return paragraphs(
        f"export function watched(tables, {{ $note, $tally, $at, $word, {', '.join(ir.INSTRUCTIONS)} }}) {{",
        f"const {{ {', '.join(program.tables)} }} = tables;" if program.tables else "",
        writer.functions(program),
        f"return {{ {', '.join(entries)} }};\n}}",
    )
