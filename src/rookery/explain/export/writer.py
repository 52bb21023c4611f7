"""The code that the writers of all languages share, and the writer of languages with braces."""

import textwrap
from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from rookery.bitboards.mappings import Mapping
from rookery.bitboards.squares import RANK_NAMES, SQUARE_NAMES
from rookery.explain.export import ir
from rookery.explain.export.program import PUBLIC

LOOKUPS = 107_648  # relevant occupancies of both pieces on all squares: what every self-check counts
_ASSOCIATIVE = "+*&|^"


class Export:
    """The content of an export: a module of look-ups, its self-check, and the heading above it.

    `prefix` keeps the names of several exports apart; each language says by what. `header` asks for a C header.
    """

    def __init__(
        self,
        module: ir.Program,
        check: ir.Program,
        mapping: Mapping,
        heading: list[str],
        *,
        prefix: str = "",
        header: bool = False,
    ) -> None:
        self.module = module
        self.check = check
        self.mapping = mapping
        self.heading = heading
        self.prefix = prefix
        self.header = header

    def squares(self) -> Iterable[list[tuple[str, int]]]:
        """Return the names of the squares and their bits in the mapping, by rank."""
        named = [(name.upper(), int(self.mapping.index(sq))) for sq, name in enumerate(SQUARE_NAMES)]
        return (named[8 * rank : 8 * rank + 8] for rank in range(len(RANK_NAMES)))


class FixedTexts(NamedTuple):
    """The fixed texts of a language about states and the self-check, whose places begin with an at sign.

    All have LOOKUPS, the number of look-ups; where a technique keeps a state, WORDS are its words, PREPARE and TOGGLE
    the values of these words, and SAME compares two states. BEGINS and FOLLOWS are those texts in the self-check.
    """

    state: str
    attacks_in: str  # one for each piece: NAME of the function, PIECE, CALL
    check: str
    begins: str
    follows: str
    words: str = "{}"  # a word in the type of a state
    between_words: str = ", "
    made: str = "{1}"  # a word and its value
    same: str = "kept.{0} == made.{0}"


