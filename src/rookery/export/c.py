"""Exports for C and C++."""

from typing import ClassVar

from rookery.export.ir import Expression, Function, Program, Table
from rookery.export.writer import LOOKUPS, BraceWriter, is_public, paragraphs

_LOOP = """
static inline uint64_t {name}(uint64_t x, uint64_t mask) {{
#ifdef __BMI2__
    return _{name}_u64(x, mask);
#else
    uint64_t result = 0;
    for (uint64_t one = 1; mask; one <<= 1, mask &= mask - 1) {{
        {step}
    }}
    return result;
#endif
}}
"""
_COUNT = """
static inline uint64_t {name}(uint64_t x) {{
    if (!x) {{
        return 64;
    }}
#ifdef __GNUC__
    return (uint64_t){builtin}(x);
#else
    uint64_t n = 0;
    for (; !(x & {first}); x {shift} 1) {{
        n++;
    }}
    return n;
#endif
}}
"""
_INSTRUCTIONS = {
    "byteswap": """
static inline uint64_t byteswap(uint64_t x) {
#ifdef __GNUC__
    return __builtin_bswap64(x);
#else
    x = ((x >> 8) & UINT64_C(0x00ff00ff00ff00ff)) | ((x & UINT64_C(0x00ff00ff00ff00ff)) << 8);
    x = ((x >> 16) & UINT64_C(0x0000ffff0000ffff)) | ((x & UINT64_C(0x0000ffff0000ffff)) << 16);
    return (x >> 32) | (x << 32);
#endif
}
""",
    "popcount": """
static inline uint64_t popcount(uint64_t x) {
    uint64_t n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}
""",
    "trailing_zeros": _COUNT.format(name="trailing_zeros", builtin="__builtin_ctzll", first="1", shift=">>="),
    "leading_zeros": _COUNT.format(
        name="leading_zeros", builtin="__builtin_clzll", first="(UINT64_C(1) << 63)", shift="<<="
    ),
    "pext": _LOOP.format(name="pext", step="result |= x & mask & (0 - mask) ? one : 0;"),
    "pdep": _LOOP.format(name="pdep", step="result |= x & one ? mask & (0 - mask) : 0;"),
}
_BMI2 = "#ifdef __BMI2__\n#include <immintrin.h>\n#endif"


