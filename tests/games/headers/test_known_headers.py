"""Names of headers that choose columns: a name that no game has is refused, with the name that may be meant."""

import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import rookery
from command_line import run
from rookery.frames.columns import Texts
from rookery.games.headers.known_headers import UnknownHeaderError, UnseenHeaders, check_known, unknown_of
from rookery.games.read.reader import read_pgn, scan_pgn
from rookery.games.search.hits import Hits
from rookery.positions.language.headers import near_header

MISSPELT = r"^headers: 'WhitElo': no game has this header; did you mean 'WhiteElo'\?$"
UNKNOWN = r"^headers: 'Odd': no game has this header: expected a header of the games$"
PLAIN = b'[White "Anna"]\n[WhiteElo "2100"]\n\n1. e4 e5 *\n\n'
ODD = b'[White "Bert"]\n[Odd "1"]\n[BlackFideID "7"]\n\n1. d4 *\n\n'


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two files; only games of the second have the header Odd."""
    for name, text in (("a.pgn", PLAIN * 3), ("b.pgn", ODD * 3)):
        (tmp_path / name).write_bytes(text)
    return [str(tmp_path / "a.pgn"), str(tmp_path / "b.pgn")]


def calls(files: list[str], folder: Path) -> list[Any]:
    """Return functions of a list of headers: every public way to choose columns of headers."""
    out = folder / "out.parquet"
    return [
        lambda names: read_pgn(files, headers=names),
        lambda names: read_pgn(files, headers=names, threads=2),
        lambda names: read_pgn(files, headers=names, moves=False),
        lambda names: list(scan_pgn(files, headers=names, games=1)),
        lambda names: rookery.pgn_to_parquet(files, out, headers=names),
        lambda names: rookery.pgn_to_parquet(files, out, headers=names, executor="threads:2"),
        lambda names: rookery.search(files, "ply == 0", headers=names),
        lambda names: rookery.search(files, "ply == 0", headers=names, executor="threads:2"),
        lambda names: read_pgn(files).search("ply == 0", headers=names),
        lambda names: read_pgn(files, headers=["Odd", "White"]).search("ply == 0", headers=names),
    ]


def test_every_function_refuses_a_name_that_no_game_has(files: list[str], tmp_path: Path) -> None:
    for call in calls(files, tmp_path):
        with pytest.raises(UnknownHeaderError, match=MISSPELT):
            call(["White", "WhitElo"])
    with pytest.raises(ValueError, match=r"group_by: unknown name WhitElo: expected .*; did you mean WhiteElo\?"):
        rookery.search(files, "ply == 0", group_by="WhitElo")
    with pytest.raises(UnknownHeaderError, match="headers: 'Coach': no game has this header"):
        rookery.search(files, "ply == 0", group_by="Coach")
    assert list(tmp_path.glob("out*")) == []


def test_every_function_takes_a_name_that_games_of_one_file_have(files: list[str], tmp_path: Path) -> None:
    for call in calls(files, tmp_path):
        call(["White", "Odd"])


def test_usual_and_computed_names_may_be_missing(files: list[str], tmp_path: Path) -> None:
    for call in calls(files, tmp_path):
        call(["Annotator", "Result", "speed", "date"])


@pytest.mark.parametrize("moves", [True, False])
def test_games_that_a_condition_passes_over_may_have_the_header(files: list[str], moves: bool) -> None:
    where = 'White == "Anna"'
    assert len(read_pgn(files, headers=["Odd"], where=where, moves=moves)) == 3
    with pytest.raises(UnknownHeaderError, match=MISSPELT):
        read_pgn(files, headers=["WhitElo"], where=where, moves=moves)


def test_a_name_close_to_a_usual_one_is_taken_where_games_have_it() -> None:
    assert read_pgn(ODD, headers=["BlackFideID"])["BlackFideID"].tolist() == ["7"]
    with pytest.raises(UnknownHeaderError, match=r"'BlackFideID'.*did you mean 'BlackFideId'"):
        read_pgn(PLAIN, headers=["BlackFideID"])


@pytest.mark.parametrize("headers", [None, ["White"]])
def test_a_search_of_games_refuses_the_name(headers: list[str] | None) -> None:
    games = read_pgn(PLAIN, headers=headers)
    with pytest.raises(UnknownHeaderError, match=MISSPELT):
        games.search("ply == 0", headers=["White", "WhitElo"])
    assert games.search("ply == 0", headers=["White", "Annotator"])["White"].tolist() == ["Anna"]
    assert len(games[:0].search("ply == 0", headers=["WhitElo"])) == 0


def test_no_games_have_no_unknown_headers() -> None:
    assert len(read_pgn(b"", headers=["Odd"])) == 0


def test_columns_of_tables_are_known(tmp_path: Path) -> None:
    table = pa.table({"movetext": ["1. e4 *"], "Odd": pa.array([None], pa.string())})
    assert read_pgn(table, headers=["Odd"])["Odd"].tolist() == [None]
    rookery.write_parquet(read_pgn(PLAIN + ODD), tmp_path / "games.parquet")
    path = str(tmp_path / "games.parquet")
    assert read_pgn(path, headers=["Odd"])["Odd"].tolist() == [None, "1"]  # from the tags
    hits = rookery.search(path, "ply == 0", headers=["Odd"])
    assert isinstance(hits, Hits)
    assert hits["Odd"].tolist() == [None, "1"]
    with pytest.raises(UnknownHeaderError, match=MISSPELT):
        read_pgn(path, headers=["WhitElo"])
    with pytest.raises(ValueError, match=r"^columns: 'WhitElo': expected some of .*; did you mean 'WhiteElo'\?$"):
        rookery.read_parquet(path, columns=["WhitElo"])


def test_queries_may_name_headers_that_no_game_has(files: list[str]) -> None:
    """Their conditions hold for no game, and the columns that were requested are there."""
    hits = rookery.search(files, 'header("Seldom") == "1"', headers=["White"])
    assert isinstance(hits, Hits)
    assert list(hits.headers) == ["White"]


def test_commands_refuse_the_name(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    for command in (
        ["games", *files, "-o", str(out), "--headers", "White,WhitElo"],
        ["games", *files, "-o", str(out), "--headers", "White,WhitElo", "--executor", "threads:2"],
        ["search", *files, "ply == 0", "--headers", "White,WhitElo"],
    ):
        said = " ".join(run(*command, status=2).output.split())
        assert "headers: 'WhitElo': no game has this header; did you mean 'WhiteElo'?" in said
    assert list(tmp_path.glob("out*")) == []


def test_the_error_survives_a_process() -> None:
    error = UnknownHeaderError({"Odd": None, "WhitElo": near_header("WhitElo")}, "headers")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.names, copy.argument) == (str(error), error.names, "headers")


def test_a_header_is_unknown_only_if_all_parts_lack_it() -> None:
    odd, both = UnknownHeaderError({"Odd": None}, "headers"), UnknownHeaderError({"Odd": None, "Even": None}, "headers")
    check_known([unknown_of(odd), unknown_of(None)])
    check_known([])
    with pytest.raises(UnknownHeaderError, match=UNKNOWN):
        check_known([unknown_of(both), unknown_of(odd)])


def test_conditions_may_name_plies_too() -> None:
    assert str(UnknownHeaderError({"Odd": None})) == (
        "where: 'Odd': no game has this header: expected a header of the games, or plies"
    )
    assert str(UnknownHeaderError({"Odd": None, "Whit": "White"}, "headers")) == (
        "headers: 'Odd': no game has this header: expected a header of the games\n"
        "headers: 'Whit': no game has this header; did you mean 'White'?"
    )


def test_names_are_unseen_until_a_game_has_the_header() -> None:
    unseen = UnseenHeaders(["Odd", "Even", "White", "speed", "Third"])
    assert unseen.names == {"Odd", "Even", "Third"}  # the others are usual, or computed
    assert unseen.nowhere == []  # no game was looked at
    none, some = Texts.of([None, None]), Texts.of([None, "1"])
    unseen.look({"Odd": none}, 0)
    assert unseen.nowhere == []
    unseen.look({"Odd": none, "Even": some}, 2)
    assert unseen.nowhere == ["Odd", "Third"]
    unseen.drop(["Third", "Other"])
    assert unseen.suggestions == {"Odd": None}


def test_a_name_is_unknown_if_each_part_finds_it_so_for_the_same_argument() -> None:
    parts = [{"where": {"Odd": None}}, {"headers": {"Odd": None}}]
    check_known(parts)
    with pytest.raises(UnknownHeaderError, match=r"^where: 'Odd'"):
        check_known([parts[0], parts[0]])
