"""The hits of ``rookery search``: kept, counted, drawn, listed and written."""

import itertools
import operator
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from rich.cells import set_cell_size

from rookery.cli.common import check_printable, out, plain, with_coordinates, writing
from rookery.cli.tables import Column, Row, number, present

if TYPE_CHECKING:
    from rookery.games.search.counts import HitCounts
    from rookery.games.search.files import FileSearch
    from rookery.games.search.hits import Hit, Hits
    from rookery.games.search.ranges import RangeSearch

FORMATS: Final = (".parquet", ".arrow", ".csv", ".pgn")
_CARD: Final = 26  # columns of a drawn board: three side by side fit a terminal of 80
_PIPE: Final = 80  # columns of boards drawn to a pipe
_FEW: Final = 4  # matched squares that are listed by name


class Found:
    """The hits found so far: their number, and the first of them; or their counts by a value, made by the search."""

    def __init__(self, counts: "HitCounts | None", shown: int, *, keep_all: bool, sorts: bool) -> None:
        self.counts = counts
        self.hits = self.games = 0
        self._shown, self._keep_all, self._sorts = shown, keep_all, sorts
        self._parts: list[Hits] = []
        self._kept = 0

    def from_search(self, run: "FileSearch | RangeSearch", options: Any) -> Iterator["Hits"]:
        """Yield the hits of each batch as it is found; if they are to be sorted, all of them at the end."""
        from rookery.games.search.find import limited

        for _, hits in run:
            self.add(hits)
            if not self._sorts:
                yield hits
        if self._sorts:
            self._parts = [limited(self.kept(), options)]
            self.hits = len(self._parts[0])
            self.games = len(set(self._parts[0].game.tolist()))
            yield self._parts[0]

    def add(self, hits: "Hits") -> None:
        """Count hits, and keep those that are needed."""
        self.hits += len(hits)
        self.games += len(set(hits.game.tolist()))
        if self.counts is not None:
            return
        if not self._parts or self._keep_all or self._sorts or self._kept < self._shown:
            part = hits if self._keep_all or self._sorts else hits[: self._shown - self._kept]
            if not self._keep_all:  # then they are printed
                check_printable(text for hit in part for text in hit.headers.values())
            self._parts.append(part)
            self._kept += len(part)

    def kept(self) -> "Hits":
        """Return the hits that were kept."""
        from rookery.games.search.hits import Hits

        return Hits.concatenate(self._parts) if self._parts else Hits.empty()


# On the terminal.


def present_counts(counts: "HitCounts") -> None:
    """Print hits and games for each value, most hits first."""
    rows = [{"value": _escaped(count.value or "none"), "hits": count.hits, "games": count.games} for count in counts]
    columns = (Column(_escaped(counts.name), "{value}"), number("hits", "{hits:,}"), number("games", "{games:,}"))
    present(rows, columns)


def present_boards(hits: "Hits") -> None:
    """Draw hits as boards, as many side by side as the terminal has room for."""
    present_cards([_card(hit) for hit in hits])


def present_cards(cards: list[list[str]]) -> None:
    """Print drawn boards with their captions, lists of as many lines each, side by side."""
    beside = max((out.width if out.is_terminal else _PIPE) // _CARD, 1)
    for i in range(0, len(cards), beside):
        for lines in zip(*cards[i : i + beside], strict=True):
            text = plain("".join(set_cell_size(line, _CARD) for line in lines).rstrip())
            text.highlight_regex(r"\S\*", "bold yellow")
            out.print(text)
        out.print()


def _card(hit: "Hit") -> list[str]:
    """Return the lines of a drawn board, with the game and the move above it."""
    names = " - ".join(value for value in hit.headers.values() if value is not None)
    captions = (f"game {hit.number}, {hit.numbered_move()}", names)
    return [*(_cut(plain(caption).plain) for caption in captions), *with_coordinates(hit.drawing())]


def _cut(text: str) -> str:
    return text if len(text) < _CARD else f"{text[: _CARD - 5]}..."


def present_hits(hits: "Hits", *, files: bool) -> None:
    """List hits, one per line, each with its file if `files` is true."""
    rows: list[Row] = [
        {
            "file": hit.file,
            "game": hit.number,
            "move": hit.numbered_move(),
            "squares": _squares(hit),
            **{f"header {name}": value or "" for name, value in hit.headers.items()},
            "context": hit.context,
            "value": "" if hits.value is None else f"{hits.value[i]:,.6g}",
        }
        for i, hit in enumerate(hits)
    ]
    if not rows:
        return
    columns = [number("game", "{game:,}"), Column("move")]
    if any(row["squares"] for row in rows):
        columns.append(Column("squares"))
    columns += [Column(_escaped(name), operator.itemgetter(f"header {name}")) for name in hits.headers]
    if hits.value is not None:
        columns.insert(0, number("value"))
    if files or len(set(hits.files)) > 1:
        columns.insert(0, Column("file"))
    if hits.context is not None:
        columns.append(Column("context"))
    present([{key: _escaped(value) for key, value in row.items()} for row in rows], columns)
    out.print()


def _escaped(value: Any) -> Any:
    """Return a text so that the table does not take parts of it as markup."""
    from rich.markup import escape

    return escape(value) if isinstance(value, str) else value


def _squares(hit: "Hit") -> str:
    names = hit.squares.names()
    return " ".join(names) if len(names) <= _FEW else f"{len(names)} squares"


def json_rows(hits: "Hits") -> list[dict[str, Any]]:
    """Return hits for JSON, squares by name: not every reader of JSON has integers of 64 bits."""
    columns = hits.to_dict()
    columns["squares"] = _names(columns["squares"])
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _names(squares: list[int]) -> list[list[str]]:
    from rookery.bitboards.bitboard import Bitboard

    return [Bitboard(board).names() for board in squares]


# In files.


def write_hits(parts: Iterator["Hits"], path: Path) -> None:
    """Write the hits of each batch to a table, as they are found."""
    from rookery.sources import files

    with writing("-o", path), files.replacing(path) as file:
        if path.suffix == ".csv":
            _write_csv(parts, file)
        else:
            _write_table(parts, file, path.suffix)


def _write_csv(parts: Iterator["Hits"], file: BinaryIO) -> None:
    from rookery.games.search.hits import Hits
    from rookery.sources.csv_text import Writer

    writer = Writer(file)
    for i, hits in enumerate(itertools.chain(parts, [Hits.empty()])):
        columns = hits.to_dict()
        columns["squares"] = [" ".join(names) for names in _names(columns["squares"])]
        if i == 0:
            writer.row(columns)
        writer.rows(zip(*columns.values(), strict=True))


def _write_table(parts: Iterator["Hits"], file: BinaryIO, suffix: str) -> None:
    from rookery.frames.arrow import new_writer
    from rookery.games.search.hits import Hits

    first = next(parts, None)
    table = (Hits.empty() if first is None else first).to_arrow()
    with new_writer(file, table.schema, parquet=suffix == ".parquet") as writer:
        writer.write_table(table)
        for hits in parts:
            if len(hits):
                writer.write_table(hits.to_arrow())
