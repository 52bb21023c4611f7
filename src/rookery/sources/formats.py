"""The format of a file, recognised by its first bytes, whatever its name is.

PGN has no signature of its own. A file is taken for text unless its first bytes are those of another format, or have
many control characters. A NUL byte here and there does not make a PGN file binary data.
"""

import enum
import re
from typing import Final, NamedTuple

from rookery.lazy_imports import compile_later
from rookery.sources.failures import NotGamesError

TAG_NAME: Final = r"[A-Za-z0-9_][A-Za-z0-9_+#=:-]*"  # of a header of PGN
HEAD: Final = 1024  # first bytes that are looked at: a tar archive needs 512


class Kind(enum.Enum):
    """The ways to read a file."""

    TEXT = "text"
    ENCODED = "encoded"  # text that is not UTF-8
    PACKED = "packed"
    ZIP = "zip"
    TABLE = "table"
    JSON = "JSON"  # games as sites give them
    OTHER = "other"  # it cannot be read


class Format(NamedTuple):
    """A format: how it is read, its name, and advice for files that cannot be read.

    The name is Python's for an encoding, and has its article for other files.
    """

    kind: Kind
    name: str
    advice: str = ""


TEXT: Final = Format(Kind.TEXT, "text")
JSON: Final = Format(Kind.JSON, "a JSON document")
JSON_LINES: Final = Format(Kind.JSON, "JSON lines")  # each line is an object
_UNPACK, _EXPORT = "unpack it first", "export its games as PGN first"


def _other(name: str, advice: str = "") -> Format:
    return Format(Kind.OTHER, name, advice)


