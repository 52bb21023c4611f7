"""Exports for C#."""

from textwrap import indent

from rookery.explain.export.ir import Expression, Function, Int, Program, Table
from rookery.explain.export.program import PUBLIC
from rookery.explain.export.writer import BraceWriter, FixedTexts, paragraphs

_TYPES = {8: "byte", 16: "ushort", 32: "uint", 64: "ulong"}
_INSTRUCTION = """
private static ulong {name}({parameters})
{{
#if NETCOREAPP3_0_OR_GREATER
    {modern}
#endif
    ulong result = 0;
    {loop}
    {{
        {step}
    }}
    return result;
}}
"""
_BMI2 = "System.Runtime.Intrinsics.X86.Bmi2.X64"
_PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net8.0</TargetFramework>
    <RollForward>Major</RollForward>
    <StartupObject>@CLASS</StartupObject>
  </PropertyGroup>
</Project>
"""
_STATE = """
// What the technique keeps of an occupancy, from move to move. Make one with Prepare, change it with Toggle.
public struct State
{
    public ulong @WORDS;
}

// Return the state of an occupancy.
public static State Prepare(ulong occupied)
{
    return new State { @PREPARE };
}

// Return the state after a piece is put on a square or taken from it.
public static State Toggle(State state, int square)
{
    return new State { @TOGGLE };
}
"""
_ATTACKS_IN = """
// Return the attacks of a @PIECE in a state.
public static ulong @NAMEIn(int square, State state)
{
    return @CALL;
}
"""
_BEGINS = """
    ulong before = 0;
    @CLASS.State kept = @CLASS.Prepare(before);
"""
# A state is kept through all cases, and compared with one that is made anew.
_FOLLOWS = """
                    foreach (ulong other in new[] { occupied, occupied == 0 ? ~blockers : occupied })
                    {
                        for (int sq = 0; sq < 64; sq++)
                        {
                            if ((((before ^ other) >> sq) & 1) != 0)
                            {
                                kept = @CLASS.Toggle(kept, sq);
                            }
                        }
                        before = other;
                        @CLASS.State made = @CLASS.Prepare(other);
                        int at = (int)square_index(rank, file);
                        if (!(@SAME && @CLASS.RookAttacksIn(at, kept) == @CLASS.RookAttacks(at, other)
                            && @CLASS.BishopAttacksIn(at, kept) == @CLASS.BishopAttacks(at, other)
                            && @CLASS.QueenAttacksIn(at, kept) == @CLASS.QueenAttacks(at, other)))
                        {
                            System.Console.WriteLine(
                                $"the state that toggle keeps is wrong: {(char)('a' + (int)file)}{rank + 1}, "
                                + $"occupied 0x{other:x16}");
                            return 1;
                        }
                    }
