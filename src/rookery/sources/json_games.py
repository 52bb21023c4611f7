"""Games as JSON, converted to PGN: what Lichess and chess.com give.

A record is a JSON object with the PGN of a game in its field ``pgn``, or one of Lichess with its moves in ``moves``.
Records come one per line, in a list, or in the list ``games`` of an archive of chess.com. Each becomes one game, so
that the number of a game is that of its record. A record that cannot be read becomes a game without moves whose comment
marks it as bad, as `rookery.pgn.faults` describes, with the reason.
"""

import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

from rookery.arguments import shown
from rookery.results import BLACK_WON, DRAWN, UNFINISHED, WHITE_WON
from rookery.sources.failures import DamagedFileError

_PIECE: Final = 1 << 18  # bytes of PGN that are yielded at once
_BAD: Final = '[Event "?"]\n\n{{[%parse_error headers: JSON record: {}]}} *\n'
_NOT_IN_COMMENTS: Final = str.maketrans("{}[]\n\r", "()()  ")
# A first line that is not a whole record: it begins a list or an archive, or ends within an object.
_DOCUMENT: Final = re.compile(rb'\s*(?:\[|\{\s*"games"|[^\n]*[\[{,]\s*\Z)')
_LIST: Final = re.compile(r'\s*(?:(\{)\s*"games"\s*:\s*)?\[\s*')
_BLANKS: Final = re.compile(r"\s*")
_MARK: Final = b"\xef\xbb\xbf"
_VARIANTS: Final = {
    "standard": "Standard",
    "fromPosition": "From Position",
    "chess960": "Chess960",
    "kingOfTheHill": "King of the Hill",
    "threeCheck": "Three-check",
    "antichess": "Antichess",
    "atomic": "Atomic",
    "horde": "Horde",
    "racingKings": "Racing Kings",
    "crazyhouse": "Crazyhouse",
}
_WINNERS: Final = {"white": WHITE_WON, "black": BLACK_WON}
_UNFINISHED: Final = ("created", "started", "aborted", "noStart", "unknownFinish")
_TERMINATIONS: Final = {
    "created": "Unterminated",
    "started": "Unterminated",
    "aborted": "Abandoned",
    "noStart": "Abandoned",
    "timeout": "Time forfeit",
    "outoftime": "Time forfeit",
    "cheat": "Rules infraction",
    "unknownFinish": "Unknown",
}
_GLYPHS: Final = {"Inaccuracy": "$6", "Mistake": "$2", "Blunder": "$4"}


def as_pgn(name: str, chunks: Iterable[Any]) -> Iterator[bytes]:
    r"""Yield the PGN of games that are JSON, which comes in chunks.

    A document that is damaged or cut short raises a `DamagedFileError` after the games before the damage; of lines of
    JSON, only the line is bad.

    >>> for text in as_pgn("games.json", [b'{"moves": "e4 e5", "winner": "white"}\n{"moves": 1}\n']):
    ...     print(text.decode())
    [Event "?"]
    [Result "1-0"]
    <BLANKLINE>
    e4 e5 1-0
    <BLANKLINE>
    [Event "?"]
    <BLANKLINE>
    {[%parse_error headers: JSON record: moves: 1: expected a text]} *
    <BLANKLINE>
    """
    lines = _lines(chunks)
    first = next(lines, b"")
    if _DOCUMENT.match(first):
        records = _of_document(name, b"".join([first, *lines]))
    else:
        records = map(_of_line, itertools.chain([first], lines))
    held: list[bytes] = []
    size = 0
    try:
        for number, record in enumerate(records):
            held += [b"\n", _game(record)] if number else [_game(record)]
            size += len(held[-1])
            if size > _PIECE:
                yield b"".join(held)
                held, size = [], 0
    except DamagedFileError:
        yield b"".join(held)
        raise
    yield b"".join(held)


def _lines(chunks: Iterable[Any]) -> Iterator[bytes]:
    """Yield the lines of a text, with their line breaks, but for empty ones."""
    rest: list[bytes] = []
    for chunk in chunks:
        *whole, last = bytes(chunk).split(b"\n")
        for line in whole:
            line = b"".join([*rest, line, b"\n"])
            rest = []
            if not line.isspace():
                yield line.removeprefix(_MARK)
        rest.append(last)
    if (line := b"".join(rest)).strip():
        yield line.removeprefix(_MARK)


