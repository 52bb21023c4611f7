"""The filler of tables, drawn boards, cards, and stored factors: small cases by hand, and rays that are walked."""

import re
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import rookery
from rookery import Bitboard, geometry, side_by_side
from rookery.bitboards.bits import subset_array
from rookery.bitboards.lines import LINES, line_through
from rookery.bitboards.squares import parse_direction
from rookery.techniques import _filler, _magics, technique
from rookery.techniques._magics import Factor, Packed
from rookery.techniques.base import Kernels
from rookery.techniques.base.answers import all_answers, offers
from rookery.techniques.base.calls import Technique, examples_of
from rookery.techniques.base.card import Needs
from rookery.techniques.base.protocol import QUESTIONS, Queen, Rank, Ray, Rook, fill_arrays, ray_attacks_arrays
from rookery.techniques.dictionary import hashed

U64 = np.uint64
FULL = (1 << 64) - 1

# The filler.


@pytest.mark.parametrize("mover", ["rook", "bishop", *LINES])
def test_attacks_of_many_occupancies_are_walked(mover: str) -> None:
    occupied = np.random.default_rng(8).integers(0, 1 << 64, 20, U64) & U64(0x5A3C_F00F_1234_8421)
    for square in (0, 7, 27, 36, 56, 63):
        found = _filler.walk(square, _filler.directions_of(mover), occupied)
        assert found.tolist() == [geometry.attacks(mover, square, int(board)) for board in occupied]


def test_directions_of_pieces_and_lines() -> None:
    assert sorted(_filler.directions_of("rook")) == ["east", "north", "south", "west"]
    assert sorted(_filler.directions_of("bishop")) == ["northeast", "northwest", "southeast", "southwest"]
    assert len(_filler.directions_of("queen")) == 8
    assert sorted(_filler.directions_of("file")) == ["north", "south"]
    assert sorted(_filler.directions_of("antidiagonal")) == ["northwest", "southeast"]


def test_masks_rays_and_places_of_squares() -> None:
    rooks, bishops = _filler.masks("rook"), _filler.masks("bishop")
    assert rooks[[0, 63]].tolist() == [0x0001_0101_0101_017E, 0x7E80_8080_8080_8000]
    assert bishops[[0, 27]].tolist() == [0x0040_2010_0804_0200, 0x0040_2214_0014_2200]
    for piece in ("rook", "bishop"):
        assert _filler.rays(piece).tolist() == [geometry.attacks(piece, square, 0) for square in range(64)]
    sizes = [1 << int(mask).bit_count() for mask in rooks]
    assert (sizes[0], sizes[1], sizes[9]) == (4096, 2048, 1024)
    assert _filler.slots("rook") == sum(sizes) == 102_400
    assert _filler.offsets("rook").tolist() == [sum(sizes[:square]) for square in range(64)]
    assert _filler.offsets("rook", 7).tolist() == [7 + sum(sizes[:square]) for square in range(64)]
    assert _filler.offsets("bishop", 100)[:3].tolist() == [100, 164, 196]


@pytest.mark.parametrize(
    ("taken", "slots", "allowed", "offset"),
    [
        (0, [0], -1, 0),
        (0, [], -1, 0),
        (0b1, [0], -1, 1),
        (0b101, [0], -1, 1),
        (0b101, [0, 2], -1, 1),
        (0b10011, [0, 2], -1, 3),
        (0b10011, [1, 2], -1, 1),
        (0b1, [0], 0b1000, 3),
        (0b1000, [0], 0b11000, 4),
    ],
)
def test_the_lowest_offset_at_which_slots_are_free(taken: int, slots: list[int], allowed: int, offset: int) -> None:
    assert _filler.lowest_fit(taken, slots, allowed) == offset


def test_lists_of_slots_are_placed_the_longest_first() -> None:
    assert _filler.first_fit([]) == []
    assert _filler.first_fit([[0], [0, 1], [0, 1, 2]]) == [5, 3, 0]
    assert _filler.first_fit([[0, 2], [0, 2], [0, 2]]) == [0, 1, 4]
    assert _filler.first_fit([np.array([0, 3], U64), [0]]) == [0, 1]


def test_a_wrong_index_is_an_error_that_names_the_square() -> None:
    with pytest.raises(_filler.DestructiveCollision, match=r"^rook on square 0: two occupancies with different"):
        _filler.fill(np.zeros(4, U64), lambda sq, occupied, t: np.zeros(occupied.shape, int), (), "rook")
    outside = r"^bishop on square 1: a slot outside the table: "
    with pytest.raises(ValueError, match=outside):
        _filler.fill(
            np.zeros(64, U64),
            lambda sq, occupied, t: np.arange(64 * int(sq), 64 * int(sq) + occupied.size) if sq else np.arange(64),
            (),
            "bishop",
        )


