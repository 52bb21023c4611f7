"""``rookery explain``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import OutputFile, as_json_option, named_position, out, print_json, write_file
from rookery.cli.techniques import SHORT_NAMES
from rookery.squares import MAPPINGS

if TYPE_CHECKING:
    from rookery.explain import Explanation
    from rookery.explain.drawing import Drawn, Shown
    from rookery.placement import Placement

EXAMPLE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"  # kiwipete
_GAP = "   "
_MOST_COLUMNS = 116  # where the output is no terminal
_LEGEND = (
    "x a bit on an occupied square   1 any other   . none",
    "- a bit that the step takes away   X the square that it finds",
    "index bits, or the line of a turned board: 1 and 0, and + a bit that is no part of it",
)


@click.command()
@click.argument("technique")
@click.argument("square")
@click.option(
    "--piece", help="rook, bishop or queen (r, b, q), or a line; by default the piece on the square, or rook."
)
@click.option("--fen", help="A position (its first field will do), or a name as for perft.  [default: kiwipete]")
@click.option("--occupied", help="Instead of a position: occupied squares by name, like d6,f4, or a number like 0x81.")
@click.option(
    "--mapping",
    type=click.Choice(list(MAPPINGS)),
    default="rank-little-little",
    show_default=True,
    help="Which bit is which square while the kernel runs.",
)
@click.option("--all", "everything", is_flag=True, help="Every round of a loop, not only the first two.")
@click.option("--svg", type=OutputFile(), help="Write all boards to this file as one picture.")
@click.option("--html", type=OutputFile(), help="Write the steps to this file as one page, which needs no other.")
@as_json_option
def explain(
    technique: str,
    square: str,
    piece: str | None,
    fen: str | None,
    occupied: str | None,
    mapping: str,
    everything: bool,
    svg: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Draw every step of a technique, from a square and the occupied squares to the attacks.

    The steps are those of the kernel that runs: each with its line, its value, and what the line says of itself. On the
    boards, x is a bit on an occupied square and 1 any other; where bits become an index, 1 and 0 are its bits and + is
    any other.

    \b
        rookery explain magic-fancy d4
        rookery explain hyperbola d4 --occupied d2,d6,d7 --piece rook
    """  # noqa: D301  # click's own mark: a backspace, for lines that stay as they are
    from rookery.explain import explain as explained
    from rookery.placement import Placement
    from rookery.squares import parse_square

    if fen is not None and occupied is not None:
        raise ValueError("--fen and --occupied: expected one of them")
    sq = parse_square(square)
    placement = None if occupied is not None else Placement.from_fen(named_position(fen) if fen else EXAMPLE)
    board = read_occupied(occupied) if occupied is not None else int(placement.occupied) if placement else 0
    standing = placement.kind_at(sq) if placement else None
    kind = SHORT_NAMES.get(piece, piece) if piece else standing if standing in SHORT_NAMES.values() else "rook"
    told = explained(technique, kind or "rook", sq, board, mapping)
    if as_json:
        print_json(document(told, placement))
    if svg:
        from rookery.explain.page import sheet

        write_file("--svg", svg, sheet(told, everything=everything))
    if html:
        from rookery.explain.page import page

        write_file("--html", html, page(told, placement, everything=everything))
    if not (as_json or svg or html):
        draw(told, placement, everything)


def read_occupied(text: str) -> int:
    """Squares by name, with commas or blanks between, or the number of a board."""
    from rookery.arguments import UNIVERSE, shown
    from rookery.bitboard import Bitboard
    from rookery.squares import SQUARE_NAMES

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


def document(told: "Explanation", placement: "Placement | None") -> dict[str, Any]:
    """All of it for JSON. Words are in the bits of the mapping, squares by their names."""
    from rookery.squares import square_name

    def word(value: int) -> str:
        return f"0x{value:016x}"

    def worded(value: int, kind: str) -> dict[str, Any]:
        squares = {"squares": told.squares(value).names()} if kind == "board" else {}
        return {"value": word(value), "kind": kind, **squares}

    return {
        "technique": told.technique.name,
        "piece": told.piece,
        "square": square_name(told.square),
        "fen": placement.to_fen() if placement else None,
        "occupied": word(int(told.occupied)),
        "mapping": str(told.mapping),
        "attacks": word(int(told.attacks)),
        "squares": told.attacks.names(),
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
            for step in told.steps
        ],
    }


# On the terminal.


def draw(told: "Explanation", placement: "Placement | None", everything: bool) -> None:
    """The question, every step with its boards, and what the signs mean."""
    from rookery.explain.drawing import shown_steps
    from rookery.squares import square_name

    t = told.technique
    out.print(f"[bold]{t.name}[/bold]: {t.summary}")
    where = f" in {placement.to_fen()}" if placement else ""
    bits = "" if str(told.mapping) == "rank-little-little" else f"; bits by {told.mapping}"
    out.print(f"what a {told.piece} on {square_name(told.square)} attacks{where}{bits}", markup=False)
    for shown in shown_steps(told, everything):
        out.print()
        if shown.left_out:
            out.print(f"... {shown.left_out} more steps of this loop (--all shows them)\n", style="dim", markup=False)
        draw_step(told, shown)
    out.print()
    for line in _LEGEND:
        out.print(line, style="dim", markup=False)
    out.print(f"{len(told.attacks)} squares: {' '.join(told.attacks.names())}", markup=False)


