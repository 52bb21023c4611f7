"""``rookery explain``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rookery.bitboards.squares import MAPPING_NAMES
from rookery.cli.common import named_position, print_json, write_file
from rookery.cli.options import OutputFile, as_json_option, writes_files
from rookery.cli.techniques.techniques import SHORT_NAMES

if TYPE_CHECKING:
    from rookery.bitboards.placement import Placement
    from rookery.explain import Explanation
    from rookery.explain.multiplication import Multiplication

EXAMPLE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"  # kiwipete
FEW_BLOCKERS = {  # on the lines of a piece on d4, one of them behind another
    "rook": "8/3p4/3p1p2/8/3R2p1/8/1p6/8",
    "bishop": "8/3p2p1/3p1p2/8/3B2p1/8/1p6/8",
    "queen": "8/3p4/3p1p2/8/3Q2p1/8/1p6/8",
}


@click.command()
@click.argument("technique")
@click.argument("square", required=False)
@click.option(
    "--piece", help="rook, bishop or queen (r, b, q), or a line; by default the piece on the square, or rook."
)
@click.option("--fen", help="A position (its first field will do), or a name as for perft.  [default: kiwipete]")
@click.option("--occupied", help="Instead of a position: occupied squares by name, like d6,f4, or a number like 0x81.")
@click.option(
    "--mapping",
    type=click.Choice(MAPPING_NAMES),
    default="rank-little-little",
    show_default=True,
    help="Which bit is which square while the kernel runs.",
)
@click.option("--calls", is_flag=True, help="Show every call and every assignment, instead of four to six ideas.")
@click.option(
    "--all", "everything", is_flag=True, help="Like --calls, with every round of a loop, not only the first two."
)
@click.option("--svg", type=OutputFile(), help="Write all boards to this file as one picture.")
@click.option("--html", type=OutputFile(), help="Write the steps to this file as one self-contained page.")
@as_json_option
@writes_files
def explain(
    technique: str,
    square: str | None,
    piece: str | None,
    fen: str | None,
    occupied: str | None,
    mapping: str,
    calls: bool,
    everything: bool,
    svg: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Draw how a technique works, from a square and the occupied squares to the attacks.

    The steps are those of the kernel that runs, grouped into a few ideas: each with its line of source, its formula and
    an explanation. --calls shows all of them. Without a square, a piece on d4 has a few blockers on its lines. On the
    boards, x is a bit on an occupied square and 1 any other bit; where bits become an index, 1 and 0 are its bits and
    + is any other.

    \b
        rookery explain magic-fancy
        rookery explain magic-fancy d4 --piece rook --calls
        rookery explain hyperbola d4 --occupied d2,d6,d7 --piece rook
    """  # noqa: D301  # click reads a backspace as a mark for lines that stay as they are
    from rookery.bitboards.placement import Placement
    from rookery.bitboards.squares import parse_square
    from rookery.explain import explain as explained

    if fen is not None and occupied is not None:
        raise ValueError("--fen and --occupied: expected one of them")
    if square is None and occupied is not None:
        raise ValueError("SQUARE: missing; --occupied alone does not say where the piece stands")
    given = SHORT_NAMES.get(piece or "rook", piece or "rook")
    position = named_position(fen) if fen else EXAMPLE if square else FEW_BLOCKERS.get(_slider(given), EXAMPLE)
    placement = None if occupied is not None else Placement.from_fen(position)
    sq = parse_square(square) if square else _square_of(placement, given if piece else None)
    board = read_occupied(occupied) if occupied is not None else int(placement.occupied) if placement else 0
    standing = placement.kind_at(sq) if placement else None
    kind = SHORT_NAMES.get(piece, piece) if piece else standing if standing in SHORT_NAMES.values() else "rook"
    explanation = explained(technique, kind or "rook", sq, board, mapping)
    if as_json:
        print_json(document(explanation, placement))
    if svg:
        from rookery.explain.page import sheet

        write_file("--svg", svg, sheet(explanation, calls=calls, everything=everything))
    if html:
        from rookery.explain.page import page

        write_file("--html", html, page(explanation, placement, calls=calls, everything=everything))
    if not (as_json or svg or html):
        from rookery.cli.techniques.explain_terminal import draw

        draw(explanation, placement, calls or everything, everything)