class LanguageWriter:
    """A writer of one language."""

    language: ClassVar[str]
    texts: ClassVar[FixedTexts]
    constant_text: ClassVar[str]  # a named constant: its name, and its value
    reserved: ClassVar[frozenset[str]] = frozenset()
    instructions: ClassVar[dict[str, str]] = {}  # each bit instruction, as the language has it
    indent: ClassVar[str] = "    "
    square: ClassVar[str] = "sq"  # the square that is passed to a state's functions, as a word
    on_device: ClassVar[bool] = False  # look-ups run on a device: a thread fills a square's slots, a host checks arrays
    header_only: ClassVar[bool] = False  # there is a second form, a header
    not_a_prefix: ClassVar[frozenset[str]] = frozenset()  # in most languages, more letters follow a prefix

    def __init__(self, export: Export) -> None:
        self.export = export

    @property
    def module_name(self) -> str:
        """Return the name of the module's file, without its ending."""
        return f"{self.export.prefix or 'rookery'}_attacks"

    @property
    def check_name(self) -> str:
        """Return the name of the self-check's file, without its ending."""
        return f"{self.export.prefix}_selfcheck" if self.export.prefix else "selfcheck"

    def files(self) -> dict[str, str]:
        """Return the files of an export: the module and its self-check."""
        raise NotImplementedError

    def single(self) -> str:
        """Return everything in one file, with the self-check where it does not disturb."""
        raise NotImplementedError

    # Expressions.

    def literal(self, value: int) -> str:
        """Return a number: small ones and shift counts in decimal, boards with all their digits."""
        return str(value) if value < 100 else f"0x{value:016x}" if value >= 1 << 32 else f"0x{value:x}"

    def name(self, name: str) -> str:
        """Return a name that is not reserved in the language."""
        return f"{name}_" if name in self.reserved else name

    def own(self, name: str) -> str:
        """Return the name of a function, a table or a constant of the program, as the language has it."""
        return self.name(name)

    def constant(self, constant: ir.Constant) -> str:
        """Return a named constant."""
        return self.own(constant.name)

    def operand(self, e: ir.Expression, outer: str = "") -> str:
        """Return an expression inside another, in parentheses where it needs them."""
        text = self.expression(e)
        if isinstance(e, ir.Binary) and e.operator == outer and outer in _ASSOCIATIVE:
            return text
        return f"({text})" if isinstance(e, ir.Binary | ir.Compare | ir.Select) else text

    def expression(self, e: ir.Expression) -> str:
        """Return an expression."""
        match e:
            case ir.Int(value):
                return self.literal(value)
            case ir.Name(name):
                return self.name(name)
            case ir.Constant():
                return self.constant(e)
            case ir.Load(table, index):
                return self.load(self.table_of(table), index)
            case ir.Invert(value):
                return f"~{self.operand(value)}"
            case ir.Binary(operator, left, right):
                return self.binary(operator, left, right)
            case ir.Compare(operator, left, right):
                return f"{self.operand(left)} {operator} {self.operand(right)}"
            case ir.ToWord(truth):
                return self.to_word(truth)
            case ir.Select(truth, yes, no):
                return f"{self.operand(truth)} ? {self.operand(yes)} : {self.operand(no)}"
            case ir.Call(function, arguments):
                return f"{self.own(function)}({', '.join(map(self.expression, arguments))})"

    def table_of(self, name: str) -> ir.Table:
        """Return a table of the module or the self-check by its name."""
        return self.export.module.tables.get(name) or self.export.check.tables[name]

    def load(self, table: ir.Table, index: ir.Expression) -> str:
        """Return an element as a word."""
        return f"{self.own(table.name)}[{self.expression(index)}]"

    def binary(self, operator: str, left: ir.Expression, right: ir.Expression) -> str:
        """Return two words and an operator, wrapping."""
        return f"{self.operand(left, operator)} {operator} {self.operand(right, operator if operator in '&|^' else '')}"

    def to_word(self, truth: ir.Expression) -> str:
        """Return a comparison as 0 or 1."""
        raise NotImplementedError

    def assignment(self, name: str, value: ir.Expression) -> str:
        """Return an assignment to an existing variable."""
        match value:
            case ir.Binary("&" | "|" | "^" as operator, ir.Name(left), right) if left == name:
                return f"{self.name(name)} {operator}= {self.expression(right)}"
        return f"{self.name(name)} = {self.expression(value)}"

    def watched(self, s: ir.Note | ir.Tally) -> str:
        """Return what records values or counts operations, which only code that is watched does."""
        raise AssertionError(f"{self.language}: {s} in an export, which nobody watches")

    # Tables.

    def rows(self, table: ir.Table) -> str:
        """Return the elements of a table, as many on a line as fit."""
        digits = table.bits // 4
        small = int(table.values.max(initial=0)) < 100
        elements = [str(v) if small or not v else f"0x{v:0{digits}x}" for v in table.values.tolist()]
        width = max(map(len, elements), default=1) + 2
        number = max(1, (120 - len(self.indent)) // width)
        number = 1 << (number.bit_length() - 1)
        lines = (elements[i : i + number] for i in range(0, len(elements), number))
        return "\n".join(f"{self.indent}{', '.join(line)}," for line in lines)

    def instruction_texts(self, program: ir.Program) -> list[str]:
        """Return the bit instructions that a program calls."""
        return [self.instructions[name].strip("\n") for name in sorted(program.instructions())]

    def table(self, table: ir.Table) -> str:
        """Return the definition of a table, filled or still empty."""
        raise NotImplementedError

    def tables(self, program: ir.Program) -> list[ir.Table]:
        """Return the tables of a program in the order of the text."""
        return [*program.tables.values()]

    def constants(self, program: ir.Program) -> str:
        """Return the named constants."""
        constants = program.constants.items()
        return "\n".join(self.constant_text.format(self.own(name), self.literal(value)) for name, value in constants)

    def body(self, program: ir.Program) -> list[str]:
        """Return constants, tables and functions."""
        tables = map(self.table, self.tables(program))
        return [self.constants(program), *tables, *self.instruction_texts(program), *self.functions(program)]

    # Functions.

    def function(self, f: ir.Function) -> str:
        """Return a function with its comment."""
        raise NotImplementedError

    def functions(self, program: ir.Program) -> list[str]:
        """Return all functions of a program."""
        return [self.function(f) for f in program.functions.values()]

    def by_words(self, function: str, word: str, square: str, occupied: str = "") -> str:
        """Return a call of a function that takes the words of a state.

        `word` is the text of a word, with a place for its name, and the other two are those of the other arguments.
        """
        state = self.export.module.state
        words = {name: word.format(name) for name in (state.words if state else ())}
        others = {"sq": square, "occupied": occupied}
        texts = (
            others.get(parameter) or words[parameter.partition("_")[2]]
            for parameter in self.export.module.functions[function].parameters
        )
        return f"{self.own(function)}({', '.join(texts)})"

    def by_state(self, function: str) -> str:
        """Return a call of a function that takes the words of a state, which is a parameter."""
        return self.by_words(function, "state.{}", self.square, "occupied")

    def made(self, functions: Iterable[str]) -> str:
        """Return the words of a state, each as one of these functions computes it."""
        state = self.export.module.state
        named = zip(state.words if state else (), functions, strict=True)
        return ", ".join(self.texts.made.format(word, self.by_state(function)) for word, function in named)

    def filled(self, text: str, **places: str) -> str:
        """Return a fixed text with its places filled."""
        state, texts = self.export.module.state, self.texts
        inner = {"BEGINS": texts.begins[1:] if state else "", "FOLLOWS": texts.follows[1:] if state else ""}
        if state:
            places |= {
                "WORDS": texts.between_words.join(map(texts.words.format, state.words)),
                "PREPARE": self.made(state.prepare),
                "TOGGLE": self.made(state.toggle),
                "SAME": " && ".join(map(texts.same.format, state.words)),
            }
        for name, value in {**inner, **places, "LOOKUPS": str(LOOKUPS)}.items():
            text = text.replace(f"@{name}", value)
        return text

    def public_name(self, name: str) -> str:
        """Return the name of a function that users call."""
        return name

    def state_functions(self) -> list[str]:
        """Return the type of a state and the functions that keep it, if the technique has one."""
        state = self.export.module.state
        if not state:
            return []
        attacks = (
            self.filled(
                self.texts.attacks_in,
                NAME=self.public_name(name),
                PIECE=name.removesuffix("_attacks"),
                CALL=self.by_state(function),
            )
            for name, function in zip(PUBLIC, state.attacks, strict=True)
        )
        return [self.filled(self.texts.state), *attacks]

    def check(self) -> list[str]:
        """Return the functions of the self-check."""
        return [*self.body(self.export.check), self.filled(self.texts.check)]

    def commented(self, prefix: str) -> str:
        """Return the heading as comments."""
        return "\n".join(f"{prefix} {line}".rstrip() for line in self.export.heading)


class BraceWriter(LanguageWriter):
    """A writer of a language whose blocks are in braces and whose variables are declared."""

    word: ClassVar[str]
    parentheses: ClassVar[bool] = True  # around the condition of an if

    def __init__(self, export: Export) -> None:
        super().__init__(export)
        self.changing: set[str] = set()  # the variables of the function being written that take a second value

    def declaration(self, name: str, value: ir.Expression) -> str:
        """Return the declaration of a variable."""
        return f"{self.word} {self.name(name)} = {self.expression(value)};"

    def for_header(self, name: str, count: int) -> str:
        """Return the head of a loop from 0."""
        return f"for ({self.word} {name} = 0; {name} < {count}; {name}++)"

    def store(self, table: ir.Table, index: str, value: str) -> str:
        """Return the statement that writes an element."""
        return f"{self.own(table.name)}[{index}] = {value};"

    def header(self, f: ir.Function) -> str:
        """Return the head of a function."""
        raise NotImplementedError

    def function(self, f: ir.Function) -> str:
        """Return a function with its comment."""
        assigned = [s.name for s in ir.statements(f.body) if isinstance(s, ir.Assign)]
        once = {name for name in assigned if assigned.count(name) == 1 and name not in f.parameters}
        self.changing = set(assigned) - once
        lines = [f"// {line}" for line in textwrap.wrap(f.text, 110)]
        lines.append(f"{self.header(f)} {{")
        lines += self.block(f.body, {*f.parameters})
        return "\n".join([*lines, "}"])

    def block(self, body: ir.Block, declared: set[str]) -> list[str]:
        """Return the lines of a block.

        A variable that is first assigned in an inner block but used elsewhere is declared before it.
        """
        lines: list[str] = []
        declared = set(declared)
        for i, s in enumerate(body):
            inner = [ir.names_in(block) for block in ir.blocks(s)]
            own = {e.name for x in ir.expressions(s) for e in ir.walk(x) if isinstance(e, ir.Name)}
            elsewhere = ir.names_in((*body[:i], *body[i + 1 :])) | own
            counters = {s.name} if isinstance(s, ir.For) else set()
            for names in inner:
                others = set().union(*(other for other in inner if other is not names))
                for name in sorted((names & (elsewhere | others)) - declared - counters):
                    self.changing.add(name)
                    lines.append(self.declaration(name, ir.Int(0)))
                    declared.add(name)
            lines += self.statement(s, declared)
            if isinstance(s, ir.Assign):
                declared.add(s.name)
        return [f"{self.indent}{line}" for line in lines]

    def condition(self, truth: ir.Expression) -> str:
        """Return the condition of an if or while."""
        return f"({self.expression(truth)})" if self.parentheses else self.expression(truth)

    def statement(self, s: ir.Statement, declared: set[str]) -> list[str]:
        """Return the lines of a statement."""
        match s:
            case ir.Assign(name, value):
                return [f"{self.assignment(name, value)};" if name in declared else self.declaration(name, value)]
            case ir.Store(table, index, value):
                return [self.store(self.table_of(table), self.expression(index), self.expression(value))]
            case ir.If(truth, yes, no):
                lines = [f"if {self.condition(truth)} {{", *self.block(yes, declared)]
                return [*lines, "} else {", *self.block(no, declared), "}"] if no else [*lines, "}"]
            case ir.While(truth, body):
                return [f"while {self.condition(truth)} {{", *self.block(body, declared), "}"]
            case ir.For(name, count, body):
                return [f"{self.for_header(name, count)} {{", *self.block(body, {*declared, name}), "}"]
            case ir.Return(value):
                return [f"return {self.expression(value)};"]
            case ir.Break():
                return ["break;"]
            case ir.Note() | ir.Tally():
                return [f"{self.watched(s)};"]


def is_public(f: ir.Function) -> bool:
    """Check whether a function is one of the three public look-ups."""
    return f.name in PUBLIC


def paragraphs(*parts: str | Iterable[str]) -> str:
    """Return the parts of a file, separated by blank lines."""
    texts = [text for part in parts for text in ([part] if isinstance(part, str) else part)]
    return "\n\n".join(text.strip("\n") for text in texts if text.strip("\n")) + "\n"
