"""Write a choice between two words as a choice between two statements, so that each side can be recorded apart."""

from dataclasses import replace

from rookery.explain.export import ir


def chosen_statements(s: ir.Statement) -> list[ir.Statement]:
    """Return a statement, with a choice between two words as a choice between two statements."""
    if isinstance(s, ir.Assign | ir.Return):
        choice = next((e for e in ir.walk(s.value) if isinstance(e, ir.Select)), None)
        if choice:
            yes, no = (replace(s, value=_without(s.value, choice, e)) for e in (choice.yes, choice.no))
            return [ir.If(choice.truth, tuple(chosen_statements(yes)), tuple(chosen_statements(no)), origin=s.origin)]
    return [s]


def _without(e: ir.Expression, choice: ir.Select, chosen: ir.Expression) -> ir.Expression:
    """Return an expression with one side of a choice in its place."""
    if e is choice:
        return chosen
    match e:
        case ir.Load(_, index):
            return replace(e, index=_without(index, choice, chosen))
        case ir.Invert(value):
            return replace(e, value=_without(value, choice, chosen))
        case ir.Binary(_, left, right) | ir.Compare(_, left, right):
            return replace(e, left=_without(left, choice, chosen), right=_without(right, choice, chosen))
        case ir.ToWord(truth):
            return replace(e, truth=_without(truth, choice, chosen))
        case ir.Select(truth, yes, no):
            return ir.Select(*(_without(inner, choice, chosen) for inner in (truth, yes, no)))
        case ir.Call(_, arguments):
            return replace(e, arguments=tuple(_without(a, choice, chosen) for a in arguments))
    return e
