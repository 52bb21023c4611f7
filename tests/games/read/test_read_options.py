"""Every option of reading arrives, through every function that has it."""

import inspect
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rookery
from read_options import PGN, VALUES, fields_of
from rookery.games.read import reader
from rookery.games.read.options import ReadOptions

# What a function fixes, since it reads the same from every file. `threads` are those of all its tasks.
FIXED = {"headers", "clocks", "comments", "nags", "variations", "moves", "texts", "errors", "strict"}
LACKS: dict[str, set[str]] = {
    "read_pgn": set(),
    "scan_pgn": set(),
    "pgn_to_parquet": {"moves"},
    "search": FIXED - {"headers"},
    "make_dataset": FIXED,
    "annotate": (FIXED - {"errors"}) | {"where"},
}
# Names that mean something else: headers to show, the file for bad rows.
OTHER = {("search", "headers"), ("annotate", "errors")}
CALLS: dict[str, Callable[..., Any]] = {
    "read_pgn": lambda path, out, **options: rookery.read_pgn(path, **options),
    "scan_pgn": lambda path, out, **options: list(rookery.scan_pgn(path, **options)),
    "pgn_to_parquet": lambda path, out, **options: rookery.pgn_to_parquet(path, out / "a.parquet", **options),
    "search": lambda path, out, **options: rookery.search(path, "ply >= 0", **options),
    "make_dataset": lambda path, out, **options: rookery.make_dataset(path, out / "set", **options),
    "annotate": lambda path, out, **options: rookery.annotate(path, out / "a.csv", "legal_moves", **options),
}


@pytest.fixture
def read_with(monkeypatch: pytest.MonkeyPatch) -> list[ReadOptions]:
    """Return a list of the options that games are read with."""
    seen: list[ReadOptions] = []
    original = reader.work_of

    def noted(source: Any, options: ReadOptions) -> Any:
        seen.append(options)
        return original(source, options)

    monkeypatch.setattr(reader, "work_of", noted)
    return seen


def test_every_option_has_a_value_to_try() -> None:
    fields = fields_of(ReadOptions)
    assert VALUES.keys() == fields.keys()
    assert not [name for name, default in fields.items() if VALUES[name] == default]


@pytest.mark.parametrize("function", CALLS)
def test_functions_have_the_options_but_for_those_that_are_fixed(function: str) -> None:
    parameters = inspect.signature(getattr(rookery, function)).parameters
    options = fields_of(ReadOptions)
    assert {name for name in options if name not in parameters} == LACKS[function] - {
        name for of, name in OTHER if of == function
    }
    for name in options.keys() - LACKS[function] - {name for of, name in OTHER if of == function}:
        assert parameters[name].default == options[name], name


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (function, name)
        for function, lacking in LACKS.items()
        for name in VALUES
        if name not in lacking and (function, name) not in OTHER
    ],
)
def test_options_arrive(function: str, name: str, tmp_path: Path, read_with: list[ReadOptions]) -> None:
    path = tmp_path / "in.pgn"
    path.write_bytes(PGN.encode("cp1251" if name in ("encoding", "where") else "utf-8"))
    options = {"encoding": "cp1251", name: VALUES[name]} if name == "where" else {name: VALUES[name]}
    CALLS[function](path, tmp_path, **options)
    expected = getattr(ReadOptions(**{name: VALUES[name]}), name)
    if function == "pgn_to_parquet" and name == "errors":  # tasks keep bad games, and they are left out afterwards
        assert rookery.read_parquet(tmp_path / "a.parquet").numbers.tolist() == [1]
    else:
        assert expected in [getattr(options, name) for options in read_with]


# What functions lack that read one game after the other from text that is decoded already, with all that a game has.
ONE_BY_ONE = FIXED - {"errors", "strict"} | {"where", "encoding", "names", "threads"}
LACKING_OF_PGN = {
    "read": ONE_BY_ONE,
    **dict.fromkeys(("read_game", "read_headers", "skip_game"), ONE_BY_ONE | {"errors"}),  # bad games are errors
}


@pytest.mark.parametrize("function", LACKING_OF_PGN)
def test_readers_of_single_games_have_the_other_options(function: str) -> None:
    parameters = inspect.signature(getattr(rookery.pgn, function)).parameters
    assert fields_of(ReadOptions).keys() - parameters.keys() == LACKING_OF_PGN[function]


def test_no_function_that_reads_games_lacks_letters() -> None:
    """But for those of python-chess's names, which have python-chess's parameters."""
    for module in (rookery, rookery.pgn):
        for name in module.__all__:
            function = getattr(module, name)
            if inspect.isfunction(function):
                parameters = inspect.signature(function).parameters
                assert not parameters.keys() & {"strict", "encoding"} or "letters" in parameters, name


