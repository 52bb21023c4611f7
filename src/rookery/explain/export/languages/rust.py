"""Exports for Rust."""

from textwrap import indent

from rookery.explain.export.ir import Binary, Expression, Function, Int, Name, Select, Table
from rookery.explain.export.program import PUBLIC
from rookery.explain.export.writer import BraceWriter, FixedTexts, is_public, paragraphs

_WRAPPING = {"+": "wrapping_add", "-": "wrapping_sub", "*": "wrapping_mul"}
_ALLOW = "#![allow(dead_code, unused_assignments, unused_parens)]"
_LOOP = """
fn {name}(x: u64, mask: u64) -> u64 {{
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {{
        return unsafe {{ core::arch::x86_64::_{name}_u64(x, mask) }};
    }}
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {{
        let (mut mask, mut one, mut result) = (mask, 1u64, 0u64);
        while mask != 0 {{
            {step}
            one <<= 1;
            mask &= mask - 1;
        }}
        result
    }}
}}
"""


# A state is kept through all cases, and compared with one that is made anew.
_STATE = """
// What the technique keeps of an occupancy, from move to move. Make one with prepare, change it with toggle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    @WORDS,
}

// Return the state of an occupancy.
pub fn prepare(occupied: u64) -> State {
    State { @PREPARE }
}

// Return the state after a piece is put on a square or taken from it.
pub fn toggle(state: State, sq: u64) -> State {
    State { @TOGGLE }
}
"""
_ATTACKS_IN = """
// Return the attacks of a @PIECE in a state.
pub fn @NAME_in(sq: u64, state: State) -> u64 {
    @CALL
}
"""
_BEGINS = """
    let mut before = 0;
    let mut kept = prepare(before);
"""
_FOLLOWS = """
                    for other in [occupied, if occupied == 0 { !blockers } else { occupied }] {
                        for sq in 0..64 {
                            if (before ^ other) >> sq & 1 != 0 {
                                kept = toggle(kept, sq);
                            }
                        }
                        before = other;
                        let at = square_index(rank, file);
                        if kept != prepare(other)
                            || rook_attacks_in(at, kept) != rook_attacks(at, other)
                            || bishop_attacks_in(at, kept) != bishop_attacks(at, other)
                            || queen_attacks_in(at, kept) != queen_attacks(at, other)
                        {
                            return Err(format!(
                                "the state that toggle keeps is wrong: {}{}, occupied {:#018x}",
                                (b'a' + file as u8) as char,
                                rank + 1,
                                other
                            ));
                        }
                    }
"""
_CHECK = """
fn self_check() -> Result<u64, String> {
    let mut lookups = 0;
@BEGINS    for bishop in 0..2 {
        for rank in 0..8 {
            for file in 0..8 {
                let blockers = blocker_squares(bishop, rank, file);
                let mut occupied = 0;
                loop {
                    if is_right(bishop, rank, file, blockers, occupied) == 0 {
                        let square = square_index(rank, file);
                        return Err(format!(
                            "{} on {}{}, occupied {:#018x}: expected {:#018x}, got {:#018x}, \\
                             {:#018x} with all other squares occupied, {:#018x} for the queen",
                            if bishop == 1 { "bishop" } else { "rook" },
                            (b'a' + file as u8) as char,
                            rank + 1,
                            occupied,
                            expected_attacks(bishop, rank, file, occupied),
                            answered_attacks(bishop, square, occupied),
                            answered_attacks(bishop, square, occupied | !blockers),
                            queen_attacks(square, occupied)
                        ));
                    }
@FOLLOWS                    lookups += 1;
                    occupied = next_case(blockers, occupied);
                    if occupied == 0 {
                        break;
                    }
                }
            }
        }
    }
    if lookups == @LOOKUPS { Ok(lookups) } else { Err(format!("{lookups} look-ups, not @LOOKUPS")) }
}
"""
_MAIN = """
fn main() {
    match self_check() {
        Ok(lookups) => println!("{lookups} look-ups agree with ray walking"),
        Err(fault) => {
            println!("{fault}");
            std::process::exit(1);
        }
    }
}
"""
_TEST = """
#[test]
fn look_ups_agree_with_ray_walking() {
    match self_check() {
        Ok(lookups) => println!("{lookups} look-ups agree with ray walking"),
        Err(fault) => panic!("{}", fault),
    }
}
"""


