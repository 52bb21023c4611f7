"""`write_pgn`: games to PGN."""

import io
import os
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final, TextIO

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_path, check_threads, flag, shown
from rookery.board.moves import IllegalMoveError
from rookery.frames.columns import Lists, Texts
from rookery.games.errors import GameErrorException
from rookery.games.game_columns import PLY_VALUES, GameColumns
from rookery.games.games import Games
from rookery.games.headers.header_types import Header, header_text
from rookery.games.interchange.parquet import blocks_of
from rookery.games.positions.check_moves import file_of, illegal_words
from rookery.games.read.reader import read_pgn
from rookery.games.write import header_texts, movetext
from rookery.games.write.movetext import Annotations, Play, Tags
from rookery.pgn import faults, headers
from rookery.pgn.scan.lexing.vocabulary import MARK, RESULTS, ROSTER, SET_UP
from rookery.pgn.scan.output import PAD
from rookery.pgn.tree.game import Game
from rookery.pgn.write import words
from rookery.positions.layout import Columns
from rookery.positions.operands import plain
from rookery.positions.threads import each_in_threads
from rookery.rules.compiled import default_technique
from rookery.rules.notation.start import START
from rookery.sources import files
from rookery.sources.unpack import packed_by_name

_UNICODE: Final = ("utf8", "utf16", "utf32", "utf8sig")  # encodings that have every character
_NOT_WRITTEN: Final = (".bz2", ".xz", ".lzma", ".zip", ".parquet", ".arrow")
_BATCH: Final = 1 << 22  # bytes of room, mostly unused, for the games written between two checks for Ctrl-C
_LAST: Final = np.iinfo(np.int32).max  # after all variations
_GATHERED: Final = 1000  # single games that are written together


def write_pgn(
    games: Games | Game | Iterable[Games | Game],
    target: str | os.PathLike[str] | BinaryIO | TextIO,
    *,
    export: bool = False,
    threads: int = 1,
) -> int:
    r"""Write games as PGN, and return their number.

    `games` are `Games`, one game (``games[0]``, any `pgn.Game`), or an iterable of these, such as a list of games or
    the iterator of `scan_pgn`. `target` is a path, or a file that is open for writing bytes or text. A file at the path
    is replaced only after all games are written, so `games` may come from the same file. It is packed if its name ends
    in ``.gz`` or ``.zst``. If a text file's encoding
    lacks a character, a UnicodeEncodeError is raised before anything is written.

    Games with `texts` are copied byte for byte, bad ones too. Others are written anew: the headers, the result and the
    start position; then, on one line like Lichess, the moves in SAN with NAGs, comments and variations, and with
    clocks, evaluations and times as comments. What was not read is not written. Reading the file returns the same
    games: ``read_pgn(target, ...) == games``.

    `export` writes the export format of the PGN standard: the seven-tag roster, with ``?`` for missing values, and
    lines of at most 79 characters where blanks outside comments allow it. Then a roster header that was not read is a
    ValueError. Glyphs, comments and variations keep their order.

    A bad game without its text is written up to its fault, and ends with a comment ``{[%parse_error ...]}`` that says
    what is wrong. Readers of rookery read the game as bad again. A move that is not legal is a ValueError.

    >>> import io
    >>> text = io.StringIO()
    >>> write_pgn(read_pgn(b'[White "Anna"]\n\n1. e2e4 {[%clk 0:03:00]} e5 2. d1h5 Ke7 3. h5e5 1-0'), text)
    1
    >>> print(text.getvalue().rstrip())
    [White "Anna"]
    [Result "1-0"]
    <BLANKLINE>
    1. e4 { [%clk 0:03:00] } 1... e5 2. Qh5 Ke7 3. Qxe5# 1-0

    >>> write_pgn(read_pgn(b"1. e4 e5 *\n\n1. d4 *")[1], io.BytesIO())
    1
    """
    check_threads(threads)
    export = flag("export", export)
    if isinstance(target, (str, os.PathLike)):
        check_path("target", target)
        if (suffix := os.path.splitext(os.fsdecode(target))[1].lower()) in _NOT_WRITTEN:  # noqa: PTH122
            raise ValueError(f"target: {shown(target)}: {suffix} is only read: expected .pgn, .pgn.gz or .pgn.zst")
        with files.replacing(target) as file, packed_by_name(file, target) as text_file:
            return _written(games, text_file.write, export, threads)
    if not hasattr(target, "write"):
        raise TypeError(f"target: {type(target).__name__}: expected a path or a file that is open for writing")
    if isinstance(target, io.TextIOBase):
        text = target
        if (target.encoding or "utf-8").lower().replace("-", "") in _UNICODE:
            return _written(games, lambda data: text.write(data.decode()), export, threads)
        pieces: list[str] = []  # what the encoding lacks is found before anything is written
        n = _written(games, lambda data: pieces.append(data.decode()), export, threads)
        "".join(pieces).encode(target.encoding, target.errors or "strict")
        text.writelines(pieces)
        return n
    return _written(games, target.write, export, threads)


