"""Run a program of functions one assignment at a time.

A step is an assignment, a call with its arguments, or an answer. It holds its line, its value and the parts of the
value. Its sentence is the comment at that line, or the meaning that the module gives to the letter.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from rookery.explain.source import code_of, comment_at, definition, first_sentence, meaning_of
from rookery.explain.values import (
    FAR,
    NARROW,
    WIDE,
    WORD,
    Kind,
    Value,
    annotated_kind,
    computed,
    declared_kind,
    holds_boards,
    instruction,
)
from rookery.explain.wording import table_name, wording
from rookery.export.ir import (
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Compare,
    Constant,
    Expression,
    For,
    Function,
    If,
    Int,
    Invert,
    Load,
    Name,
    Origin,
    Program,
    Return,
    Select,
    Store,
    Table,
    ToWord,
    While,
)
from rookery.export.translate import PLUMBING

_STEPPED_INTO: Final = ("rookery.techniques", "rookery.export.program", PLUMBING)  # other functions are one operation


class Part(NamedTuple):
    """An expression that a value was made of, in words, and its result.

    `marked` holds the bits of it that become an index, `slot` where in which table it was read.
    """

    text: str
    value: int
    kind: Kind
    marked: int = 0
    table: str = ""
    slot: int = 0
    slots: int = 0


class Step(NamedTuple):
    """One step: `variable` took `value`, or was `called`, or `returned` it, in a line of the kernel's source.

    `previous` is the value it held before.
    """

    what: Literal["given", "called", "assigned", "returned"]
    variable: str
    value: int
    kind: Kind
    parts: tuple[Part, ...]
    sentence: str
    code: str
    function: str
    module: str
    line: int
    depth: int
    round: int  # how often this call has been here before: over 0 in the later rounds of a loop
    previous: int | None = None


def is_stepped_into(function: Function) -> bool:
    """Return whether the steps of a function are shown; of other functions only the answer is."""
    return function.python is not None and function.python.__module__.startswith(_STEPPED_INTO)


def read_as(part: Part, kind: Kind) -> Part:
    """Return a part as a number if it was read from a table for a variable not declared a board."""
    return part._replace(kind="number") if part.table and part.kind == "board" and kind != "board" else part


class _Left(Exception):
    """The signal that a loop is left."""


class _Answered(Exception):
    """The signal that a function has returned."""

    def __init__(self, value: Value) -> None:
        self.value = value


@dataclass
class _Frame:
    """A function that is running: its variables, and what the value being computed was made of."""

    function: Function
    quiet: bool
    indexing: int = 0
    been: dict[tuple[Origin, str], int] = field(default_factory=dict)
    variables: dict[str, Value] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)


class Run:
    """The run of one look-up."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.steps: list[Step] = []
        self.depth = -1

    # Functions.

    def call(
        self,
        function: Function,
        arguments: tuple[Value, ...],
        quiet: bool = False,
        made_of: tuple[Part, ...] = (),
        read: dict[int, Part] | None = None,
    ) -> Value:
        """Return a function's answer.

        `quiet` records no steps. `made_of` holds the parts of its arguments, and `read` those arguments that are
        elements of tables.
        """
        python = function.python
        quiet = quiet or not is_stepped_into(function)
        frame = _Frame(function, quiet)
        for i, (name, value) in enumerate(zip(function.parameters, arguments, strict=True)):
            kind = annotated_kind(python, name) or value.kind
            if kind == "number" and value.kind == "board" and not (read and i in read):
                kind = "board"  # a Word that was a board before is looked at as one
            frame.variables[name] = Value(value.word, kind)
        self.depth += 1
        if not quiet and python:
            self.handed_over(frame, python, made_of, read or {})
        try:
            self.block(function.body, frame)
        except _Answered as answered:
            return answered.value
        finally:
            self.depth -= 1
        raise AssertionError(f"{function.name} returned nothing")

    def handed_over(
        self, frame: _Frame, python: Callable[..., Any], made_of: tuple[Part, ...], read: dict[int, Part]
    ) -> None:
        """Record the step in which a function gets its arguments; the first step holds the question."""
        code, line = definition(python)
        parts = [
            read.get(i, Part("", 0, "number"))._replace(text=name, value=value.word, kind=value.kind)
            for i, (name, value) in enumerate(frame.variables.items())
        ]
        last = Value(parts[-1].value, parts[-1].kind) if parts else Value(0, "number")
        what = "given" if self.depth == 0 else "called"
        step = self.step(what, frame, frame.function.name, last, Origin(python, line, line))
        self.steps.append(
            step._replace(
                parts=(*made_of, *parts),
                sentence=first_sentence(python),
                code=code,
            )
        )

    def step(self, what: Any, frame: _Frame, variable: str, value: Value, origin: Origin) -> Step:
        """Return a step, with the sentence for its line."""
        python = origin.python
        here = (origin, variable)
        before = frame.been[here] = frame.been.get(here, -1) + 1
        sentence = comment_at(origin) or meaning_of(python, variable.rstrip("_"))
        if not sentence and what == "returned":
            sentence = first_sentence(python)
        return Step(
            what,
            variable,
            value.word,
            value.kind,
            tuple(frame.parts),
            sentence.replace("`", ""),
            code_of(origin),
            python.__name__,
            python.__module__,
            origin.first,
            self.depth,
            before,
        )

    # Statements.

    def block(self, body: Block, frame: _Frame) -> None:
        """Run a block; a return or a break raises an exception."""
        for s in body:
            frame.parts = []
            match s:
                case Assign(name, expression):
                    value = self.value(expression, frame, top=True)
                    kind = declared_kind(s.origin.python, name.rstrip("_")) if s.origin else None
                    if kind:
                        value = Value(value.word, kind)
                        frame.parts = [read_as(part, kind) for part in frame.parts]
                    before = frame.variables.get(name)
                    frame.variables[name] = value
                    if not frame.quiet and s.origin:
                        step = self.step("assigned", frame, name, value, s.origin)
                        self.steps.append(step._replace(previous=before.word) if before else step)
                case Return(expression):
                    value = self.value(expression, frame, top=True)
                    value = Value(value.word, annotated_kind(frame.function.python, "return") or value.kind)
                    if not frame.quiet and s.origin:
                        self.steps.append(self.step("returned", frame, frame.function.name, value, s.origin))
                    raise _Answered(value)
                case If(truth, yes, no):
                    self.block(yes if self.truth(truth, frame) else no, frame)
                case While(truth, inner):
                    try:
                        while self.truth(truth, frame):
                            self.block(inner, frame)
                    except _Left:
                        pass
                case For(name, count, inner):
                    try:
                        for i in range(count):
                            frame.variables[name] = Value(i, "number")
                            self.block(inner, frame)
                    except _Left:
                        pass
                case Break():
                    raise _Left
                case Store():
                    raise AssertionError("a look-up stores nothing")

    # Expressions.

    def truth(self, e: Expression, frame: _Frame) -> bool:
        """Return the truth of a comparison, or of joined comparisons."""
        if isinstance(e, Binary) and e.operator in "&|":
            left, right = self.truth(e.left, frame), self.truth(e.right, frame)
            return left and right if e.operator == "&" else left or right
        if isinstance(e, Compare):
            a, b = self.value(e.left, frame).word, self.value(e.right, frame).word
            return {
                "==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b,
            }[e.operator]  # fmt: skip
        return self.value(e, frame).word != 0

    def value(self, e: Expression, frame: _Frame, top: bool = False) -> Value:
        """Return the value of an expression.

        Its parts are recorded in the frame, except names, numbers and the whole (`top`).
        """
        match e:
            case Int(value) | Constant(_, value):
                # In a table's index also the length of a row is a number.
                return Value(value & WORD, "number" if value < (WIDE if frame.indexing else NARROW) else "board")
            case Name(name):
                return frame.variables[name]
            case ToWord(truth):
                return Value(int(self.truth(truth, frame)), "number")
            case Load(table, index):
                return self.loaded(self.program.tables[table], index, e, frame)
            case Select(truth, yes, no):
                return self.value(yes if self.truth(truth, frame) else no, frame)
            case Invert(inner):
                operand = self.value(inner, frame)
                return self.noted(e, Value(~operand.word & WORD, operand.kind), frame, top)
            case Binary(operator, left, right):
                a, b = self.value(left, frame), self.value(right, frame)
                self.mark_index(operator, left, a, b, frame)
                return self.noted(e, computed(operator, a, b, isinstance(left, Int)), frame, top)
            case Call(function, arguments):
                known = self.program.functions.get(function)
                if known:
                    answer = self.called(known, arguments, frame)
                else:
                    answer = instruction(function, tuple(self.value(a, frame) for a in arguments))
                if answer.kind != "board" and not (known and is_stepped_into(known)):
                    for argument in arguments:
                        self.note_name(argument, frame)
                return self.noted(e, answer, frame, top)
            case Compare():
                return Value(int(self.truth(e, frame)), "number")

    def called(self, function: Function, arguments: tuple[Expression, ...], frame: _Frame) -> Value:
        """Return the answer of a function of the program.

        The parts of its arguments are recorded where it is stepped into.
        """
        if frame.quiet or not is_stepped_into(function):
            return self.call(function, tuple(self.value(a, frame) for a in arguments), quiet=True)
        before, frame.parts = frame.parts, []
        values: list[Value] = []
        read: dict[int, Part] = {}
        for i, argument in enumerate(arguments):
            values.append(self.value(argument, frame, top=True))
            if isinstance(argument, Load):
                read[i] = frame.parts.pop()
        made_of, frame.parts = tuple(frame.parts), before
        return self.call(function, tuple(values), made_of=made_of, read=read)

    def noted(self, e: Expression, value: Value, frame: _Frame, top: bool) -> Value:
        """Record a value as a part of the one being computed, and return it."""
        # The arithmetic of a table's index is not shown.
        if not (top or frame.quiet or (frame.indexing and isinstance(e, Binary) and value.kind == "number")):
            frame.parts.append(Part(wording(e), value.word, value.kind))
        return value

    def note_name(self, e: Expression, frame: _Frame) -> None:
        """Record a variable as a part: a board that becomes a number is shown once more."""
        if isinstance(e, Name) and not frame.quiet and all(part.text != e.name for part in frame.parts):
            value = frame.variables[e.name]
            if value.kind == "board":
                frame.parts.append(Part(e.name, value.word, value.kind))

    def mark_index(self, operator: str, left: Expression, a: Value, b: Value, frame: _Frame) -> None:
        """Mark the bits that remain when a shift or a mask of low bits turns a word into an index."""
        if a.kind != "board":
            return
        if operator == ">>" and b.word >= FAR:
            bits = WORD & ~((1 << b.word) - 1)
        elif operator == "&" and 0 < b.word < NARROW and b.word & (b.word + 1) == 0:
            bits = b.word
        else:
            return
        self.note_name(left, frame)
        for i, part in enumerate(frame.parts):
            if part.text == wording(left):
                frame.parts[i] = part._replace(marked=bits)

    def loaded(self, table: Table, index: Expression, e: Load, frame: _Frame) -> Value:
        """Return an element of a table: a board, where its elements are wide."""
        frame.indexing += 1
        slot = self.value(index, frame).word
        frame.indexing -= 1
        word = int(table.values[slot])
        value = Value(word, "board" if table.bits == 64 and holds_boards(table, slot) else "number")
        if not frame.quiet:
            text = wording(e)
            part = Part(text, word, value.kind, table=table_name(table.name), slot=slot, slots=table.values.size)
            frame.parts.append(part)
        return value
