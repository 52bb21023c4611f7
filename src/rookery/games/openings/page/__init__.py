"""An opening tree as one HTML page to browse, which needs neither a server nor the network.

page.html   the frame
page.css    its style, light and dark
page.js     what it does: shows a position, follows moves, goes back
"""

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rookery.arguments import count, shown
from rookery.bitboards.pictures import board_element
from rookery.board.board import Board
from rookery.games.openings.growth import CHILD, MOVE, PARENT

if TYPE_CHECKING:
    from rookery.games.openings.position import OpeningPosition

MOST_POSITIONS: Final = 20_000  # some 3 MB
_SIX: Final = 63


def page_of(tree: Any, start: Any = None, title: str = "Openings", most: int = MOST_POSITIONS) -> str:
    """Return the page of a tree that begins with a position, at most `most` positions in it."""
    most = count("max_positions", most, 1)
    if not isinstance(title, str):
        raise TypeError(f"title: {shown(title)}: expected a text")
    board = Board() if start is None else start
    small, least = _small(tree, tree[board]._row, most)
    data = _data(small, small[board]) | {"title": title, "least": least}
    from importlib import resources

    text = {name: resources.files(__name__).joinpath(name).read_text(encoding="utf-8") for name in _PARTS}
    page = text["page.html"]
    for mark, content in (
        ("/* STYLE */", text["page.css"]),
        ("<!-- PIECES -->", _pieces()),
        ("<!-- BOARD -->", _empty_board()),
        ("/* SCRIPT */", text["page.js"]),
        ("/* DATA */", json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")),  # last: it may hold a mark
    ):
        page = page.replace(mark, content)
    return page


_PARTS: Final = ("page.html", "page.css", "page.js")


def _small(tree: Any, start: int, most: int) -> tuple[Any, int]:
    """Return a tree of the positions that are reached from a position, and the least number of games of one.

    If there are more than `most`, those of the fewest games are left out, but never the first one.
    """
    links = tree._storage.used_moves.links
    before, after = links[:, PARENT], links[:, CHILD]
    kept = np.zeros(len(tree), np.bool_)
    kept[start] = True
    found = 0
    while found < (found := int(kept.sum())):
        kept[after[kept[before]]] = True
    games, least = tree._position_statistics(slice(None)).games, 1
    if found > most:
        least = int(np.partition(games[kept], -most - 1)[-most - 1]) + 1
        kept &= games >= least
        kept[start] = True
    small = type(tree)(tree.depth)
    small._add_tree(tree, np.flatnonzero(kept), np.flatnonzero(kept[before] & kept[after]))
    return small, least


def _data(tree: Any, start: "OpeningPosition") -> dict[str, Any]:
    """Return the positions and moves as lists of numbers and texts, in the order that `page.js` reads."""
    storage = tree._storage
    links = storage.used_moves.links
    boards = storage.boards()
    names = tree._best_names(np.arange(len(tree)))
    positions = [
        [epd, int(name), *row]
        for epd, name, row in zip(boards.to_epds(), names, _rows(tree._position_statistics(slice(None))), strict=True)
    ]
    parents = links[:, PARENT].astype(np.int64)
    words = links[:, MOVE].astype(np.uint16)
    sans = boards[parents].san(words).tolist()
    statistics = tree._move_statistics(slice(None))
    moves = [
        [int(parent), san, int(word) & _SIX, int(word) >> 6 & _SIX, int(child), *row]
        for parent, san, word, child, row in zip(parents, sans, words, links[:, CHILD], _rows(statistics), strict=True)
    ]
    order = np.lexsort((-statistics.games, parents)).tolist()
    return {
        "start": start._row,
        "names": [" ".join(filter(None, name)) for name in tree._names],
        "positions": positions,
        "moves": [moves[i] for i in order],
    }


def _rows(statistics: Any) -> Any:
    """Yield games, results, rounded ratings and the last day of each row."""
    for games, white, draws, black, score, rating, performance, _, last in statistics.rows():
        yield (
            games,
            white,
            draws,
            black,
            None if score is None else round(score, 4),
            None if rating is None else round(rating),
            None if performance is None else round(performance),
            None if last is None else str(last),
        )


def _pieces() -> str:
    """Return the pieces of the pictures as symbols: ``P`` is a white pawn, ``p`` a black one."""
    from xml.etree.ElementTree import Element, tostring

    texts = []
    for letter in "PNBRQKpnbrqk":
        (piece,) = (g for g in board_element({0: letter}).iter("g") if g.get("class", "").startswith("piece"))
        del piece.attrib["transform"]
        for child in piece.findall("title"):
            piece.remove(child)
        symbol = Element("symbol", {"id": letter, "viewBox": "0 0 100 100"})
        symbol.append(piece)
        texts.append(tostring(symbol, encoding="unicode"))
    return "".join(texts)


def _empty_board() -> str:
    """Return the squares of the pictures."""
    from xml.etree.ElementTree import tostring

    (squares,) = (g for g in board_element(coordinates=False).iter("g") if g.get("class") == "squares")
    return tostring(squares, encoding="unicode")