def _of_line(line: bytes) -> Any:
    """Return the record of a line, or the error of a line that cannot be read."""
    try:
        return json.loads(line.rstrip())
    except (ValueError, RecursionError) as error:
        return _reason(error)


def _reason(error: Exception) -> ValueError:
    if isinstance(error, json.JSONDecodeError):
        return ValueError(f"{error.msg} at character {error.pos + 1}")
    return ValueError(str(error) or type(error).__name__)


def _of_document(name: str, text: bytes) -> Iterator[Any]:
    """Yield the records of documents that follow each other, up to the first that is damaged."""
    decoder, place, n = json.JSONDecoder(), 0, 0
    try:
        content = text.decode()
        end = len(content.rstrip())
        while place < end:
            if not (list_ := _LIST.match(content, place)):
                value, place = decoder.raw_decode(content, _skip(content, place))
                yield value
                n += 1
                continue
            place = list_.end()
            while not content.startswith("]", place):
                value, place = decoder.raw_decode(content, place)
                yield value
                n += 1
                place = _after_comma(content, place, "]")
            place += 1
            if list_[1]:  # other fields of the archive
                place = _after_comma(content, place, "}")
                if not content.startswith("}", place):
                    _, length = decoder.raw_decode("{" + content[place:])
                    place += length - 2
                place += 1
    except (ValueError, RecursionError) as error:
        raise DamagedFileError(name, f"JSON, after {n:,} records: {_reason(error)}") from error


