"""``rookery moves | fen``: a position and its moves."""

import sys

import click

from rookery.cli.common import out, print_json, with_coordinates
from rookery.cli.options import as_json_option


@click.command()
@click.argument("position")
@click.option(
    "--captures", is_flag=True, help="List captures and promotions, most valuable victims first, with their exchanges."
)
@as_json_option
def moves(position: str, captures: bool, as_json: bool) -> None:
    """List the legal moves of a position (a FEN, or a name as for perft)."""
    from rookery.counting.walk import as_board

    board = as_board(position)
    listed = board.generate_captures() if captures else board.generate_legal_moves()
    if as_json:
        print_json(
            {
                "fen": board.fen(),
                "moves": [
                    {
                        "uci": board.uci(move),
                        "san": board.san(move),
                        "word": int(move),
                        **({"see": board.see(move)} if captures else {}),
                    }
                    for move in listed
                ],
            }
        )
        return
    for move in listed:
        out.print(f"{board.uci(move):6}{board.san(move):8}", end="")
        out.print(f" see {board.see(move):+d}" if captures else "", markup=False)
    kind = "captures and promotions" if captures else "legal moves"
    out.print(f"\n{len(listed)} {kind}")


@click.command()
@click.argument("text")
@as_json_option
def fen(text: str, as_json: bool) -> None:
    """Validate a FEN: explain every fault, or draw the board."""
    from rookery.board.board import Board
    from rookery.board.reasons import every_fault
    from rookery.counting.walk import POSITIONS

    text = POSITIONS.get(text, text)
    faults = every_fault(text)
    if as_json:
        print_json({"fen": text, "valid": not faults, "faults": faults})
    elif faults:
        for fault in faults:
            out.print(fault, markup=False)
    else:
        board = Board(text)
        for line in with_coordinates(str(board)):
            out.print(line, markup=False)
        check = ", in check" if board.is_check() else ""
        kind = "Chess960, " if board.chess960 else ""
        out.print(f"\n{kind}{'white' if board.turn else 'black'} to move{check}, {len(board.legal_moves)} legal moves")
        out.print(board.fen(), markup=False)
    if faults:
        sys.exit(1)
