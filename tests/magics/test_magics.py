"""The finder, and the factors it has found."""

import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from magics.find.factors import find
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.magics.forms import all_squares, counts, is_magic
from rookery.techniques import _magics, black
from rookery.techniques._magics import Factor, factors, packed, stored


def test_the_stored_factors_are_found_again_from_their_seeds() -> None:
    assert [(f.piece, parse_square(f.square)) for f in stored()] == list(all_squares())
    for f in stored():
        assert f.bits == len(relevant_occupancy(f.piece, parse_square(f.square)))
        assert find(f.piece, parse_square(f.square), seed=f.seed, limit=f.tries) == f
        assert is_magic(f)


def test_the_narrow_factors_have_one_bit_less() -> None:
    assert len(stored("narrow")) == 39
    for f in stored("narrow"):
        assert f.bits == len(relevant_occupancy(f.piece, parse_square(f.square))) - 1
        assert is_magic(f)


def test_a_factor_is_checked_by_brute_force_too() -> None:
    """`is_magic` itself, against a dictionary."""
    from rookery.techniques._filler import relevant_cases

    for f in (stored()[0], stored()[27], stored()[91]):
        for magic, injective in ((f.magic, False), (f.magic, True), (f.magic ^ 1 << 40, False), (1, False)):
            slots: dict[int, int] = {}
            occupied, attacks = (a.tolist() for a in relevant_cases(f.piece, parse_square(f.square)))
            marks = occupied if injective else attacks
            good = all(
                slots.setdefault((o * magic & 2**64 - 1) >> 64 - f.bits, m) == m
                for o, m in zip(occupied, marks, strict=True)
            )
            assert is_magic(f._replace(magic=magic), injective) == good


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"piece": "queen", "square": 0}, "piece: 'queen'"),
        ({"piece": "rook", "square": 64}, "square: 64 is off the board"),
        ({"piece": "rook", "square": 0, "bits": 5}, "bits: 5 bits have 32 slots; rook a1 needs 49"),
        ({"piece": "bishop", "square": 0, "bits": 5, "injective": True}, "bishop a1 needs 64"),
        ({"piece": "rook", "square": 0, "bits": 0}, "bits: 0: expected 1 to 24"),
        ({"piece": "rook", "square": 0, "bits": 25}, "bits: 25"),
        ({"piece": "rook", "square": 0, "seed": -1}, "seed: -1: expected 0"),
        ({"piece": "rook", "square": 0, "seed": 2**64}, "seed: 18446744073709551616: expected 0"),
    ],
)
def test_impossible_requests(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find(**arguments)  # type: ignore[arg-type]


def test_counts_are_those_of_the_literature() -> None:
    rows = counts()
    totals = {
        piece: (sum(c.occupancies for c in rows if c.piece == piece), sum(c.sets for c in rows if c.piece == piece))
        for piece in ("rook", "bishop")
    }
    assert totals == {"rook": (102_400, 4_900), "bishop": (5_248, 1_428)}
    by_case = {(c.piece, SQUARE_NAMES[c.square]): (c.occupancies, c.sets) for c in rows}
    assert by_case["rook", "a8"] == (4096, 49)
    assert by_case["rook", "b2"] == (1024, 36)
    assert by_case["rook", "d4"] == (1024, 144)
    assert by_case["bishop", "b1"] == (32, 6)
    assert by_case["bishop", "d5"] == (512, 108)


def test_factors_by_piece() -> None:
    assert factors("rook").shape == factors("bishop").shape == (64,)
    assert factors("rook").dtype == np.uint64
    assert isinstance(stored()[0], Factor)


# Damaged files.


@pytest.fixture
def stored_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Copies of the stored files, which are read in their place."""
    for which in (*_magics.SETS, *_magics.PACKINGS):
        (tmp_path / f"{which}.json").write_bytes(resources.files(_magics).joinpath(f"{which}.json").read_bytes())
    monkeypatch.setattr(_magics, "resources", SimpleNamespace(files=lambda package: tmp_path))
    readers = (_magics.document, _magics.stored, _magics.packed)
    for reader in readers:
        reader.cache_clear()
    yield tmp_path
    for reader in readers:
        reader.cache_clear()


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b"{}", b'{"finder": 7}'])
@pytest.mark.parametrize("which", [*_magics.SETS, *_magics.PACKINGS])
def test_a_file_that_is_no_set_is_refused(stored_files: Path, which: str, content: bytes) -> None:
    (stored_files / f"{which}.json").write_bytes(content)
    with pytest.raises(ValueError, match=rf"^{which}\.json: "):
        packed(which) if which in _magics.PACKINGS else stored(which)


@pytest.mark.parametrize(
    ("which", "number", "change", "message"),
    [
        ("factors", 3, {"magic": None}, "record 3: magic: None: expected 0x and up to 16 hexadecimal digits"),
        ("factors", 3, {"magic": "0x"}, "record 3: magic: '0x'"),
        ("factors", 3, {"magic": "0x12345678123456780"}, "record 3: magic: "),
        ("factors", 1, {"piece": "queen"}, "record 1: piece: 'queen': expected rook or bishop"),
        ("factors", 1, {"square": "z9"}, "record 1: square: 'z9': expected a name from a1 to h8"),
        ("factors", 1, {"square": ["a1"]}, "record 1: square: "),
        ("factors", 128, {"bits": "9"}, "record 128: bits: '9': expected an integer from 1 to 24"),
        ("factors", 128, {"bits": 25}, "record 128: bits: 25"),
        ("factors", 128, {"bits": True}, "record 128: bits: True"),
        ("factors", 2, {"seed": -1}, "record 2: seed: -1: expected an integer from 0"),
        ("factors", 2, {"tries": 1.5}, "record 2: tries: 1.5"),
        ("factors", 2, {"colour": "red"}, "record 2: .*: expected piece, square, magic, bits, seed, tries"),
        ("factors", 2, {"square": "a1"}, "rook a1: 2 records: expected one"),
        ("narrow", 2, {"square": "a7"}, "rook a7: 2 records: expected one"),
        ("narrow", 1, {"square": "h8"}, "rook h8: 2 records"),
        ("narrow", 1, {"square": "h6"}, None),  # some squares, in order: it is for `check` to try the factor
        ("narrow", 39, {"square": "a4"}, "records out of order: expected rooks a1 to h8"),
        ("packed", 2, {"offset": "1"}, "record 2: offset: '1': expected an integer"),
    ],
)
def test_a_damaged_record_is_named(
    stored_files: Path, which: str, number: int, change: dict[str, object], message: str | None
) -> None:
    path = stored_files / f"{which}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["records" if which in _magics.PACKINGS else "factors"][number - 1].update(change)
    path.write_text(json.dumps(document), encoding="utf-8")
    if message is None:
        stored(which)
        return
    with pytest.raises(ValueError, match=rf"^{which}\.json: {message}"):
        packed(which) if which in _magics.PACKINGS else stored(which)


@pytest.mark.parametrize(
    ("which", "records"), [("factors", "factors"), ("packed", "records"), ("fixed_shift", "records")]
)
def test_a_missing_record_is_named(stored_files: Path, which: str, records: str) -> None:
    path = stored_files / f"{which}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    read = stored if which == "factors" else packed
    del document[records][64]
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"^{which}\.json: bishop a1: 0 records: expected one"):
        read(which)
    for change in (5, {"a": 1}, ["rook"], [{"piece": "rook"}]):
        path.write_text(json.dumps({**document, records: change}), encoding="utf-8")
        with pytest.raises(ValueError, match=rf"^{which}\.json: .*expected"):
            read(which)


def test_a_square_packed_outside_the_table_is_named(stored_files: Path) -> None:
    path = stored_files / "packed.json"
    good = json.loads(path.read_text(encoding="utf-8"))
    records = [{**record, "offset": 2**24 if record["square"] == "c1" else 0} for record in good["records"]]
    path.write_text(json.dumps({**good, "records": good["records"][:2] + records[2:]}), encoding="utf-8")
    with pytest.raises(ValueError, match="rook on square 2: a slot outside the table"):
        black.tables()
    path.write_text(json.dumps({**good, "entries": 0}), encoding="utf-8")
    packed.cache_clear()
    _magics.document.cache_clear()
    with pytest.raises(ValueError, match=r"packed\.json: entries: 0: expected an integer from 1"):
        black.tables()
