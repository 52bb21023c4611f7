"""Write expressions of exported code as in source: ``(o * magic) >> shift``."""

from rookery.explain.export.ir import (
    Binary,
    Call,
    Compare,
    Constant,
    Expression,
    Int,
    Invert,
    Load,
    Name,
    Select,
    ToWord,
)


def table_name(table: str) -> str:
    """Return the name that the kernels use for a table."""
    return table.lower().removesuffix("_table")


def wording(e: Expression) -> str:
    """Return the text of an expression.

    >>> wording(Binary(">>", Binary("*", Name("o"), Name("magic")), Int(52)))
    '(o * magic) >> 52'
    """
    match e:
        case Int(value):
            return str(value) if value < 1 << 16 else f"0x{value:x}"
        case Name(name):
            return name
        case Constant(name, _):
            return name
        case Load(table, index):
            return f"{table_name(table)}[{wording(index)}]"
        case Invert(value):
            return f"~{_inner(value)}"
        case Binary(operator, left, right) | Compare(operator, left, right):
            return f"{_inner(left)} {operator} {_inner(right)}"
        case ToWord(truth):
            return wording(truth)
        case Select(truth, yes, no):
            return f"{_inner(yes)} if {wording(truth)} else {_inner(no)}"
        case Call(function, arguments):
            return f"{function}({', '.join(map(wording, arguments))})"


def _inner(e: Expression) -> str:
    text = wording(e)
    return f"({text})" if isinstance(e, Binary | Compare | Select | ToWord) else text