def test_letters_arrive_at_readers_of_single_games() -> None:
    text = '[White "Anna"]\n\n1. Sf3 Sf6 *\n\n[White "Bert"]\n\n1. Nf3 Lc5 *\n'
    for source in (text, io.StringIO(text)):
        game = rookery.pgn.read_game(source, letters="german")
        assert game is not None
        assert game.end().board().ply() == 2
    with pytest.raises(ValueError, match="'Sf3': expected a move"):
        rookery.pgn.read_game(text)
    file = io.StringIO(text)
    headers = rookery.pgn.read_headers(file, letters="german")
    assert headers is not None
    assert headers["White"] == "Anna"
    with pytest.raises(ValueError, match="'Lc5', read as 'Bc5'"):
        rookery.pgn.read_game(file, letters="german")
    assert not rookery.pgn.skip_game(file, letters="german")
    with pytest.raises(ValueError, match=r"'Qxf7mate'"):
        rookery.pgn.read_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7mate 1-0", strict=True)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"encoding": "klingon"}, ValueError, "encoding: 'klingon': expected the name of an encoding, like 'cp1251'"),
        ({"encoding": "rot13"}, ValueError, "encoding: 'rot13': expected the name of an encoding"),
        ({"encoding": 1251}, TypeError, "encoding: 1251: expected the name of an encoding"),
        ({"where": 1}, TypeError, "where: 1: expected a text"),
        ({"threads": 0}, ValueError, "threads: 0: expected"),
        ({"strict": "yes"}, TypeError, "strict: 'yes': expected"),
        ({"errors": "ignore"}, ValueError, "errors: 'ignore': expected 'keep', 'skip' or 'raise'"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ReadOptions(**options)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("packing", ["plain", "gzip", "bytes", "file", "list"])
def test_text_of_other_encodings_is_read(packing: str, threads: int, tmp_path: Path) -> None:
    import gzip

    text = PGN.encode("cp1251") * 500
    path = tmp_path / "in.pgn"
    path.write_bytes(gzip.compress(text) if packing == "gzip" else text)
    expected = rookery.read_pgn(PGN.encode() * 500)
    sources: dict[str, Any] = {"bytes": text, "list": [path]}
    with path.open("rb") as file:
        source = file if packing == "file" else sources.get(packing, path)
        games = rookery.read_pgn(source, encoding="cp1251", threads=threads)
    assert games == expected
    assert games["White"].tolist() == ["Карпов", "Каспаров"] * 500
    assert [(e.line, e.move) for e in games.errors] == [(e.line, e.move) for e in expected.errors]


def test_a_byte_order_mark_is_stronger_than_the_encoding() -> None:
    for name in ("utf-8-sig", "utf-16"):
        assert rookery.read_pgn(PGN.encode(name), encoding="cp1251")["White"].tolist() == ["Карпов", "Каспаров"]


def test_text_of_an_open_file_has_been_decoded(tmp_path: Path) -> None:
    path = tmp_path / "in.pgn"
    path.write_bytes(PGN.encode("cp1251"))
    with path.open(encoding="cp1251") as file, pytest.raises(ValueError, match="encoding: 'cp1251': the source is ope"):
        rookery.read_pgn(file, encoding="cp1251")


def test_only_files_of_games_have_an_encoding_in_annotate(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\n")
    with pytest.raises(ValueError, match=r"encoding: 'cp1251': .*in.txt has no games"):
        rookery.annotate(path, tmp_path / "out.csv", "legal_moves", encoding="cp1251")


def test_options_for_moves_leave_out_all_else() -> None:
    given = ReadOptions(texts=True, strict=True, threads=3, where="plies > 2", errors="skip", encoding="cp1251")
    chosen = given.for_moves()
    kept = {"strict", "threads", "where", "errors", "encoding", "moves", "letters", "names"}
    assert {name: getattr(chosen, name) for name in kept} == {name: getattr(given, name) for name in kept}
    assert chosen.headers == ()
    for name in ("clocks", "comments", "nags", "variations", "texts"):
        assert getattr(chosen, name) is False, name
    assert given.for_moves(iter(["White"]), clocks=True) == ReadOptions(
        headers=("White",),
        comments=False,
        nags=False,
        variations=False,
        **{name: getattr(given, name) for name in kept},
    )


def test_what_does_not_decide_what_is_read_is_no_content() -> None:
    content = ReadOptions(threads=2, errors="skip", headers=("White",)).content()
    assert content == ReadOptions(headers=("White",)).content()
    assert content["headers"] == ("White",)
    assert content.keys() == fields_of(ReadOptions).keys() - {"threads", "errors", "names"}
