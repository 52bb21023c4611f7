"""What chapters say in words is true: each sentence below stands in its chapter, and is checked by code of its own.

Examples that chapters show are run by other tests. Positions are walked square by square, or by python-chess.
"""

import ast
import inspect
import random
import re
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

import rookery
from live_figures import chance
from magics.find.factors import find
from rookery.bitboards.bits import A_FILE, subset_array
from rookery.bitboards.lines import line_through, relevant_occupancy
from rookery.bitboards.mappings import MAPPINGS
from rookery.magics.atlas import atlas
from rookery.techniques import ALL, hyperbola

ROOT = Path(__file__).parents[1]
TUTORIAL = ROOT / "docs" / "tutorial"
WORD = 2**64 - 1
FILES, RANKS = "abcdefgh", "12345678"
ROOK = ((0, 1), (0, -1), (1, 0), (-1, 0))
BISHOP = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def says(chapter: str, *sentences: str) -> None:
    """Check that a chapter has these sentences, so that a check and its sentence change together."""
    (page,) = TUTORIAL.glob(f"{chapter}-*.md" if chapter.isdigit() else f"{chapter}.md")
    text = " ".join(page.read_text(encoding="utf-8").split())
    for sentence in sentences:
        assert sentence in text, sentence


def sq(name: str) -> int:
    return FILES.index(name[0]) + 8 * RANKS.index(name[1])


