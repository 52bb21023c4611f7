"""The output of ``rookery explain`` on the terminal."""

from typing import TYPE_CHECKING

from rookery.cli.common import out

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rookery.bitboards.placement import Placement
    from rookery.explain import Explanation
    from rookery.explain.drawing import Drawn, Shown
    from rookery.explain.multiplication import Multiplication

_GAP = "   "
_MOST_COLUMNS = 116  # where the output is no terminal
_LEGEND = (
    "x a bit on an occupied square",
    "1 any other",
    ". none",
    "- a bit that the step takes away",
    "X the square that it finds",
    "index bits, or the line of a turned board: 1 and 0, and + a bit that is no part of it",
)
_LAYOUT_LEGEND = {
    "turned": "a turned board has in each place the name of the square whose bit is there, and the bit",
    "bits": "numbers at the edges: the sum of both, at the left and below, is the number of the bit",
}


def draw(explanation: "Explanation", placement: "Placement | None", everything: bool) -> None:
    """Draw the question, every step with its boards, and the legend."""
    from rookery.bitboards.squares import square_name
    from rookery.explain.drawing import shown_steps
    from rookery.explain.notes import assumption

    t = explanation.technique
    say(f"{t.name}: {t.summary}", bold=len(t.name))
    where = f" in {placement.to_fen()}" if placement else ""
    bits = "" if str(explanation.mapping) == "rank-little-little" else f"; bits by {explanation.mapping}"
    say(f"what a {explanation.piece} on {square_name(explanation.square)} attacks{where}{bits}")
    say(assumption(explanation, placement))
    legend = dict.fromkeys(_LEGEND)
    for shown in shown_steps(explanation, everything):
        out.print()
        if shown.left_out:
            say(f"... {shown.left_out} more steps of this loop (--all shows them)", style="dim")
            out.print()
        draw_step(explanation, shown)
        legend |= dict.fromkeys(
            _LAYOUT_LEGEND[board.layout] for board in shown.figure.boards if board.layout in _LAYOUT_LEGEND
        )
    out.print()
    say_in_columns(list(legend), style="dim")
    say(f"{len(explanation.attacks)} squares: {' '.join(explanation.attacks.names())}")


def width_of_output() -> int:
    """Return the number of columns for boards and notes."""
    return out.width if out.is_terminal else min(out.width, _MOST_COLUMNS)


def say(text: str, indent: int = 0, style: str = "", bold: int = 0, most: int | None = None) -> None:
    """Print a text wrapped to the terminal, at most `most` columns wide. Its first `bold` letters may be bold."""
    from textwrap import wrap

    from rich.text import Text

    width = max(20, min(out.width - 1, most or out.width))
    before = " " * indent
    lines = wrap(text, width, initial_indent=before, subsequent_indent=before, break_on_hyphens=False)
    for i, line in enumerate(lines):
        printed = Text(line, style)
        if bold and not i:
            printed.stylize("bold", 0, bold)
        out.print(printed)


def say_in_columns(texts: list[str], indent: int = 0, style: str = "") -> None:
    """Print short texts, as many on a line as fit."""
    width = width_of_output() - indent
    line = ""
    for text in texts:
        if line and len(line) + len(_GAP) + len(text) >= width:
            say(line, indent, style)
            line = ""
        line += f"{_GAP if line else ''}{text}"
    say(line, indent, style)


def draw_step(explanation: "Explanation", shown: "Shown") -> None:
    """Draw a line of source with its explanation, its numbers and its boards."""
    from rookery.explain.drawing import code_text

    step, (boards, numbers, notes, multiplication) = shown.step, shown.figure
    place = f"   {step.module.removeprefix('rookery.')}:{step.line}"
    code = f"{shown.number:>3}  {' '.join(code_text(step).split())}"
    draw_code(code, place)
    say(shown.sentence, 5, "italic")
    width = width_of_output()
    say_in_columns(list(numbers), 5)
    for row in rows_of(boards, width):
        draw_row(explanation, row, width)
    if notes:
        out.print()
    for note in notes:
        say(note, 2, most=width - 1)
    if multiplication:
        draw_multiplication(explanation, multiplication, width)


def draw_code(code: str, place: str) -> None:
    """Draw a line of code with its number and its place, after the code or below it where there is no room."""
    from textwrap import wrap

    from rich.text import Text

    lines = wrap(code, max(20, out.width - 1), subsequent_indent=" " * 9, break_on_hyphens=False)
    for line in lines[:-1]:
        out.print(Text(line, "bold"))
    if len(lines[-1]) + len(place) < out.width:
        out.print(Text.assemble((lines[-1][:5], ""), (lines[-1][5:], "bold"), (place, "dim")))
    else:
        out.print(Text(lines[-1], "bold"))
        out.print(Text(f"  {place}", "dim"))


