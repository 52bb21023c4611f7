"""`Games` of the arrays that the compiled reader fills from a block."""

import functools
import threading
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Categorical, Lists, Numbers, Texts
from rookery.games.errors import GameError, digest_of
from rookery.games.game_columns import GameColumns, Reports, Starts
from rookery.games.games import Games
from rookery.games.headers.computed_headers import with_sources
from rookery.games.headers.dates import DATES, YEAR, dates_of_games, years
from rookery.games.headers.header_types import HEADER_DTYPES
from rookery.games.read.options import ReadOptions
from rookery.pgn.reports import Report, bytes_of_bad, errors_of, warnings_of
from rookery.pgn.scan import output
from rookery.pgn.scan.block_arrays import Found
from rookery.pgn.scan.headers.values import (
    DATE_KIND,
    GROWTH,
    NUMBER_KIND,
    SIGNED_KIND,
    SPARE,
    TIME_KIND,
    copy_columns,
    copy_stretches,
    copy_values,
    other_tags,
    read_columns,
    rows_named,
)
from rookery.pgn.scan.lexing.languages import number_of_language
from rookery.pgn.scan.lexing.vocabulary import COLUMNS, KNOWN, NAME_START, NUMBER, ODD_VALUE, SET_UP, VALUE_START
from rookery.pgn.scan.output import PAD
from rookery.positions.layout import CHESS960, CLOCK_SHIFT, COUNTER, NUMBER_SHIFT, Columns
from rookery.positions.positions import Positions

_KIND_OF: Final = {"i2": NUMBER_KIND, "M8[D]": DATE_KIND, "m8[s]": TIME_KIND}
KINDS: Final = {name: _KIND_OF[dtype] for name, dtype in HEADER_DTYPES.items()} | dict.fromkeys(
    ("WhiteRatingDiff", "BlackRatingDiff"), SIGNED_KIND
)


@dataclass(frozen=True, kw_only=True)
class Wanted(ReadOptions):
    """The parts of games to keep, by options of reading: with headers as columns, and what the source requires.

    `columns` are the headers that become columns, with those that they are computed from.
    """

    columns: tuple[str, ...] = COLUMNS
    one_each: bool = False
    rows: bool = False

    @classmethod
    def of(cls, options: ReadOptions) -> "Wanted":
        """Return what to keep of games that are read by some options."""
        kept = {name: options.moves and getattr(options, name) for name in ("comments", "nags", "variations")}
        columns = COLUMNS if options.headers is None else tuple(with_sources(options.headers))
        return cls(**{**vars(options), **kept}, columns=columns)

    @property
    def tags(self) -> bool:
        """Return whether the headers that no column reproduces are kept."""
        return self.headers is None

    @property
    def flags(self) -> int:
        """Return the options as bits for the compiled reader."""
        chosen = {
            output.CLOCKS: self.clocks,
            output.COMMENTS: self.comments,
            output.NAGS: self.nags,
            output.VARIATIONS: self.variations,
            output.NO_MOVES: not self.moves,
            output.ONE_EACH: self.one_each,
            output.STRICT: self.strict,
        }
        language = number_of_language(self.letters) << output.LANGUAGE_SHIFT
        return language + sum(int(flag) for flag, on in chosen.items() if on)


def games_of(found: Found, text: NDArray[np.uint8], wanted: Wanted, numbers: NDArray[np.int64] | None = None) -> Games:
    """Return the games of a block. Offsets, and numbers unless given, count from the beginning of the block."""
    table = found.games
    offsets = np.empty(len(table) + 1, np.int64)
    offsets[:-1] = table[:, output.FIRST_PLY]
    offsets[-1] = found.moves.size
    plies = {}
    if wanted.clocks:
        named = (("clocks", found.clocks), ("evals", found.evaluations), ("emts", found.elapsed))
        plies = {name: values.copy() for name, values in named if values is not None}
    starts = _starts(found.starts)
    headers, tags, dates = _headers(found, text, wanted.columns, wanted.tags)
    if fens := _mended_fens(found, starts):
        headers, tags = _with_fens(headers, fens), _tags_with_fens(tags, fens)
    begins, texts = table[:, output.BEGINS].copy(), None
    if found.text_ends is not None:
        begins, texts = _game_texts(found, text)
    columns = GameColumns(
        headers=headers,
        plies=Lists(offsets, {"moves": found.moves.copy(), **plies}),
        scores=table[:, output.SCORE].astype(np.uint8),
        files=Categorical.of("", len(table)),
        numbers=np.arange(1, len(table) + 1) if numbers is None else numbers,
        offsets=begins,
        starts=Starts(table[:, output.START].astype(np.int32), starts),
        dates=dates,
        errors=_errors(found, text, starts),
        warnings=_warnings(found, text, starts),
        rows=table[:, output.OF_RANGE].copy() if wanted.rows else None,
        tags=tags,
        nags=_nags(found) if wanted.nags else None,
        comments=_stretches(found, text, found.comments, output.FIRST_COMMENT) if wanted.comments else None,
        variations=_stretches(found, text, found.variations, output.FIRST_VARIATION) if wanted.variations else None,
        texts=texts,
    )
    return Games._of_columns(columns)