def ray(square: int, step: tuple[int, int]) -> list[int]:
    """The squares from a square to the edge."""
    found, (file, rank) = [], (square % 8 + step[0], square // 8 + step[1])
    while 0 <= file < 8 and 0 <= rank < 8:
        found.append(8 * rank + file)
        file, rank = file + step[0], rank + step[1]
    return found


def walked(square: int, occupied: int, steps: tuple[tuple[int, int], ...]) -> int:
    """The attacks of a slider."""
    attacks = 0
    for step in steps:
        for here in ray(square, step):
            attacks |= 1 << here
            if occupied >> here & 1:
                break
    return attacks


def members(word: int) -> list[int]:
    return [square for square in range(64) if word >> square & 1]


def test_a_square_has_a_bit_in_each_of_eight_mappings() -> None:
    says("01", "There are eight simple mappings", "c4 has a different number in each of the eight mappings")
    assert len(MAPPINGS) == 8
    assert len({m.index(sq("c4")) for m in MAPPINGS.values()}) == 8
    for m in MAPPINGS.values():  # "The rook attacks the same squares": a mapping only numbers them
        assert sorted(m.index(square) for square in range(64)) == list(range(64))
    says("01", "a shift gives back the rank and a mask the file")
    assert all((s >> 3, s & 7) == divmod(s, 8) for s in range(64))
    says("01", "A left shift in one mapping is a right shift in another.")
    north = {name: m.index(sq("d5")) - m.index(sq("d4")) for name, m in MAPPINGS.items()}
    assert {step > 0 for step in north.values()} == {True, False}


def test_a_magic_factor_belongs_to_its_mapping() -> None:
    says("01", "in six of the other seven, the factor of the rook on d4 sends nearly all of the 1,024 occupancies to")
    occupied = subset_array(relevant_occupancy("rook", sq("d4")))
    attacks = [walked(sq("d4"), int(o), ROOK) for o in occupied]
    magic = int(rookery.technique("magic-fancy").tables().rook[4 * sq("d4") + 1])
    wrong = {}
    for name, m in MAPPINGS.items():
        slots: dict[int, list[int]] = {}
        for o, attacked in zip(occupied, attacks, strict=True):
            word = sum(1 << m.index(square) for square in members(int(o)))
            slots.setdefault((word * magic & WORD) >> 54, []).append(attacked)
        wrong[name] = sum(len(sharers) for sharers in slots.values() if len(set(sharers)) > 1)
    assert wrong.pop("rank-little-little") == 0
    assert sorted(count > 1_000 for count in wrong.values()) == [False] + [True] * 6


def test_shifts_and_their_masks() -> None:
    steps = {
        "north": 8,
        "south": -8,
        "east": 1,
        "northeast": 9,
        "southeast": -7,
        "west": -1,
        "northwest": 7,
        "southwest": -9,
    }
    says("03", "| north, south | `<< 8`, `>> 8` | everything |",
         "| east, northeast, southeast | `<< 1`, `<< 9`, `>> 7` | all but the a-file |",
         "| west, northwest, southwest | `>> 1`, `<< 7`, `>> 9` | all but the h-file |")  # fmt: skip
    for name, by in steps.items():
        files = (1 if "east" in name else 0) - (1 if "west" in name else 0)
        ranks = (by - files) // 8
        kept = "bcdefgh" if files == 1 else "abcdefg" if files == -1 else FILES
        for square in range(64):
            shifted = (1 << square << by if by > 0 else 1 << square >> -by) & WORD
            right = ray(square, (files, ranks))[:1]
            assert [s for s in members(shifted) if FILES[s % 8] in kept] == right, (name, square)
    says("03", "A shift by two files could wrap by two files, so it needs a mask of two files")
    wrapped = {square for square in range(64) if square + 2 < 64 and (square + 2) % 8 < 2}
    assert {FILES[square % 8] for square in wrapped} == {"g", "h"}
    says("03", "A knight's eight targets are eight shifts")
    assert max(len(chess.SquareSet(chess.BB_KNIGHT_ATTACKS[s])) for s in range(64)) == 8


def test_the_lowest_bit() -> None:
    says("04", "So `x` and `-x` agree in the lowest 1 and below it, and differ in every bit above it.")
    rng = np.random.default_rng(4)
    for x in (int(v) for v in rng.integers(1, 2**63, 500, dtype=np.uint64)):
        low = (x & -x).bit_length()
        assert (x ^ -x) & WORD == WORD << low & WORD
    says("04", "A set of k squares has 2 to the power of k subsets: eight here, 1,024 for ten squares.")
    for square in (sq("a1"), sq("d4")):
        mask = relevant_occupancy("rook", square)
        assert len(np.unique(subset_array(mask))) == 2 ** len(mask)


def test_rays_and_sentinels() -> None:
    says("05", "All rays fit in a table of 8 directions times 64 squares, one word each: 4 KiB.")
    assert 8 * 64 * 8 == 4 * 1024 == rookery.technique("classical").table_bytes
    says("05", "No ray goes up from h8 or down from a1, so the sentinel cuts nothing off.")
    up = [step for step in (*ROOK, *BISHOP) if step[0] + 8 * step[1] > 0]
    assert len(up) == 4
    assert not any(ray(sq("h8"), step) for step in up)
    assert not any(ray(sq("a1"), (-x, -y)) for x, y in up)
    says("05", "The seven variants in the library differ in how they handle empty rays")
    assert sum(t.name.startswith("classical") for t in ALL) == 7
    says("05", "A walk of up to 27 steps became eight short calculations")
    assert max(sum(len(ray(s, step)) for step in (*ROOK, *BISHOP)) for s in range(64)) == 27
    says("05", "up to seven steps in each of four directions")
    assert max(len(ray(s, step)) for s in range(64) for step in ROOK) == 7


def test_fills() -> None:
    says("06", "Seven steps are enough to cross the whole board.", "Three rounds replace seven: 1 + 2 + 4 = 7.")
    assert max(len(ray(s, step)) for s in range(64) for step in (*ROOK, *BISHOP)) == 7
    says("06", "no rook attacks a square from two directions")
    for square in range(64):
        seen = [s for step in ROOK for s in ray(square, step)]
        assert len(seen) == len(set(seen))


def test_the_fill_east_needs_the_mask_twice() -> None:
    says(
        "06",
        "it is enough to remove the a-file from the empty squares",
        "The last step ends on any square, so it needs the mask once more.",
    )
    rng = np.random.default_rng(6)
    not_a = ~int(A_FILE) & WORD
    wrapped = 0
    for _ in range(300):
        occupied = int(rng.integers(0, 2**63, dtype=np.uint64)) & int(rng.integers(0, 2**63, dtype=np.uint64))
        rooks = occupied & int(rng.integers(0, 2**63, dtype=np.uint64))
        fill = rooks
        for _ in range(7):
            fill |= ~occupied & not_a & fill << 1 & WORD
        right = 0
        for rook in members(rooks):
            right |= walked(rook, occupied, ((1, 0),))
        assert fill << 1 & WORD & not_a == right
        wrapped += (fill << 1 & WORD) != right
    assert wrapped > 100


@pytest.mark.parametrize(
    "fen", ["4k3/pp3p2/8/2PP4/7P/8/PP6/4K3", "4k3/8/8/3Pp3/8/8/8/4K3", "4k3/4p3/8/3Pp3/3p4/2P5/8/4K3"]
)
def test_passed_pawns(fen: str) -> None:
    """The exercise's answer, by its words: no black pawn in front, on the same file or an adjacent one."""
    says("06", "begin one rank below the black pawns, fill to the south, and widen the result by one file on each side")
    board = chess.Board(f"{fen} w - - 0 1")
    black, white = (list(board.pieces(chess.PAWN, colour)) for colour in (chess.BLACK, chess.WHITE))
    passed = [p for p in white if not any(q // 8 > p // 8 and abs(q % 8 - p % 8) <= 1 for q in black)]
    south = sum(1 << p for p in black) >> 8
    for n in (8, 16, 32):
        south |= south >> n
    stopped = south | south << 1 & ~int(A_FILE) & WORD | south >> 1 & ~(int(A_FILE) << 7) & WORD
    assert [p for p in white if not stopped >> p & 1] == passed


def test_subtraction() -> None:
    says("07", "the squares above the rook up to the blocker, and the blocker itself")
    says("07", "The borrow ends at the blocker, so the pieces beyond it do not change.")
    says("07", "If there is no blocker, the borrow runs off the end and changes the whole rest of the line.")
    for slider in range(8):
        for others in range(256):
            o = others | 1 << slider
            reached = []
            for place in range(slider + 1, 8):
                reached.append(place)
                if o >> place & 1:
                    break
            assert (o ^ (o - (2 << slider))) & 0xFF == sum(1 << place for place in reached)
    says("07", "An AND that cuts out the line, two subtractions, three byte swaps, an XOR and a final AND")
    tree = ast.parse(inspect.getsource(inspect.unwrap(hyperbola.line_by_byteswap)).partition("\n")[2])
    kinds = [type(node.op) for node in ast.walk(tree) if isinstance(node, ast.BinOp)]
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert sorted(kind.__name__ for kind in kinds) == ["BitAnd", "BitAnd", "BitXor", "Sub", "Sub"]
    assert calls.count("byteswap") == 3
    says("07", "an anti-diagonal also has at most one bit in each rank")
    for name in ("file", "diagonal", "antidiagonal"):
        for square in range(64):
            line = members(int(line_through(name, square)) | 1 << square)
            assert len({s // 8 for s in line}) == len(line)
    says("07", "The borrow comes from the nearest blocker above, and all bits between the two become ones")
    for above in range(1, 64):
        for below in range(above):
            assert (1 << above) - (1 << below) == sum(1 << place for place in range(below, above))


def test_lines_as_numbers() -> None:
    says("08", "they go up to more than 72 quadrillion, because seven zeros separate each bit from the next")
    assert 72e15 < int(A_FILE) < 73e15
    says("08", "there are 256 occupancies. A rook stands on one of eight squares.", "so the table takes 2 KiB")
    assert 256 * 8 == 2 * 1024
    says("08", "its last square does not matter")
    for square in range(64):
        for steps, piece in ((ROOK, "rook"), (BISHOP, "bishop")):
            inner = {s for step in steps for s in ray(square, step)[:-1]}
            assert set(members(int(relevant_occupancy(piece, square)))) == inner
    says("08", "Each other row holds two diagonals, which have eight squares together.")
    rows = [{(rank + row) % 8 * 8 + rank for rank in range(8)} for row in range(8)]
    for row in rows[1:]:
        assert len(row) == 8
        assert len({s // 8 - s % 8 for s in row}) == 2


def test_gathering() -> None:
    says("09", "A diagonal has at most one bit on each *file*, so no two copies overlap.")
    for square in range(64):
        for name in ("diagonal", "antidiagonal"):
            line = int(line_through(name, square)) | 1 << square
            product = line * int(A_FILE) & WORD
            assert product >> 56 == sum(1 << (s % 8) for s in members(line))
    says("09", "One table of 8 files times 64 occupancies", "4 KiB", "a table of 8 KiB serves all lines of all squares")
    assert 8 * 64 * 8 == 4 * 1024
    assert rookery.technique("kindergarten").table_bytes == 8 * 1024


def test_magic_masks_and_slots() -> None:
    says("10", "twelve index bits, and its table 4,096 entries", "ten bits and 1,024 slots")
    says("10", "With the last squares it would need 14 bits, and 16 times as many slots.")
    inner, whole = (sum(len(ray(sq("d4"), step)) - last for step in ROOK) for last in (1, 0))
    assert (inner, whole, 2 ** (whole - inner)) == (10, 14, 16)
    corner = sum(len(ray(sq("a1"), step)[:-1]) for step in ROOK)
    assert 2**corner == 4096
    says("10", "every blocker can reach the highest bits, but the lowest three bits depend only on a1, b1 and c1")
    factor = 0x123456789ABCDEF1
    low = {(word * factor & 7, word & 7) for word in range(1 << 12)}
    assert len(low) == 8
    says("10", "If c2 is occupied, the squares behind it do not matter, so 16 occupancies share one attack set.")
    says("10", "Half of all occupancies contain c2")
    bishop = [int(o) for o in subset_array(relevant_occupancy("bishop", sq("b1")))]
    assert len(bishop) == 32
    assert sum(o >> sq("c2") & 1 for o in bishop) == 16
    assert len({walked(sq("b1"), o, BISHOP) for o in bishop if o >> sq("c2") & 1}) == 1


def test_the_b_file_clashes_in_all_slots() -> None:
    says("10", 'Press "The b-file" in the figure above: all 16 slots turn red.')
    found: dict[int, set[int]] = {}
    for o in (int(o) for o in subset_array(relevant_occupancy("bishop", sq("b1")))):
        slot = (o * 0x0202020202020202 & WORD) >> 60
        found.setdefault(slot, set()).add(walked(sq("b1"), o, BISHOP))
    assert len(found) == 16
    assert all(len(attacks) > 1 for attacks in found.values())


def test_contributions_of_the_rook_on_d4() -> None:
    says("10", "With this factor, d5 contributes the highest bit, d2 the next and b4 the third.")
    says("10", "The contribution of c4 even has two bits.")
    t = rookery.technique("magic-plain").tables()
    magic, shift = int(t.rook_magic[sq("d4")]), int(t.rook_shift[sq("d4")])
    part = {name: (magic << sq(name) & WORD) >> shift for name in ("d5", "d2", "b4", "c4")}
    assert [part[name] for name in ("d5", "d2", "b4")] == [512, 256, 128]
    assert part["c4"].bit_count() == 2
    says("11", "the copy `<< 28` moves d5 to bit 63, g4, f4 and e4 to bits 58, 57 and 56, and c4 to bit 54")
    moved = {name: sq(name) + 28 for name in ("d5", "g4", "f4", "e4", "c4")}
    assert list(moved.values()) == [63, 58, 57, 56, 54]
    mask = members(int(relevant_occupancy("rook", sq("d4"))))
    assert {s + 28 for s in mask if 54 <= s + 28 < 64} == set(moved.values())


def test_factors_of_magic_fancy_give_each_occupancy_its_own_index() -> None:
    says("11", "Such a factor gives every occupancy its own index, so nothing collides.")
    says("11", "All factors of `magic-fancy` are of this kind.")
    t = rookery.technique("magic-fancy").tables()
    for piece, words in (("rook", t.rook), ("bishop", t.bishop)):
        for square in range(64):
            mask, magic, shift = (np.uint64(word) for word in words[4 * square : 4 * square + 3])
            index = subset_array(relevant_occupancy(piece, square)) * magic >> shift
            assert len(np.unique(index)) == len(index), (piece, square, mask)


def test_which_squares_can_do_with_a_bit_less() -> None:
    says("11", "Such factors are rare, and most squares have none.")
    says("11", "In fact, not even nine bits are enough for this rook")
    cells = list(atlas())
    assert sum(cell.answer == "none" for cell in cells) > len(cells) / 2
    (d4,) = (cell for cell in cells if cell.piece == "rook" and str(cell.square) in ("d4", "27"))
    assert d4.answer == "none"
    says("11", "it has 144 attack sets, and seven bits give only 128 slots")
    assert np.prod([len(ray(sq("d4"), step)) for step in ROOK]) == 144


def test_random_factors() -> None:
    says("11", "The AND of three random numbers has eight one bits on average.")
    rng = np.random.default_rng(11)
    numbers = np.bitwise_and.reduce(rng.integers(0, 2**64, (3, 20_000), dtype=np.uint64))
    assert abs(sum(int(number).bit_count() for number in numbers) / len(numbers) - 8) < 0.1


def sparse_and_dense(
    name: str, tries: int, narrower: int = 0, ways: tuple[str, ...] = ("sparse", "dense")
) -> dict[str, tuple[int, int, int]]:
    """Draw random numbers: how many are magic, give each occupancy its own slot, and each square its own index bit."""
    piece, square = name.split()
    s = chance.Square.of(piece, sq(square))
    bits, found = s.mask.bit_count() - narrower, {}
    attacks = {o: walked(sq(square), o, ROOK if piece == "rook" else BISHOP) for o in members_of(s.mask)}
    for way in ways:
        numbers = chance.random_numbers(np.random.default_rng(7), tries, 3 if way == "sparse" else 1)
        factors = [int(factor) for factor in chance.magic_among(s, numbers, bits)]
        for factor in factors[:5]:  # by walks, slot by slot
            slots: dict[int, int] = {}
            for o, attacked in attacks.items():
                assert slots.setdefault((o * factor & WORD) >> 64 - bits, attacked) == attacked
        injective = sum(chance.slots_of(s, factor, bits) == len(s.occupied) for factor in factors)
        owned = [chance.own_bits(s.mask, factor, bits) for factor in factors]
        own = sum(len(own_) == s.mask.bit_count() and not below for own_, below in owned)
        found[way] = len(factors), injective, own
    return found


def test_the_search_of_the_chapter_agrees() -> None:
    """The function that the chapter defines accepts the factors that are counted here, and no others."""
    page = (TUTORIAL / "11-finding-a-factor.md").read_text(encoding="utf-8")
    lines = re.findall(
        r"^(?:>>>|\.\.\.) ?(.*)$", page[page.index(">>> def is_magic") :].partition("\n\n")[0], flags=re.M
    )
    names: dict[str, Any] = {"np": np}
    exec("\n".join(lines), names)
    for piece, square in (("bishop", "b1"), ("bishop", "c3"), ("rook", "d4")):
        s = chance.Square.of(piece, sq(square))
        numbers = chance.random_numbers(np.random.default_rng(11), 2_000 if piece == "bishop" else 300)
        good = chance.magic_among(s, chance.random_numbers(np.random.default_rng(7), 100_000), s.mask.bit_count())
        assert len(good)
        for number in (*numbers, *good[:5]):
            found = len(chance.magic_among(s, np.array([number]), s.mask.bit_count())) == 1
            assert names["is_magic"](int(number), s.occupied, s.attacks, s.mask.bit_count()) == found


def members_of(mask: int) -> list[int]:
    """All subsets of a mask."""
    subsets = [0]
    for square in members(mask):
        subsets += [word | 1 << square for word in subsets]
    return subsets


def test_factors_that_random_numbers_find_share_nothing() -> None:
    says("11", "For the bishops on b1, d1, h4, e2, a1, c3 and e4, more than 99 in 100 of the factors found give every")
    says("11", "For the rooks on d4, e4 and a1, all do. So it is not sharing that makes the search succeed.")
    says("ten-minutes", "more than 99 in 100 give every occupancy a slot of its own")
    bishops = [f"bishop {square}" for square in ("b1", "d1", "h4", "e2", "a1", "c3", "e4")]
    rooks = [f"rook {square}" for square in ("d4", "e4", "a1")]
    totals = np.zeros(3, np.int64)
    for name in bishops:
        totals += sparse_and_dense(name, 60_000, ways=("sparse",))["sparse"]
    assert totals[0] > 200
    assert totals[1] > 0.99 * totals[0]
    assert totals[2] > 0.99 * totals[1]  # for the reason that the chapters give
    for name in rooks:
        found, injective, own = sparse_and_dense(name, 150_000, ways=("sparse",))["sparse"]
        assert found == injective == own > 0, name


def test_how_many_tries_random_factors_take() -> None:
    says("11", "A number with 32 ones almost never works for a rook")
    says("11", "Numbers with few ones work after thousands or tens of thousands of tries.")
    says("11", "about one dense number in 900 is magic for it, and one sparse number in 1,200")
    b1 = sparse_and_dense("bishop b1", 500_000)
    assert 1_000 < 500_000 / b1["sparse"][0] < 1_500
    assert 700 < 500_000 / b1["dense"][0] < 1_100
    says("11", "work only for small masks, and there mostly by sharing")
    assert b1["dense"][1] < b1["dense"][0] / 10
    says("11", "one sparse number in 4,400 is magic, and of a million dense ones none")
    c3 = sparse_and_dense("bishop c3", 400_000)
    assert 3_500 < 400_000 / c3["sparse"][0] < 5_500
    assert c3["dense"][0] == 0
    says("ten-minutes", "about one sparse number in 32,000 is magic")
    says("ten-minutes", "Plain random numbers, with 32 ones on average, are hopeless for this rook")
    d4 = sparse_and_dense("rook d4", 400_000)
    assert 20_000 < 400_000 / d4["sparse"][0] < 60_000
    assert d4["dense"][0] == 0


def test_an_index_with_a_bit_less_needs_dense_numbers() -> None:
    says(
        "11", "Dense random numbers achieve this about once in a million tries. Sparse ones did not once in 20 million."
    )
    says("10", "About one in a million is magic for four index bits. With five bits it is one in a thousand")
    found = sparse_and_dense("bishop b1", 4_000_000, narrower=1)
    assert found["sparse"][0] == 0
    assert 1 <= found["dense"][0] <= 12
    assert found["dense"][1] == 0


def test_the_board_of_the_ten_minute_path() -> None:
    says("ten-minutes", "the mask keeps b4, d6 and g4")
    board = sum(1 << sq(name) for name in ("b4", "d6", "g4", "d8", "f6"))
    attacks = walked(sq("d4"), board, ROOK)
    says("ten-minutes", "On this board the walk has ten steps")
    assert attacks.bit_count() == 10
    mask = {s for step in ROOK for s in ray(sq("d4"), step)[:-1]}
    assert set(members(board)) & mask == {sq("b4"), sq("d6"), sq("g4")}
    assert len({walked(sq("d4"), o, ROOK) for o in members_of(sum(1 << s for s in mask))}) == 144
    says("ten-minutes", "can end on 4, 4, 3 and 3 squares", "only 4 · 4 · 3 · 3 = 144 different attacks")
    assert sorted(len(ray(sq("d4"), step)) for step in ROOK) == [3, 3, 4, 4]
    says("ten-minutes", "adds the copy `<< 28`, in which d5 moves from bit 35 to bit 63", "Five copies are enough.")
    magic = int(rookery.technique("magic-fancy").tables().rook[4 * sq("d4") + 1])
    assert (sq("d5"), sq("d5") + 28, magic.bit_count()) == (35, 63, 5)
    says("ten-minutes", "Here b4 adds 128, d6 adds 32, and g4 adds 16: slot 176.")
    assert [(magic << sq(name) & WORD) >> 54 for name in ("b4", "d6", "g4")] == [128, 32, 16]
    says("ten-minutes", "a search through all factors found none for nine index bits")
    (d4,) = (cell for cell in atlas() if cell.piece == "rook" and cell.square == "d4")
    assert (d4.answer, d4.bits) == ("none", 9)
    says("ten-minutes", "Other masks have 5 to 12 squares: 32 to 4,096 slots.")
    sizes = {len(relevant_occupancy(piece, square)) for piece in ("rook", "bishop") for square in range(64)}
    assert (min(sizes), max(sizes)) == (5, 12)


def test_the_drawn_share_of_sparse_factors_agrees_with_the_sentence() -> None:
    says("ten-minutes", "about one sparse number in 32,000 is magic")
    drawn = (ROOT / "docs" / "figures" / "drawn" / "by-chance.svg").read_text(encoding="utf-8")
    found = re.search(r"Of ([\d,]+) sparse numbers, (\d+) are magic for a rook on d4", drawn)
    assert found
    assert abs(int(found[1].replace(",", "")) / int(found[2]) / 32_000 - 1) < 0.1


def test_bits_of_their_own_keep_the_indices_apart() -> None:
    """All occupancies judge, for random masks and factors in which squares also reach bits above their own."""
    for page in ("10", "ten-minutes"):
        says(page, "no other square arrives there, apart from squares whose own bits are lower")
        says(page, "c4 also arrives in d2's bit 62")
    for page in ("11", "ten-minutes"):
        says(page, "In the bits below, only squares with lower own bits arrive, and these add the same to both sums.")
    magic = int(rookery.technique("magic-fancy").tables().rook[4 * sq("d4") + 1])
    own, below = chance.own_bits(int(relevant_occupancy("rook", sq("d4"))), magic, 10)
    assert (own[sq("c4")], own[sq("d2")], below) == (54, 62, 0)
    assert sorted(own.values()) == list(range(54, 64))
    rng = random.Random(3)
    checked = elsewhere = 0
    for _ in range(6_000):
        bits = rng.choice((4, 5, 6))
        squares = rng.sample(range(8, 56), bits)
        copies = {rng.randrange(64 - bits, 64) - rng.choice(squares) for _ in range(rng.randrange(bits - 1, bits + 3))}
        factor = sum(1 << copy for copy in copies)
        own, below = chance.own_bits(sum(1 << s for s in squares), factor, bits)
        if len(own) == bits and not below:
            occupancies = members_of(sum(1 << s for s in squares))
            assert len({(o * factor & WORD) >> 64 - bits for o in occupancies}) == 2**bits
            checked += 1
            elsewhere += sum(64 - bits <= s + copy < 64 for s in squares for copy in copies) > bits
    assert checked > elsewhere > 20


def test_constructed_factors_rarely_need_a_second_try() -> None:
    says("11", "The third way rarely needs a second try.")
    found = [find(piece, square) for piece in ("rook", "bishop") for square in range(64)]
    assert None not in found
    assert sum(factor is not None and factor.tries > 1 for factor in found) <= 4


def test_a_pinned_knight_never_moves() -> None:
    says("12", "A pinned knight never has a legal move.")
    for king in range(64):
        for step in (*ROOK, *BISHOP):
            line = ray(king, step)
            for knight in line:
                assert not set(chess.SquareSet(chess.BB_KNIGHT_ATTACKS[knight])) & {king, *line}


def test_special_moves() -> None:
    says("12", "A promotion counts as four moves.")
    board = chess.Board("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    assert sum(move.promotion is not None for move in board.legal_moves) == 4
    says("12", "White's 20 first moves, each followed by 20 replies")
    assert [rookery.perft(rookery.Board(), depth) for depth in (1, 2)] == [20, 20 * 20]
    says("12", "If two pieces give check at once, no single move can capture or block both, so the king must move.")
    double = chess.Board("4r2k/8/8/8/7b/8/R6Q/4K3 w - - 0 1")
    assert len(double.checkers()) == 2
    assert {move.from_square for move in double.legal_moves} <= {chess.E1}
