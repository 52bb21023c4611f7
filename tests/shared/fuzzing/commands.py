"""Command lines put together from the options of all commands, on small files in a folder of their own."""

import contextlib
import functools
import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
from click.testing import CliRunner

import rookery
from command_line import commands_of
from damaged_games import GAMES, SAMPLE
from fuzzing import Target
from fuzzing.training import samples
from rookery.cli import main

# Commands that take long whatever their options are, open a browser, or compile.
_LEFT_OUT: Final = ("bench", "magics", "compile", "verify", "doctor", "explore", "export", "techniques")
COMMANDS: Final = {path: command for path, command in commands_of() if path[0] not in _LEFT_OUT}
_NAMES: Final = (
    "games.pgn games.pgn.gz bad.pgn games.parquet games.arrow fens.txt rows.csv rows.jsonl rows.plain rows.binpack "
    "book.bin names.tsv empty.pgn missing.pgn folder *.pgn x.bullet folder/x.pgn"
).split()
_OUT: Final = (
    "out.parquet out.arrow out.csv out.jsonl out.json out.txt out.plain out.bullet out.vf out.html out".split()
)
_WORDS: Final = (
    *(
        "is_mate",
        "ply > 3",
        "WhiteElo > 1500",
        "White == 'x'",
        "count(pawns)",
        "legal_moves",
        "legal_moves, n=ply",
        "ECO",
    ),
    *(
        "e4",
        "e2e4",
        "Nf3",
        "a1",
        "start",
        "kiwipete",
        "rook",
        "white",
        "german",
        "utf-8",
        "cp1251",
        "x",
        "",
        "-",
        "--",
        "(((",
    ),
    *(
        "0.5,0.5",
        "0.8,0.1,0.1",
        "1",
        "-1",
        "White",
        "ply",
        "-ply",
        "result",
        "date",
        "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
        "\x00",
    ),
    *(
        "threads:2",
        "processes:x",
        "fen",
        "csv",
        "1e5",
        "é",
        "2025-01-01",
        "all",
        "none",
        "first",
        "kogge-stone",
        "alphazero",
    ),
)


@functools.cache
def _files() -> dict[str, bytes]:
    """Return the files that commands read, by their names."""
    pgn = b"\n\n".join(GAMES[:4]) + b"\n\n"
    found = {
        "games.pgn": pgn,
        "bad.pgn": pgn + b"1. e4 Ke2 {x",
        "empty.pgn": b"",
        "names.tsv": b"eco\tname\tpgn\nB00\tX\t1. e4\n",
    }
    fens = samples("text")[3].replace(b" | ", b" ").splitlines()
    found["fens.txt"] = b"\n".join(b" ".join(line.split()[:6]) for line in fens) + b"\nbad\n"
    found |= {"rows.csv": samples("csv")[3], "rows.jsonl": samples("jsonl")[3], "rows.plain": samples("plain")[3]}
    found["rows.binpack"] = samples("binpack")[4]
    games = rookery.read_pgn(SAMPLE)[:5]
    with TemporaryDirectory() as name:
        folder = Path(name)
        rookery.write_parquet(games, folder / "games.parquet")
        rookery.write_pgn(games, folder / "games.pgn.gz")
        rookery.scan(games).write_arrow(folder / "games.arrow")
        games.opening_tree().to_book().write(folder / "book.bin")
        return found | {path.name: path.read_bytes() for path in folder.iterdir()}


def _value(rng: random.Random, parameter: click.Parameter) -> str:
    kind: Any = parameter.type
    if rng.random() < 0.05:
        return rng.choice((*_WORDS, *_NAMES))
    if isinstance(kind, click.Choice):
        return str(rng.choice(list(kind.choices)))
    if isinstance(kind, (click.IntRange, click.FloatRange)) or kind in (click.INT, click.FLOAT):
        least = getattr(kind, "min", None) or 0
        return str(
            rng.choice(
                (least, least + 1, least + 2, 3, least - 1) if rng.random() < 0.95 else (1 << 40, 1 << 64, "1.5")
            )
        )
    if type(kind).__name__ == "OutputFile":
        return rng.choice(_OUT)
    if type(kind).__name__ in ("Sources", "_FilesOrFen", "Path"):
        return rng.choice(_NAMES if rng.random() < 0.5 else _NAMES[:12])
    return rng.choice((*_WORDS, *_NAMES))


def make(rng: random.Random) -> bytes:
    """Return a command line: a word a line, as JSON."""
    path = rng.choice(list(COMMANDS))
    words = list(path)
    parameters = COMMANDS[path].params
    for parameter in parameters:
        if isinstance(parameter, click.Argument):
            words += [_value(rng, parameter) for _ in range(rng.choice((1, 1, 1, 2)) if parameter.nargs == -1 else 1)]
    options = [
        one for one in parameters if isinstance(one, click.Option) and one.name not in ("help", "memory", "hash_mb")
    ]
    output = [one for one in options if type(one.type).__name__ == "OutputFile"]
    for option in [
        *rng.sample(options, min(rng.choice((0, 1, 2, 4)), len(options))),
        *(output[:1] if rng.random() < 0.6 else []),
    ]:
        name = rng.choice([*option.opts, *option.secondary_opts])
        words += [name] if option.is_flag else [name, _value(rng, option)]
    return b"".join(json.dumps(word).encode() + b"\n" for word in words)


def check(data: bytes) -> None:
    """Run the command: its status is 0, 1 or 2, it prints no traceback, and leaves no file but its output."""
    try:
        words = [json.loads(line) for line in data.splitlines()]
    except ValueError:
        return
    if not all(isinstance(word, str) for word in words) or tuple(words[:1]) not in COMMANDS:
        return
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("folder").mkdir()
        for name, content in _files().items():
            Path(name).write_bytes(content)
        before = set(Path().rglob("*"))
        result = CliRunner().invoke(main, words, input=b"")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code in (0, 1, 2), result.exit_code
        assert "Traceback" not in result.output
        assert result.exit_code == 0 or result.stderr or result.stdout
        left = {str(path) for path in Path().rglob("*") if path not in before}
        assert (
            not {name for name in left if name.endswith((".parts", ".tmp")) or name.startswith(".")} or result.exit_code
        ), left
        assert not left or result.exit_code != 2, left
        for name, content in _files().items():
            assert name in words or Path(name).read_bytes() == content, name


TARGETS: Final = (Target("commands", make, check, 30.0),)