def _errors(found: Found, text: NDArray[np.uint8], starts: Positions) -> Reports:
    reports = errors_of(found, text, starts.__getitem__)
    digests = [digest_of(bytes_of_bad(found, text, report.row)) for report in reports]
    return _reports(len(found.games), reports, digests)


def _warnings(found: Found, text: NDArray[np.uint8], starts: Positions) -> Reports:
    reports = warnings_of(found, text, starts.__getitem__)
    return _reports(len(found.games), reports, [""] * len(reports))


def _reports(n: int, reports: list[Report], digests: list[str]) -> Reports:
    rows = tuple(
        (r.row, GameError("", r.row + 1, r.line, r.offset, r.place, r.move, r.reason, digest))
        for r, digest in zip(reports, digests, strict=True)
    )
    return Reports(n, rows)


class _Plan(NamedTuple):
    """How columns of some names are read: those that are numbers, those that are texts, and those nobody knows."""

    names: tuple[str, ...]
    typed: tuple[str, ...]
    texts: tuple[str, ...]
    others: tuple[str, ...]
    dtypes: tuple[str, ...]
    kinds: NDArray[np.int64]
    typed_numbers: NDArray[np.int64]
    text_numbers: NDArray[np.int64]
    how: NDArray[np.int64]  # see `other_tags`


@functools.lru_cache(maxsize=64)
def _plan(names: tuple[str, ...]) -> _Plan:
    names = tuple(dict.fromkeys(name for name in names if name != "Result"))
    typed = tuple(name for name in names if name in KINDS)
    texts = tuple(name for name in names if name in KNOWN and name not in KINDS)
    others = tuple(name for name in names if name not in KNOWN)
    kinds = [KINDS[name] for name in typed]
    dtypes = tuple(HEADER_DTYPES[name] for name in typed)
    how = np.full(len(KNOWN) + 1, -1)
    how[[*_numbers(SET_UP), -1]] = -2
    how[_numbers(typed)] = np.arange(len(typed))
    return _Plan(names, typed, texts, others, dtypes, np.array(kinds, np.int64), _numbers(typed), _numbers(texts), how)


def _headers(
    found: Found, text: NDArray[np.uint8], names: tuple[str, ...], others: bool = False
) -> tuple[dict[str, Numbers | Texts], Lists | None, NDArray[np.int32]]:
    """Return the columns of some names, in their order, all `others` that no column reproduces, and the dates of games.

    The result is a score, and not among them.
    """
    plan = _plan(names)
    columns: dict[str, Numbers | Texts] = {}
    n = len(found.games)
    where = text, found.tags, found.slots, found.games
    numbers, dates = np.empty((2, len(plan.typed), n), np.int32)
    valid, written = np.empty((2, len(plan.typed), n), np.bool_)
    if plan.typed:
        read_columns(*where, plan.typed_numbers, plan.kinds, numbers, dates, valid, written)
        for k, name in enumerate(plan.typed):
            columns[name] = Numbers(numbers[k].astype(plan.dtypes[k]), valid[k])
    offsets, stated = np.empty((len(plan.texts), n + 1), np.int64), np.empty((len(plan.texts), n), np.bool_)
    if plan.texts:
        width = len(plan.texts)
        out, ends = _room(GROWTH * text.size + int(SPARE) * width), np.empty((width, 2), np.int64)
        copy_columns(*where, plan.text_numbers, out, ends, offsets, stated)
        for k, (begin, end) in enumerate(ends.tolist()):
            columns[plan.texts[k]] = Texts(offsets[k], out[begin:end].copy(), stated[k])
    for name in plan.others:
        columns[name] = _texts(text, found.tags, _rows_of(found, text, name), VALUE_START)
    tags = None
    if others:
        tags = _other_tags(found, text, plan.how, written, stated)
    of_names = {name: (dates[k], valid[k]) for k, name in enumerate(plan.typed) if name in DATES}
    return {name: columns[name] for name in plan.names}, tags, dates_of_games(of_names, n)


