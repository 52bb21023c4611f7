"""Write expressions of exported code as in source: ``(o * magic) >> shift``."""

from rookery.explain.export import ir


def table_name(table: str) -> str:
    """Return the name that the kernels use for a table."""
    return table.lower().removesuffix("_table")


def wording(e: ir.Expression) -> str:
    """Return the text of an expression.

    >>> wording(ir.Binary(">>", ir.Binary("*", ir.Name("o"), ir.Name("magic")), ir.Int(52)))
    '(o * magic) >> 52'
    """
    match e:
        case ir.Int(value):
            return str(value) if value < 1 << 16 else f"0x{value:x}"
        case ir.Name(name):
            return name
        case ir.Constant(name, _):
            return name
        case ir.Load(table, index):
            return f"{table_name(table)}[{wording(index)}]"
        case ir.Invert(value):
            return f"~{_inner(value)}"
        case ir.Binary(operator, left, right) | ir.Compare(operator, left, right):
            return f"{_inner(left)} {operator} {_inner(right)}"
        case ir.ToWord(truth):
            return wording(truth)
        case ir.Select(truth, yes, no):
            return f"{_inner(yes)} if {wording(truth)} else {_inner(no)}"
        case ir.Call(function, arguments):
            return f"{function}({', '.join(map(wording, arguments))})"


def _inner(e: ir.Expression) -> str:
    text = wording(e)
    return f"({text})" if isinstance(e, ir.Binary | ir.Compare | ir.Select | ir.ToWord) else text