def draw_multiplication(explanation: "Explanation", found: "Multiplication", width: int) -> None:
    """Draw the copies of the factor that add up to the product, and the sharers of the slot."""
    from rich.text import Text

    from rookery.explain.multiplication import sharing_sentences

    out.print("\n  each bit adds the factor, shifted by its number", markup=False)
    index_bits = 64 - found.shift
    for name, word in found.rows(explanation):
        bits = f"{word:064b}".replace("0", ".")
        line = Text(f"  {name:<17}")
        line.append(bits[:index_bits], style="bold blue")
        line.append(f"|{bits[index_bits:]}", style="dim")
        line.truncate(width - 1)
        out.print(line)
    out.print(f"  {'':<17}{'index':-^{index_bits}}|", markup=False)
    for text in sharing_sentences(explanation, found):
        say(text, 2, most=width - 1)


def rows_of(boards: "tuple[Drawn, ...]", width: int) -> "list[list[Drawn]]":
    """Split boards of one layout into rows that fit a width."""
    rows: list[list[Drawn]] = []
    used = width
    for board in boards:
        wide = len(_GAP) + column_width(board, width)
        if used + wide > width or rows[-1][0].layout != board.layout:
            rows.append([])
            used = 3
        rows[-1].append(board)
        used += wide
    return rows


def column_width(board: "Drawn", width: int) -> int:
    """Return the width of a drawn board: its cells or its name, which is wrapped where the terminal is narrow."""
    return max(46 if board.layout == "turned" else 15, min(len(name_of(board)), width - 8))


def name_of(board: "Drawn") -> str:
    """Return the heading of a board."""
    return f"{board.name}: {board.place}" if board.place else board.name


def draw_row(explanation: "Explanation", row: "list[Drawn]", width: int) -> None:
    """Draw a row of boards of one layout with their names."""
    from itertools import zip_longest
    from textwrap import wrap

    from rich.text import Text

    from rookery.explain.drawing import signs

    ranks, files = edges_of(explanation, row[0])
    margin = max(map(len, ranks)) + 1
    widths = [column_width(board, width) for board in row]

    def print_in_columns(texts: "Iterable[str]", style: str = "") -> None:
        line = _GAP.join(f"{text:{wide}}" for text, wide in zip(texts, widths, strict=True))
        out.print(f"{'':{margin}}{line}".rstrip(), style=style, markup=False)

    out.print()
    names = [wrap(name_of(board), wide, break_on_hyphens=False) for board, wide in zip(row, widths, strict=True)]
    for texts in zip_longest(*names, fillvalue=""):
        print_in_columns(texts)
    on_boards = [signs(explanation, board) for board in row]
    for rank in range(7, -1, -1):
        line = Text(f"{ranks[rank]:>{margin - 1}} ")
        for i, (board, on_board) in enumerate(zip(row, on_boards, strict=True)):
            line.append(_GAP if i else "")
            start = len(line)
            for square in range(8 * rank, 8 * rank + 8):
                line.append(" " if square % 8 else "")
                if board.layout == "turned":
                    line.append(f"{' ' if square % 8 else ''}{board.cells[square]:>2} ", style="dim")
                line.append(
                    f"{on_board.get(square, '.'):>{len(files[-1])}}", style=style_of(explanation, board, square)
                )
            line.append(" " * (widths[i] - (len(line) - start)))
        line.rstrip()
        out.print(line)
    if files[0].strip():
        print_in_columns([" ".join(files)] * len(row), style="dim")


def edges_of(explanation: "Explanation", board: "Drawn") -> tuple[list[str], list[str]]:
    """Return the labels to the left of a board, lowest row first, and those below it, all of one width.

    They are blank where each cell has its name.
    """
    from rookery.bitboards.squares import FILE_NAMES, RANK_NAMES
    from rookery.explain.layout import bit_edges

    if board.layout == "squares":
        return list(RANK_NAMES), list(FILE_NAMES)
    if board.layout == "turned":
        return [" "] * 8, [" "] * 8
    rows, columns = (list(map(str, numbers)) for numbers in bit_edges(explanation.mapping))
    return rows, [f"{number:>{max(map(len, columns))}}" for number in columns]


def style_of(explanation: "Explanation", board: "Drawn", square: int) -> str:
    """Return the style of a square: blockers red, the index blue, other bits green, the piece bold."""
    if square == explanation.square and (board.shows_piece or square in board.blocked):
        return "bold"
    if square in board.into_index:
        return "bold blue" if square in board.free else "blue"
    if board.into_index:
        return "dim"
    if square in board.blocked:
        return "red"
    return "green" if square in board.free else "dim"