def draw_step(told: "Explanation", shown: "Shown") -> None:
    """A line of the source, its sentence, its numbers and its boards."""
    from rich.text import Text

    from rookery.explain.drawing import code_text

    step, (boards, numbers) = shown.step, shown.figure
    place = f"   {step.module.removeprefix('rookery.')}:{step.line}"
    out.print(Text.assemble(f"{shown.number:>3}  ", (" ".join(code_text(step).split()), "bold"), (place, "dim")))
    if step.sentence:
        out.print(f"     {step.sentence}", style="italic", markup=False)
    width = out.width if out.is_terminal else min(out.width, _MOST_COLUMNS)
    beside = "   ".join(numbers)
    for line in [beside] if len(beside) < width - 5 else numbers:
        if line:
            out.print(f"     {line}", markup=False)
    for row in rows_of(boards, width):
        draw_row(told, row)
    if any(board.name.endswith(" * magic") for board in boards):
        draw_multiplication(told, width)


def draw_multiplication(told: "Explanation", width: int) -> None:
    """The copies of the factor that add up to the product, its index bits apart; and who shares the slot."""
    from rich.text import Text

    from rookery.explain.multiplication import multiplication, sharing
    from rookery.squares import square_name

    found = multiplication(told)
    if found is None:
        return
    out.print("\n  each bit adds the factor, shifted by its number", markup=False)
    names = [(f"{square_name(int(told.mapping.square(bit)))}: magic << {bit}", copy) for bit, copy in found.copies()]
    index_bits = 64 - found.shift
    for name, word in [("magic", found.magic), *names, ("sum", found.product)]:
        bits = f"{word:064b}".replace("0", ".")
        line = Text(f"  {name:<17}")
        line.append(bits[:index_bits], style="bold blue")
        line.append(f"|{bits[index_bits:]}", style="dim")
        line.truncate(width - 1)
        out.print(line)
    out.print(f"  {'':<17}{'index':-^{index_bits}}|", markup=False)
    shared = sharing(told, found)
    if shared:
        for text in (
            f"{shared.occupancies:,} relevant occupancies attack {shared.sets:,} different sets of squares.",
            f"Others that attack the same, and may share its slot: {shared.alike:,}; that do: {shared.sharers:,}.",
            f"Those that attack other squares must not. The factor fills {shared.slots:,} slots.",
        ):
            out.print(f"  {text}", markup=False)


def rows_of(boards: "tuple[Drawn, ...]", width: int) -> "list[list[Drawn]]":
    """Boards side by side, as many as a width has room for."""
    rows: list[list[Drawn]] = []
    used = width
    for board in boards:
        wide = len(_GAP) + column_width(board)
        if used + wide > width - 2:
            rows.append([])
            used = 2
        rows[-1].append(board)
        used += wide
    return rows


def column_width(board: "Drawn") -> int:
    """A board has 15 columns; its name may need more."""
    return max(15, len(name_of(board)))


def name_of(board: "Drawn") -> str:
    """What stands above a board."""
    return f"{board.name}: {board.place}" if board.place else board.name


def draw_row(told: "Explanation", row: "list[Drawn]") -> None:
    """Boards with their names, side by side."""
    from rich.text import Text

    from rookery.explain.drawing import signs

    out.print()
    out.print("  " + _GAP.join(f"{name_of(board):{column_width(board)}}" for board in row).rstrip(), markup=False)
    on_boards = [(board, signs(told, board)) for board in row]
    for rank in range(7, -1, -1):
        line = Text(f"{rank + 1} ")
        for i, (board, on_board) in enumerate(on_boards):
            line.append(_GAP if i else "")
            for file in range(8):
                square = 8 * rank + file
                line.append(" " if file else "")
                line.append(on_board.get(square, "."), style=style_of(told, board, square))
            line.append(" " * (column_width(board) - 15))
        line.rstrip()
        out.print(line)
    out.print("  " + _GAP.join(f"{'a b c d e f g h':{column_width(board)}}" for board in row).rstrip(), style="dim")


def style_of(told: "Explanation", board: "Drawn", square: int) -> str:
    """Blockers red, the index blue, other bits green; the piece bold, and what is empty pale."""
    if square == told.square and (board.shows_piece or square in board.blocked):
        return "bold"
    if square in board.into_index:
        return "bold blue" if square in board.free else "blue"
    if board.into_index:
        return "dim"
    if square in board.blocked:
        return "red"
    return "green" if square in board.free else "dim"
