"""Remarks on a move: its glyphs, comments and variations, in the order of the text.

Most texts have the glyphs first, then one comment, then variations. Only another order is kept: a list of numbers of
glyphs, texts of comments, and a `Bracketed` for each variation. It may be older than what it orders, since nodes can be
changed: `arranged` adapts it.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TypeAlias


class Bracketed(Enum):
    """A variation among remarks: moves, or text that is not read as moves."""

    MOVES = "moves"
    TEXT = "text"


Remark: TypeAlias = int | str | Bracketed


def usual(nags: Iterable[int], comment: str, variations: int, texts: int = 0) -> list[Remark]:
    """Return remarks in the usual order."""
    comments = [comment] if comment else []
    return [*nags, *comments, *[Bracketed.MOVES] * variations, *[Bracketed.TEXT] * texts]


def unusual(order: list[Remark]) -> list[Remark] | None:
    """Return an order, or None if it is the usual one.

    >>> unusual([2, "why"]) is None
    True
    >>> unusual(["why", 2])
    ['why', 2]
    """
    nags = [remark for remark in order if isinstance(remark, int)]
    comment = " ".join(remark for remark in order if isinstance(remark, str))
    return None if order == usual(nags, comment, *map(order.count, Bracketed)) else order


def noted(order: list[Remark] | None, remark: Remark) -> list[Remark]:
    """Return an order with another remark at its end. A comment right behind another is a part of it."""
    found = [] if order is None else order
    if isinstance(remark, str) and found and isinstance(last := found[-1], str):
        found[-1] = f"{last} {remark}"
    else:
        found.append(remark)
    return found


def merged(nags: list[tuple[int, int]], comments: list[tuple[str, int]], variations: int) -> list[Remark] | None:
    """Return the order of remarks, or None for the usual one.

    Each glyph has the number of comments and variations before it, each comment the number of variations.

    >>> merged([(1, 0)], [("before", 0), ("after", 1)], 1)
    [1, 'before', <Bracketed.MOVES: 'moves'>, 'after']
    """
    order: list[Remark] = []
    others = opened = 0
    nags, comments = nags[::-1], comments[::-1]
    while nags or comments or opened < variations:
        if nags and (nags[-1][1] <= others or not (comments or opened < variations)):
            order.append(nags.pop()[0])
            continue
        others += 1
        if comments and (comments[-1][1] <= opened or opened == variations):
            if comment := comments.pop()[0]:
                order = noted(order, comment)
        else:
            order.append(Bracketed.MOVES)
            opened += 1
    return unusual(order)


def arranged(
    order: list[Remark] | None, nags: Sequence[int], comment: str, variations: int, texts: int = 0
) -> list[Remark]:
    """Return remarks in an order that was kept, or in the usual one. New ones are added where they usually stand.

    >>> arranged([2, "why", 1], [1, 3], "why not", 0)
    [3, 'why not', 1]
    """
    if order is None:
        return usual(nags, comment, variations, texts)
    is_same = " ".join(remark for remark in order if isinstance(remark, str)) == comment
    left = {Bracketed.MOVES: variations, Bracketed.TEXT: texts}
    found: list[Remark] = []
    for remark in order:
        if isinstance(remark, Bracketed):
            if left[remark]:
                left[remark] -= 1
                found.append(remark)
        elif isinstance(remark, int):
            if remark in nags and remark not in found:
                found.append(remark)
        elif is_same:
            found.append(remark)
        elif comment:
            found.append(comment)
            comment = ""
    added = [nag for nag in nags if nag not in found]
    return [*usual(added, "" if is_same else comment, 0), *found, *usual((), "", *left.values())]
