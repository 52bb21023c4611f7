"""The smallest ranges of indices, against those that are published."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from magics import ranges as finder
from magics.prove import proof as prove
from rookery.bitboards.squares import parse_square
from rookery.cli import main
from rookery.magics import ranges

# Niklas Fiekas, talkchess 65187, September 2017: the highest index by square and index bits.
PUBLISHED_RANGES = {
    9: {"d8": 60, "e8": 31, "d7": 60, "c8": 35, "e7": 31, "f8": 31, "h2": 61, "c7": 35, "b8": 61, "d6": 132},
    5: {"d8": 31, "e8": 29, "d7": 31, "c8": 29, "e7": 29, "f8": 26, "h2": 22, "c7": 29, "b8": 22},
    4: {"h2": 15, "b8": 15},
    7: {"d6": 127},
}


def test_the_published_ranges_are_stored() -> None:
    stored = {(r.bits, r.square): r for r in ranges.ranges() if r.piece == "bishop"}
    for bits, squares in PUBLISHED_RANGES.items():
        for square, highest in squares.items():
            assert stored[bits, square].highest == highest
    assert ranges.faults() == []


@pytest.mark.parametrize(("square", "bits"), [("d8", 9), ("e8", 9), ("d7", 5)])
def test_a_smallest_range_is_found_again(square: str, bits: int) -> None:
    found = finder.smallest_range("bishop", parse_square(square), bits)
    assert found is not None
    assert found.highest == PUBLISHED_RANGES[bits][square]
    stored = next(r for r in ranges.ranges() if (r.piece, r.square, r.bits) == ("bishop", square, bits))
    assert found._replace(seconds=stored.seconds) == stored


def test_no_range_without_a_factor() -> None:
    assert finder.smallest_range("bishop", parse_square("d1"), 4) is None


@pytest.mark.parametrize("highest", [-1, 32])
def test_a_highest_index_off_the_table(highest: int) -> None:
    with pytest.raises(ValueError, match=f"highest: {highest}: expected 0 to 31, the indices of 5 bits"):
        prove.prove("bishop", 3, 5, highest=highest)


def test_the_command_adds_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ranges.json"
    for square in ("e7", "e8"):
        command = ["magics", "ranges", "--prove", "--square", square, "--bits", "5", "--out", str(path)]
        assert CliRunner().invoke(main, command).exit_code == 0
    kept = {(r.square, r.bits): r for r in finder.read(path)}
    assert {*kept} == {(r.square, r.bits) for r in ranges.ranges()}
    assert kept["e7", 5].highest == kept["e8", 5].highest == 29
    path.write_text(json.dumps({"ranges": [{**kept["e7", 5]._asdict(), "magic": hex(kept["e7", 5].magic)}]}))
    assert CliRunner().invoke(main, command).exit_code == 0
    assert {(r.square, r.bits) for r in finder.read(path)} == {("e7", 5), ("e8", 5)}


GOOD = {"piece": "bishop", "square": "e7", "bits": 5, "highest": 29, "magic": "0x1", "nodes": 1, "seconds": 0.5}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "my notes",
        "[" * 100_000,
        '{"ranges": [], "mine": 1}',
        '{"ranges": [7]}',
        json.dumps({"ranges": [{**GOOD, "square": 7}]}),
        json.dumps({"ranges": [{**GOOD, "bits": "5"}]}),
        json.dumps({"ranges": [{**GOOD, "piece": ["bishop"]}]}),
        json.dumps({"ranges": [{**GOOD, "seconds": None}]}),
        json.dumps({"ranges": [{**GOOD, "magic": 1}]}),
    ],
)
def test_a_file_of_something_else_is_no_place_for_ranges(text: str, tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"^ranges: .*/notes: not a file of ranges: "):
        finder.write(path, [])
    refused = CliRunner().invoke(main, ["magics", "ranges", "--out", str(path)])
    assert refused.exit_code == 2
    assert "not a file of ranges" in refused.stderr
    assert path.read_text() == text
    missing = CliRunner().invoke(main, ["magics", "ranges", "--out", str(tmp_path / "no" / "file")])
    assert missing.exit_code == 2
    assert "there is no folder" in missing.stderr
