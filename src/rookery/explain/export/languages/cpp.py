"""Exports for C++."""

from typing import ClassVar

from rookery.explain.export.ir import Table
from rookery.explain.export.languages import c_texts
from rookery.explain.export.languages.c import C
from rookery.explain.export.writer import paragraphs


class Cpp(C):
    """The writer of C++17: one header with a namespace, whose tables are filled before main. A prefix names both."""

    language = "cpp"
    constant_text = "inline constexpr uint64_t {} = {};"
    header_only = False
    reserved = C.reserved | frozenset(
        "and bool catch class delete explicit export false friend mutable namespace new not operator or private "
        "protected public template this throw true typename using virtual xor".split()
    )
    not_a_prefix: ClassVar = reserved | {"std"}  # a prefix is the namespace
    instructions: ClassVar = {
        name: text.replace("static inline", "inline") for name, text in c_texts.INSTRUCTIONS.items()
    }
    no_parameters = ""
    before_type: ClassVar = "inline "
    before_check = "inline "

    @property
    def before_public_type(self) -> str:
        """Return the words before the type of a function that users call."""
        return self.before_type

    @property
    def module_file(self) -> str:
        """Return the name of the header."""
        return f"{self.module_name}.hpp"

    @property
    def check_file(self) -> str:
        """Return the name of the self-check's file."""
        return f"{self.check_name}.cpp"

    @property
    def build(self) -> str:
        """Return the command that builds the self-check from several files and runs it."""
        return f"g++ -std=c++17 -O2 -o selfcheck {self.check_file} && ./selfcheck"

    @property
    def build_single(self) -> str:
        """Return the command that builds the self-check from one file and runs it."""
        options = "-std=c++17 -O2 -x c++ -DROOKERY_SELFCHECK"
        return f"g++ {options} -o selfcheck {self.module_file} && ./selfcheck"

    @property
    def namespace(self) -> str:
        """Return the namespace of all names."""
        return self.export.prefix or "rookery"

    @property
    def state_type(self) -> str:
        """Return the name of the type of a state."""
        return "State"

    def own(self, name: str) -> str:
        """Return the name of a function, a table or a constant: the namespace keeps it apart."""
        return self.name(name)

    def table(self, table: Table) -> str:
        """Return the definition of a table, filled or still empty."""
        size = f"{self.type_of(table)} {table.name}[{table.values.size}]"
        if table.fillers:
            return f"inline {size}; // filled before main"
        return f"inline constexpr {size} = {{\n{self.rows(table)}\n}};"

    def initialiser(self) -> str:
        """Return the code that fills the tables before main."""
        if not self.fillers():
            return ""
        return "\n".join(["inline const bool tables_are_filled = [] {", *self.fillers(), "    return true;", "}();"])

    def squares(self) -> str:
        """Return the names of the squares."""
        names = ",\n".join("    " + ", ".join(f"{name} = {sq}" for name, sq in rank) for rank in self.export.squares())
        return f"// Squares are bits of a word, by the mapping {self.export.mapping}.\nenum Square {{\n{names}\n}};"

    def state_structure(self) -> str:
        """Return the type of a state."""
        lines = super().state_structure().split("\n")
        return "\n".join([lines[0], f"struct {self.state_type} {{", *lines[2:-1], "};"]) if lines[1:] else ""

    def includes(self) -> str:
        """Return the headers that the module includes."""
        return super().includes().replace("<stdint.h>", "<cstdint>")

    def module(self) -> list[str]:
        """Return the namespace and its contents."""
        return [
            f"namespace {self.namespace} {{",
            "using std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t;",
            self.squares(),
            self.state_structure(),
            *self.body(self.export.module),
            *self.state_functions(),
            self.initialiser(),
            f"}}  // namespace {self.namespace}",
        ]

    def check(self, inline: bool = True) -> list[str]:
        """Return the functions of the self-check. They are in the namespace, too."""
        return [
            f"namespace {self.namespace} {{",
            "using std::printf;",
            *self.body(self.export.check),
            *self.check_of_states(),
            self.self_check(inline),
            f"}}  // namespace {self.namespace}",
        ]

    def first_call(self) -> str:
        """Return nothing: the tables are filled before main."""
        return ""

    def main(self) -> str:
        """Return the program of the self-check, which others may leave out to call the function."""
        return self.filled(c_texts.MAIN, NAME=f"{self.namespace}::self_check")

    def files(self) -> dict[str, str]:
        """Return the header and the self-check."""
        check = paragraphs(
            f"// The self-check. To build and run it:\n//     {self.build}",
            f'#include <cstdio>\n\n#include "{self.module_file}"',
            self.check(inline=False),
            self.main(),
        )
        header = paragraphs(self.commented("//"), "#pragma once", self.includes(), self.module())
        return {self.module_file: header, self.check_file: check}

    def single(self) -> str:
        """Return one file; the self-check is compiled where ROOKERY_SELFCHECK is defined."""
        return paragraphs(
            self.commented("//"),
            self.includes(),
            self.module(),
            f"// The self-check. To build and run it:\n//     {self.build_single}\n#ifdef ROOKERY_SELFCHECK",
            "#include <cstdio>",
            self.check(),
            self.main(),
            "#endif",
        )