def _written(games: Any, write: Any, export: bool, threads: int) -> int:
    n = 0
    copied = _Copied()
    for block in _blocks(games):
        if block.columns.texts is not None and not export:
            write(copied.add(block.columns, block.columns.texts))
        else:
            for data in texts_of(_marked(block), n, export=export, threads=threads):
                write(data)
        n += len(block)
    return n


def _blocks(games: Any) -> Iterator[Games]:
    """Yield `Games`, or the arrays of games of an iterable; single games are gathered to arrays."""
    if isinstance(games, Game):
        games = [games]
    if isinstance(games, Games) or not isinstance(games, Iterable):
        yield from blocks_of(games)
        return
    held: list[Game] = []
    for i, one in enumerate(games):
        if isinstance(one, Game):
            held.append(one)
        elif not isinstance(one, Games):
            raise TypeError(f"games[{i}]: {shown(one)}: expected a game (pgn.Game) or Games")
        if held and (isinstance(one, Games) or len(held) >= _GATHERED):
            yield _gathered(held)
            held = []
        if isinstance(one, Games):
            yield one
    if held:
        yield _gathered(held)


def _gathered(games: list[Game]) -> Games:
    """Return single games as an array, by writing and reading their texts."""
    texts = [game.write() for game in games]
    found = read_pgn("".join(texts).encode())
    for row, error in found.columns.errors.items:
        if MARK not in texts[row]:  # of a bad game
            raise GameErrorException(error)
    return found


def _marked(games: Games) -> Games:
    """Return the games with a comment at the end of each bad one, which says what is wrong with it."""
    columns = games.columns
    bad = dict(reversed(columns.errors.of_rows))
    if not bad:
        return games
    n = len(games)
    nothing = np.zeros(0, np.int32)
    none = Lists(np.zeros(n + 1, np.int64), {"ply": nothing, "text": Texts.of([]), "after": nothing})
    lists = columns.comments or none
    rows = np.array(sorted(bad), np.int64)
    marks = [faults.mark(bad[row].place, bad[row].reason) for row in rows.tolist()]
    places = np.concatenate([lists.lists_of(np.arange(lists.columns["ply"].size)), rows])
    order = np.argsort(places, kind="stable")
    plies = np.concatenate([lists.columns["ply"], np.diff(columns.plies.offsets)[rows].astype(np.int32)])
    texts = Texts.joined([lists.columns["text"], Texts.of(marks)])
    offsets = np.searchsorted(places[order], np.arange(n + 1))
    after = np.concatenate([lists.columns["after"], np.full(rows.size, _LAST, np.int32)])
    fields = {"ply": plies[order], "text": texts.chosen(order), "after": after[order]}
    comments = Lists(offsets.astype(np.int64), fields)
    return Games(columns.replace(comments=comments))


class _Copied:
    """The texts of games as in their sources, with an empty line between two that were not adjacent."""

    def __init__(self) -> None:
        self._last = (0, 0, b"")  # the number, offset and text of the last copied game

    def add(self, games: GameColumns, texts: Texts) -> bytes:
        """Return the bytes of some games, which follow those returned before."""
        numbers, places, sizes = games.numbers, games.offsets, np.diff(texts.offsets)
        follows = np.zeros(len(games), np.bool_)
        follows[1:] = (np.diff(numbers) == 1) & (np.diff(places) == sizes[:-1])
        if len(games):
            number, place, text = self._last
            follows[0] = not text or (numbers[0] == number + 1 and places[0] == place + len(text))
        pieces = []
        first = 0
        for i in [*np.flatnonzero(~follows).tolist(), len(games)]:
            if i:
                pieces.append(texts.data[texts.offsets[first] : texts.offsets[i]].tobytes())
                self._last = int(numbers[i - 1]), int(places[i - 1]), pieces[-1][-int(sizes[i - 1]) :]
            if i < len(games):
                pieces.append(_line_breaks_after(self._last[2]))
            first = i
        return b"".join(pieces)