def _slider(piece: str) -> str:
    """Return the piece that stands in the example: a line is that of a rook or of a bishop."""
    return {"rank": "rook", "file": "rook", "diagonal": "bishop", "antidiagonal": "bishop"}.get(piece, piece)


def _square_of(placement: "Placement | None", piece: str | None) -> int:
    """Return the square of the first slider of a position, or of the first such piece."""
    wanted = (_slider(piece),) if piece else ("rook", "bishop", "queen")
    for sq in range(64):
        if placement and placement.kind_at(sq) in wanted:
            return sq
    raise ValueError(f"SQUARE: missing, and the position has no {' or '.join(wanted)}")


def read_occupied(text: str) -> int:
    """Read square names, separated by commas or blanks, or the number of a board."""
    from rookery.arguments import UNIVERSE, shown
    from rookery.bitboards.bitboard import Bitboard
    from rookery.bitboards.squares import SQUARE_NAMES

    names = text.replace(",", " ").split()
    if all(name in SQUARE_NAMES for name in names):
        return int(Bitboard.of(*names))
    try:
        board = int(text, 0)
    except ValueError:
        board = -1
    if not 0 <= board <= UNIVERSE:
        raise ValueError(
            f"--occupied: {shown(text)}: expected names of squares, like d6,f4, or a number from 0 to 2**64 - 1"
        )
    return board


def word(value: int) -> str:
    """Return a word as JSON shows it."""
    return f"0x{value:016x}"


def document(explanation: "Explanation", placement: "Placement | None") -> dict[str, Any]:
    """Return the whole explanation for JSON. Words use the bits of the mapping, squares their names."""
    from rookery.bitboards.squares import square_name
    from rookery.explain.multiplication import multiplication_at
    from rookery.explain.notes import assumption

    def worded(value: int, kind: str) -> dict[str, Any]:
        squares = {"squares": explanation.squares(value).names()} if kind == "board" else {}
        return {"value": word(value), "kind": kind, **squares}

    return {
        "technique": explanation.technique.name,
        "piece": explanation.piece,
        "square": square_name(explanation.square),
        "fen": placement.to_fen() if placement else None,
        "assumption": assumption(explanation, placement) or None,
        "occupied": word(int(explanation.occupied)),
        "mapping": str(explanation.mapping),
        "attacks": word(int(explanation.attacks)),
        "squares": explanation.attacks.names(),
        "steps": [
            {
                "what": step.what,
                "variable": step.variable,
                **worded(step.value, step.kind),
                "sentence": step.sentence,
                "code": step.code,
                "function": step.function,
                "module": step.module,
                "line": step.line,
                "depth": step.depth,
                "round": step.round,
                "parts": [
                    {
                        "text": part.text,
                        **worded(part.value, part.kind),
                        **({"index_bits": word(part.marked)} if part.marked else {}),
                        **({"table": part.table, "slot": part.slot, "slots": part.slots} if part.table else {}),
                    }
                    for part in step.parts
                ],
            }
            for step in explanation.steps
        ],
        "multiplications": [
            multiplied(explanation, found)
            for step in explanation.steps
            if (found := multiplication_at(explanation, step))
        ],
    }


def multiplied(explanation: "Explanation", found: "Multiplication") -> dict[str, Any]:
    """Return the multiplication of a magic look-up for JSON: the added copies of the factor and who shares the slot."""
    from rookery.bitboards.squares import square_name
    from rookery.explain.multiplication import sharing

    shared = sharing(explanation, found)
    return {
        "magic": word(found.magic),
        "shift": found.shift,
        "multiplied": word(found.multiplied),
        "product": word(found.product),
        "copies": [
            {"bit": bit, "square": square_name(int(explanation.mapping.square(bit))), "copy": word(copy)}
            for bit, copy in found.copies()
        ],
        "sharing": shared
        and {
            **shared._asdict(),
            "sharers": [
                {"occupied": word(other), "squares": explanation.squares(other).names()} for other in shared.sharers
            ],
        },
    }
