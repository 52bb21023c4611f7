"""Sessions: texts of commands and of Python, each followed by what it answered when it was recorded.

A line that begins with ``$`` is a command of rookery, one with ``>>>`` is Python (further lines with ``...``). The
indented lines below hold the answer. A mark in the margin says what a line is: ``!`` is standard error, a warning or
an exception, ``=`` an exit status other than 0, ``+`` a file that was written, ``-`` one that was removed, and no mark
is standard output, or the value of an expression. A comment ``# needs NAME`` names an optional package: behind a
command for this command, and on a line of its own for all that follow.

After ``< FILE`` a command reads that file as standard input. ``| keys`` shows only the keys of a JSON document, for
commands that measure.
"""

import ast
import contextlib
import importlib.util
import io
import itertools
import json
import re
import shlex
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner

from rookery.cli import main
from rookery.kernel import watch_compilation
from shown import digest, shortened, shown, shown_file, steady

MARGIN: Final = "    "


@dataclass
class Entry:
    """A command or some Python: its lines, and the lines of its record."""

    source: list[str]
    record: list[str] = field(default_factory=list)
    session_needs: str = ""  # packages that all further entries of the session need

    @property
    def is_command(self) -> bool:
        return self.source[0].startswith("$ ")

    @property
    def code(self) -> str:
        return "\n".join(line.partition(" ")[2] for line in self.source)

    @property
    def missing(self) -> list[str]:
        """Return the optional packages that it needs and that are not installed."""
        needed = re.search(r"# needs (.+)", self.source[0])
        names = f"{self.session_needs} {needed[1] if needed else ''}".split()
        return [name for name in names if not importlib.util.find_spec(name)]


def parsed(text: str) -> list[Entry | str]:
    """Return the entries of a session, and the other lines: comments and blank lines."""
    parts: list[Entry | str] = []
    needs = ""
    for line in text.splitlines():
        last = parts[-1] if parts else None
        if line.startswith(("$ ", ">>> ")):
            parts.append(Entry([line], session_needs=needs))
        elif line.startswith("...") and isinstance(last, Entry) and not last.record:
            last.source.append(line)
        elif isinstance(last, Entry) and (line.startswith("  ") or not line):
            last.record.append(line)
        else:
            needs = line.removeprefix("# needs ") if line.startswith("# needs ") else needs
            parts.append(line)
    return list(itertools.chain.from_iterable(map(_without_blank_end, parts)))


def _without_blank_end(part: Entry | str) -> Iterator[Entry | str]:
    """Yield an entry, and the blank lines behind its record as lines of their own."""
    yield part
    while isinstance(part, Entry) and part.record and not part.record[-1]:
        part.record.pop()
        yield ""


def written(parts: list[Entry | str]) -> str:
    """Return the text of a session."""
    lines = [[part] if isinstance(part, str) else [*part.source, *part.record] for part in parts]
    return "".join(f"{line}\n" for line in itertools.chain.from_iterable(lines))


