"""Results of commands: tables for people, and one JSON document for programs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from rookery.cli.common import out, print_json, size

Row: TypeAlias = Mapping[str, Any]  # as in the JSON document
BOUNDED: Final = ("arrays", "calls", "latency")  # the uses with bounds: see `rookery.bench.uses.bounds`


class Column(NamedTuple):
    """A column of a table.

    `cell` is a format string over the fields of a row, like ``"{nodes:,}"``, or a function of the row. By default it is
    the field that the heading names.
    """

    heading: str
    cell: str | Callable[[Row], str] = ""
    is_number: bool = False

    def text(self, row: Row) -> str:
        """Return the cell of a row."""
        if callable(self.cell):
            return self.cell(row)
        return (self.cell or f"{{{self.heading}}}").format_map(row)


def number(heading: str, cell: str | Callable[[Row], str] = "") -> Column:
    """Return a column that is aligned to the right."""
    return Column(heading, cell, True)


def present(rows: Iterable[Row], columns: Iterable[Column], as_json: bool = False, document: Any = None) -> None:
    """Print rows as a table, or as JSON. `document` replaces the rows in JSON if it holds more than them."""
    rows, columns = list(rows), list(columns)
    if as_json:
        print_json(rows if document is None else document)
        return
    table = Table()
    for column in columns:
        table.add_column(column.heading, justify="right" if column.is_number else "left")
    for row in rows:
        table.add_row(*(column.text(row) for column in columns))
    out.print(table)


def tables_size(technique: Row) -> str:
    """Return the cell for the size of a technique's tables."""
    return size(technique["table_bytes"]) if technique["table_bytes"] else "none"


def use_columns(name: str) -> list[Column]:
    """Return the columns for a use: nanoseconds, the speed compared with `pext`, and the multiple of the bound."""
    columns = [number(f"{name}, ns", f"{{{name}[ns]:.2f}}"), number("to pext", f"{{{name}[to_pext]:.2f}}")]
    return [*columns, number("x bound", lambda row: times_bound(row[name]["bound"]))] if name in BOUNDED else columns


def times_bound(bound: Mapping[str, Any] | None) -> str:
    """Return the cell for a measured time as a multiple of its bound, with what sets the bound."""
    return f"{bound['times']:.1f} {bound['by']}" if bound else "-"


class Table(RichTable):
    """A table that never truncates text.

    Prose is wrapped at blanks. Where the table is still too wide for the terminal, each row becomes a list.
    """

    def __init__(self, *headings: Any, **options: Any) -> None:
        super().__init__(*headings, **{"box": None, "header_style": "bold"} | options)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.max_width - sum(self.padding[i] for i in (1, 3)) * len(self.columns)
        cells = [[column.header, *column.cells] for column in self.columns]
        measured = [[Measurement.get(console, options, cell) for cell in column] for column in cells]
        widths = [max(m.maximum for m in column) for column in measured]
        # Prose is wrapped at blanks. Numbers are aligned to the right and stay next to their units.
        least = [
            max([head.minimum, *(m.maximum if column.justify == "right" else m.minimum for m in body)])
            for column, (head, *body) in zip(self.columns, measured, strict=True)
        ]
        if sum(least) > room:
            yield from self._list(console, cells)
            return
        while sum(widths) > room:
            # The widest gives way first; the last of equals, since the first column often names the row.
            widest = max((i for i, w in enumerate(widths) if w > least[i]), key=lambda i: (widths[i], i))
            widths[widest] -= 1
        for column, width in zip(self.columns, widths, strict=True):
            column.width = width
        yield from super().__rich_console__(console, options)

    def _list(self, console: Console, cells: list[list[RenderableType]]) -> Iterator[Text]:
        """Yield the rows as lists: the first cell, and below it each other cell after its heading."""

        def text(cell: RenderableType) -> Text:
            return cell if isinstance(cell, Text) else console.render_str(str(cell))

        headings = [text(column[0]) for column in cells]
        for row in zip(*(column[1:] for column in cells), strict=True):
            named = [(heading, text(cell)) for heading, cell in zip(headings, row, strict=True)]
            for i, (heading, cell) in enumerate(named):
                if cell.plain:
                    yield Text.assemble("  " if i else "", heading, ": " if heading.plain else "", cell)
