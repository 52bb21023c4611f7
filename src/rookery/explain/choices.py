"""Write a choice between two words as a choice between two statements, so that each side can be recorded apart."""

from dataclasses import replace

from rookery.explain.export.ir import (
    Assign,
    Binary,
    Call,
    Compare,
    Expression,
    If,
    Invert,
    Load,
    Return,
    Select,
    Statement,
    ToWord,
    walk,
)


def chosen_statements(s: Statement) -> list[Statement]:
    """Return a statement, with a choice between two words as a choice between two statements."""
    if isinstance(s, Assign | Return):
        choice = next((e for e in walk(s.value) if isinstance(e, Select)), None)
        if choice:
            yes, no = (replace(s, value=_without(s.value, choice, e)) for e in (choice.yes, choice.no))
            return [If(choice.truth, tuple(chosen_statements(yes)), tuple(chosen_statements(no)), origin=s.origin)]
    return [s]


def _without(e: Expression, choice: Select, chosen: Expression) -> Expression:
    """Return an expression with one side of a choice in its place."""
    if e is choice:
        return chosen
    match e:
        case Load(_, index):
            return replace(e, index=_without(index, choice, chosen))
        case Invert(value):
            return replace(e, value=_without(value, choice, chosen))
        case Binary(_, left, right) | Compare(_, left, right):
            return replace(e, left=_without(left, choice, chosen), right=_without(right, choice, chosen))
        case ToWord(truth):
            return replace(e, truth=_without(truth, choice, chosen))
        case Select(truth, yes, no):
            return Select(*(_without(inner, choice, chosen) for inner in (truth, yes, no)))
        case Call(_, arguments):
            return replace(e, arguments=tuple(_without(a, choice, chosen) for a in arguments))
    return e
