"""Put notes into translated kernels, which record the values of steps while the code runs.

`rookery.explain.export.watched` writes such code in Python and JavaScript.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from rookery.explain.export import ir
from rookery.explain.formulas import OWN, Equation, shown, table_name, wording
from rookery.explain.kinds import Kind, Kinds, annotated_kind, inner_kind, parameter_kinds
from rookery.explain.sites import Site, Term, What, is_stepped_into, reached
from rookery.explain.source import code_of, comment_at, definition, first_sentence, meaning_of

ENTRY: Final = "explain_"  # before the names of the functions that begin a run
_ARGUMENTS: Final = 1000  # a formula whose result is argument i has i - 1000 there until the arguments have places
_TURNS: Final = {"byteswap": 56, "flip_vertical": 56, "bitreverse": 63, "rotate_180": 63, "mirror_horizontal": 7}
_FLAT: Final = "&|^+"  # operators whose formulas take any number of operands


def with_notes(program: ir.Program, entries: tuple[str, ...]) -> tuple[ir.Program, list[Site]]:
    """Return the functions that some functions run, with notes and tallies, and the sites of the notes.

    For each entry there is one function more, which records the question first. Its name begins with `ENTRY`.
    """
    needed = reached(program, entries)
    functions = {name: f for name, f in program.functions.items() if name in needed}
    sites: list[Site] = []
    kinds = parameter_kinds(program, functions, entries)
    watched = ir.Program(dict(program.constants), program.tables)
    for name, f in functions.items():
        watched.functions[name] = replace(f, body=_Notes(program, kinds, sites, f).block(f.body), text="")
    for name in entries:
        f = functions[name]
        notes = _Notes(program, kinds, sites, f)
        opened = notes.handed_over("given", f, _Values(), tuple(map(ir.Name, f.parameters)), {})
        body = (opened, ir.Return(ir.Call(name, tuple(map(ir.Name, f.parameters)))))
        watched.functions[f"{ENTRY}{name}"] = replace(f, name=f"{ENTRY}{name}", body=body, text="")
    return watched, sites


@dataclass
class _Values:
    """The values that a step records."""

    recorded: list[ir.Expression] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)

    def record(self, e: ir.Expression) -> int:
        """Return the place of a recorded value."""
        self.recorded.append(e)
        return len(self.recorded) - 1

    def term(self, node: "_Node") -> int:
        """Return the place of a term, added when it is first needed."""
        for i, term in enumerate(self.terms):
            if term.text == node.text:
                return i
        slot_at = -1 if node.slot is None else self.record(node.slot)
        self.terms.append(
            Term(node.text, node.kind, self.record(node.e), node.table, node.slots, slot_at, turn=node.turn)
        )
        return len(self.terms) - 1


@dataclass
class _Node:
    """An expression that is computed: what holds its value, and what it is."""

    e: ir.Expression
    kind: Kind
    text: str
    table: str = ""
    slots: int = 0
    slot: ir.Expression | None = None
    turn: int = 0


def _operations(e: ir.Expression) -> int:
    """Return the operations of an expression, without those of the functions of the program that it calls."""
    own = isinstance(e, ir.Compare | ir.Invert | ir.Load) or (isinstance(e, ir.Binary) and not ir.is_truth(e))
    if isinstance(e, ir.Call):
        own = e.function in ir.INSTRUCTIONS
    return own + sum(map(_operations, ir.children(e)))


def _is_instruction(python: Callable[..., Any] | None) -> bool:
    return python is not None and python.__module__.startswith("rookery.kernel")


class _Notes:
    """The notes of one function."""

    def __init__(
        self, program: ir.Program, kinds: dict[str, dict[str, Kind]], sites: list[Site], f: ir.Function
    ) -> None:
        self.program = program
        self.parameters = kinds
        self.kinds = Kinds(program, kinds[f.name], f)
        self.sites = sites
        self.function = f
        self.is_stepped = is_stepped_into(f)
        self.before: list[ir.Statement] = []  # what has to run before the statement being written
        self.held = 0  # so many values are held in variables
        self.set = set(f.parameters)  # variables that have a value wherever the statement being written runs

    # Statements.

    def block(self, body: ir.Block) -> ir.Block:
        """Return a block with its notes and tallies."""
        return tuple(made for s in body for chosen in _chosen_statements(s) for made in self.statement(chosen))

    def statement(self, s: ir.Statement) -> list[ir.Statement]:
        """Return a statement with its note and its tally."""
        self.before = []
        count = sum(map(_operations, ir.expressions(s)))
        if not _is_instruction(self.function.python):  # an instruction of the kernel package counts as one
            count += sum(self.one_instruction(e) for own in ir.expressions(s) for e in ir.walk(own))
        else:
            count = 0
        tally: list[ir.Statement] = [ir.Tally(count)] if count else []
        made: list[ir.Statement]
        match s:
            case ir.Assign() | ir.Return():
                made = self.noted(s) if self.is_stepped and s.origin else [s]
                if isinstance(s, ir.Assign):
                    self.kinds.assign(s)
                    self.set.add(s.name)
            case ir.If(truth, yes, no):
                head, before = self.truth(truth), self.before
                first, second = self.branches(yes, no)
                made = [*before, replace(s, truth=head, yes=first, no=second)]
            case ir.While(truth, body):
                if self.calls(truth):
                    raise AssertionError("a loop's condition calls a function that is stepped into")
                return [replace(s, body=(*tally, *self.branches(body, ())[0])), *tally]
            case ir.For(_, _, body):
                made = [replace(s, body=self.branches(body, ())[0])]
            case ir.Store():
                raise AssertionError("a look-up stores nothing")
            case _:
                made = [s]
        return [*tally, *made]

    def branches(self, *blocks: ir.Block) -> list[ir.Block]:
        """Return blocks of which one runs, or none."""
        before = self.set
        made, sets = [], []
        for block in blocks:
            self.set = set(before)
            made.append(self.block(block))
            sets.append(self.set)
        self.set = set.intersection(*sets)
        return made

    def one_instruction(self, e: ir.Expression) -> bool:
        """Check whether an expression calls a function that is one instruction."""
        f = self.program.functions.get(e.function) if isinstance(e, ir.Call) else None
        return f is not None and _is_instruction(f.python)

    def calls(self, e: ir.Expression) -> bool:
        """Check whether an expression calls a function that is stepped into."""
        called = (self.program.functions.get(c.function) for c in ir.walk(e) if isinstance(c, ir.Call))
        return any(f is not None and is_stepped_into(f) for f in called)

    def noted(self, s: ir.Assign | ir.Return) -> list[ir.Statement]:
        """Return an assignment or a return with its note."""
        assert s.origin
        values = _Values()
        node = self.value(s.value, values, self.kinds.declared(s), top=True)
        kind = self.kinds.declared(s) or node.kind
        what: What = "returned" if isinstance(s, ir.Return) else "assigned"
        variable = self.function.name if isinstance(s, ir.Return) else s.name
        whole = [term.at for term in values.terms if term.table and term.text == wording(s.value)]
        own = whole[0] if whole else values.record(self.hold(node.e))
        previous = -1
        if isinstance(s, ir.Assign) and s.name in self.set:
            previous = values.record(ir.Name(s.name))
        note = self.note(what, variable, kind, values, s.origin, own, previous, self.turn(s.value))
        return [*self.before, note, replace(s, value=values.recorded[own])]

    def note(
        self,
        what: What,
        variable: str,
        kind: Kind,
        values: _Values,
        origin: ir.Origin,
        own: int,
        previous: int = -1,
        turn: int = 0,
    ) -> ir.Note:
        """Add a site, and return the note that records its values."""
        python = origin.python
        sentence = comment_at(origin) or meaning_of(python, variable.rstrip("_"))
        if not sentence and what == "returned":
            sentence = first_sentence(python)
        code = code_of(origin)
        if what in ("given", "called"):
            sentence, code = first_sentence(python), definition(python)[0]
        whole = next((i for i, term in enumerate(values.terms) if term.table and term.at == own), OWN)
        own_kind = None if what in ("given", "called") else kind
        rows, numbers = shown([term.kind for term in values.terms], own_kind, whole, values.equations)
        self.sites.append(
            Site(
                what, variable, kind, sentence.replace("`", ""), code, python.__name__, python.__module__, origin.first,
                tuple(values.terms), rows, numbers, own, previous, turn,
            )
        )  # fmt: skip
        return ir.Note(len(self.sites) - 1, tuple(values.recorded))

    def handed_over(
        self, what: What, f: ir.Function, values: _Values, arguments: tuple[ir.Expression, ...], read: dict[int, _Node]
    ) -> ir.Note:
        """Return the note in which a function gets its arguments; the first holds the question."""
        assert f.python
        kinds, first = self.parameters[f.name], len(values.terms)
        for i, (name, argument) in enumerate(zip(f.parameters, arguments, strict=True)):
            entry = read.get(i)
            slot_at = values.record(entry.slot) if entry and entry.slot is not None else -1
            table, slots = (entry.table, entry.slots) if entry else ("", 0)
            values.terms.append(Term(name, kinds[name], values.record(argument), table, slots, slot_at))
        values.equations = [
            eq._replace(result=first + eq.result + _ARGUMENTS) if eq.result < -1 else eq for eq in values.equations
        ]
        own = values.record(arguments[-1] if arguments else ir.Int(0))
        line = definition(f.python)[1]
        kind = kinds[f.parameters[-1]] if f.parameters else "number"
        return self.note(what, f.name, kind, values, ir.Origin(f.python, line, line), own)

    # Expressions: each returns a node whose expression is cheap to repeat.

    def turn(self, e: ir.Expression) -> int:
        """Return what bit numbers are XORed with where an expression turns the board over, -1 for a product."""
        match e:
            case ir.Binary("*", _, _):
                return -1
            case ir.Binary(_, left, _) | ir.Invert(left):
                return self.turn(left)
            case ir.Call(name, (board, *_)):
                f = self.program.functions.get(name)
                over = _TURNS.get(f.python.__name__ if f and f.python else name, 0)
                inner = self.turn(board) if over else 0
                return inner if inner < 0 else over ^ inner
        return 0

    def hold(self, e: ir.Expression) -> ir.Expression:
        """Return a variable that holds a value, or the value itself if it is a name or a number."""
        if isinstance(e, ir.Int | ir.Name | ir.Constant):
            return e
        self.held += 1
        name = f"value_{self.held}"
        self.before.append(ir.Assign(name, e))
        return ir.Name(name)

    def truth(self, e: ir.Expression) -> ir.Expression:
        """Return a condition, with the functions that it steps into called before."""
        if self.is_stepped and self.calls(e):
            return self.replaced(e)
        return e

    def replaced(self, e: ir.Expression) -> ir.Expression:
        """Return an expression in which calls that are stepped into are replaced by their answers."""
        match e:
            case ir.Call(name, _) if self.calls(ir.Call(name, ())):
                return self.value(e, _Values()).e
            case ir.Compare(_, left, right) | ir.Binary(_, left, right):
                return replace(e, left=self.replaced(left), right=self.replaced(right))
            case ir.ToWord(truth):
                return replace(e, truth=self.replaced(truth))
        return e

    def value(
        self, e: ir.Expression, values: _Values, declared: Kind | None = None, top: bool = False, index: bool = False
    ) -> _Node:
        """Write the computation of an expression, and return its node.

        Its parts become terms, except names and numbers that no formula needs and the whole (`top`). `index` is set in
        the index of a table, whose arithmetic is not shown.
        """
        kind = self.kinds.kind(e, declared)
        match e:
            case ir.Int() | ir.Constant() | ir.Name():
                return _Node(e, kind, wording(e))
            case ir.Load():
                node = self.loaded(e, kind, values)
                values.term(node)
                return node
            case ir.Invert(inner):
                operand = self.value(inner, values, index=index)
                return self.joined(e, kind, "~", [operand], replace(e, value=operand.e), values, top, index)
            case ir.Binary(operator, left, right) if not ir.is_truth(e):
                return self.operated(e, operator, left, right, kind, declared, values, top, index)
            case ir.Call(name, arguments):
                f = self.program.functions.get(name)
                if f and is_stepped_into(f):
                    node = _Node(self.called(f, arguments), kind, wording(e))
                    if not top:
                        values.term(node)
                    return node
                wanted = [annotated_kind(f.python, p) for p in f.parameters] if f else [None] * len(arguments)
                operands = [self.value(a, values, w, index=index) for a, w in zip(arguments, wanted, strict=True)]
                made = ir.Call(name, tuple(o.e for o in operands))
                return self.joined(e, kind, name, operands, made, values, top, index)
        return _Node(self.hold(self.replaced(e)), kind, wording(e))

    def operated(
        self, e: ir.Binary, operator: str, left: ir.Expression, right: ir.Expression, kind: Kind, declared: Kind | None,
        values: _Values, top: bool, index: bool,
    ) -> _Node:  # fmt: skip
        """Write an operator with its operands, of which an associative one may have more than two."""
        operands = [left, right]
        while operator in _FLAT and isinstance(operands[0], ir.Binary) and operands[0].operator == operator:
            operands[:1] = [operands[0].left, operands[0].right]
        inner = [inner_kind(operator, o, declared) for o in operands]
        if operator in ("<<", ">>"):
            inner[-1] = "number"  # of places
        if index:
            inner = [
                "number" if isinstance(o, ir.Int | ir.Constant) else k for o, k in zip(operands, inner, strict=True)
            ]
        nodes = [self.value(o, values, kind_, index=index) for o, kind_ in zip(operands, inner, strict=True)]
        made: ir.Expression = nodes[0].e
        for node in nodes[1:]:
            made = ir.Binary(operator, made, node.e)
        return self.joined(e, kind, operator, nodes, made, values, top, index)

    def joined(
        self, e: ir.Expression, kind: Kind, operator: str, operands: list[_Node], made: ir.Expression, values: _Values,
        top: bool, index: bool,
    ) -> _Node:  # fmt: skip
        """Return the node of a result, with its formula if a board is among the operands."""
        shows = any(o.kind == "board" for o in operands)
        at = tuple(values.term(o) for o in operands) if shows else ()
        node = _Node(made if top else self.hold(made), kind, wording(e), turn=self.turn(e))
        hidden = index and kind == "number" and not shows and isinstance(e, ir.Binary)
        result = -1 if top or hidden else values.term(node)
        if shows:
            values.equations.append(Equation(operator, at, result))
            if kind == "number" and operator in (">>", "&") and operands[0].kind == "board":
                term = values.terms[at[0]]
                values.terms[at[0]] = term._replace(mark=operator, mark_at=values.terms[at[1]].at)
        return node

    def loaded(self, e: ir.Load, kind: Kind, values: _Values) -> _Node:
        """Write the reading of a table."""
        table = self.program.tables[e.table]
        slot = self.hold(self.value(e.index, values, "number", index=True).e)
        held = self.hold(ir.Load(e.table, slot))
        return _Node(held, kind, wording(e), table_name(table.name), table.values.size, slot)

    def called(self, f: ir.Function, arguments: tuple[ir.Expression, ...]) -> ir.Expression:
        """Write a call that is stepped into, with its note, and return the variable that holds the answer."""
        values = _Values()
        read: dict[int, _Node] = {}
        held: list[ir.Expression] = []
        for i, (parameter, argument) in enumerate(zip(f.parameters, arguments, strict=True)):
            declared = annotated_kind(f.python, parameter)
            if isinstance(argument, ir.Load):
                read[i] = self.loaded(argument, self.kinds.kind(argument, declared), values)
                held.append(read[i].e)
            else:
                kind = self.parameters[f.name][parameter]
                node = self.value(argument, values, declared if kind != "board" else None, top=True)
                held.append(self.hold(node.e))
                values.equations = [
                    eq._replace(result=i - _ARGUMENTS) if eq.result == -1 else eq for eq in values.equations
                ]
        self.before.append(self.handed_over("called", f, values, tuple(held), read))
        return self.hold(ir.Call(f.name, tuple(held)))


def _chosen_statements(s: ir.Statement) -> list[ir.Statement]:
    """Return a statement, with a choice between two words as a choice between two statements to record apart."""
    if isinstance(s, ir.Assign | ir.Return):
        choice = next((e for e in ir.walk(s.value) if isinstance(e, ir.Select)), None)
        if choice:
            yes, no = (replace(s, value=_without(s.value, choice, e)) for e in (choice.yes, choice.no))
            return [ir.If(choice.truth, tuple(_chosen_statements(yes)), tuple(_chosen_statements(no)), origin=s.origin)]
    return [s]


def _without(e: Any, choice: ir.Select, chosen: ir.Expression) -> Any:
    """Return an expression, or what is inside one, with one side of a choice in its place."""
    if e is choice:
        return chosen
    if isinstance(e, tuple):
        return tuple(_without(one, choice, chosen) for one in e)
    if not isinstance(e, ir.Expression):
        return e
    return replace(e, **{f.name: _without(getattr(e, f.name), choice, chosen) for f in fields(e)})
