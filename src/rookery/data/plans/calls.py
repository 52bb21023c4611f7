"""Plans as text: calls of Python that make an equal plan."""

import keyword
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def call_of(name: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> str:
    """Return a call of a function, with names that are no names of Python in a dictionary.

    >>> call_of("agg", ["count"], {"spent": "mean(clock)", "mean(eval)": "mean(eval)"})
    "agg('count', spent='mean(clock)', **{'mean(eval)': 'mean(eval)'})"
    """
    others = {key: value for key, value in named.items() if not key.isidentifier() or keyword.iskeyword(key)}
    texts = [repr(one) for one in arguments]
    texts += [f"{key}={value!r}" for key, value in named.items() if key not in others]
    return f"{name}({', '.join([*texts, *([f'**{others!r}'] if others else [])])})"


def columns_of(pairs: Iterable[tuple[str, str]]) -> tuple[list[str], dict[str, str]]:
    """Return names and expressions of columns as arguments, in order: those whose name is the expression, and others.

    >>> columns_of([("n", "legal_moves"), ("fen", "fen"), ("elo", "elo(us)")])
    (['n=legal_moves', 'fen'], {'elo': 'elo(us)'})
    """
    pairs = list(pairs)
    last = max((i for i, (name, asked) in enumerate(pairs, 1) if name == asked), default=0)
    first = [name if name == asked else f"{name}={asked}" for name, asked in pairs[:last]]
    return first, dict(pairs[last:])