# By the bytes that a file begins with.
_SIGNATURES: Final[tuple[tuple[bytes, Format], ...]] = (
    (b"\x28\xb5\x2f\xfd", Format(Kind.PACKED, "zstd")),
    (b"\x1f\x8b", Format(Kind.PACKED, "gzip")),
    (b"BZh", Format(Kind.PACKED, "bzip2")),
    (b"\xfd7zXZ\0", Format(Kind.PACKED, "xz")),
    (b"PK\x03\x04", Format(Kind.ZIP, "zip")),
    (b"PK\x05\x06", _other("an empty zip archive")),
    (b"PK\x07\x08", _other("a part of a zip archive", _UNPACK)),
    (b"PAR1", Format(Kind.TABLE, "Parquet")),
    (b"ARROW1\0\0", Format(Kind.TABLE, "Arrow")),
    (b"\xff\xff\xff\xff", Format(Kind.TABLE, "Arrow stream")),
    (b"PARE", _other("an encrypted Parquet file", "decrypt it first")),
    (b"FEA1", _other("a Feather file of version 1", "write it as Parquet or Arrow first")),
    (b"\xff\xfe\0\0", Format(Kind.ENCODED, "utf-32")),
    (b"\0\0\xfe\xff", Format(Kind.ENCODED, "utf-32")),
    (b"\xff\xfe", Format(Kind.ENCODED, "utf-16")),
    (b"\xfe\xff", Format(Kind.ENCODED, "utf-16")),
    (b"7z\xbc\xaf\x27\x1c", _other("a 7z archive", _UNPACK)),
    (b"Rar!\x1a\x07", _other("a RAR archive", _UNPACK)),
    (b"\x04\x22\x4d\x18", _other("a file packed by lz4", _UNPACK)),
    (b"LZIP", _other("a file packed by lzip", _UNPACK)),
    (b"\x1f\x9d", _other("a file packed by compress", _UNPACK)),
    (b"!<arch>\n", _other("an ar archive", _UNPACK)),
    (b"BINP", _other("training data of the format binpack", "rookery.read_training reads it")),
    (b"Scid.si", _other("a Scid database", _EXPORT)),
    (b"\0\0\x2c\0\x2e\x01", _other("a ChessBase database", _EXPORT)),
    (b"SQLite format 3\0", _other("an SQLite database", _EXPORT)),
    (b"\x7fELF", _other("an ELF program")),
    (b"\xcf\xfa\xed\xfe", _other("a program of macOS")),
    (b"%PDF-", _other("a PDF document")),
    (b"\x89PNG\r\n\x1a\n", _other("a PNG picture")),
    (b"\xff\xd8\xff", _other("a JPEG picture")),
    (b"GIF8", _other("a GIF picture")),
    (b"RIFF", _other("a RIFF file, like WAV or WebP")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _other("a Microsoft Office document")),
    (b"{\\rtf", _other("an RTF document", "save it as plain text first")),
    (b"\x93NUMPY", _other("a NumPy array")),
    (b"\x89HDF\r\n\x1a\n", _other("an HDF5 file")),
    (b"version https://git-lfs.github.com/spec/", _other("a pointer of Git LFS", "fetch the file with git lfs pull")),
)
# By patterns, behind blanks and byte order marks; PGN may begin with a bracket or a brace, too. They are compiled when
# they are used: `rookery.pgn` imports this file for `TAG_NAME` alone.
_TEXT = rb'"(?:[^"\\\n]|\\.)*"'
# A list of texts, and not a PGN header that has lost its name, after which the game goes on.
_JSON_TEXTS: Final = _TEXT + rb"\s*(?:,\s*" + _TEXT + rb"|\]\s*\Z)"
OTHER_JSON: Final = _other("a JSON document", _EXPORT)
_OBJECT: Final = rb"\{\s*" + _TEXT + rb"\s*:"
_PATTERNS: Final[tuple[tuple[bytes, Format], ...]] = (
    (rb"(?i)<(?:!doctype\s+html|html|head|body)\b", _other("an HTML page")),
    (rb"(?i)<(?:\?xml|svg)\b", _other("an XML document")),
    (_OBJECT, OTHER_JSON),
    (rb"\[\s*(?:" + _OBJECT + rb"|" + _JSON_TEXTS + rb")", OTHER_JSON),
)
# The fields of games in JSON. Where positions have them too, there is a field of their FEN.
_OF_GAMES: Final = rb'[{,]\s*"(?:pgn|players|games)"\s*:'
_ALSO_OF_POSITIONS: Final = rb'[{,]\s*"(?:moves|initialFen|clocks|analysis|createdAt|winner)"\s*:'
_FEN_FIELD: Final = rb'(?i)[{,]\s*"fen"\s*:'
# The first line goes on to its end, or to that of the bytes, without opening a list or an object that it leaves open.
_FIRST_OF_LINES: Final = rb'\{[ \t]*"(?!games")[^\n]*(?<![\s,{\[])\s*(?:\n|\Z)'
_LINE: Final = rb"[^\n]*?"
# Texts that have positions and no games. A comma or a tabulator separates the names of columns.
_POSITIONS: Final[tuple[tuple[bytes, Format], ...]] = (
    (
        rb"(?i)" + _LINE + rb"\bPuzzleId\b" + _LINE + rb"\bFEN\b",
        _other("a table of puzzles", "rookery.annotate reads it, rookery.tag_puzzles takes its columns FEN and Moves"),
    ),
    (
        rb"(?i)(?:[^\n\[]*[,\t])?[\"\s]*fen[\"\s]*[,\t]",
        _other("a table of positions", "rookery.read_training and rookery.annotate read it"),
    ),
    (
        rb"(?i)[1-8pnbrqk]{1,8}(?:/[1-8pnbrqk]{1,8}){7}\s+[wb]\s",
        _other("lines of FEN or EPD", "rookery.Positions.from_fens and rookery.annotate read them"),
    ),
    (
        rb"fen\s[^\n]+\nmove\s",
        _other("training data of the format plain", "rookery.read_training reads it"),
    ),
)
_BLANKS: Final = rb"\A(?:\s|\xef\xbb\xbf)*"
# How PGN begins: a header, a number of a move, a comment or an escaped line.
_PGN: Final = rb"(?:\s|\0|\xef\xbb\xbf)*(?:\[\s*" + TAG_NAME.encode() + rb'\s*"|[0-9]+\s*\.|[{;%])'
_HEADER: Final = rb"(?m)^(?:\xef\xbb\xbf)?[ \t]*\[[ \t]*" + TAG_NAME.encode() + rb'[ \t]+"'
_FIRST_MOVE: Final = rb"(?:^|\s)1[ \t]*\.[ \t]*(?:[NBRQK]?[a-h]?x?[a-h][1-8]|[O0]-[O0])"
_CONTROLS: Final = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1a\x1c\x1d\x1e\x1f"})
_MOST_CONTROLS: Final = 20  # text has fewer than one control character in so many bytes,
_FEWEST_CONTROLS: Final = 8  # or fewer than these
_LONGEST_LZMA: Final = 1 << 40  # bytes: a larger size is not that of a file