class C(BraceWriter):
    """The writer of C99."""

    language = "c"
    word = "uint64_t"
    reserved = frozenset(
        "auto break case char const default do double else enum extern float goto inline int long register restrict "
        "short signed sizeof static struct switch typedef union unsigned void volatile".split()
    )
    instructions = _INSTRUCTIONS
    module_file: ClassVar[str] = "rookery_attacks.c"
    check_file: ClassVar[str] = "selfcheck.c"
    build: ClassVar[str] = "cc -O2 -o selfcheck rookery_attacks.c selfcheck.c && ./selfcheck"
    build_single: ClassVar[str] = "cc -O2 -DROOKERY_SELFCHECK -o selfcheck rookery_attacks.c && ./selfcheck"

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

    def type_of(self, table: Table) -> str:
        """Return the type of an element."""
        return f"uint{table.bits}_t"

    def table(self, table: Table) -> str:
        """Return the definition of a table, filled or still empty."""
        size = f"{self.type_of(table)} {table.name}[{table.values.size}]"
        if table.fillers:
            return f"static {size}; // filled at start-up"
        return f"static const {size} = {{\n{self.rows(table)}\n}};"

    def constants(self, program: Program) -> str:
        """Return the named constants."""
        return "\n".join(
            f"static const uint64_t {name} = {self.literal(value)};" for name, value in program.constants.items()
        )

    def store(self, table: Table, index: str, value: str) -> str:
        """Return the statement that writes an element."""
        return f"{table.name}[{index}] = {value if table.bits == 64 else f'({self.type_of(table)})({value})'};"

    def header(self, f: Function) -> str:
        """Return the head of a function."""
        parameters = ", ".join(f"uint64_t {self.name(p)}" for p in f.parameters)
        if f.fills:
            return f"static void {f.name}({parameters or 'void'})"
        return f"{'' if is_public(f) else 'static inline '}uint64_t {f.name}({parameters or 'void'})"

    def body(self, program: Program) -> list[str]:
        """Return constants, tables and functions."""
        return [
            self.constants(program),
            *map(self.table, program.tables.values()),
            *self.instruction_texts(program),
            *self.functions(program),
        ]

    def fillers(self) -> list[str]:
        """Return the calls that fill the tables."""
        return [f"{self.indent}{name}();" for table in self.export.module.tables.values() for name in table.fillers]

    def initialiser(self) -> str:
        """Return the function that users call once, before any look-up."""
        return "\n".join(["void init_attacks(void) {", *self.fillers(), "}"])

    def interface(self) -> str:
        """Return the declarations that users see."""
        squares = self.export.squares()
        names = ",\n".join("    " + ", ".join(f"ROOKERY_{name} = {sq}" for name, sq in rank) for rank in squares)
        return paragraphs(
            f"// Squares are bits of a word, by the mapping {self.export.mapping}.\nenum {{\n{names}\n}};",
            "// Call it once, before any look-up.\nvoid init_attacks(void);",
            "uint64_t rook_attacks(uint64_t sq, uint64_t occupied);\n"
            "uint64_t bishop_attacks(uint64_t sq, uint64_t occupied);\n"
            "uint64_t queen_attacks(uint64_t sq, uint64_t occupied);",
        )

    def includes(self) -> str:
        """Return the headers that the module includes."""
        return "#include <stdint.h>" + (f"\n{_BMI2}" if self.export.module.instructions() & {"pext", "pdep"} else "")

    def check(self) -> list[str]:
        """Return the functions of the self-check and its main."""
        return [*self.body(self.export.check), _MAIN.replace("@LOOKUPS", str(LOOKUPS)).replace("@INIT", self.starts())]

    def starts(self) -> str:
        """Return the first line of main."""
        return f"{self.indent}init_attacks();\n"

    def files(self) -> dict[str, str]:
        """Return a header, the module and the self-check."""
        heading = self.commented("//")
        guard = "ROOKERY_ATTACKS_H"
        header = paragraphs(
            heading, f"#ifndef {guard}\n#define {guard}", "#include <stdint.h>", self.interface(), "#endif"
        )
        module = paragraphs(
            heading, '#include "rookery_attacks.h"', self.includes(), self.body(self.export.module), self.initialiser()
        )
        check = paragraphs(
            f"// The self-check. To build and run it:\n//     {self.build}",
            '#include <stdio.h>\n\n#include "rookery_attacks.h"',
            self.check(),
        )
        return {"rookery_attacks.h": header, self.module_file: module, self.check_file: check}

    def single(self) -> str:
        """Return one file; the self-check is compiled where ROOKERY_SELFCHECK is defined."""
        return paragraphs(
            self.commented("//"),
            self.includes(),
            self.interface(),
            self.body(self.export.module),
            self.initialiser(),
            f"// The self-check. To build and run it:\n//     {self.build_single}\n#ifdef ROOKERY_SELFCHECK",
            "#include <stdio.h>",
            self.check(),
            "#endif",
        )


