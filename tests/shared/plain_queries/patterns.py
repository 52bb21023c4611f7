"""Partial boards under symmetries, on coordinates (file, rank)."""

import re
from collections.abc import Callable, Iterator

import chess

from plain_queries.rows import Here, here_of
from plain_queries.squares import NOTHING, Squares, of

Place = tuple[int, int]
Cells = dict[Place, str]  # by place, what must stand there: a sign, or [signs], or [^signs]
Placement = dict[Place, str]  # pieces by place, as letters
Turn = tuple[Callable[[int, int], Place], bool]  # what becomes of a place, and whether colours are exchanged

TURNS: dict[str, list[Turn]] = {
    "mirror": [(lambda x, y: (7 - x, y), False)],
    "flip": [(lambda x, y: (x, 7 - y), False)],
    "rotate": [(lambda x, y: (7 - y, x), False)],
    "dihedral": [(lambda x, y: (7 - x, y), False), (lambda x, y: (7 - y, x), False)],
    "colors": [(lambda x, y: (x, 7 - y), True)],
    "shift": [],
}


def group(names: str) -> list[Turn]:
    """All turns that some generate: found by what they do to all squares."""
    generators = [turn for name in names.replace(",", " ").split() for turn in TURNS[name]]
    everything = [(x, y) for x in range(8) for y in range(8)]
    found: dict[tuple[tuple[Place, ...], bool], Turn] = {(tuple(everything), False): (lambda x, y: (x, y), False)}
    waiting = list(found)
    while waiting:
        places, recoloured = waiting.pop()
        for turn, recolours in generators:
            image = (tuple(turn(*place) for place in places), recoloured != recolours)
            if image not in found:
                table = dict(zip(everything, image[0], strict=True))
                found[image] = (lambda x, y, table=table: table[x, y], image[1])  # type: ignore[misc]
                waiting.append(image)
    return list(found.values())


def shifted(places: list[Place]) -> Iterator[Place]:
    """The steps that leave all places on the board."""
    for dx in range(-7, 8):
        for dy in range(-7, 8):
            if all(0 <= x + dx < 8 and 0 <= y + dy < 8 for x, y in places):
                yield dx, dy


def read(text: str) -> tuple[Cells, bool]:
    """The cells of a pattern but ``?``, and whether it is as large as a board."""
    ranks = []
    for line in text.split("/"):
        cells: list[str] = []
        for sign in re.findall(r"\[[^]]*\]|.", line):
            if sign.isdigit():
                cells += ["."] * int(sign)
            elif sign == "*":
                cells += ["?"] * (8 - len(cells))
            else:
                cells.append(sign)
        ranks.append(cells)
    found = {(x, len(ranks) - 1 - y): sign for y, rank in enumerate(ranks) for x, sign in enumerate(rank)}
    return {place: sign for place, sign in found.items() if sign != "?"}, len(ranks) == len(ranks[0]) == 8


def satisfies(here: Here, square: int, sign: str, recoloured: bool) -> bool:
    """Whether a square satisfies a cell; `recoloured` exchanges white and black in it, but not U and u."""
    if sign[0] == "[":
        signs = sign.strip("[]^")
        return any(satisfies(here, square, s, recoloured) for s in signs) != sign.startswith("[^")
    piece = here.board.piece_at(square)
    if sign in ".!":
        return (piece is None) == (sign == ".")
    if piece is None:
        return False
    if sign in "Uu":
        return (piece.color == here.board.turn) == (sign == "U")
    colour = sign.isupper() != recoloured
    return piece.color == colour and (sign in "Aa" or piece.symbol().lower() == sign.lower())


def matches(here: Here, text: str, under: str) -> Iterator[list[tuple[int, bool]]]:
    """In each variant: the squares of the pattern, and whether each is satisfied."""
    cells, is_large = read(text)
    for turn, recoloured in group(under):
        turned = {turn(*place): sign for place, sign in cells.items()}
        steps = shifted(list(turned)) if "shift" in under or not is_large else [(0, 0)]
        for dx, dy in steps:
            squares = {8 * (y + dy) + x + dx: sign for (x, y), sign in turned.items()}
            yield [(s, satisfies(here, s, sign, recoloured)) for s, sign in squares.items()]


def pattern(here: Here, pattern: str, under: str = "") -> Squares:
    found = [of(s for s, _ in variant) for variant in matches(here, pattern, under) if all(ok for _, ok in variant)]
    return NOTHING.union(*found)


def like(here: Here, pattern: str, under: str = "") -> float:
    return max(sum(ok for _, ok in variant) / len(variant) for variant in matches(here, pattern, under))


def placement(board: chess.Board) -> Placement:
    return {(s % 8, s // 8): p.symbol() for s in range(64) if (p := board.piece_at(s))}


def corner(places: Placement) -> Placement:
    """Pieces moved to the left and down as far as they go."""
    left, low = min((x for x, _ in places), default=0), min((y for _, y in places), default=0)
    return {(x - left, y - low): symbol for (x, y), symbol in places.items()}


def alike(a: Placement, b: Placement, under: str) -> bool:
    """Whether a symmetry takes one placement to another."""
    for turn, recoloured in group(under):
        image = {turn(*place): symbol.swapcase() if recoloured else symbol for place, symbol in a.items()}
        if image == b or ("shift" in under and corner(image) == corner(b)):
            return True
    return False


def echo(here: Here, condition: Callable[[Here], object] | None = None, under: str = "") -> bool:
    under = under or " ".join(TURNS)
    assert here.row is not None
    if condition is not None and not condition(here):
        return False
    mine = placement(here.board)
    for row in here.game.rows[: here.row.ply]:
        theirs = placement(row.board)
        if theirs != mine and (condition is None or condition(here_of(row))) and alike(theirs, mine, under):
            return True
    return False
