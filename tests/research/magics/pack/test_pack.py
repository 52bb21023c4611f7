"""Packed tables: those stored, and how they come about."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import magics.pack.columns
from magics.pack import packing
from magics.pack.columns import Room, Shape, columns_of, shape_of, slots_of, turned
from magics.pack.packing import CASES, LARGE, State, begin, boards, one_round
from magics.pack.state_file import load, save
from magics.pack.tiling import LEVEL, Place, Tiling, height_of, volume_of
from rookery.cli import main
from rookery.magics.tables import used
from rookery.sources import files
from rookery.techniques._magics import PACKINGS, packed

pytestmark = pytest.mark.compiler  # wheels have no machine code of searches for factors

PUBLISHED = {"packed": 86_491, "fixed_shift": 88_507}


@pytest.mark.parametrize("which", PACKINGS)
def test_the_stored_packings_are_right_and_smaller_than_those_published(which: str) -> None:
    entries, records = packed(which)
    assert 0 < used(records, entries, PACKINGS[which]) <= entries
    assert entries < PUBLISHED[which]
    for wrong in (
        (*records[:5], records[5]._replace(offset=records[5].offset + 1), *records[6:]),
        (*records[:70], records[70]._replace(magic=1), *records[71:]),
        (*records[:9], records[9]._replace(offset=entries), *records[10:]),
    ):
        with pytest.raises(ValueError, match="packed: "):
            used(wrong, entries, PACKINGS[which])
    with pytest.raises(ValueError, match=f"an index outside 0 to {entries - 2}"):
        used(records, entries - 1, PACKINGS[which])


@pytest.mark.parametrize("form", ["black", "fixed-shift"])
@pytest.mark.parametrize("case", [9, 54])
def test_a_walk_finds_factors_that_take_less_room(form: str, case: int) -> None:
    start = begin(form, 0).pools[case][0]
    found = Room().walk(boards(form, case), start.magic, start.bits, LEVEL, 10.0, 0.7, 1)
    assert found == Room().walk(boards(form, case), start.magic, start.bits, LEVEL, 10.0, 0.7, 1)
    occupied, attacks = (a.tolist() for a in boards(form, case))
    for magic in found:
        slots: dict[int, int] = {}
        for o, a in zip(occupied, attacks, strict=True):
            assert slots.setdefault((o * magic & 2**64 - 1) >> 64 - start.bits, a) == a
        assert shape_of(boards(form, case)[0], magic, start.bits).used == len(slots)
        assert slots_of(boards(form, case)[0], magic, start.bits).tolist() == sorted(slots)
    shapes = [shape_of(boards(form, case)[0], magic, start.bits) for magic in found]
    assert min(map(volume_of, shapes)) < volume_of(start)


def test_columns() -> None:
    assert columns_of(np.array([1, 64, 130])) == 0b111
    assert turned(turned(0b1011, 40), 24) == 0b1011
    assert (volume_of(Shape(0, 0, 0b11, 32, 64)), height_of(Shape(0, 0, 1, 33, 33))) == (2, 2)


def test_tiles_do_not_overlap() -> None:
    stripes = [Shape(n, 0, 0x0F0F0F0F0F0F0F0F, 40, 0) for n in range(2)]
    comb = [Shape(2, 0, 0x5555555555555555, 20, 0), Shape(3, 0, 0x00000000FFFFFFFF, 32, 0)]
    tiling = Tiling([[stripes[0]], [stripes[1]], comb, comb], 3, [None] * 4, seed=1)
    assert tiling.search(2000) == 0
    places = tiling.places()
    taken: set[tuple[int, int]] = set()
    for place in places:
        assert isinstance(place, Place)
        columns = [c for c in range(64) if turned(place.shape.columns, place.turn) >> c & 1]
        tiles = {(place.level + i, c) for i in range(height_of(place.shape)) for c in columns}
        assert max(tiles)[0] < 3
        assert not tiles & taken
        taken |= tiles
    # It goes on from there; in two levels there is no room for all.
    assert Tiling([[stripes[0]], [stripes[1]], comb, comb], 3, places, seed=2).search(0) == 0
    assert Tiling([[stripes[0]], [stripes[1]], comb, comb], 2, places, seed=2).search(500) > 0


@pytest.fixture(scope="module")
def first() -> State:
    """A short round."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(magics.pack.columns, "STEPS", 400)
        patch.setattr(packing, "_WALKS", 2)
        return one_round(begin("black", 0), exchanges=100)


def test_a_round_is_right(first: State) -> None:
    assert first.rounds == 1
    assert first.entries < 200_000  # 200 levels of 2,048 slots to begin with
    assert used(first.records, first.entries) <= first.entries
    assert [(p.piece, p.square) for p in first.records] == [(p.piece, p.square) for p in packed()[1]]
    assert all(place.shape in first.pools[case] for case, place in zip(LARGE, first.places, strict=True) if place)
    assert len(CASES) == len(first.pools) == 128