def headers_of(found: Found, text: NDArray[np.uint8], names: tuple[str, ...]) -> dict[str, Numbers | Texts]:
    """Return the columns of some names, including the header Result and the year that the dates state."""
    columns, _, dates = _headers(found, text, (*names, *DATES) if YEAR in names else names)
    if YEAR in names:
        columns[YEAR] = years(dates)
    if "Result" in names:
        columns["Result"] = _texts(text, found.tags, _rows_of(found, text, "Result"), VALUE_START)
    return columns


_rooms = threading.local()


def _room(size: int) -> NDArray[np.uint8]:
    """Return a buffer for texts whose total length is not known yet. The blocks of a thread share it."""
    room: NDArray[np.uint8] | None = getattr(_rooms, "bytes", None)
    if room is None or room.size < size:
        room = _rooms.bytes = np.empty(size, np.uint8)
    return room


def _numbers(names: tuple[str, ...]) -> NDArray[np.int64]:
    return np.array([KNOWN.index(name) for name in names], np.int64)


def _rows_of(found: Found, text: NDArray[np.uint8], name: str) -> NDArray[np.int64]:
    """Return the row of each game's tag of a name, or -1."""
    table = found.games
    if name in KNOWN:
        slots = found.slots[:, KNOWN.index(name)].astype(np.int64)
        return np.where(slots > 0, slots - 1 + table[:, output.FIRST_TAG], -1)
    rows = np.empty(len(table), np.int64)
    code = np.frombuffer(bytearray(name.encode()), np.uint8)
    rows_named(text, found.tags, table, len(found.tags), code, rows)
    return rows


def _texts(text: NDArray[np.uint8], tags: NDArray[np.int32], rows: NDArray[np.int64], column: int) -> Texts:
    # Each tag is there at most once, and escapes only shorten a text.
    out, offsets = _room(GROWTH * text.size + PAD), np.zeros(rows.size + 1, np.int64)
    used = copy_values(text, tags, rows, column, out, offsets)
    return Texts(offsets, out[: int(used)].copy(), rows >= 0)


def _mended_fens(found: Found, starts: Positions) -> dict[int, str]:
    """Return the FENs, by their games, from which impossible rights were dropped: as they are without these."""
    if not len(found.warnings):
        return {}
    warned = found.warnings[found.warnings[:, output.WARNING_CODE] == output.IMPOSSIBLE_RIGHTS, output.WARNING_GAME]
    places = {i: int(found.games[i, output.START]) for i in warned.tolist()}
    return {i: starts[place].fen(en_passant="fen") for i, place in places.items() if place >= 0}


def _with_fens(columns: dict[str, Numbers | Texts], fens: dict[int, str]) -> dict[str, Numbers | Texts]:
    column = columns.get("FEN")
    return columns | {"FEN": _replaced(column, fens)} if isinstance(column, Texts) else columns


def _tags_with_fens(tags: Lists | None, fens: dict[int, str]) -> Lists | None:
    if tags is None:
        return None
    rows = tags.rows_where("name", "FEN")
    mended = {
        row: fens[game] for row, game in zip(rows.tolist(), tags.lists_of(rows).tolist(), strict=True) if game in fens
    }
    return Lists(tags.offsets, tags.columns | {"value": _replaced(tags.columns["value"], mended)})


def _replaced(column: Texts, values: dict[int, str]) -> Texts:
    return Texts.of([values.get(i, text) for i, text in enumerate(column)])