_MAIN = """
int main(void) {
    unsigned long lookups = 0;
@INIT    for (uint64_t bishop = 0; bishop < 2; bishop++) {
        for (uint64_t rank = 0; rank < 8; rank++) {
            for (uint64_t file = 0; file < 8; file++) {
                uint64_t blockers = blocker_squares(bishop, rank, file);
                uint64_t occupied = 0;
                do {
                    if (!is_right(bishop, rank, file, blockers, occupied)) {
                        uint64_t square = square_index(rank, file);
                        printf("%s on %c%c, occupied 0x%016llx: expected 0x%016llx, got 0x%016llx, "
                               "0x%016llx with all other squares occupied, 0x%016llx for the queen\\n",
                               bishop ? "bishop" : "rook", (char)('a' + file), (char)('1' + rank),
                               (unsigned long long)occupied,
                               (unsigned long long)expected_attacks(bishop, rank, file, occupied),
                               (unsigned long long)answered_attacks(bishop, square, occupied),
                               (unsigned long long)answered_attacks(bishop, square, occupied | ~blockers),
                               (unsigned long long)queen_attacks(square, occupied));
                        return 1;
                    }
                    lookups++;
                    occupied = next_case(blockers, occupied);
                } while (occupied);
            }
        }
    }
    printf("%lu look-ups agree with ray walking\\n", lookups);
    return lookups == @LOOKUPS ? 0 : 1;
}
"""


class Cpp(C):
    """The writer of C++17: one header with a namespace, whose tables are filled before main."""

    language = "cpp"
    reserved = C.reserved | frozenset(
        "and bool catch class delete explicit export false friend mutable namespace new not operator or private "
        "protected public template this throw true typename using virtual xor".split()
    )
    module_file = "rookery_attacks.hpp"
    check_file = "selfcheck.cpp"
    build = "g++ -std=c++17 -O2 -o selfcheck selfcheck.cpp && ./selfcheck"
    build_single = "g++ -std=c++17 -O2 -x c++ -DROOKERY_SELFCHECK -o selfcheck rookery_attacks.hpp && ./selfcheck"
    instructions: ClassVar = {name: text.replace("static inline", "inline") for name, text in _INSTRUCTIONS.items()}

    def table(self, table: Table) -> str:
        """Return the definition of a table, filled or still empty."""
        size = f"{self.type_of(table)} {table.name}[{table.values.size}]"
        if table.fillers:
            return f"inline {size}; // filled before main"
        return f"inline constexpr {size} = {{\n{self.rows(table)}\n}};"

    def constants(self, program: Program) -> str:
        """Return the named constants."""
        return "\n".join(
            f"inline constexpr uint64_t {name} = {self.literal(value)};" for name, value in program.constants.items()
        )

    def header(self, f: Function) -> str:
        """Return the head of a function."""
        parameters = ", ".join(f"uint64_t {self.name(p)}" for p in f.parameters)
        return f"inline {'void' if f.fills else 'uint64_t'} {f.name}({parameters})"

    def initialiser(self) -> str:
        """Return the code that fills the tables before main."""
        if not self.fillers():
            return ""
        return "\n".join(["inline const bool tables_are_filled = [] {", *self.fillers(), "    return true;", "}();"])

    def interface(self) -> str:
        """Return the names of the squares."""
        names = ",\n".join("    " + ", ".join(f"{name} = {sq}" for name, sq in rank) for rank in self.export.squares())
        return f"// Squares are bits of a word, by the mapping {self.export.mapping}.\nenum Square {{\n{names}\n}};"

    def includes(self) -> str:
        """Return the headers that the module includes."""
        return super().includes().replace("<stdint.h>", "<cstdint>")

    def starts(self) -> str:
        """Return nothing: the tables are filled before main."""
        return ""

    def module(self) -> list[str]:
        """Return the namespace and its contents."""
        return [
            "namespace rookery {",
            "using std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t;",
            self.interface(),
            *self.body(self.export.module),
            self.initialiser(),
            "}  // namespace rookery",
        ]

    def check(self) -> list[str]:
        """Return the functions of the self-check and its main."""
        return ["using namespace rookery;", "namespace {", *self.body(self.export.check), "}", super().check()[-1]]

    def files(self) -> dict[str, str]:
        """Return the header and the self-check."""
        check = paragraphs(
            f"// The self-check. To build and run it:\n//     {self.build}",
            f'#include <cstdio>\n\n#include "{self.module_file}"',
            "using std::printf;",
            self.check(),
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
            "#include <cstdio>\nusing std::printf;",
            self.check(),
            "#endif",
        )