def _line_breaks_after(text: bytes) -> bytes:
    """Return the line breaks that a game's text lacks: of its last line, and of an empty line after it."""
    line = b"\r\n" if b"\r\n" in text[:1000] else b"\n"
    if text.endswith((b"\n\n", b"\n\r\n", b"\r\r")):
        return b""
    return line if text.endswith((b"\n", b"\r")) else 2 * line


def texts_of(games: Games, before: int = 0, *, export: bool = False, threads: int = 1) -> Iterator[bytes]:
    """Yield the text of games in pieces; `before` is the number of games written before, for error messages."""
    columns = games.columns
    play, tags, annotations = _play(columns), _tags(columns, export), _annotations(columns)
    room = np.zeros(len(games) + 1, np.int64)
    np.cumsum(_room(columns, play, tags, annotations), out=room[1:])
    tables = default_technique().tables()

    def work(span: tuple[int, int]) -> bytes:
        first, last = span
        out = np.empty(int(room[last] - room[first]), np.uint8)
        layout, ends = words.new_layout(words.WIDTH if export else 0), np.empty(last - first, np.int64)
        n = movetext.write_games(out, first, last, play, tags, annotations, layout, ends, tables)
        if n < 0:
            i, ply = int(layout[words.BAD_GAME]), int(layout[words.BAD_PLY])
            raise IllegalMoveError(
                f"{file_of(columns)}game {before + i + 1}, move {ply + 1}: {illegal_words(columns, i, ply)}"
            )
        return out[:n].tobytes()

    spans = _spans(room)
    yield from each_in_threads(work, spans, threads) if spans else ()