def test_cases_are_all_subsets_of_the_relevant_squares() -> None:
    occupied, attacks = _filler.relevant_cases("bishop", 27)
    assert len(set(occupied.tolist())) == 512
    assert {int(board) & ~0x0040_2214_0014_2200 for board in occupied} == {0}
    assert attacks.tolist() == [geometry.attacks("bishop", 27, int(board)) for board in occupied]
    occupied, attacks = _filler.line_cases("rank", 3)
    assert sorted(occupied.tolist()) == list(range(256))
    assert attacks.tolist() == [geometry.attacks("rank", 3, int(board)) for board in occupied]


@pytest.mark.parametrize(("line", "square"), [("rank", 0), ("file", 36), ("diagonal", 27), ("antidiagonal", 63)])
def test_keys_of_a_dictionary_follow_their_slots_without_a_gap(line: str, square: int) -> None:
    keys = subset_array(line_through(line, square))
    values = np.arange(len(keys), dtype=U64) + U64(7)
    table, found, shift = hashed(keys, values)
    assert len(table) == len(found) == 1 << 64 - shift
    assert len(keys) < len(table) <= 4 * len(keys)
    assert sorted(key for key in table.tolist() if key != FULL) == sorted(keys.tolist())
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        slot = (key * 0x9E37_79B9_7F4A_7C15 & FULL) >> shift
        while table[slot] != key:
            assert table[slot] != FULL  # an empty slot ends the search
            slot = (slot + 1) % len(table)
        assert found[slot] == value


# Drawn boards.


def test_boards_are_drawn_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    side_by_side({"a": 1, "a long name of it": 1 << 63})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "a                 a long name of it"
    assert lines[1] == ". . . . . . . .   . . . . . . . 1"
    assert lines[8] == "1 . . . . . . .   . . . . . . . ."
    assert len(lines) == 9
    with pytest.raises(ValueError, match=r"^boards\['a'\]: -1 "):
        side_by_side({"a": -1})
    with pytest.raises(TypeError, match=r"^boards: 5: expected .*boards by name"):
        side_by_side(5)  # type: ignore[arg-type]


