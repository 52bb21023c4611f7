"""Blocks of text to games: what one thread does, with arrays of its own."""

import threading
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown, threads_to_start
from rookery.frames.columns import Numbers, Texts
from rookery.games.errors import GameError, digest_of
from rookery.games.game_columns import GameColumns, Reports
from rookery.games.games import Games
from rookery.games.headers.computed_headers import with_sources
from rookery.games.headers.named_columns import result_column, scores_of, with_results
from rookery.games.headers.opening_names import NAMED
from rookery.games.interchange.footers import Footers
from rookery.games.read.blocks import Begins, Block, Buffers, Part, Read, ends_with_result, next_game, whole_words
from rookery.games.read.build import Wanted, games_of, headers_of
from rookery.lazy_imports import modules_later
from rookery.pgn.faults import Fault, board_after, place_of
from rookery.pgn.scan import output
from rookery.pgn.scan.block_arrays import BlockReader, Found
from rookery.pgn.scan.headers.values import lines_in
from rookery.pgn.scan.output import PAD
from rookery.sources.failures import DamagedFileError
from rookery.sources.streams import Counted

if TYPE_CHECKING:
    from rookery.games.headers import known_headers
    from rookery.games.headers import where as conditions
    from rookery.games.positions import summaries
    from rookery.pgn.scan.headers import skim
else:
    known_headers, conditions = modules_later("rookery.games.headers", "known_headers where")
    (summaries,) = modules_later("rookery.games.positions", "summaries")
    (skim,) = modules_later("rookery.pgn.scan.headers", "skim")


LONGEST_GAME: Final = 1 << 26  # bytes


def none_idle() -> int:
    """Return 0, the number of idle threads where one thread reads."""
    return 0


