"""Exports for Python: ints that are kept to 64 bits."""

from rookery.explain.export import ir
from rookery.explain.export.program import PUBLIC
from rookery.explain.export.writer import FixedTexts, LanguageWriter, paragraphs

_WRAPS = ("+", "-", "*", "<<")


_STATE = '''
from collections import namedtuple

# What the technique keeps of an occupancy, from move to move. Make one with prepare, change it with toggle.
State = namedtuple("State", "@WORDS")


def prepare(occupied):
    """Return the state of an occupancy."""
    return State(@PREPARE)


def toggle(state, sq):
    """Return the state after a piece is put on a square or taken from it."""
    return State(@TOGGLE)
'''
_ATTACKS_IN = '''
def @NAME_in(sq, state):
    """Return the attacks of a @PIECE in a state."""
    return @CALL
'''
_BEGINS = """
    before, kept = 0, prepare(0)
"""
# A state is kept through all cases, and compared with one that is made anew.
_FOLLOWS = """
                    for other in (occupied, occupied if occupied else blockers ^ WORD):
                        changed, before = before ^ other, other
                        while changed:
                            kept = toggle(kept, changed.bit_length() - 1)
                            changed ^= 1 << changed.bit_length() - 1
                        at = square_index(rank, file)
                        if (
                            kept != prepare(other)
                            or rook_attacks_in(at, kept) != rook_attacks(at, other)
                            or bishop_attacks_in(at, kept) != bishop_attacks(at, other)
                            or queen_attacks_in(at, kept) != queen_attacks(at, other)
                        ):
                            wrong = f"{'abcdefgh'[file]}{rank + 1}, occupied {other:#018x}"
                            print(f"the state that toggle keeps is wrong: {wrong}")
                            return 1
"""
_CHECK = '''
def main():
    """Check every look-up and print the first wrong one."""
    lookups = 0
@BEGINS    for bishop in range(2):
        for rank in range(8):
            for file in range(8):
                blockers = blocker_squares(bishop, rank, file)
                occupied = 0
                while True:
                    if not is_right(bishop, rank, file, blockers, occupied):
                        square = square_index(rank, file)
                        print(
                            f"{('rook', 'bishop')[bishop]} on {'abcdefgh'[file]}{rank + 1}, occupied {occupied:#018x}: "
                            f"expected {expected_attacks(bishop, rank, file, occupied):#018x}, "
                            f"got {answered_attacks(bishop, square, occupied):#018x}, "
                            f"{answered_attacks(bishop, square, occupied | blockers ^ WORD):#018x} with all other "
                            f"squares occupied, {queen_attacks(square, occupied):#018x} for the queen"
                        )
                        return 1
@FOLLOWS                    lookups += 1
                    occupied = next_case(blockers, occupied)
                    if not occupied:
                        break
    print(f"{lookups} look-ups agree with ray walking")
    return 0 if lookups == @LOOKUPS else 1
'''


