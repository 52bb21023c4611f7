"""The output of ``rookery explain`` on the terminal."""

from typing import TYPE_CHECKING, NamedTuple

from rookery.cli.common import out

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

    from rookery.bitboards.placement import Placement
    from rookery.explain import Explanation
    from rookery.explain.drawing import Drawn, Item, Shown
    from rookery.explain.multiplication import Multiplication

_GAP = "   "
_INDENT = "  "  # before boards
_BETWEEN = "  "  # two columns of a formula
_MIDDLE = 3  # the line of a board at which operators stand
_MOST_NAME = 20  # letters of a number's name in a line
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


def draw(explanation: "Explanation", placement: "Placement | None", calls: bool, everything: bool) -> None:
    """Draw the question, the ideas or every step with its boards, and the legend."""
    from rookery.bitboards.squares import square_name
    from rookery.explain.drawing import shown_steps, told_ideas
    from rookery.explain.notes import assumption

    t = explanation.technique
    say(f"{t.name}: {t.summary}", bold=len(t.name))
    where = f" in {placement.to_fen()}" if placement else ""
    bits = "" if str(explanation.mapping) == "rank-little-little" else f"; bits by {explanation.mapping}"
    say(f"what a {explanation.piece} on {square_name(explanation.square)} attacks{where}{bits}")
    say(assumption(explanation, placement))
    drawn: list[Drawn] = []
    if calls:
        for shown in shown_steps(explanation, everything):
            out.print()
            if shown.left_out:
                say(f"... {shown.left_out} more steps of this loop (--all shows them)", style="dim")
                out.print()
            draw_step(explanation, shown)
            drawn += shown.figure.boards
    else:
        for told in told_ideas(explanation):
            out.print()
            say(f"{told.number}. {told.sentence}", style="bold")
            for shown in told.steps:
                draw_step(explanation, shown)
                drawn += shown.figure.boards
    out.print()
    layouts = dict.fromkeys(_LAYOUT_LEGEND[board.layout] for board in drawn if board.layout in _LAYOUT_LEGEND)
    say_in_columns([*_LEGEND, *layouts], style="dim")
    if not calls:
        say(f"{len(explanation.steps)} steps in all: --calls shows every call and every assignment", style="dim")
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

    step, (rows, numbers, notes, multiplication) = shown.step, shown.figure
    place = f"   {step.module.removeprefix('rookery.')}:{step.line}"
    code = f"{shown.number:>3}  {' '.join(code_text(step).split())}"
    draw_code(code, place)
    say(shown.sentence, 5, "italic")
    width = width_of_output()
    say_in_columns(list(numbers), 5)
    for row in rows:
        for columns in rows_of(explanation, row, width - len(_INDENT)):
            draw_row(columns)
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


def rows_of(explanation: "Explanation", row: "tuple[Item, ...]", width: int) -> "list[list[Column]]":
    """Split a formula into lines of columns that fit a width."""
    rows: list[list[Column]] = [[]]
    used = 0
    before = ""  # the layout whose rows are already numbered
    for item in row:
        column = column_of(explanation, item, width, before)
        if rows[-1] and used + len(_BETWEEN) + column.width > width:
            column = column_of(explanation, item, width, "")
            rows.append([])
            used = 0
        used += column.width + len(_BETWEEN)
        rows[-1].append(column)
        before = column.layout or before
    return [columns for columns in rows if columns]


class Column(NamedTuple):
    """A board, a number or an operator: its name, and eight lines."""

    width: int
    name: list[str]
    lines: "list[Text]"
    below: str = ""
    layout: str = ""


def column_of(explanation: "Explanation", item: "Item", width: int, before: str) -> Column:
    """Return the column of an item of a formula; a board has the numbers of its rows where none are to its left."""
    from textwrap import wrap

    from rich.text import Text

    from rookery.explain.drawing import Drawn

    if not isinstance(item, Drawn):
        name, value = ("", item) if isinstance(item, str) else item
        wide = max(len(value), min(len(name), _MOST_NAME))
        lines = [Text(value if i == _MIDDLE else "", "bold" if not name else "") for i in range(8)]
        return Column(wide, wrap(name, wide, break_on_hyphens=False), lines)
    ranks, files = edges_of(explanation, item)
    margin = 0 if before == item.layout else max(map(len, ranks)) + 1
    lines = [board_line(explanation, item, rank, ranks if margin else [], len(files[-1])) for rank in range(7, -1, -1)]
    wide = max(len(lines[0]), min(margin + len(name_of(item)), width - 8))
    names = wrap(name_of(item), wide - margin, break_on_hyphens=False)
    below = f"{'':{margin}}{' '.join(files)}" if files[0].strip() else ""
    return Column(wide, [f"{'':{margin}}{name}" for name in names], lines, below, item.layout)


def board_line(explanation: "Explanation", board: "Drawn", rank: int, ranks: list[str], wide: int) -> "Text":
    """Return one row of a board, after its label if there are labels."""
    from rich.text import Text

    from rookery.explain.drawing import signs

    on_board = signs(explanation, board)
    line = Text(f"{ranks[rank]:>{max(map(len, ranks))}} " if ranks else "")
    for square in range(8 * rank, 8 * rank + 8):
        line.append(" " if square % 8 else "")
        if board.layout == "turned":
            line.append(f"{' ' if square % 8 else ''}{board.cells[square]:>2} ", style="dim")
        line.append(f"{on_board.get(square, '.'):>{wide}}", style=style_of(explanation, board, square))
    return line


def name_of(board: "Drawn") -> str:
    """Return the heading of a board."""
    return f"{board.name}: {board.place}" if board.place else board.name


def draw_row(columns: list[Column]) -> None:
    """Draw boards, numbers and operators beside each other."""
    from rich.text import Text

    def print_in_columns(texts: "Iterable[str | Text]", style: str = "") -> None:
        line = Text(_INDENT)
        for text, column in zip(texts, columns, strict=True):
            line.append(_BETWEEN if len(line) > len(_INDENT) else "")
            line.append_text(text if isinstance(text, Text) else Text(text, style))
            line.append(" " * (column.width - len(text)))
        line.rstrip()
        out.print(line)

    out.print()
    height = max(len(column.name) for column in columns)
    for i in range(height):
        blank = [height - len(column.name) for column in columns]  # the names stand on the boards
        print_in_columns([c.name[i - b] if i >= b else "" for c, b in zip(columns, blank, strict=True)])
    for i in range(8):
        print_in_columns([column.lines[i] for column in columns])
    if any(column.below for column in columns):
        print_in_columns([column.below for column in columns], style="dim")


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
