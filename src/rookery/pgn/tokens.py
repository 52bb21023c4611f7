"""The tokens of PGN text: tags, moves, numbers, comments and so on, each with its line.

Both readers of PGN, `rookery.pgn` and the compiled one in `rookery.games`, use these definitions of names, words
and values of headers.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from rookery.lazy_imports import compile_later
from rookery.sources.formats import TAG_NAME

# Files of DOS end with one; it counts as a blank if nothing else follows on its line.
_CTRL_Z: Final = r"\x1a(?=[\s\x1a]{0,64}\Z)"
ENDS_WORD: Final = r"[\s{}();$!?]"
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
OTHER_RESULTS: Final = {"1/2": "1/2-1/2", "?": "*", "": "*"}
CHESS960: Final = ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random")  # in lower case
CLASSICAL: Final = ("", "?", "standard", "chess", "normal", "from position")
_TAG: Final = compile_later(rf'\s*\[\s*({TAG_NAME})\s*"((?:[^"\\]|\\.)*)"\s*\]')
# Many programs write quotes and backslashes as they are.
_SLOPPY_TAG: Final = compile_later(rf'\s*\[\s*({TAG_NAME})\s*"(.*)"\s*\]\s*(?:{_CTRL_Z}[\s\x1a]*)?$')
# At the start of the file, or where files were joined; the second is the first in UTF-8, read as Windows-1252.
_BYTE_ORDER_MARK: Final = compile_later("^(?:\ufeff|ï»¿)+")
_EVENT: Final = compile_later(r"[\s\ufeff]*\[\s*Event(?![\w\x80-\U0010ffff])")


def _pattern(ends: str, others: str) -> re.Pattern[str]:
    """Return the pattern of a token. `ends` are more characters that end a word, `others` more kinds of tokens."""
    end = rf"(?={ENDS_WORD[:-1]}{ends}]|\Z|{_CTRL_Z})"
    return compile_later(
        rf"""(?:\s|{_CTRL_Z})*(?:
          (?P<result>(?:1-0|0-1|1/2(?:-1/2)?|\*){end})
        | (?P<number>(?!0000{end})[0-9]+{end} | [0-9]*[.…]+ | e\.p\.{end})
        | (?P<nag>\$[0-9]{{1,9}}{end} | [!?]{{1,2}})
        | (?P<comment>[{{;])
        | (?P<bracket>[()])
        {others}
        | (?P<move>(?:[^\s{{}}();$!?\x1a{ends}] | (?!{_CTRL_Z})\x1a)+ | }}+ | (?!{_CTRL_Z})\S)
        )""",
        re.VERBOSE,
    )


_STRICT: Final = _pattern("", "")
# NUL characters, with which a damaged disk fills gaps, separate words.
_LENIENT: Final = _pattern(r"\x00", r"| (?P<nul>\x00+)")
_BLANK: Final = compile_later(rf"\s*(?:{_CTRL_Z}[\s\x1a]*)?\Z")


class Token(NamedTuple):
    """A token, with the number of the line on which it begins.

    `kind` is a group of `_pattern`, or ``tag`` (with a value), ``broken`` (a line that should be a tag), ``blank`` (an
    empty line), ``unclosed`` (a comment) or ``end``. The value of a comment is the character that opens it. `spaced` is
    whether whitespace precedes the token.
    """

    kind: str
    text: str
    line: int
    value: str = ""
    spaced: bool = True


def _windows_1252() -> str:
    """Return the character of each byte, taken from Latin-1 for the five bytes that Windows-1252 leaves undefined."""
    bytes_ = (bytes([byte]) for byte in range(256))
    return "".join(byte.decode("cp1252", "ignore") or byte.decode("latin-1") for byte in bytes_)


# PGN prescribes Latin-1. Programs write this superset of its letters, which adds quotation marks and dashes.
WINDOWS_1252: Final = _windows_1252()


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(WINDOWS_1252[byte] for byte in error.object[error.start : error.end]), error.end


codecs.register_error("rookery-windows-1252", _as_windows_1252)


def tokens(lines: Iterable[str], *, strict: bool = True) -> Iterator[Token]:
    """Take the lines of a file apart. Unless `strict`, NUL characters are tokens of their own, ``nul``."""
    pattern = _STRICT if strict else _LENIENT
    comment: list[str] = []  # the lines of the comment that is open
    opened, spaced = 0, True  # where it was opened, and what was before it
    after_blank = True
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise TypeError(f"PGN: expected lines of text, not {type(line).__name__}: is the file opened as text?")
        position = 0
        if not comment:
            line = _BYTE_ORDER_MARK.sub("", line)
        if comment and after_blank and _EVENT.match(line):
            yield Token("unclosed", comment[0], opened)
            comment = []
        after_blank = bool(_BLANK.match(line))
        if comment:
            position = line.find("}") + 1
            comment.append(line[: position - 1] if position else line.removesuffix("\n"))
            if not position:
                continue
            yield Token("comment", "\n".join(comment), opened, "{", spaced)
            comment = []
        elif after_blank:
            yield Token("blank", "", number)
        elif line.startswith("%"):
            continue
        else:
            while tag := (escaped := _TAG.match(line, position)) or _SLOPPY_TAG.match(line, position):
                value = re.sub(r'\\(["\\])', r"\1", tag[2]) if escaped else tag[2]
                yield Token("tag", tag[1], number, value)
                position = tag.end()
            if line[position:].lstrip().startswith("["):
                yield Token("broken", line[position:].strip(), number)
                continue
        while token := pattern.match(line, position):
            kind, text, value = str(token.lastgroup), token[0].lstrip(), ""
            spaced = not position or len(text) < len(token[0])
            position = token.end()
            if kind == "comment":
                value = text
                close = line.find("}", position) if text == "{" else len(line)
                text = line[position : close if close >= 0 else None]
                if close < 0:
                    comment, opened = [text.removesuffix("\n")], number
                    break
                position = close + 1
            yield Token(kind, text, number, value, spaced)
    if comment:
        yield Token("unclosed", comment[0], opened)