def _spans(room: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the ranges of games that each fit into a batch, or hold one game that is larger."""
    spans, first = [], 0
    while first < room.size - 1:
        last = max(int(np.searchsorted(room, room[first] + _BATCH, "right")) - 1, first + 1)
        spans.append((first, last))
        first = last
    return spans


def _play(games: GameColumns) -> Play:
    none = np.zeros(0, np.float32)
    plies, starts = games.plies.columns, games.starts
    clocks, evals, emts = (plain(plies.get(name, none)) for name in PLY_VALUES)
    return Play(
        games.plies.offsets,
        plain(plies["moves"]),
        clocks,
        evals,
        emts,
        plain(games.scores),
        starts.places.astype(np.int64),
        Columns(*map(plain, starts.all_positions)),
    )


def _tags(games: GameColumns, export: bool) -> Tags:
    n = len(games)
    columns, tags = _headers(games, export)
    ends = np.zeros((len(columns), n + 1), np.int64)
    valid = np.zeros((len(columns), n), np.bool_)
    base = 0
    for k, column in enumerate(columns.values()):
        ends[k] = column.offsets - column.offsets[0] + base
        base = int(ends[k, -1])
        valid[k] = column.valid
    texts = [column.data[column.offsets[0] : column.offsets[-1]] for column in columns.values()]
    column_names = Texts.of(list(columns))
    names, values = tags.columns["name"], tags.columns["value"]
    return Tags(
        tags.offsets,
        plain(names.data),
        plain(names.offsets),
        plain(values.data),
        plain(values.offsets),
        plain(column_names.data),
        plain(column_names.offsets),
        np.concatenate([*texts, np.zeros(0, np.uint8)]),
        ends,
        valid,
    )


def _headers(games: GameColumns, export: bool) -> tuple[dict[str, Texts], Lists]:
    """Return the columns of headers to write, in order, and the headers of each game that follow them."""
    n = len(games)
    columns = {name: _texts(name, column) for name, column in games.headers.items()}
    tags = games.tags or Lists(np.zeros(n + 1, np.int64), {"name": Texts.of([]), "value": Texts.of([])})
    columns |= _set_up(games, tags)
    columns["Result"] = Texts.of([RESULTS[score] for score in games.scores.tolist()])
    rows = np.arange(tags.columns["name"].size)
    for name, column in columns.items():
        # A value that does not fit the type of its column, like a date "2024.??.??", is among the tags.
        found = tags.rows_where("name", name)
        if found.size:
            texts = list(column)
            for game, text in zip(tags.lists_of(found).tolist(), tags.columns["value"].chosen(found), strict=True):
                texts[game] = text
            columns[name] = Texts.of(texts)
            rows = np.setdiff1d(rows, found)
    if export:
        if unread := [name for name in ROSTER if name not in columns]:
            raise ValueError(f"export: {', '.join(unread)}: not read; the export format has all of {', '.join(ROSTER)}")
        if "UTCDate" in columns:
            columns["Date"] = _filled(columns["Date"], list(columns["UTCDate"]))
        for name in ROSTER:
            columns[name] = _filled(columns[name], [headers.ROSTER[name]] * n)
    order: list[str] = [name for name in ROSTER if name in columns]
    order += [name for name in columns if name not in (*ROSTER, *SET_UP)]
    order += [name for name in SET_UP if name in columns]
    return {name: columns[name] for name in order}, tags.with_rows(rows)


def _filled(column: Texts, values: list[str | None]) -> Texts:
    if column.valid.all():
        return column
    return Texts.of([text if text is not None else value for text, value in zip(column, values, strict=True)])


def _texts(name: str, column: Header) -> Texts:
    if isinstance(column, Texts):
        return column
    kind = column.values.dtype.kind
    if kind in "fbu":  # columns of a table that was not read from PGN
        return Texts.of([header_text(name, column, i) for i in range(column.size)])
    how = {"M": header_texts.DATE, "m": header_texts.TIME}.get(kind)
    if how is None:
        how = header_texts.SIGNED if name.endswith("Diff") else header_texts.INTEGER
    values = column.values.astype("M8[D]" if kind == "M" else "m8[s]" if kind == "m" else np.int64).astype(np.int64)
    out, offsets = np.empty(24 * values.size, np.uint8), np.zeros(values.size + 1, np.int64)
    used = header_texts.write_numbers(values, plain(column.valid), how, out, offsets)
    return Texts(offsets, out[: int(used)], column.valid)


def _set_up(games: GameColumns, tags: Lists) -> dict[str, Texts]:
    """Return the headers that state start positions, for games without such a tag."""
    places, n = games.starts.places, len(games)
    stated = np.zeros(n, np.bool_)
    stated[tags.lists_of(tags.rows_where("name", "FEN"))] = True
    own = np.flatnonzero((places >= 0) & ~stated)
    if not own.size:
        return {}
    used, index = np.unique(places[own], return_inverse=True)
    starts = games.starts.table[used]
    fens = starts.to_fens(en_passant="fen")
    shredder = starts.to_fens(en_passant="fen", shredder=True)
    columns: dict[str, list[str | None]] = {name: [None] * n for name in SET_UP}
    for i, k in zip(own.tolist(), index.tolist(), strict=True):
        chess960 = starts.chess960[k]
        if chess960:
            columns["Variant"][i] = "Chess960"
        if fens[k] != START:
            columns["SetUp"][i], columns["FEN"][i] = "1", shredder[k] if chess960 else fens[k]
    return {name: Texts.of(texts) for name, texts in columns.items()}


def _annotations(games: GameColumns) -> Annotations:
    n = len(games)
    none = np.zeros(0, np.int32)
    nags = games.nags or Lists(np.zeros(n + 1, np.int64), {"ply": none, "nag": none, "after": none})
    rows = [nags.offsets, *(plain(nags.columns[name]) for name in ("ply", "nag", "after"))]
    for given, names in ((games.comments, ("ply", "after")), (games.variations, ("ply",))):
        lists = given or Lists(np.zeros(n + 1, np.int64), {"ply": none, "text": Texts.of([]), "after": none})
        text = lists.columns["text"]
        data = np.append(text.data, np.zeros(PAD, np.uint8))  # values are searched 64 bytes at a time
        rows += [lists.offsets, *(plain(lists.columns[name]) for name in names), plain(text.offsets), data]
    return Annotations(*rows)


def _room(games: GameColumns, play: Play, tags: Tags, annotations: Annotations) -> NDArray[np.int64]:
    """Return the most bytes that each game may take."""
    room = np.full(len(games), movetext.PER_GAME, np.int64)
    values = sum(movetext.PER_VALUE for column in (play.clocks, play.evals, play.emts) if column.size)
    room += (movetext.PER_PLY + values) * np.diff(play.offsets)
    room += movetext.PER_TAG * np.diff(tags.rows)
    room += np.diff(tags.name_ends[tags.rows]) + 2 * np.diff(tags.value_ends[tags.rows])
    room += tags.column_names.size + movetext.PER_TAG * len(tags.column_ends)
    room += 2 * np.diff(tags.column_ends, axis=1).sum(axis=0)
    room += movetext.PER_NAG * np.diff(annotations.nag_rows)
    for rows, ends in (
        (annotations.comment_rows, annotations.comment_ends),
        (annotations.variation_rows, annotations.variation_ends),
    ):
        room += movetext.PER_COMMENT * np.diff(rows) + 2 * np.diff(ends[rows])
    return room