def _skip(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return place if found is None else found.end()


def _after_comma(text: str, place: int, closing: str) -> int:
    """Return the place behind a comma, or that of a closing bracket."""
    place = _skip(text, place)
    if text.startswith(closing, place):
        return place
    if not text.startswith(",", place):
        raise json.JSONDecodeError(f"Expecting ',' or '{closing}'", text, place)
    return _skip(text, place + 1)


def _game(record: Any) -> bytes:
    """Return the PGN of a record."""
    try:
        if isinstance(record, ValueError):
            raise record
        if not isinstance(record, dict):
            raise ValueError(f"{shown(record)}: expected an object")
        pgn, moves = record.get("pgn"), record.get("moves")
        if pgn is None and moves is None:
            raise ValueError("neither a field 'pgn' nor 'moves'")
        if pgn is None:
            if not isinstance(moves, str):
                raise ValueError(f"moves: {shown(moves)}: expected a text")
            return f"{_headers(record)}\n{_movetext(record, moves.split())}\n".encode()
        if not isinstance(pgn, str):
            raise ValueError(f"pgn: {shown(pgn)}: expected a text")
        if not (pgn := pgn.strip()):
            raise ValueError("pgn: '': expected a game")
        return f"{pgn}\n".encode() if pgn.startswith("[") else f'[Event "?"]\n\n{pgn}\n'.encode()
    except (ValueError, RecursionError) as error:
        return _BAD.format(" ".join(str(error).translate(_NOT_IN_COMMENTS).split())).encode("utf-8", "backslashreplace")


# Records of Lichess without PGN. Headers, comments and evaluations are those of its exports.


def _of(record: dict[str, Any], field: str, kind: Any) -> Any:
    """Return a field, which is empty if it is missing or null."""
    value = record.get(field)
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise ValueError(f"{field}: {shown(value)}: expected {'a list' if kind is list else 'an object'}")
    return value


def _headers(record: dict[str, Any]) -> str:
    players, clock, opening = (_of(record, name, dict) for name in ("players", "clock", "opening"))
    status = record.get("status")
    named = {
        "Event": _event(record),
        "Site": f"https://lichess.org/{record['id']}" if "id" in record else None,
        **_date(record.get("createdAt")),
    }
    for side in ("white", "black"):
        player, color = _of(players, side, dict), side.title()
        user = _of(player, "user", dict)
        level = player.get("aiLevel")
        named[color] = user.get("name", player.get("name", level and f"lichess AI level {level}"))
        named[f"{color}Elo"], named[f"{color}Title"] = player.get("rating"), user.get("title")
        change = player.get("ratingDiff")
        named[f"{color}RatingDiff"] = f"{change:+d}" if isinstance(change, int) else None
    named["Result"] = _result(record)
    variant, fen = record.get("variant"), record.get("initialFen")
    named["Variant"] = _VARIANTS.get(variant, variant) if isinstance(variant, str) else None
    if clock:
        named["TimeControl"] = f"{clock.get('initial', 0)}+{clock.get('increment', 0)}"
    elif record.get("speed") == "correspondence":
        named["TimeControl"] = "-"
    named |= {"ECO": opening.get("eco"), "Opening": opening.get("name")}
    if isinstance(status, str):
        named["Termination"] = _TERMINATIONS.get(status, "Normal")
    if fen is not None:
        named |= {"FEN": fen, "SetUp": "1"}
    return "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in named.items() if value is not None)


def _escaped(value: object) -> str:
    return " ".join(str(value).split()).replace("\\", "\\\\").replace('"', '\\"')


def _event(record: dict[str, Any]) -> str:
    if "rated" not in record:
        return "?"
    kind = f"{'Rated' if record['rated'] else 'Casual'} {record.get('perf') or record.get('speed') or ''}".strip()
    if tournament := record.get("tournament"):
        return f"{kind} tournament https://lichess.org/tournament/{tournament}"
    return f"{kind} game"


def _date(created: Any) -> dict[str, str]:
    """Return the headers of a time in milliseconds, or of a text that begins with a date."""
    if isinstance(created, str):
        created = datetime.fromisoformat(created).timestamp() * 1000
    if not isinstance(created, (int, float)):
        return {}
    try:
        time = datetime.fromtimestamp(created / 1000, UTC)
    except (OverflowError, OSError) as error:
        raise ValueError(f"createdAt: {shown(created)}: expected milliseconds since 1970") from error
    return {"Date": f"{time:%Y.%m.%d}", "UTCDate": f"{time:%Y.%m.%d}", "UTCTime": f"{time:%H:%M:%S}"}


def _result(record: dict[str, Any]) -> str:
    winner, status = record.get("winner"), record.get("status")
    if winner is not None:
        if winner not in _WINNERS:
            raise ValueError(f"winner: {shown(winner)}: expected 'white' or 'black'")
        return _WINNERS[winner]
    return UNFINISHED if status is None or status in _UNFINISHED else DRAWN


def _movetext(record: dict[str, Any], moves: list[str]) -> str:
    clocks, analysis = (_of(record, name, list) for name in ("clocks", "analysis"))
    if not clocks and not analysis:
        return " ".join([*moves, _result(record)])
    words: list[str] = []
    for move, clock, judged in itertools.zip_longest(
        moves, _cut("clocks", clocks, moves), _cut("analysis", analysis, moves)
    ):
        words += [move, *_annotations(clock, judged)]
    return " ".join([*words, _result(record)])


def _cut(field: str, values: list[Any], moves: list[str]) -> list[Any]:
    """Return values, one per move; the clock of a player who lost on time may follow."""
    if len(values) > len(moves) + 1:
        raise ValueError(f"{field}: {len(values)} values: expected one for each of the {len(moves)} moves")
    return values[: len(moves)]


def _annotations(clock: Any, judged: Any) -> Iterator[str]:
    judged = judged or {}
    if not isinstance(judged, dict):
        raise ValueError(f"analysis: {shown(judged)}: expected an object")
    judgment = _of(judged, "judgment", dict)
    if glyph := _GLYPHS.get(judgment.get("name", "")):
        yield glyph
    values = [
        *_value("eval", judged.get("eval"), lambda value: f"{value / 100:.2f}"),
        *_value("eval", judged.get("mate"), lambda value: f"#{value}"),
        *_value("clk", clock, _time),
    ]
    if comment := judgment.get("comment"):
        values.append(str(comment).translate(_NOT_IN_COMMENTS))
    if values:
        yield f"{{ {' '.join(values)} }}"
    if variation := judged.get("variation"):
        yield f"({variation})"


def _value(name: str, value: Any, spelled: Callable[[Any], str]) -> Iterator[str]:
    if value is not None:
        if not isinstance(value, (int, float)):
            raise ValueError(f"{name}: {shown(value)}: expected a number")
        yield f"[%{name} {spelled(value)}]"


def _time(hundredths: float) -> str:
    seconds, rest = divmod(int(hundredths), 100)
    part = f".{rest:02d}".rstrip("0") if rest else ""
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{part}"


__all__ = ["as_pgn"]
