"""Exports for C."""

import re
from typing import ClassVar

from rookery.explain.export.ir import Expression, Function, Program, Table
from rookery.explain.export.languages import c_texts
from rookery.explain.export.program import PUBLIC
from rookery.explain.export.writer import BraceWriter, FixedTexts, is_public, paragraphs


class C(BraceWriter):
    """The writer of C99. A prefix is put before every name; a header has `static inline` functions."""

    language = "c"
    texts = FixedTexts(
        c_texts.STATE,
        c_texts.ATTACKS_IN,
        c_texts.SELF_CHECK,
        c_texts.STATE_BEGINS,
        c_texts.STATE_FOLLOWS,
        same="kept->{0} == made.{0}",
    )
    constant_text = "static const uint64_t {} = {};"
    word = "uint64_t"
    header_only: ClassVar[bool] = True
    reserved = frozenset(
        "auto break case char const default do double else enum extern float goto inline int long register restrict "
        "short signed sizeof static struct switch typedef union unsigned void volatile".split()
    )
    instructions = c_texts.INSTRUCTIONS
    no_parameters: ClassVar[str] = "void"
    before_type: ClassVar[str] = "static inline "  # of a function
    before_check: ClassVar[str] = "static inline "  # before a function of the self-check

    @property
    def before_public_type(self) -> str:
        """Return the words before the type of a function that users call."""
        return self.before_type if self.export.header else ""

    @property
    def module_file(self) -> str:
        """Return the name of the module's file."""
        return f"{self.module_name}.h" if self.export.header else f"{self.module_name}.c"

    @property
    def check_file(self) -> str:
        """Return the name of the self-check's file."""
        return f"{self.check_name}.c"

    @property
    def build(self) -> str:
        """Return the command that builds the self-check from several files and runs it."""
        module = "" if self.export.header else f"{self.module_file} "
        return f"cc -O2 -o selfcheck {module}{self.check_file} && ./selfcheck"

    @property
    def build_single(self) -> str:
        """Return the command that builds the self-check from one file and runs it."""
        language = "-x c " if self.export.header else ""
        return f"cc -O2 {language}-DROOKERY_SELFCHECK -o selfcheck {self.module_file} && ./selfcheck"

    # Names.

    def own(self, name: str) -> str:
        """Return the name of a function, a table or a constant, with the prefix of the export."""
        return f"{self.export.prefix}_{name}" if self.export.prefix else self.name(name)

    def with_own_names(self, text: str) -> str:
        """Return a text of this file in which the functions that are called or defined have the names of the export."""
        known = {*self.export.module.functions, *self.export.check.functions, *self.instructions}
        known |= {f"{name}_in" for name in PUBLIC} | {"prepare", "toggle", "state_is_right", "self_check"}
        return re.sub(r"\b\w+(?=\()", lambda found: self.own(found[0]) if found[0] in known else found[0], text)

    @property
    def state_type(self) -> str:
        """Return the name of the type of a state."""
        return self.own("state") if self.export.prefix else "rookery_state"

    def instruction_texts(self, program: Program) -> list[str]:
        """Return the bit instructions that a program calls."""
        return [self.with_own_names(text) for text in super().instruction_texts(program)]

    # Expressions and statements.

    def literal(self, value: int) -> str:
        """Return a small number as it is, and a larger one marked as a word."""
        text = super().literal(value)
        return text if value < 100 else f"UINT64_C({text})"

    def binary(self, operator: str, left: Expression, right: Expression) -> str:
        """Return two words and an operator.

        A small literal is an int, which matters only where it is shifted.
        """
        text = super().binary(operator, left, right)
        first = self.operand(left, operator)
        return f"UINT64_C({first}){text[len(first) :]}" if operator == "<<" and first.isdecimal() else text

    def load(self, table: Table, index: Expression) -> str:
        """Return an element as a word; a narrow one would otherwise be an int."""
        return super().load(table, index) if table.bits == 64 else f"(uint64_t){super().load(table, index)}"

    def to_word(self, truth: Expression) -> str:
        """Return a comparison as 0 or 1."""
        return f"(uint64_t)({self.expression(truth)})"

    def store(self, table: Table, index: str, value: str) -> str:
        """Return the statement that writes an element."""
        return super().store(table, index, value if table.bits == 64 else f"({self.type_of(table)})({value})")

    # Tables and functions.

    def type_of(self, table: Table) -> str:
        """Return the type of an element."""
        return f"uint{table.bits}_t"

    def table(self, table: Table) -> str:
        """Return the definition of a table, filled or still empty."""
        size = f"{self.type_of(table)} {self.own(table.name)}[{table.values.size}]"
        if table.fillers:
            return (
                f"{f'ROOKERY_SHARED {size} = {{0}}' if self.export.header else f'static {size}'}; // filled at start-up"
            )
        return f"static const {size} = {{\n{self.rows(table)}\n}};"

    def header(self, f: Function) -> str:
        """Return the head of a function."""
        parameters = ", ".join(f"uint64_t {self.name(p)}" for p in f.parameters) or self.no_parameters
        kind = "void" if f.fills else "uint64_t"
        before = self.before_public_type if is_public(f) else self.before_type
        return f"{before}{kind} {self.own(f.name)}({parameters})"

    def fillers(self) -> list[str]:
        """Return the calls that fill the tables."""
        tables = self.export.module.tables.values()
        return [f"{self.indent}{self.own(name)}();" for table in tables for name in table.fillers]

    def initialiser(self) -> str:
        """Return the function that users call once, before any look-up."""
        head = f"{self.before_public_type}void {self.own('init_attacks')}(void)"
        return "\n".join([f"{head} {{", *self.fillers(), "}"])

    # Parts of files.

    def squares(self) -> str:
        """Return the names of the squares."""
        first = self.export.prefix or "ROOKERY"
        names = (", ".join(f"{first}_{name} = {sq}" for name, sq in rank) for rank in self.export.squares())
        inside = ",\n".join(f"    {line}" for line in names)
        return f"// Squares are bits of a word, by the mapping {self.export.mapping}.\nenum {{\n{inside}\n}};"

    def state_structure(self) -> str:
        """Return the type of a state."""
        state = self.export.module.state
        if not state:
            return ""
        return (
            f"{c_texts.STATE_COMMENT}\ntypedef struct {{\n    uint64_t {', '.join(state.words)};\n}} {self.state_type};"
        )

    def interface(self) -> str:
        """Return the declarations that users see."""
        declared = [f"uint64_t {self.own(name)}(uint64_t sq, uint64_t occupied);" for name in PUBLIC]
        kept = []
        if self.export.module.state:
            kind = self.state_type
            kept = [f"{kind} {self.own('prepare')}(uint64_t occupied);"]
            kept += [f"{kind} {self.own('toggle')}({kind} state, uint64_t sq);"]
            kept += [f"uint64_t {self.own(f'{name}_in')}(uint64_t sq, {kind} state);" for name in PUBLIC]
        return paragraphs(
            self.squares(),
            f"// Call it once, before any look-up.\nvoid {self.own('init_attacks')}(void);",
            "\n".join(declared),
            self.state_structure(),
            "\n".join(kept),
        )

    def includes(self) -> str:
        """Return the headers that the module includes."""
        by_mask = self.export.module.instructions() & {"pext", "pdep"}
        return "#include <stdint.h>" + (f"\n{c_texts.BMI2}" if by_mask else "")

    def module(self) -> list[str]:
        """Return the definitions of the module."""
        definitions = [
            *self.body(self.export.module),
            *self.state_functions(),
            self.initialiser(),
        ]
        if not self.export.header:
            return definitions
        before = [self.squares(), self.state_structure(), c_texts.SHARED if self.fillers() else ""]
        called = f"// Call {self.own('init_attacks')} once, before any look-up."
        return [*before, *definitions[:-1], f"{called}\n{definitions[-1]}"]

    def check(self, inline: bool = False) -> list[str]:
        """Return the functions of the self-check; others may call the last, which a header has `inline`."""
        return [*self.body(self.export.check), *self.check_of_states(), self.self_check(inline)]

    def check_of_states(self) -> list[str]:
        """Return the function that checks states, if there are any."""
        if not self.export.module.state:
            return []
        return [self.filled(c_texts.STATE_CHECK, INLINE=self.before_check)]

    def self_check(self, inline: bool) -> str:
        """Return the function that checks everything."""
        return self.filled(self.texts.check, INLINE=self.before_check if inline else "", INIT=self.first_call())

    def first_call(self) -> str:
        """Return the line that calls what users call before any look-up."""
        return f"{self.indent}{self.own('init_attacks')}();\n"

    def filled(self, text: str, **places: str) -> str:
        """Return a fixed text with its places filled, and with the names of the export."""
        own = {"INLINE": self.before_public_type, "STATE": self.state_type, "VOID": self.no_parameters}
        return self.with_own_names(super().filled(text, **{**own, **places}))

    def main(self) -> str:
        """Return the program of the self-check, which others may leave out to call the function."""
        return self.filled(c_texts.MAIN, NAME=self.own("self_check"))

    # Files.

    def guarded(self, *parts: str | list[str]) -> str:
        """Return a header with its heading and its guard."""
        guard = f"{self.export.prefix or 'ROOKERY'}_ATTACKS_H"
        return paragraphs(self.commented("//"), f"#ifndef {guard}\n#define {guard}", *parts, "#endif")

    def files(self) -> dict[str, str]:
        """Return a header, the module and the self-check; the module may be the header."""
        included = f'#include "{self.module_name}.h"'
        check = paragraphs(
            f"// The self-check. To build and run it:\n//     {self.build}",
            f"#include <stdio.h>\n\n{included}",
            self.check(),
            self.main(),
        )
        if self.export.header:
            return {self.module_file: self.guarded(self.includes(), self.module()), self.check_file: check}
        return {
            f"{self.module_name}.h": self.guarded("#include <stdint.h>", self.interface()),
            self.module_file: paragraphs(self.commented("//"), included, self.includes(), self.module()),
            self.check_file: check,
        }

    def single(self) -> str:
        """Return one file; the self-check is compiled where ROOKERY_SELFCHECK is defined."""
        checked = [
            f"// The self-check. To build and run it:\n//     {self.build_single}\n#ifdef ROOKERY_SELFCHECK",
            "#include <stdio.h>",
            *self.check(inline=self.export.header),
            self.main(),
            "#endif",
        ]
        if self.export.header:
            return self.guarded(self.includes(), self.module(), checked)
        return paragraphs(self.commented("//"), self.includes(), self.interface(), self.module(), checked)