def format_of(head: bytes) -> Format:
    """Return the format of a file that begins with `head`, its first `HEAD` bytes, or all that it has."""
    for signature, known in _SIGNATURES:
        if head.startswith(signature):
            return known
    if head[1:4] == b"\x2a\x4d\x18" and head[0] & 0xF0 == 0x50:  # a frame to skip
        return Format(Kind.PACKED, "zstd")
    if _is_lzma(head):
        return Format(Kind.PACKED, "lzma")
    if _is_tar(head):
        return _other("a tar archive", _UNPACK)
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05") and len(head) > 2:
        return _other("a Python pickle")
    if head[:2] == b"MZ" and b"\0" in head:
        return _other("a Windows program")
    if encoding := _encoding(head):
        return Format(Kind.ENCODED, encoding)
    text = re.sub(_BLANKS, b"", head)
    for pattern, known in _PATTERNS:
        if compile_later(pattern).match(text):
            return _json(text) if known is OTHER_JSON else known
    return _other("binary data") if _is_binary(head) else TEXT


def _json(text: bytes) -> Format:
    """Return the format of a text that is a JSON document, or lines of JSON."""
    if not re.match(rb'\[?\s*\{\s*"fen"', text) and (
        re.search(_OF_GAMES, text) or (re.search(_ALSO_OF_POSITIONS, text) and not re.search(_FEN_FIELD, text))
    ):
        return JSON_LINES if re.match(_FIRST_OF_LINES, text) else JSON
    return OTHER_JSON


def format_with_games(name: str, head: bytes, any_text: bool = False) -> Format:
    """Return the format of a file of games. Others raise a NotGamesError; with `any_text`, those that are not text."""
    detected = format_of(head)
    refused = detected if detected.kind is not Kind.TEXT or any_text else positions_in(head) or detected
    if refused.kind is Kind.OTHER:
        raise NotGamesError(f"{name}: {refused.name}, not PGN{': ' if refused.advice else ''}{refused.advice}")
    return detected


def positions_in(head: bytes) -> Format | None:
    """Return the format of a text that has positions and no games, or None for any other text."""
    text = re.sub(_BLANKS, b"", head)
    for pattern, known in _POSITIONS:
        if compile_later(pattern).match(text):
            return known
    return None


def has_games(head: bytes) -> bool:
    """Check whether a text that begins with `head` has a header of PGN or a first move."""
    return bool(re.search(_HEADER, head) or re.search(_FIRST_MOVE, head))


def _is_binary(head: bytes) -> bool:
    if re.match(_PGN, head):
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls >= _FEWEST_CONTROLS and controls * _MOST_CONTROLS > len(head)


def _is_lzma(head: bytes) -> bool:
    """Check for a file packed by lzma alone: properties, size of the dictionary, size of the text, a zero byte."""
    if len(head) < 14 or head[0] != 0x5D or head[13]:
        return False
    dictionary, size = int.from_bytes(head[1:5], "little"), int.from_bytes(head[5:13], "little")
    lowest = dictionary & -dictionary
    return (
        dictionary > 0
        and dictionary in (lowest, 3 * lowest)
        and (size in range(_LONGEST_LZMA) or size == (1 << 64) - 1)
    )


def _is_tar(head: bytes) -> bool:
    """Check the checksum of a tar archive's header in the first 512 bytes; old archives have no signature."""
    if len(head) < 512:
        return False
    if head[257:262] == b"ustar":
        return True
    digits = head[148:156].strip(b"\0 ")
    if not head[0] or not re.fullmatch(rb"[0-7]{4,8}", digits):
        return False
    return int(digits, 8) == sum(head[:148]) + 8 * 32 + sum(head[156:512])


def _encoding(head: bytes) -> str:
    """Return the encoding of UTF-16 or UTF-32 text without a byte order mark that begins with ASCII; else ""."""
    for name, step, place in (("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1)):
        first = head[: 8 * step]
        if len(first) < 8 or len(first) % step:
            continue
        signs = first[place::step]
        rest = b"".join(first[k::step] for k in range(step) if k != place)
        if not any(rest) and all(sign in b"\t\n\r" or 32 <= sign < 127 for sign in signs):
            return name
    return ""