def _other_tags(
    found: Found, text: NDArray[np.uint8], how: NDArray[np.int64], written: NDArray[np.bool_], stated: NDArray[np.bool_]
) -> Lists:
    """Return the tags that no column gives back. Columns give back those that are `written` or `stated`."""
    results = found.slots[:, KNOWN.index("Result")] > 0
    if found.games[:, output.FAULT_CODE].any():  # a game with a result that is none has a fault
        odd = np.flatnonzero(found.tags[:, NUMBER] & ODD_VALUE)
        results[np.searchsorted(found.games[:, output.FIRST_TAG], odd, "right") - 1] = False
    if sum(map(np.count_nonzero, (written, stated, results))) == len(found.tags):  # in files of Lichess
        return Lists(np.zeros(len(results) + 1, np.int64), {"name": _NO_TEXTS, "value": _NO_TEXTS})
    held = stated.sum(axis=0) + written.sum(axis=0) + results
    others = np.diff(found.games[:, output.FIRST_TAG], append=len(found.tags)) - held
    offsets = np.zeros(len(others) + 1, np.int64)
    np.cumsum(others, out=offsets[1:])
    rows = np.empty(offsets[-1], np.int64)
    n = int(other_tags(found.tags, found.slots, found.games, len(found.tags), others, how, written, rows))
    assert n == rows.size
    columns = {
        "name": _texts(text, found.tags, rows, NAME_START),
        "value": _texts(text, found.tags, rows, VALUE_START),
    }
    return Lists(offsets, columns)


_NO_TEXTS: Final = Texts.of([])


def _offsets(found: Found, column: int, last: int) -> NDArray[np.int64]:
    return np.append(found.games[:, column], last)


def _nags(found: Found) -> Lists:
    columns = {name: found.nags[:, k].copy() for k, name in enumerate(("ply", "nag", "after"))}
    return Lists(_offsets(found, output.FIRST_NAG, len(found.nags)), columns)


def _stretches(found: Found, text: NDArray[np.uint8], rows: NDArray[np.int32], first: int) -> Lists:
    starts, ends = np.ascontiguousarray(rows[:, 1]), np.ascontiguousarray(rows[:, 2])
    out = np.empty(GROWTH * int((ends - starts).sum(dtype=np.int64)) + PAD, np.uint8)
    offsets = np.zeros(len(rows) + 1, np.int64)
    used = copy_stretches(text, starts, ends, out, offsets)
    texts = Texts(offsets, out[: int(used)].copy(), np.ones(len(rows), np.bool_))
    columns: dict[str, Any] = {"ply": rows[:, 0].copy(), "text": texts}
    if first == output.FIRST_COMMENT:
        columns["after"] = rows[:, 3].copy()
    return Lists(_offsets(found, first, len(rows)), columns)


def _game_texts(found: Found, text: NDArray[np.uint8]) -> tuple[NDArray[np.int64], Texts]:
    """Return where the text of each game begins, and the texts, end to end without a gap within a stretch."""
    ends, of_range = found.text_ends, found.games[:, output.OF_RANGE]
    assert ends is not None
    starts = found.ranges[of_range, 0]
    same = np.flatnonzero(of_range[1:] == of_range[:-1]) + 1
    starts[same] = ends[same - 1]
    if starts.size:
        starts[0] = max(starts[0], found.text_start)
    offsets = np.zeros(len(starts) + 1, np.int64)
    np.cumsum(ends - starts, out=offsets[1:])
    stretches = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    data = np.concatenate(stretches) if stretches else np.zeros(0, np.uint8)
    return starts, Texts(offsets, data, np.ones(len(starts), np.bool_))


def _starts(rows: NDArray[np.uint64]) -> Positions:
    if not len(rows):
        return _no_starts()
    turn = rows[:, 9]
    white = np.where(turn != 0, rows[:, 6], rows[:, 5])
    state = turn | np.where(rows[:, 12] != 0, CHESS960, np.uint64(0))
    state |= (rows[:, 10] & COUNTER) << CLOCK_SHIFT | (rows[:, 11] & COUNTER) << NUMBER_SHIFT
    columns = [*rows[:, :5].T, white, rows[:, 7], rows[:, 8], state]
    return Positions(Columns(*map(np.array, columns)))  # copies, since the reader writes its arrays again


@functools.cache
def _no_starts() -> Positions:
    return Positions.from_boards([])