class Rust(BraceWriter):
    """The writer of Rust 1.80 or newer. A module keeps its names apart: a prefix names the module's file."""

    language = "rust"
    texts = FixedTexts(_STATE, _ATTACKS_IN, _CHECK, _BEGINS, _FOLLOWS, words="pub {}: u64", made="{}: {}")
    constant_text = "const {}: u64 = {};"
    word = "u64"
    parentheses = False
    reserved = frozenset(
        "as async await box const crate do dyn else enum extern false fn impl in let loop match mod move mut priv pub "
        "ref self static struct super trait true try type unsafe unsized use virtual where yield".split()
    )
    instructions = {  # noqa: RUF012  # as the class above declares it
        "byteswap": "fn byteswap(x: u64) -> u64 {\n    x.swap_bytes()\n}",
        "popcount": "fn popcount(x: u64) -> u64 {\n    u64::from(x.count_ones())\n}",
        "trailing_zeros": "fn trailing_zeros(x: u64) -> u64 {\n    u64::from(x.trailing_zeros())\n}",
        "leading_zeros": "fn leading_zeros(x: u64) -> u64 {\n    u64::from(x.leading_zeros())\n}",
        "pext": _LOOP.format(
            name="pext", step="if x & mask & mask.wrapping_neg() != 0 {\n                result |= one;\n            }"
        ),
        "pdep": _LOOP.format(
            name="pdep", step="if x & one != 0 {\n                result |= mask & mask.wrapping_neg();\n            }"
        ),
    }

    def binary(self, operator: str, left: Expression, right: Expression) -> str:
        """Return two words and an operator; sums, differences and products wrap explicitly."""
        if operator not in _WRAPPING:
            text = super().binary(operator, left, right)
            first = self.operand(left, operator)
            return f"{first}u64{text[len(first) :]}" if operator in ("<<", ">>") and isinstance(left, Int) else text
        receiver = f"{self.literal(left.value)}u64" if isinstance(left, Int) else self.operand(left)
        if receiver.startswith("!"):  # which binds less than a method
            receiver = f"({receiver})"
        return f"{receiver}.{_WRAPPING[operator]}({self.expression(right)})"

    def operand(self, e: Expression, outer: str = "") -> str:
        """Return an expression inside another; a method call needs no parentheses."""
        if isinstance(e, Binary) and e.operator in _WRAPPING:
            return self.expression(e)
        return super().operand(e, outer)

    def place(self, index: Expression) -> str:
        """Return an index of an array."""
        text = self.expression(index)
        return (
            text if isinstance(index, Int) else f"{text} as usize" if isinstance(index, Name) else f"({text}) as usize"
        )

    def expression(self, e: Expression) -> str:
        """Return an expression; choices and inversions differ from other languages."""
        if isinstance(e, Select):
            truth, yes, no = map(self.expression, (e.truth, e.yes, e.no))
            return f"if {truth} {{ {yes} }} else {{ {no} }}"
        text = super().expression(e)
        return f"!{text[1:]}" if text.startswith("~") else text

    def to_word(self, truth: Expression) -> str:
        """Return a comparison as 0 or 1."""
        return f"u64::from({self.expression(truth)})"

    def load(self, table: Table, index: Expression) -> str:
        """Return an element as a word."""
        element = f"{table.name}[{self.place(index)}]"
        return element if table.bits == 64 else f"u64::from({element})"

    def declaration(self, name: str, value: Expression) -> str:
        """Return the declaration of a variable."""
        return f"let {'mut ' if name in self.changing else ''}{self.name(name)}: u64 = {self.expression(value)};"

    def for_header(self, name: str, count: int) -> str:
        """Return the head of a loop from 0."""
        return f"for {name} in 0..{count}u64"

    def store(self, table: Table, index: str, value: str) -> str:
        """Return the statement that writes an element."""
        return f"table[({index}) as usize] = {value if table.bits == 64 else f'({value}) as u{table.bits}'};"

    def header(self, f: Function) -> str:
        """Return the head of a function."""
        parameters = [f"{'mut ' if p in self.changing else ''}{self.name(p)}: u64" for p in f.parameters]
        if f.fills:
            return f"fn {f.name}({', '.join([f'table: &mut [u{self.table_of(f.fills).bits}]', *parameters])})"
        return f"{'pub ' if is_public(f) else ''}fn {self.name(f.name)}({', '.join(parameters)}) -> u64"

    def table(self, table: Table) -> str:
        """Return the definition of a table, with the code that fills it at its first use."""
        size, element = table.values.size, f"u{table.bits}"
        if not table.fillers:
            return f"static {table.name}: [{element}; {size}] = [\n{self.rows(table)}\n];"
        fill = "\n".join(f"    {name}(&mut table);" for name in table.fillers)
        return (
            f"// Filled at its first use.\nstatic {table.name}: std::sync::LazyLock<Vec<{element}>> = "
            f"std::sync::LazyLock::new(|| {{\n    let mut table = vec![0; {size}];\n{fill}\n    table\n}});"
        )

    def used_by_check(self) -> str:
        """Return the names that the self-check uses."""
        names = [*PUBLIC]
        if self.export.module.state:
            names += ["prepare", "toggle", *(f"{name}_in" for name in PUBLIC)]
        return ", ".join(sorted(names))

    def module(self) -> list[str]:
        """Return the look-ups."""
        squares = "\n".join(
            " ".join(f"pub const {name}: u64 = {sq};" for name, sq in half)
            for rank in self.export.squares()
            for half in (rank[:4], rank[4:])
        )
        named = f"// Squares are bits of a word, by the mapping {self.export.mapping}.\n{squares}"
        return [named, *self.body(self.export.module), *self.state_functions()]

    def files(self) -> dict[str, str]:
        """Return the module and a program that checks it."""
        check = paragraphs(
            f"// The self-check. To build and run it:\n//     rustc -O {self.check_name}.rs && ./{self.check_name}",
            _ALLOW,
            f"mod {self.module_name};\nuse {self.module_name}::{{{self.used_by_check()}}};",
            self.check(),
            _MAIN,
        )
        module = paragraphs(self.commented("//"), _ALLOW, self.module())
        return {f"{self.module_name}.rs": module, f"{self.check_name}.rs": check}

    def single(self) -> str:
        """Return one module, whose test is the self-check."""
        inside = paragraphs(f"use super::{{{self.used_by_check()}}};", self.check(), _TEST)
        build = f"rustc -O --test -o selfcheck {self.module_name}.rs && ./selfcheck --nocapture"
        return paragraphs(
            self.commented("//"),
            _ALLOW,
            self.module(),
            f"// The self-check. To build and run it:\n//     {build}\n"
            f"#[cfg(test)]\nmod selfcheck {{\n{indent(inside, self.indent)}}}",
        )
