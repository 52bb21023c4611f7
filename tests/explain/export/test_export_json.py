"""JSON exports, rebuilt from the document and the rules of chess alone."""

import functools
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from exports import LOOKUPS, self_check
from numpy.typing import NDArray

import rookery
from magics.find.factors import find_all
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.mappings import convert_board, convert_square
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.explain.export import export_files, export_text
from rookery.kernel import U64, Bits, Square, Word, kernel
from rookery.magics.forms import all_squares
from rookery.techniques._filler import relevant_cases
from rookery.techniques._magics import narrowest
from rookery.techniques.base import Card, Kernels, Technique


def rays(piece: str, square: int) -> list[list[int]]:
    """The squares of a piece's rays, nearest first."""
    rank, file = divmod(square, 8)
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1)) if piece == "rook" else ((1, 1), (1, -1), (-1, 1), (-1, -1))
    return [
        [
            8 * (rank + n * up) + file + n * right
            for n in range(1, 8)
            if 0 <= rank + n * up < 8 and 0 <= file + n * right < 8
        ]
        for up, right in steps
    ]


def attacked(piece: str, square: int, occupied: int) -> int:
    board = 0
    for ray in rays(piece, square):
        for s in ray:
            board |= 1 << s
            if occupied >> s & 1:
                break
    return board


def subsets(mask: int) -> Iterator[int]:
    squares = [s for s in range(64) if mask >> s & 1]
    for chosen in itertools.product((0, 1), repeat=len(squares)):
        yield sum(bit << s for bit, s in zip(chosen, squares, strict=True))


@functools.cache
def relevant(piece: str, square: int) -> int:
    return sum(1 << s for ray in rays(piece, square) for s in ray[:-1])


def number(value: int | str) -> int:
    return value if isinstance(value, int) else int(value, 16)


def gather(occupied: Any, mask: int) -> Any:
    squares = [s for s in range(64) if mask >> s & 1]
    return sum((occupied >> s & 1) << i for i, s in enumerate(squares))


@functools.cache
def cases(piece: str, square: int) -> tuple[NDArray[np.object_], NDArray[np.uint64]]:
    """Every relevant occupancy of a square, as Python's numbers, and what the piece attacks there."""
    occupied = list(subsets(relevant(piece, square)))
    return np.array(occupied, object), np.array([attacked(piece, square, o) for o in occupied], np.uint64)


def rebuild(document: Any) -> int:
    """Ask for every look-up; how long the table has to be."""
    formula = compile(document["index"], "index", "eval")
    indices, answers = [], []
    for piece in ("rook", "bishop"):
        assert [record["square"] for record in document[piece]] == list(SQUARE_NAMES)
        for square, record in enumerate(document[piece]):
            numbers = {key: number(record[key]) for key in ("mask", "magic", "shift", "offset") if key in record}
            assert numbers["mask"] == relevant(piece, square)
            occupied, attacks = cases(piece, square)
            indices.append(eval(formula, {"pext": gather}, {**numbers, "occupied": occupied}))
            answers.append(attacks)
    index, expected = np.concatenate(indices).astype(np.int64), np.concatenate(answers)
    assert len(index) == LOOKUPS
    assert index.min() >= 0
    assert index.max() < document["entries"]
    table = np.zeros(document["entries"], np.uint64)
    table[index] = expected
    assert np.array_equal(table[index], expected)  # no entry has two answers
    return int(index.max()) + 1


@pytest.mark.parametrize(
    "name", ["magic-fancy", "magic-plain", "magic-shared", "magic-reduced", "magic-fixed-shift", "magic-black", "pext"]
)
def test_every_look_up_is_rebuilt_from_json(name: str) -> None:
    document = json.loads(export_text("json", name))
    needed = rebuild(document)
    assert document["entries"] == needed or name in ("magic-plain", "magic-shared")


def test_an_offset_below_the_first_slot_is_a_negative_number() -> None:
    document = json.loads(export_text("json", "magic-black"))
    offsets = [record["offset"] for piece in ("rook", "bishop") for record in document[piece]]
    assert min(offsets) < 0
    assert max(map(abs, offsets)) < 2**24


def test_a_reduced_square_has_a_shift_of_its_own() -> None:
    document = json.loads(export_text("json", "magic-reduced"))
    for piece in ("rook", "bishop"):
        saved = [r["square"] for r in document[piece] if 64 - r["shift"] < number(r["mask"]).bit_count()]
        assert saved == [
            f.square for f in narrowest(piece) if f.bits < len(relevant_occupancy(piece, parse_square(f.square)))
        ]