class Python(LanguageWriter):
    """The writer of Python 3.8 or newer, without any library. A prefix names the module, which keeps names apart."""

    language = "python"
    texts = FixedTexts(_STATE, _ATTACKS_IN, _CHECK, _BEGINS, _FOLLOWS, between_words=" ")
    constant_text = "{} = {}"
    reserved = frozenset("and as def del from global in is lambda not or pass with yield".split())
    instructions = {  # noqa: RUF012  # as the class above declares it
        "byteswap": 'def byteswap(x):\n    return int.from_bytes(x.to_bytes(8, "little"), "big")',
        "popcount": 'def popcount(x):\n    return bin(x).count("1")',
        "trailing_zeros": "def trailing_zeros(x):\n    return (x & -x).bit_length() - 1 if x else 64",
        "leading_zeros": "def leading_zeros(x):\n    return 64 - x.bit_length()",
        "pext": """
def pext(x, mask):
    result, one = 0, 1
    while mask:
        if x & mask & -mask:
            result |= one
        one <<= 1
        mask &= mask - 1
    return result
""",
        "pdep": """
def pdep(x, mask):
    result, one = 0, 1
    while mask:
        if x & one:
            result |= mask & -mask
        one <<= 1
        mask &= mask - 1
    return result
""",
    }

    def binary(self, operator: str, left: ir.Expression, right: ir.Expression) -> str:
        """Return two words and an operator; results that may exceed 64 bits are cut."""
        text = super().binary(operator, left, right)
        return f"({text}) & WORD" if operator in _WRAPS else text

    def operand(self, e: ir.Expression, outer: str = "") -> str:
        """Return an expression inside another; inversions and sums need parentheses here."""
        if isinstance(e, ir.Invert) or (isinstance(e, ir.Binary) and e.operator in _WRAPS):
            return f"({self.expression(e)})"
        return super().operand(e, outer)

    def expression(self, e: ir.Expression) -> str:
        """Return an expression; choices and inversions differ from other languages."""
        if isinstance(e, ir.Invert):
            return f"{self.operand(e.value)} ^ WORD"
        if isinstance(e, ir.Select):
            return f"{self.expression(e.yes)} if {self.expression(e.truth)} else {self.expression(e.no)}"
        return super().expression(e)

    def to_word(self, truth: ir.Expression) -> str:
        """Return a comparison as 0 or 1."""
        return f"int({self.expression(truth)})"

    def table(self, table: ir.Table) -> str:
        """Return the definition of a table, filled or still empty."""
        if table.fillers:
            return f"{table.name} = [0] * {table.values.size}  # filled below"
        return f"{table.name} = (\n{self.rows(table)}\n)"

    def function(self, f: ir.Function) -> str:
        """Return a function with its docstring."""
        parameters = ", ".join([*(["table"] if f.fills else []), *map(self.name, f.parameters)])
        lines = [f"def {self.name(f.name)}({parameters}):"]
        lines += [f'    """{f.text}"""'] if f.text else []
        return "\n".join([*lines, *self.block(f.body)])

    def block(self, body: ir.Block) -> list[str]:
        """Return the lines of a block."""
        return [f"    {line}" for s in body for line in self.statement(s)]

    def statement(self, s: ir.Statement) -> list[str]:
        """Return the lines of a statement."""
        match s:
            case ir.Assign(name, value):
                return [self.assignment(name, value)]
            case ir.Store(_, index, value):
                return [f"table[{self.expression(index)}] = {self.expression(value)}"]
            case ir.If(truth, yes, no):
                lines = [f"if {self.expression(truth)}:", *self.block(yes)]
                return [*lines, "else:", *self.block(no)] if no else lines
            case ir.While(truth, body):
                return [f"while {self.expression(truth)}:", *self.block(body)]
            case ir.For(name, count, body):
                return [f"for {name} in range({count}):", *self.block(body)]
            case ir.Return(value):
                return [f"return {self.expression(value)}"]
            case ir.Break():
                return ["break"]
            case ir.Note() | ir.Tally():
                return [self.watched(s)]

    def module(self) -> list[str]:
        """Return the look-ups."""
        squares = "\n".join(
            f"{', '.join(name for name, _ in rank)} = {', '.join(str(sq) for _, sq in rank)}"
            for rank in self.export.squares()
        )
        named = f"# Squares are bits of a word, by the mapping {self.export.mapping}.\n{squares}"
        fillers = "\n".join(
            f"{name}({table.name})" for table in self.export.module.tables.values() for name in table.fillers
        )
        return [f"WORD = 2**64 - 1\n\n{named}", *self.body(self.export.module), fillers, *self.state_functions()]

    def files(self) -> dict[str, str]:
        """Return the module and a script that checks it."""
        names = ["WORD", *sorted(PUBLIC)]
        if self.export.module.state:
            names = sorted([*names, "prepare", "toggle", *(f"{name}_in" for name in PUBLIC)])
        check = paragraphs(
            f'"""The self-check of {self.module_name}: python {self.check_name}.py"""',
            "import sys",
            f"from {self.module_name} import {', '.join(names)}",
            self.check(),
            'if __name__ == "__main__":\n    sys.exit(main())',
        )
        module = paragraphs(self.commented("#"), self.module())
        return {f"{self.module_name}.py": module, f"{self.check_name}.py": check}

    def single(self) -> str:
        """Return one module, which checks itself when it is run."""
        return paragraphs(
            self.commented("#"),
            self.module(),
            f"# The self-check: python {self.module_name}.py",
            self.check(),
            'if __name__ == "__main__":\n    raise SystemExit(main())',
        )
