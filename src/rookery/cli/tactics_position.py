"""``rookery tactics FEN``: the motifs of a position, for each side."""

from typing import TYPE_CHECKING, Any

from rookery.cli.common import out, plain, print_json, with_coordinates
from rookery.cli.search_output import present_cards

if TYPE_CHECKING:
    from rookery.board.board import Board
    from rookery.positions.motifs import Motif
    from rookery.positions.motifs.named_mates import NamedMate

_DRAWN = frozenset(
    """
    threatened hanging trapped overloaded absolute_pin relative_pin skewered battery x_rays discovered_attack
    discovered_check fork greek_gift back_rank_weakness
    """.split()
)


def explain_position(text: str, as_json: bool) -> None:
    """Print the motifs of a position, a FEN or a name as for ``perft``: squares and meaning, for each side.

    Those of tactics are drawn, with their squares marked. A checkmate is printed with its names.
    """
    from rookery.counting.walk import as_board

    board = as_board(text)
    found = {side: _motifs(board, side) for side in ("white", "black")}
    if as_json:
        names = [mate.name for mate in _mates(board)]
        print_json({"fen": board.fen(), "mates": names, **{side: _document(motifs) for side, motifs in found.items()}})
        return
    for line in with_coordinates(str(board)):
        out.print(plain(line))
    if board.is_checkmate():
        out.print(plain("\nCheckmate"), style="bold")
    for mate in _mates(board):
        out.print(plain(f"  {mate.name}"))
        out.print(plain(f"      {mate.definition}"), style="dim")
    for side, motifs in found.items():
        out.print(plain(f"\n{side.capitalize()}: {len(motifs)} motifs"), style="bold")
        for motif, squares in motifs:
            out.print(plain(f"  {motif.name:<26}{_listed(squares)}"))
            out.print(plain(f"      {motif.summary}"), style="dim")
        cards = [_card(board, motif, squares) for motif, squares in motifs if motif.name in _DRAWN]
        if cards:
            out.print()
            present_cards(cards)


def _motifs(board: "Board", side: Any) -> "list[tuple[Motif, int]]":
    """Return the motifs that a side has, with their squares."""
    from rookery.positions.motifs import MOTIFS
    from rookery.positions.positions import Positions

    position = Positions.from_boards([board])
    squares = [(motif, int(position.motif(motif.name, side)[0])) for motif in MOTIFS]
    return [(motif, board) for motif, board in squares if board]


def _mates(board: "Board") -> "list[NamedMate]":
    """Return the mates by name that a position shows."""
    from rookery.positions.motifs.named_mates import NAMED_MATES, mate_names
    from rookery.positions.positions import Positions

    if not board.is_checkmate():
        return []  # without compiling
    names = mate_names(Positions.from_boards([board]).named_mates()[0])
    return [mate for mate in NAMED_MATES if mate.name in names]


def _document(motifs: "list[tuple[Motif, int]]") -> list[dict[str, Any]]:
    return [{"motif": m.name, "squares": _names(squares), "summary": m.summary} for m, squares in motifs]


def _names(squares: int) -> list[str]:
    from rookery.bitboards.bitboard import Bitboard

    return Bitboard(squares).names()


def _listed(squares: int) -> str:
    names = _names(squares)
    return " ".join(names) if len(names) <= 8 else f"{len(names)} squares"


def _card(board: "Board", motif: "Motif", squares: int) -> list[str]:
    from rookery.bitboards.pictures.text import marked

    return [motif.name, *with_coordinates(marked(str(board), squares))]