# A technique that is in no registry: black magics, which set all irrelevant squares instead of clearing them.


class BlackTables(NamedTuple):
    rook: NDArray[np.uint64]  # records of the mask inverted, factor, shift, offset
    bishop: NDArray[np.uint64]
    attacks: NDArray[np.uint64]


@kernel
def black_index(sq: Square, occupied: Bits, records: Any) -> Word:
    at = sq << 2
    return records[at + U64(3)] + (((occupied | records[at]) * records[at + U64(1)]) >> records[at + U64(2)])


@kernel
def black_rook(sq: Square, occupied: Bits, t: BlackTables) -> Bits:
    return t.attacks[black_index(sq, occupied, t.rook)]


@kernel
def black_bishop(sq: Square, occupied: Bits, t: BlackTables) -> Bits:
    return t.attacks[black_index(sq, occupied, t.bishop)]


def black_tables() -> BlackTables:
    t = BlackTables(np.zeros(256, U64), np.zeros(256, U64), np.zeros(107_648, U64))
    magics = {(f.piece, f.square): f.magic for f in find_all("black", seed=1)}
    start = 0
    for piece, square in all_squares():
        occupied, attacks = relevant_cases(piece, square)
        inverted = ~U64(relevant(piece, square))
        shift = U64(64 - relevant(piece, square).bit_count())
        magic = magics[piece, SQUARE_NAMES[square]]
        records = t.rook if piece == "rook" else t.bishop
        records[4 * square : 4 * square + 4] = inverted, magic, shift, start
        t.attacks[start + (((occupied | inverted) * U64(magic)) >> shift)] = attacks
        start += len(occupied)
    return t


def test_a_technique_of_ones_own(tmp_path: Path) -> None:
    black = Technique(
        Card(
            name="black",
            summary="irrelevant squares are set",
            authors=("nobody",),
            year=2026,
            source="this test",
            tables=black_tables,
            kernels=Kernels(rook=black_rook, bishop=black_bishop),
        )
    )
    document = json.loads(export_text("json", black))
    assert document["index"] == "offset + ((((occupied | ~mask) * magic) % 2**64) >> shift)"
    assert rebuild(document) == document["entries"] == 107_648
    done = self_check("python", export_files("python", black), tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{LOOKUPS} look-ups agree with ray walking\n")


def test_json_of_a_mapping_names_its_bits() -> None:
    plain, mapped = (
        json.loads(export_text("json", "magic-fancy", m)) for m in ("rank-little-little", "file-big-little")
    )
    for piece in ("rook", "bishop"):
        by_bit = {record["bit"]: record for record in plain[piece]}
        for square, record in enumerate(mapped[piece]):
            assert record["square"] == SQUARE_NAMES[square]
            assert record["bit"] == convert_square(square, "rank-little-little", "file-big-little")
            assert {**record, "square": ""} == {**by_bit[record["bit"]], "square": ""}
            mask = convert_board(number(record["mask"]), "file-big-little", "rank-little-little")
            assert mask == relevant(piece, square)


@pytest.mark.parametrize("name", ["kindergarten", "magic-folded-4", "magic-byte", "obstruction-difference"])
def test_json_of_tables_and_functions(name: str) -> None:
    document = json.loads(export_text("json", name))
    assert "rook" not in document
    names: dict[str, Any] = {**document["tables"], **document["constants"]}
    exec("\n\n".join(document["functions"]), names)
    lookups = 0
    for piece in ("rook", "bishop"):
        look_up = names[f"{piece}_attacks"]
        for square in range(64):
            occupied, attacks = cases(piece, square)
            assert [look_up(square, o) for o in occupied] == attacks.tolist()
            lookups += len(occupied)
    assert lookups == LOOKUPS


def test_json_says_where_it_comes_from() -> None:
    document = json.loads(export_text("json", "magic-folded-2", "rank-big-little"))
    technique = rookery.technique("magic-folded-2")
    assert document["technique"] == technique.name
    assert document["authors"] == list(technique.authors)
    assert (document["year"], document["source"]) == (technique.year, technique.source)
    assert document["command"] == "rookery export json --technique magic-folded-2 --mapping rank-big-little"
    assert [text.split()[0] for text in document["magic_factors"]] == ["37", "27"]
    assert "published" in document["magic_factors"][1]
    assert document["bits"]["a1"] == 56