class Session:
    """Runs the entries of a session one after the other, in a folder of their own."""

    def __init__(self, folder: Path, names: dict[str, Any]) -> None:
        self.folder, self.names = folder, names
        self._shown: dict[tuple[str, ...], str] = {}  # files by the lines that show them
        self._files = self._contents()

    def answers(self, parts: list[Entry | str]) -> tuple[list[Entry | str], list[str]]:
        """Return the session with what it answers now, and what was skipped since a package is missing."""
        entries = [part for part in parts if isinstance(part, Entry)]
        skipped = [f"{entry.source[0]}: needs {name}" for entry in entries for name in entry.missing]
        return [self._answered(part) if isinstance(part, Entry) else part for part in parts], skipped

    def _answered(self, entry: Entry) -> Entry:
        if entry.missing:
            return entry
        with warnings.catch_warnings(record=True) as warned, watch_compilation(lambda: None):
            warnings.simplefilter("always")
            for category in (
                DeprecationWarning,
                ResourceWarning,
            ):  # which depend on versions, and on when memory is freed
                warnings.simplefilter("ignore", category)
            marked = self._command(entry.code) if entry.is_command else self._python(entry.code)
        for one in warned:
            if issubclass(one.category, UserWarning):
                marked += _marked("!", f"{one.category.__name__}: {one.message}".splitlines())
        marked += self._changed_files(shown_keys_of if entry.code.endswith("| keys") else self._shown_file)
        while marked and not marked[-1].strip():
            marked.pop()
        return Entry(entry.source, [steady(line, self.folder).rstrip() for line in marked])

    def _command(self, line: str) -> list[str]:
        words = shlex.split(line, comments=True)
        assert words.pop(0) == "rookery", line
        only_keys = words[-2:] == ["|", "keys"]
        words = words[:-2] if only_keys else words
        read = None
        if words[-2:-1] == ["<"]:
            read = (self.folder / words[-1]).read_bytes()
            words = words[:-2]
        result = CliRunner().invoke(main, words, input=read)
        if result.exception and not isinstance(result.exception, SystemExit):
            return _marked("!", traceback.format_exception(result.exception)[-1].splitlines())
        printed = shown_keys(result.stdout) if only_keys else steady(result.stdout, self.folder).splitlines()
        # The lines before the message are click's, and its versions word them differently.
        errors = re.sub(r"\AUsage: (?:.*\n)+?Try .*\n\n", "", result.stderr).splitlines()
        errors = [line for line in errors if line.strip()]
        marked = _marked(" ", shortened(printed)) + _marked("!", shortened(errors))
        return marked + (_marked("=", [f"status {result.exit_code}"]) if result.exit_code else [])

    def _python(self, code: str) -> list[str]:
        tree = ast.parse(code)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        output = io.StringIO()
        marked: list[str] = []
        try:
            with contextlib.redirect_stdout(output):
                exec(compile(tree, "session", "exec"), self.names)
                if isinstance(last, ast.Expr):
                    value = eval(compile(ast.Expression(last.value), "session", "eval"), self.names)
                    marked = _marked(" ", shown(value))
        except Exception as error:
            marked = _marked("!", f"{type(error).__name__}: {error}".splitlines())
        return _marked(" ", shortened(output.getvalue().splitlines())) + marked

    def _shown_file(self, path: Path) -> list[str]:
        return shown_file(path, self.folder)

    def _contents(self) -> dict[Path, str]:
        found = (path for path in sorted(self.folder.rglob("*")) if path.is_file())
        return {path: digest(path.read_bytes()) for path in found}

    def _changed_files(self, show: Callable[[Path], list[str]]) -> list[str]:
        before, self._files = self._files, self._contents()
        marked = []
        for path, content in self._files.items():
            if before.get(path) != content:
                name = path.relative_to(self.folder).as_posix()
                lines = show(path)
                same = self._shown.setdefault(tuple(lines), name)
                lines = [f"as {same}"] if same != name and len(lines) > 2 else lines
                marked += _marked("+", [name, *(f"  {line}" for line in lines)])
        removed = [path.relative_to(self.folder).as_posix() for path in before if path not in self._files]
        return marked + _marked("-", removed)


def _marked(mark: str, lines: list[str]) -> list[str]:
    return [f"  {mark} {line}" for line in lines]


def shown_keys(text: str) -> list[str]:
    """Return the keys of a JSON document, and those one level below; of a list, those of its first part."""

    def walk(value: Any, path: str, depth: int) -> Iterator[str]:
        if isinstance(value, list) and value:
            yield from walk(value[0], f"{path}[]", depth)
        elif isinstance(value, dict) and value and depth < 2:
            for key, part in value.items():
                yield from walk(part, f"{path}.{key}" if path else key, depth + 1)
        else:
            yield path

    return list(walk(json.loads(text), "", 0))


def shown_keys_of(path: Path) -> list[str]:
    """Return the keys of a document; nothing of another file, such as a page with a module that a compiler made."""
    return shown_keys(path.read_text(encoding="utf-8")) if path.suffix == ".json" else []