def test_notebooks_show_pictures_of_boards(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[Any] = []
    for shell, pictures in ((None, 0), (object(), 1)):
        ipython = SimpleNamespace(get_ipython=lambda shell=shell: shell, display=SimpleNamespace(display=shown.append))
        monkeypatch.setitem(sys.modules, "IPython", ipython)
        side_by_side({"<a>": 1, "b": 2})
        assert len(shown) == pictures
        assert bool(capsys.readouterr().out) == (not pictures)
    (row,) = shown
    assert repr(row).startswith("<a>               b\n. .")
    html = row._repr_html_()
    assert "<code>&lt;a&gt;</code>" in html
    assert html.count("<figure") == html.count("</figure>") == 2
    assert Bitboard(1).svg(size=170) in html
    assert html.index(Bitboard(1).svg(size=170)) < html.index("<code>b</code>") < html.index(Bitboard(2).svg(size=170))


# Cards and techniques made of them.


class Words(NamedTuple):
    """Tables of a technique of these tests."""

    words: Any


def words() -> Words:
    """Return tables of a technique of these tests."""
    return Words(np.arange(3, dtype=U64))


def test_a_card_as_a_table() -> None:
    card = technique("kogge-stone").card
    html = card.html()
    assert html == technique("kogge-stone")._repr_html_()
    assert html.startswith("<table><tr><th>name</th><td>kogge-stone</td></tr><tr><th>summary</th><td>flood all")
    assert html.endswith("<tr><th>module</th><td>rookery.techniques.kogge_stone</td></tr></table>")
    for name in ("authors", "year", "source"):
        assert html.count(f"<th>{name}</th>") == 1
    assert f"<td>{card.year}</td>" in html
    strange = replace(card, authors=("A & B", "C"), users="", variants=(), summary="<x>")
    assert "<td>A &amp; B, C</td>" in strange.html()
    assert "<td>&lt;x&gt;</td>" in strange.html()
    assert "used by" not in strange.html()
    assert "variants" not in strange.html()


def test_needs_are_flags() -> None:
    assert not Needs.NOTHING
    assert Needs.PEXT & Needs.MULTIPLY is Needs.NOTHING
    assert Needs.PEXT | Needs.NOTHING is Needs.PEXT
    assert list(Needs.PDEP | Needs.MODULO) == [Needs.MODULO, Needs.PDEP]
    assert [str(one) for one in Needs] == [one.name.lower().replace("_", " ") for one in Needs if one.name]


def test_a_technique_of_another_card() -> None:
    card = replace(technique("kogge-stone").card, name="of-these-tests", tables=words, gathers=False)
    made = Technique(card)
    assert made.tables_class.__name__ == "Words_of_these_tests"
    assert made.tables_class.__module__ == card.module == __name__
    assert getattr(sys.modules[__name__], "Words_of_these_tests") is made.tables_class  # noqa: B009
    assert isinstance(made.tables(), Words)
    assert made.table_bytes == 24
    assert made.tables() is made.tables()
    with pytest.raises(ValueError, match="read-only"):
        made.tables().words[0] = 1
    with pytest.raises(TypeError, match=r"^technique 'of-these-tests': another technique's tables are named Words_of_"):
        Technique(card)
    with pytest.raises(TypeError, match=r"^card: 'rays': expected a Card; rookery\.technique finds one by its name$"):
        Technique("rays")  # type: ignore[arg-type]


def test_kernels_of_questions() -> None:
    t = technique("pext")
    with pytest.raises(
        TypeError, match=r"^question: 'rook': expected a class of `rookery\.techniques\.base\.protocol`$"
    ):
        t.answer("rook")  # type: ignore[arg-type]
    for question in (Rank, Ray):
        with pytest.raises(
            ValueError, match=f"^question: technique 'pext' has no answer for a {question.__name__.lower()}$"
        ):
            t.answer(question)
    with pytest.raises(ValueError, match=r"^technique 'pext' has no set-wise fill$"):
        _ = t.fill_kernel
    rays = technique("rays")
    north = Ray(parse_direction("north"))
    assert int(rays.answer(Ray)(north, U64(0), U64(0x10000), rays.tables())) == 0x10100
    assert int(rays.answer(Rook)(Rook(), U64(0), U64(0x102), rays.tables())) == 0x102
    assert int(rays.answer(Queen)(Queen(), U64(0), U64(0x302), rays.tables())) == 0x302


def test_movers_are_names_or_numbers_of_pieces() -> None:
    t = technique("kindergarten")
    for mover in ("rook", "bishop", "queen", *LINES):
        assert t.ask(mover, 27, 0x0040_2000_0900) == getattr(t, mover)(27, 0x0040_2000_0900)
    for number, name in ((rookery.ROOK, "rook"), (rookery.BISHOP, "bishop"), (rookery.QUEEN, "queen")):
        assert t.ask(number, 27, 0x0040_2000_0900) == getattr(t, name)(27, 0x0040_2000_0900)
    for wrong in ("knight", "pawn", rookery.KING, "ray"):
        with pytest.raises(ValueError, match=f"^mover: {wrong!r}: expected "):
            t.ask(wrong, 27, 0)


def test_fills_may_overwrite_what_they_read() -> None:
    t = technique("kogge-stone")
    words = np.random.default_rng(4).integers(0, 1 << 64, 33, U64)
    for fill in (t.fill, t.ray_attacks):
        expected = [fill("north", 0x42, int(empty)) for empty in words[:-1]]
        overlapping = words.copy()
        out = fill("north", 0x42, overlapping[:-1], out=overlapping[1:])
        assert np.shares_memory(out, overlapping)
        assert out.tolist() == expected
        sliders = words.copy()
        expected = [fill("east", int(some), FULL) for some in words[:-1]]
        assert fill("east", sliders[:-1], FULL, out=sliders[1:]).tolist() == expected


def test_answers_are_derived_from_rays_and_lines() -> None:
    def one(sq: Any, occupied: Any, t: Any) -> int:
        return 1

    def two(sq: Any, occupied: Any, t: Any) -> int:
        return 2

    assert list(all_answers(Kernels())) == []
    assert list(all_answers(Kernels(rank=one))) == ["rank"]
    assert list(all_answers(Kernels(file=two, rank=one))) == ["rook", "rank", "file"]
    assert list(all_answers(Kernels(rook=one, bishop=two))) == ["rook", "bishop", "queen"]
    given = Kernels(ray=lambda direction, sq, occupied, t: 1 << direction, rank=two, bishop=one)
    answers = all_answers(given)
    assert list(answers) == list(QUESTIONS)
    assert answers["rank"] is two
    assert answers["bishop"] is one
    assert offers(given) == (*QUESTIONS, "ray")
    assert offers(Kernels(rook=one, fill=two)) == ("rook", "fill")


def test_examples_of_what_methods_call() -> None:
    def called(name: str) -> list[Any]:
        return [entry for entry, _ in examples_of(technique(name))]

    examples = list(examples_of(technique("kogge-stone")))
    fills = [arguments for entry, arguments in examples if entry in (fill_arrays, ray_attacks_arrays)]
    assert len(fills) == 2
    for direction, sliders, empty, out, _ in fills:
        assert direction == 0
        assert (sliders.flags.writeable, empty.flags.writeable, out.flags.writeable) == (False, False, True)
    assert fill_arrays not in called("pext")
    assert len(called("pext")) % 3 == 0  # for the rook, the bishop and the queen
    asked = {type(arguments[0]) for _, arguments in examples_of(technique("rays"))}
    assert asked == {*map(type, QUESTIONS.values()), Ray}


# Stored factors.


def test_stored_sets_are_in_order_and_complete() -> None:
    for which, number in (("factors", 128), ("narrow", None), ("found", None)):
        records = _magics.stored(which)
        assert number is None or len(records) == number
        cases = [(one.piece, one.square) for one in records]
        assert cases == [case for case in _magics.CASES if case in cases]
    for piece in ("rook", "bishop"):
        records = tuple(one for one in _magics.stored() if one.piece == piece)
        assert _magics.factors(piece).tolist() == [one.magic for one in records]
        sizes = _filler.masks(piece)
        assert [one.bits for one in records] == [int(mask).bit_count() for mask in sizes]
        narrowest = _magics.narrowest(piece)
        assert [one.square for one in narrowest] == [one.square for one in records]
        assert {a.bits - b.bits for a, b in zip(records, narrowest, strict=True)} == {0, 1}


def factor(piece: str, square: str) -> Factor:
    return Factor(piece, square, 1, 5)


def test_sets_that_are_out_of_order_or_incomplete_are_refused() -> None:
    whole = tuple(factor(*case) for case in _magics.CASES)
    _magics._check_order("factors", whole)
    _magics._check_order("found", whole[3:9])
    for which, records, message in (
        ("factors", whole[1:], "factors.json: rook a1: 0 records: expected one"),
        ("factors", whole[:-1], "factors.json: bishop h8: 0 records: expected one"),
        ("found", (whole[0], whole[0]), "found.json: rook a1: 2 records: expected one"),
        ("found", (whole[1], whole[0]), "found.json: records out of order: expected rooks a1 to h8 and then bishops"),
        ("factors", whole[64:] + whole[:64], "factors.json: records out of order: expected rooks a1 to h8"),
    ):
        with pytest.raises(ValueError, match=f"^{message}"):
            _magics._check_order(which, records)
    with pytest.raises(ValueError, match=r"^nothing\.json: No such file or directory$"):
        _magics.document("nothing")


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("bits", 1, 24), ("seed", 0, FULL), ("tries", 0, FULL), ("offset", -(1 << 24), 1 << 24), ("entries", 1, 1 << 24)],
)
def test_bounds_of_numbers_of_records(name: str, least: int, most: int) -> None:
    for value in (least, most):
        assert _magics._checked("x.json", name, value) == value
    wrong_values: list[Any] = [least - 1, most + 1, float(least), str(most)]
    for wrong in wrong_values:
        message = f"x.json: {name}: {wrong!r}: expected an integer from {least:,} to {most:,}"
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            _magics._checked("x.json", name, wrong)


def test_columns_of_a_packed_table(monkeypatch: pytest.MonkeyPatch) -> None:
    records = (Packed("rook", "a1", 7, 12, -1), Packed("rook", "b1", 8, 11, 5), Packed("bishop", "a1", 9, 6, 3))
    monkeypatch.setattr(_magics, "packed", lambda which: (10, records) if which == "small" else None)
    columns = _magics.packed_columns("rook", "small")
    assert [column.tolist() for column in columns] == [[7, 8], [52, 53], [FULL, 5]]
    assert {column.dtype for column in columns} == {np.dtype(U64)}
    assert [column.tolist() for column in _magics.packed_columns("bishop", "small")] == [[9], [58], [3]]


@pytest.mark.parametrize(("which", "entries"), [("packed", 73_696), ("fixed_shift", 78_066)])
def test_squares_of_a_packed_table_lie_in_it(which: str, entries: int) -> None:
    number, records = _magics.packed(which)
    assert len(records) == 128
    assert number == entries
    assert max(one.offset for one in records) < number
    if which == "fixed_shift":
        assert {(one.piece, one.bits) for one in records} == {("rook", 12), ("bishop", 9)}