"""
_CHECK = """
public static int Main()
{
    ulong lookups = 0;
@BEGINS    for (ulong bishop = 0; bishop < 2; bishop++)
    {
        for (ulong rank = 0; rank < 8; rank++)
        {
            for (ulong file = 0; file < 8; file++)
            {
                ulong blockers = blocker_squares(bishop, rank, file);
                ulong occupied = 0;
                do
                {
                    if (is_right(bishop, rank, file, blockers, occupied) == 0)
                    {
                        ulong square = square_index(rank, file);
                        string piece = bishop == 1 ? "bishop" : "rook";
                        System.Console.WriteLine(
                            $"{piece} on {(char)('a' + (int)file)}{rank + 1}, "
                            + $"occupied 0x{occupied:x16}: "
                            + $"expected 0x{expected_attacks(bishop, rank, file, occupied):x16}, "
                            + $"got 0x{answered_attacks(bishop, square, occupied):x16}, "
                            + $"0x{answered_attacks(bishop, square, occupied | ~blockers):x16} with all other squares "
                            + $"occupied, 0x{queen_attacks(square, occupied):x16} for the queen");
                        return 1;
                    }
@FOLLOWS                    lookups++;
                    occupied = next_case(blockers, occupied);
                } while (occupied != 0);
            }
        }
    }
    System.Console.WriteLine($"{lookups} look-ups agree with ray walking");
    return lookups == @LOOKUPS ? 0 : 1;
}
"""


def _instruction(name: str, modern: str, loop: str, step: str, parameters: str = "ulong x") -> str:
    """Return an instruction: a library call where the library has it, and a loop otherwise."""
    return _INSTRUCTION.format(name=name, parameters=parameters, modern=modern, loop=loop, step=step)


def _by_mask(name: str, instruction: str, step: str) -> str:
    return _instruction(
        name,
        f"if ({_BMI2}.IsSupported) {{ return {_BMI2}.{instruction}(x, mask); }}",
        "for (ulong one = 1; mask != 0; one <<= 1, mask &= mask - 1)",
        step,
        parameters="ulong x, ulong mask",
    )


def _counted(name: str, method: str, first: str, shift: str) -> str:
    return _instruction(
        name,
        f"if (x != 0) {{ return (ulong)System.Numerics.BitOperations.{method}(x); }}",
        f"for (; result < 64 && (x & {first}) == 0; x {shift}= 1)",
        "result++;",
    )


def _pascal(name: str) -> str:
    return "".join(part.title() for part in name.split("_"))


class CSharp(BraceWriter):
    """The writer of C# 7 or newer, for .NET and Mono. A prefix names the two classes and their files."""

    language = "csharp"
    texts = FixedTexts(_STATE, _ATTACKS_IN, _CHECK, _BEGINS, _FOLLOWS, made="{} = {}")
    constant_text = "private const ulong {} = {};"
    square = "(ulong)square"
    word = "ulong"
    reserved = frozenset(
        "abstract base bool byte case catch char checked class const decimal default delegate do double else "
        "enum event explicit extern fixed float foreach goto implicit int interface internal is lock long "
        "namespace new null object operator out override params private protected public readonly ref sbyte "
        "sealed short sizeof static string struct switch this throw typeof uint ulong unchecked unsafe ushort "
        "using virtual void volatile".split()
    )
    instructions = {  # noqa: RUF012  # as the class above declares it
        "byteswap": _instruction(
            "byteswap",
            "if (x != 0) { return System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(x); }",
            "for (int i = 0; i < 64; i += 8)",
            "result = (result << 8) | ((x >> i) & 0xff);",
        ),
        "popcount": _instruction(
            "popcount",
            "if (x != 0) { return (ulong)System.Numerics.BitOperations.PopCount(x); }",
            "for (; x != 0; x &= x - 1)",
            "result++;",
        ),
        "trailing_zeros": _counted("trailing_zeros", "TrailingZeroCount", "1", ">>"),
        "leading_zeros": _counted("leading_zeros", "LeadingZeroCount", "(1UL << 63)", "<<"),
        "pext": _by_mask("pext", "ParallelBitExtract", "result |= (x & mask & (0UL - mask)) != 0 ? one : 0;"),
        "pdep": _by_mask("pdep", "ParallelBitDeposit", "result |= (x & one) != 0 ? mask & (0UL - mask) : 0;"),
    }

    def literal(self, value: int) -> str:
        """Return a number that is marked as a word."""
        return f"{super().literal(value)}UL"

    def binary(self, operator: str, left: Expression, right: Expression) -> str:
        """Return two words and an operator; a shift count is an int."""
        if operator not in ("<<", ">>"):
            return super().binary(operator, left, right)
        count = str(right.value) if isinstance(right, Int) else f"(int)({self.expression(right)})"
        return f"{self.operand(left)} {operator} {count}"

    def load(self, table: Table, index: Expression) -> str:
        """Return an element as a word; a narrow one would otherwise be an int."""
        return super().load(table, index) if table.bits == 64 else f"(ulong){super().load(table, index)}"

    def to_word(self, truth: Expression) -> str:
        """Return a comparison as 0 or 1."""
        return f"({self.expression(truth)} ? 1UL : 0UL)"

    def store(self, table: Table, index: str, value: str) -> str:
        """Return the statement that writes an element."""
        return f"table[{index}] = {value if table.bits == 64 else f'({_TYPES[table.bits]})({value})'};"

    def header(self, f: Function) -> str:
        """Return the head of a function."""
        parameters = [f"ulong {self.name(p)}" for p in f.parameters]
        if f.fills:
            return f"private static void {f.name}({', '.join([f'{self.element(f.fills)}[] table', *parameters])})"
        return f"private static ulong {self.name(f.name)}({', '.join(parameters)})"

    def element(self, table: str) -> str:
        """Return the type of a table's elements."""
        return _TYPES[self.table_of(table).bits]

    def table(self, table: Table) -> str:
        """Return the definition of a table, with the code that fills it."""
        element = _TYPES[table.bits]
        if not table.fillers:
            return f"private static readonly {element}[] {table.name} =\n{{\n{self.rows(table)}\n}};"
        fill = "\n".join(f"    {name}(table);" for name in table.fillers)
        return (
            f"private static readonly {element}[] {table.name} = Make{_pascal(table.name)}();\n\n"
            f"private static {element}[] Make{_pascal(table.name)}()\n{{\n"
            f"    {element}[] table = new {element}[{table.values.size}];\n{fill}\n    return table;\n}}"
        )

    def tables(self, program: Program) -> list[Table]:
        """Return the tables of a program. C# initialises fields in the order of the text, so filled ones come last."""
        return sorted(super().tables(program), key=lambda table: bool(table.fillers))

    @property
    def module_class(self) -> str:
        """Return the name of the class of the look-ups."""
        return _pascal(self.module_name)

    @property
    def check_class(self) -> str:
        """Return the name of the class of the self-check."""
        return f"{_pascal(self.export.prefix)}SelfCheck"

    def public_name(self, name: str) -> str:
        """Return the name of a function that users call."""
        return _pascal(name)

    def filled(self, text: str, **places: str) -> str:
        """Return a fixed text with its places filled."""
        return super().filled(text, **places, CLASS=self.module_class)

    def module(self) -> str:
        """Return the class of the look-ups."""
        squares = "\n".join(
            f"public const int {', '.join(f'{name} = {sq}' for name, sq in rank)};" for rank in self.export.squares()
        )
        public = [
            f"public static ulong {_pascal(name)}(int square, ulong occupied)\n{{\n"
            f"    return {name}((ulong)square, occupied);\n}}"
            for name in PUBLIC
        ]
        inside = paragraphs(
            f"// Squares are bits of a word, by the mapping {self.export.mapping}.\n{squares}",
            self.body(self.export.module),
            public,
            self.state_functions(),
        )
        return f"public static class {self.module_class}\n{{\n{indent(inside, self.indent)}}}"

    def check(self) -> list[str]:
        """Return the class of the self-check."""
        calls = [
            f"private static ulong {name}(ulong square, ulong occupied)\n{{\n"
            f"    return {self.module_class}.{_pascal(name)}((int)square, occupied);\n}}"
            for name in PUBLIC
        ]
        inside = paragraphs(calls, super().check())
        return [f"public static class {self.check_class}\n{{\n{indent(inside, self.indent)}}}"]

    def files(self) -> dict[str, str]:
        """Return the two classes and a project that runs the check."""
        build = f"dotnet run -c Release --project {self.check_name}.csproj"
        return {
            f"{self.module_class}.cs": paragraphs(self.commented("//"), self.module()),
            f"{self.check_class}.cs": paragraphs(
                f"// The self-check. To build and run it:\n//     {build}", self.check()
            ),
            f"{self.check_name}.csproj": _PROJECT.replace("@CLASS", self.check_class),
        }

    def single(self) -> str:
        """Return one file; the self-check is compiled where ROOKERY_SELFCHECK is defined."""
        heading = self.commented("//")
        # Users define the symbol, so nothing has to come before the heading.
        return paragraphs(heading, self.module(), "#if ROOKERY_SELFCHECK", self.check(), "#endif")