@pytest.mark.slow
def test_a_state_that_comes_from_a_file_leads_to_the_same_round(
    first: State, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(magics.pack.columns, "STEPS", 100)
    monkeypatch.setattr(packing, "_WALKS", 2)
    path = tmp_path / "state.json"
    save(path, first)
    again, aside = load(path, "black", 0)
    assert (again, aside) == (first, None)
    assert again is not None
    pools = [list(pool) for pool in first.pools]
    second = one_round(again, exchanges=100)
    assert second == one_round(first, exchanges=100)
    assert second.entries <= first.entries
    assert first.pools == pools


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds with few walks."""
    monkeypatch.setattr(magics.pack.columns, "STEPS", 100)
    monkeypatch.setattr(packing, "_WALKS", 1)


@pytest.mark.usefixtures("short")
def test_progress_within_a_round(first: State) -> None:
    """Every step of a round reports how far it is, and none of them goes back."""
    seen: list[tuple[str, int]] = []
    one_round(first, exchanges=300, progress=lambda doing, done: seen.append((doing, done)))
    parts = [done for _, done in seen]
    assert parts == sorted(parts)
    assert seen[0] == ("rook a1", 0)
    assert seen[-1] == ("done", packing.ROUND_PARTS)
    tiling = [done for doing, done in seen if doing.startswith("tiling ")]
    settling = [done for doing, done in seen if doing.startswith("settling ")]
    assert packing.WALK_PARTS < tiling[-1] == packing.ROUND_PARTS - packing.SETTLE_PARTS
    assert len(set(settling)) == packing.SETTLE_PARTS
    assert any(doing == "settling 64 of 128 squares in " + doing.rsplit(" in ", 1)[-1] for doing, _ in seen)


@pytest.mark.usefixtures("short")
def test_a_round_shows_lines_where_there_is_no_terminal(
    first: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing.one_round, "__defaults__", (200, lambda doing, done: None))
    state = tmp_path / "state.json"
    save(state, first)
    done = CliRunner().invoke(main, ["magics", "pack", "--rounds", "2", "--state", str(state)])
    assert done.exit_code == 0, done.output
    lines = done.stderr.splitlines()
    assert len(lines) == 9
    assert all(line.startswith(f"round 2, best {first.entries:,} entries: ") for line in lines)
    assert lines[0].endswith("rook a1, 0 % of the round")
    assert lines[-1].endswith("done, 100 % of the round")


def test_a_damaged_state_is_set_aside(first: State, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    assert load(path, "black", 0) == (None, None)
    save(path, first)
    with pytest.raises(ValueError, match="form black and seed 0; expected fixed-shift and 0"):
        load(path, "fixed-shift", 0)
    with pytest.raises(ValueError, match=r"state: .*directory"):
        load(tmp_path, "black", 0)
    whole = path.read_text()
    for n, text in enumerate((whole[:-200], whole.replace('"levels": ', '"levels": 1')), 1):
        path.write_text(text)
        assert load(path, "black", 0) == (None, tmp_path / f"state.json.damaged-{n}")
        assert (tmp_path / f"state.json.damaged-{n}").read_text() == text
        assert not path.exists()
    body = json.loads(whole)["state"]
    changes: tuple[dict[str, object], ...] = ({"pools": 7}, {"places": []}, {"records": [[1]]}, {"mine": 1})
    # Compiled code uses these numbers as indices.
    changes += ({"levels": -1}, {"levels": 1 << 40}, {"levels": "9"})
    changes += tuple({"places": [[0, *place], *body["places"][1:]]} for place in ((64, 0), (-1, 0), (0, -1), (0, 9999)))
    for n, changed in enumerate(changes, 3):
        files.save(path, files.Kind("state", "rookery magics pack, version 2"), {"state": {**body, **changed}})
        assert load(path, "black", 0) == (None, tmp_path / f"state.json.damaged-{n}")


@pytest.mark.parametrize("text", ["", "my notes", "{", "[]", "[" * 100_000, '{"about": "something else"}'])
def test_a_file_that_is_no_state_is_refused_and_stays(text: str, tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"^state: .*/notes: not a state, or damaged: "):
        load(path, "black", 0)
    refused = CliRunner().invoke(main, ["magics", "pack", "--rounds", "0", "--state", str(path)])
    assert refused.exit_code == 2
    assert "not a state, or damaged" in refused.stderr
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("notes", text)]


def test_a_full_disk_leaves_the_state(first: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "state.json"
    save(path, first)
    whole = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(path, first)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("state.json", whole)]
    command = ["magics", "pack", "--rounds", "1", "--state", str(path), "--out", str(tmp_path / "record.json")]
    printed = CliRunner().invoke(main, command)
    assert (printed.exit_code, printed.stderr.strip().split(": ")[:2]) == (1, ["Error", "--out"])
    assert [p.name for p in tmp_path.iterdir()] == ["state.json"]


def test_the_command(first: State, tmp_path: Path) -> None:
    state, record = tmp_path / "state.json", tmp_path / "record.json"
    save(state, first)
    arguments = ["magics", "pack", "--rounds", "1", "--state", str(state), "--out", str(record), "--json"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    written = json.loads(record.read_text())
    assert json.loads(done.stdout) == written
    assert written["entries"] == first.entries
    assert len(written["records"]) == 128
    other = CliRunner().invoke(main, [*arguments, "--force", "--seed", "5"])
    assert other.exit_code == 2
    assert "seed 0; expected black and 5" in other.stderr
    assert state.exists()
    damaged = state.read_text()[:-9]
    folder = tmp_path / "["  # with the file's name what Rich takes for markup
    folder.mkdir()
    state = folder / "red]"
    state.write_text(damaged)
    empty = CliRunner().invoke(main, ["magics", "pack", "--rounds", "0", "--state", str(state)])
    assert empty.exit_code == 1
    assert f"{state} was damaged: it is kept as {state}.damaged-1" in " ".join(empty.stderr.split())
    assert state.with_name("red].damaged-1").read_text() == damaged