class Work:
    """Reads blocks, each thread with arrays of its own."""

    def __init__(
        self,
        wanted: Wanted,
        row_headers: dict[str, Numbers | Texts],
        kinds: dict[str, Numbers | Texts] | None = None,
    ) -> None:
        """Prepare the work.

        `row_headers` are columns of a table with a value for each text; `kinds` are columns without values, for tables
        still to be read.
        """
        self.wanted = wanted
        self.threads = threads_to_start(wanted.threads)
        # A test of stored summaries: it returns False for games that the caller does not need.
        self.possible: Callable[[summaries.Summaries], conditions.Mask] | None = None
        # What the threads that read games do with them.
        self.each: Callable[[Games], Any] | None = None
        # The number of threads that nothing is left to read for: `each` may use as many.
        self.idle_threads: Callable[[], int] = none_idle
        self.requested = known_headers.UnseenHeaders(() if wanted.tags else wanted.columns)
        self._conditions: list[conditions.Condition] = []
        self._of_streams: conditions.Condition | None = None
        self._lock = threading.Lock()
        self.where = self.condition(kinds or row_headers)
        self.names_of_tables = self.where.names if self.where is not None else ()
        if self.where and self.where.of_moves and not wanted.moves:
            name = self.where.of_moves[0]
            raise ValueError(
                f"where: {shown(wanted.where)}: {name}: known only when moves are read: expected moves=True"
            )
        if wanted.names is not None and not wanted.moves:
            raise ValueError(f"names: {wanted.names!r}: openings are named by their moves: expected moves=True")
        # Whether the condition is about headers that moves may give.
        self.names_decide = wanted.names is not None and not {*NAMED}.isdisjoint(self.names_of_tables)
        self.row_headers = row_headers
        self.failures: list[DamagedFileError] = []
        self.counted = Counted()
        self.footers = Footers()
        self.warns = True
        self.buffers = Buffers()
        self._own = threading.local()
        self._readers: list[BlockReader] = []  # of all threads

    def condition(self, columns: Mapping[str, Numbers | Texts]) -> "conditions.Condition | None":
        """Return the condition over games with some columns, None if there is none."""
        if self.wanted.where is None:
            return None
        self._conditions.append(conditions.Condition(self.wanted.where, columns))
        return self._conditions[-1]

    def condition_of_streams(self) -> "conditions.Condition | None":
        """Return the condition over games of PGN, whatever columns tables of the same source have."""
        with self._lock:
            self._of_streams = self._of_streams or self.condition({})
            return self._of_streams

    def check_names(self) -> None:
        """Refuse names of headers that no game has. Of a file that is damaged nobody knows: then warn."""
        found = [condition for condition in self._conditions if condition.unseen.had_games]
        names = found[0].names if found else ()
        if nowhere := [name for name in names if all(name in condition.unseen.names for condition in found)]:
            self._refuse(known_headers.UnknownHeaderError({name: found[0].suggestion(name) for name in nowhere}))
        if suggestions := self.requested.suggestions:
            self._refuse(known_headers.UnknownHeaderError(suggestions, "headers"))

    def _refuse(self, error: "known_headers.UnknownHeaderError") -> None:
        if not self.failures:
            raise error
        if self.warns:
            warnings.warn(str(error), stacklevel=2)

    def release(self, *, all_read: bool = False) -> None:
        """Free the arrays of all threads, which would wait for the garbage collector where work is in a cycle.

        If all is read, no thread uses them any more: small ones are kept for other work.
        """
        if all_read:
            self.buffers.keep()
            for reader in self._readers:
                reader.give_back()
        self._own, self.buffers, self._readers = threading.local(), Buffers(), []

    def all_of(self, parts: list[Games]) -> Games:
        """Return the games of all parts; without parts, no games with the columns that are read."""
        return Games.concatenate(parts) if parts else no_games(self.wanted)

    def finished(self, part: Part) -> Part:
        """Return a part with the results of `each`."""
        return part if self.each is None else part._replace(results=tuple(map(self.each, part.games)))

    def _read_block(self, block: Block, stop: int, final: bool, begins: Begins) -> "Read":
        """Return the wanted games of a block; if headers decide, the moves of other games are not read."""
        if self.where and begins == Begins.LINE and not (self.where.holds_without_headers or self.names_decide):
            if not hasattr(self._own, "skimmer"):
                self._own.skimmer = skim.Skimmer(tuple(with_sources(self.where.names)))
            skimmed = self._own.skimmer.skim(block.text, stop, final)
            if skimmed.stop:
                return self._read_some(block, skimmed)
        return self._read(block, np.array([[0, stop, final]], np.int64), begins)

    def _taken(self, want: int, texts: bool = False) -> BlockReader:
        self._readers.append(BlockReader.taken(want, texts))
        return self._readers[-1]

    def _reader(self) -> BlockReader:
        reader = getattr(self._own, "reader", None)
        if reader is None:
            reader = self._own.reader = self._taken(self.wanted.flags, self.wanted.texts)
        return reader

    def _read(self, block: Block, ranges: NDArray[np.int64], begins: Begins) -> "Read":
        """Return the wanted games of stretches of a block."""
        reader = self._reader()
        reader.begin(block.text, ranges, begins == Begins.LINE, begins == Begins.AFTER_RESULT)
        parts, place, n, unmarked = [], 0, 0, -1
        last = before = 0  # the stretch that was read last, and how many of its games
        while (found := reader.read()) is not None:
            of_range = found.games[:, output.OF_RANGE]
            numbers = np.arange(1, of_range.size + 1) - np.searchsorted(of_range, of_range)
            numbers[of_range == last] += before
            if numbers.size:
                last, before = int(of_range[-1]), int(numbers[-1])
            parts.append(self._kept(found, block, numbers))
            n += len(found.games)
            place = found.place
            if len(found.games):
                row = found.games[-1]
                unmarked = -1 if (row[output.MARKED] & output.HAS_RESULT) else int(row[output.BEGINS])
                begins = Begins.AFTER_RESULT if row[output.MARKED] & output.SAME_LINE else Begins.WITHIN_LINE
        return Read(parts, place, n, Begins.LINE if reader.at_line else begins, unmarked)

    def named(self, games: Games, *, both: bool = False) -> Games:
        """Return games with the headers ECO and Opening filled by names of openings; `both` adds missing columns."""
        names, columns = self.wanted.names, games.columns
        if names is None:
            return games
        headers = dict(columns.headers)
        if both:
            headers |= {name: Texts.of([None] * len(games)) for name in NAMED if name not in headers}
        return Games._of_columns(columns.replace(headers=names.filled(headers, columns)))

    def _kept(self, found: Found, block: Block, numbers: NDArray[np.int64]) -> Games:
        """Return the wanted games, with their numbers in their stretches."""
        games = games_of(found, block.text, self.wanted, numbers)
        self.requested.look(games.headers, len(games))
        games = self.named(games)
        if self.where is None:
            return games
        of_rows = block.row + found.games[:, output.OF_RANGE]
        row_headers = {
            name: self.row_headers[name].chosen(of_rows) for name in self.where.names if name in self.row_headers
        }
        mask = self._mask(games, found, block, row_headers)
        return games if mask.all() else games[mask]

    def _mask(
        self, games: Games, found: Found, block: Block, row_headers: Mapping[str, Numbers | Texts]
    ) -> "conditions.Mask":
        """Return which games are wanted, once their moves have been read."""
        assert self.where
        names = tuple(name for name in self.where.names if name not in row_headers)
        columns = {**headers_of(found, block.text, names), **row_headers}
        if isinstance(stated := columns.get("Result"), Texts):
            scores = scores_of(stated)
            columns["Result"] = result_column(np.where(scores == 0, games.columns.scores, scores))
        columns |= summaries.columns_named(games.columns, self.where.of_moves)
        if self.wanted.names is not None:
            columns = self.wanted.names.filled(columns, games.columns)
        return self.where.mask(columns, len(games))

    def _read_some(self, block: Block, skimmed: "skim.Skimmed") -> "Read":
        """Return the same for those stretches only whose headers match, or do not decide."""
        assert self.where
        columns = headers_of(skimmed.found, block.text, (*self.where.names, *self.requested.names))
        self.requested.look(columns, len(skimmed.plain))
        columns, undecided = with_results(columns)
        sure_headers = skimmed.plain & ~undecided
        chosen = np.flatnonzero(self.where.mask(columns, len(skimmed.plain)) | ~sure_headers)
        ranges = np.ones((chosen.size, 3), np.int64)
        ranges[:, :2] = skimmed.stretches[chosen]
        games_in = np.ones(len(skimmed.plain), np.int64)  # each has one, as far as it is not read
        games_in[chosen] = 0
        found_parts = []
        reader = self._reader()
        if chosen.size:
            reader.begin(block.text, ranges)
            while (found := reader.read()) is not None:
                of_stretch = chosen[found.games[:, output.OF_RANGE]]
                np.add.at(games_in, of_stretch, 1)
                # The only game of a plain stretch has been looked at.
                sure = sure_headers[of_stretch] & (games_in[of_stretch] == 1)
                found_parts.append((self._kept_later(found, block, sure), of_stretch))
        before = np.cumsum(games_in) - games_in
        parts = []
        seen = np.zeros_like(games_in)
        for (games, mask), of_stretch in found_parts:
            numbers = np.empty(of_stretch.size, np.int64)
            for i, k in enumerate(of_stretch.tolist()):
                seen[k] += 1
                numbers[i] = before[k] + seen[k]
            begins = skimmed.stretches[of_stretch[mask], 0]
            parts.append(
                Games._of_columns(_placed_in_block(games.columns.replace(numbers=numbers[mask]), block, begins))
            )
        return Read(parts, skimmed.stop, int(games_in.sum()), Begins.LINE, int(skimmed.stretches[-1, 0]))

    def _kept_later(self, found: Found, block: Block, sure: NDArray[np.bool_]) -> tuple[Games, NDArray[np.bool_]]:
        """Return the wanted games and their indices. The headers of the `sure` ones match."""
        assert self.where
        games = games_of(found, block.text, self.wanted)
        self.requested.look(games.headers, len(games))
        games = self.named(games)
        mask = sure
        if self.where.of_moves:
            mask = self._mask(games, found, block, {})
        elif not sure.all():
            mask = sure | self._mask(games, found, block, {})
        return games if mask.all() else games[mask], mask

    def texts(self, block: Block, ranges: NDArray[np.int64]) -> list[Games]:
        """Return the games of several texts in a block."""
        games = self._read(block, ranges, Begins.LINE).games
        self.buffers.give_back(block)
        return games

    def part(self, block: Block, stop: int) -> Part:
        """Return all games of a block up to `stop`."""
        read = self._read_block(block, stop, True, Begins.LINE)
        tail = self._tail(block, stop, read.number)
        part = Part(read.games, int(lines_in(block.text, 0, stop)), stop, read.number, tail=tail)
        self.buffers.give_back(block)
        return part

    def leading_part(self, block: Block, ended: bool, begins: Begins) -> tuple[Part, Begins]:
        """Return the complete games of a block, and the bytes after them."""
        games: list[Games] = []
        number, last = 0, -1
        if begins == Begins.LONG_GAME:
            place, found = next_game(block.text, block.stop, ended)
            begins = Begins.LINE if found else Begins.LONG_GAME
        else:
            begun = begins
            games, place, number, begins, last = self._read_block(block, block.stop, ended, begun)
            if ended:
                place = block.stop
            elif not place and block.stop >= LONGEST_GAME:
                reason = f"longer than {LONGEST_GAME:,} bytes: passed over up to the next line [Event"
                cut = self._cut_game(block, begun, reason, from_its_end=False)
                if cut.number < 2:  # else the first one was nearly whole, and will be
                    games, number, place, begins = cut.games, cut.number, cut.place, Begins.LONG_GAME
        tail = self._tail(block, place, number)
        return Part(games, int(lines_in(block.text, 0, place)), place, number, last=last, tail=tail), begins

    def _tail(self, block: Block, stop: int, number: int) -> bytes:
        """Return the bytes of a block that has no game, if texts are wanted."""
        return block.text[:stop].tobytes() if self.wanted.texts and not number else b""

    def cut_short(self, block: Block, last: int, marked: bool) -> str:
        """Return why a file that ends with a block must be incomplete, or "" if it need not be.

        Its last game begins at `last`; `marked` is whether a result precedes the block. A game ends with a result. A
        few lines typed by hand may have none, but one is missing if the headers state one, or if the game before has
        one. No game ends inside a header or a comment.
        """
        if last < 0:
            return ""
        reader = getattr(self._own, "judge", None)
        if reader is None:
            reader = self._own.judge = self._taken(0)
        at_line = last == 0 or int(block.text[last - 1]) in b"\r\n"
        reader.begin(block.text, np.array([[last, block.stop, 1]], np.int64), at_line)
        rows: list[Any] = []
        before, has_any = marked, False
        if block.text[:last].tobytes().strip():
            before = ends_with_result(block.text, last)
        while (found := reader.read()) is not None:
            rows = [*rows, *found.games[-2:].copy()][-2:]
            if len(found.games):
                row = found.games[-1]
                has_any = row[output.FIRST_TAG] < len(found.tags) or row[output.FIRST_PLY] < len(found.moves)
        if not rows or (rows[-1][output.MARKED] & output.HAS_RESULT):
            return ""
        row = rows[-1]
        before = bool(rows[0][output.MARKED] & output.HAS_RESULT) if len(rows) > 1 else before
        code = int(row[output.FAULT_CODE])
        if code == output.UNCLOSED_COMMENT:
            return "cut short: it ends within a comment"
        if code == output.BROKEN_TAG and row[output.FAULT_TO] >= block.stop:
            return "cut short: it ends within a header"
        if row[output.SCORE] or (before and has_any):
            return "cut short: its last game ends without a result"
        return ""

    def broken_part(self, block: Block, begins: Begins, failure: DamagedFileError) -> Part:
        """Return the games that remain of a file that cannot be read to its end."""
        games: list[Games] = []
        number = 0
        if begins != Begins.LONG_GAME:
            cut = self._cut_game(block, begins, "the file ends here", from_its_end=True)
            games, number = cut.games, cut.number
            if self.wanted.texts and games and len(games[-1]) and games[-1].numbers[-1] == number:
                rest = block.text[whole_words(block.text, block.stop) : block.stop]
                games[-1] = Games._of_columns(games[-1].columns.with_more_text(rest.tobytes()))
        return Part(games, int(lines_in(block.text, 0, block.stop)), block.stop, number, failure)

    def _cut_game(self, block: Block, begins: Begins, reason: str, *, from_its_end: bool) -> "Read":
        """Return all games of a block. The last one is marked bad: the text ends inside it."""
        read = self._read_block(block, whole_words(block.text, block.stop), True, begins)
        k = next((k for k in reversed(range(len(read.games))) if len(read.games[k])), None)
        if k is not None and (games := read.games[k]).numbers[-1] == read.number:
            row, errors = len(games) - 1, games.columns.errors
            known = dict(errors.items).get(row)
            if known is None:
                place = block.stop if from_its_end else int(games.offsets[row])
                board = board_after(games.board(row), games.moves[row].tolist())
                where = place_of(Fault(0, "", "", "", bool(games.plies[row])), board)
                line = 1 + int(lines_in(block.text, 0, place))
                digest = digest_of(block.text[int(games.offsets[row]) : block.stop].tobytes()) if from_its_end else ""
                error = GameError("", read.number, line, place, where, "", reason, digest)
                items = (*errors.items, (row, error))
            else:
                known = known._replace(digest=known.digest if from_its_end else "")  # the game goes on elsewhere
                items = (*errors.items[:-1], (row, known._replace(reason=f"{known.reason}; {reason}")))
            read.games[k] = Games._of_columns(games.columns.replace(errors=Reports(len(games), items)))
        return read._replace(place=block.stop)


def _placed_in_block(games: GameColumns, block: Block, begins: NDArray[np.int64]) -> GameColumns:
    """Count lines and bytes of errors from the block's beginning, not from those of the games' stretches."""
    rows = np.array(sorted({row for row, _ in (*games.errors.items, *games.warnings.items)}), np.int64)
    lines_before: dict[int, int] = {}
    lines, place = 0, 0
    for row in rows.tolist():
        begin = int(begins[row])
        lines += int(lines_in(block.text, place, begin))
        place = begin
        lines_before[row] = lines
    return games.with_reports(
        lambda row, e: e._replace(line=e.line + lines_before[row], offset=e.offset + int(begins[row]))
    )


def no_games(wanted: Wanted) -> Games:
    """Return an empty `Games` with the columns that are read."""
    text = np.full(PAD + 1, 10, np.uint8)
    reader = BlockReader.taken(wanted.flags, wanted.texts)
    reader.begin(text, np.array([[0, 1, 1]], np.int64))
    found = reader.read()
    assert found is not None
    games = games_of(found, text, wanted)
    reader.give_back()
    return games
