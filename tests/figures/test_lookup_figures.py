"""The figures of look-ups: what they show is the library's answer, by mouse, touch and keyboard."""

import re
from typing import Any

import pytest

import rookery
from magics.find.factors import find
from rookery import Bitboard
from rookery.bitboards.bits import subsets
from rookery.bitboards.lines import relevant_occupancy
from rookery.magics.forms import is_magic
from rookery.techniques import technique
from thinning import slow

MASK = relevant_occupancy("rook", rookery.D4)
START = Bitboard.of("b4", "d6", "g4", "d8", "f6")
ROOK = [int(word) for word in technique("magic-fancy").tables().rook[4 * 27 : 4 * 27 + 3]]
BISHOP = [int(word) for word in technique("magic-reduced").tables().bishop[4:7]]


def says(page: Any) -> str:
    return str(page.text_content(".says"))


def slot_of(occupied: int, words: list[int], factor: int | None = None) -> int:
    mask, magic, shift = words
    return ((int(occupied) & mask) * (magic if factor is None else factor) & 2**64 - 1) >> shift


def attacked(page: Any, selector: str) -> Bitboard:
    return Bitboard.of(*page.locator(selector).evaluate_all("all => all.map((one) => one.dataset.square)"))


def check_multiplication(page: Any, occupied: Bitboard) -> None:
    index = slot_of(int(occupied), ROOK)
    assert f"Slot {index} of 1,024" in says(page)
    assert f"index {index:010b} = " in page.text_content(".rows .total")
    assert attacked(page, ".square.attacked") == rookery.rook_attacks(rookery.D4, occupied)
    labels = page.locator(".row.copy").evaluate_all("all => all.map((one) => one.dataset.of)")
    assert labels == (occupied & MASK).names()


def test_multiplication_by_mouse(figure: Any) -> None:
    page = figure("multiplication")
    check_multiplication(page, START)
    assert "nothing carries there" in says(page)
    for square in ("c4", "d2"):
        page.click(f'[data-square="{square}"]')
    occupied = START | Bitboard.of("c4", "d2")
    check_multiplication(page, occupied)
    assert "in bit 62, the copies of d2 and c4 both have a 1" in says(page)
    assert page.text_content(".carries .carry:not(.small)") == "1 ←"
    page.hover('[data-square="c4"]')
    assert page.locator(".row.copy.lit").get_attribute("data-of") == "c4"
    page.click("text=Remove blockers")
    check_multiplication(page, Bitboard(0))


def test_multiplication_by_keyboard(figure: Any) -> None:
    page = figure("multiplication", width=390, motion="reduce")
    page.focus('[data-square="d4"]')
    for key in ("ArrowDown", "ArrowDown", " ", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    check_multiplication(page, START | Bitboard.of("d2", "c2"))
    page.focus("text=Next step")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    first = min(START & MASK | Bitboard.of("d2"))
    assert says(page).startswith(f"{rookery.square_name(first)} is bit {first}.")
    assert page.locator(".row.copy:not(.waiting)").count() == 1
    assert page.locator(".square.attacked").count() == 0


def test_multiplication_by_touch(figure: Any) -> None:
    page = figure("multiplication", width=390, touch=True, scheme="dark")
    for square in ("b4", "d6", "e4"):
        page.tap(f'[data-square="{square}"]')
    check_multiplication(page, START ^ Bitboard.of("b4", "d6", "e4"))


def test_each_copy_adds_what_python_adds(figure: Any) -> None:
    page = figure("multiplication", motion="reduce")
    for square in MASK:
        page.click("text=Remove blockers")
        page.click(f'[data-square="{rookery.square_name(square)}"]')
        for _ in range(2):  # the blocker, then its copy
            page.click("text=Next step")
        assert f"it adds {(ROOK[1] << square & 2**64 - 1) >> ROOK[2]} to the index" in says(page)


def check_diagonal(page: Any, occupied: Bitboard) -> None:
    diagonal = Bitboard.of("b2", "c3", "e5", "f6", "g7")
    index = (int(occupied & diagonal) * 0x0202020202020202 & 2**64 - 1) >> 58
    assert f"Slot {index} of 64" in says(page)
    assert "nothing carries" in says(page)
    assert attacked(page, ".square.attacked") == rookery.bishop_attacks(rookery.D4, occupied) & Bitboard.of(
        "a1", "b2", "c3", "e5", "f6", "g7", "h8"
    )


def test_diagonal_product(figure: Any) -> None:
    page = figure("diagonal-product")
    occupied = Bitboard.of("b2", "e5", "g7", "h8", "d7")
    check_diagonal(page, occupied)
    assert "index 101001 = 32 + 8 + 1 = 41" in page.text_content(".rows .total")
    page.click('[data-square="f6"]')
    page.focus('[data-square="e5"]')
    page.keyboard.press(" ")
    check_diagonal(page, occupied ^ Bitboard.of("f6", "e5"))
    page.hover(".row.copy >> nth=1")
    assert page.locator(".row.sum .one.lit").count() > 0
    assert page.locator(".square.lit").get_attribute("data-square") == page.locator(".row.copy.lit").get_attribute(
        "data-of"
    )


def test_diagonal_product_by_touch(figure: Any) -> None:
    page = figure("diagonal-product", width=390, touch=True, scheme="dark")
    page.tap('[data-square="c3"]')
    check_diagonal(page, Bitboard.of("b2", "c3", "e5", "g7", "h8", "d7"))


def check_collisions(page: Any, factor: int) -> None:
    slots: dict[int, set[int]] = {}
    for o in subsets(Bitboard(BISHOP[0])):
        slots.setdefault(slot_of(int(o), BISHOP, factor), set()).add(int(rookery.bishop_attacks(rookery.B1, o)))
    classes = page.locator(".slot").evaluate_all("all => all.map((one) => one.getAttribute('class'))")
    assert classes == [
        f"slot {'empty' if n not in slots else 'agree' if len(slots[n]) == 1 else 'clash'}" for n in range(16)
    ]
    assert says(page).startswith("Not magic" if any(len(s) > 1 for s in slots.values()) else "Magic")


def test_collisions(figure: Any) -> None:
    page = figure("collisions")
    check_collisions(page, BISHOP[1])
    page.click("text=The b-file")
    check_collisions(page, 0x0202020202020202)
    ones = 0
    for _ in range(5):
        page.click("text=A random factor")
        factor = int(page.input_value(".factor"), 16)
        ones += factor.bit_count()
        check_collisions(page, factor)
    assert ones > 100  # dense numbers: sparse ones are never magic here
    assert "Random factors so far: 5." in says(page)
    page.fill(".factor", "0x0004000200010001")
    page.press(".factor", "Enter")
    check_collisions(page, 0x0004000200010001)
    page.fill(".factor", "many")
    page.press(".factor", "Enter")
    assert '"many" is not a factor' in says(page)


def test_collisions_by_keyboard_and_touch(figure: Any) -> None:
    page = figure("collisions", width=390, touch=True, scheme="dark")
    page.focus('.slot[aria-label^="Slot 5:"]')
    assert page.text_content(".picked") == "Slot 5: e4; e4-g6. They agree: first blocker e4."
    page.tap('.slot[aria-label^="Slot 0:"]')
    assert page.text_content(".picked") == "Slot 0: empty. They agree: no blocker."
    page.tap("text=Lift all")
    assert says(page).startswith("Where will each occupancy go?")


def lane(page: Any, way: str, what: str) -> str:
    return str(page.text_content(f'[data-way="{way}"] {what}'))


# Beside the construction, the figure searches at random, which for a rook in a corner takes five seconds.
@pytest.mark.parametrize(
    ("piece", "square"),
    [("rook", "d4"), slow("rook", "a1"), ("bishop", "b1"), ("bishop", "g3")],
)
def test_the_construction_is_the_librarys(figure: Any, piece: str, square: str) -> None:
    page = figure("factor-search")
    page.select_option('[aria-label="Piece"]', piece)
    page.click(f'[data-square="{square}"]')
    page.click(".run")
    page.wait_for_selector('[data-way="constructed"].found')
    found = find(piece, rookery.parse_square(square))
    assert found is not None
    assert f"0x{int(found.magic):016x}, verified" in lane(page, "constructed", ".state")
    assert lane(page, "constructed", "dd") == str(found.tries)
    copies = page.locator(".copies tbody th").all_text_contents()
    assert sum(1 << int(text.removeprefix("<< ")) for text in copies) == found.magic
    placed = page.locator(".copies .placed").all_text_contents()
    assert sorted(placed) == sorted(relevant_occupancy(piece, rookery.parse_square(square)).names())


def test_a_random_factor_is_magic(figure: Any) -> None:
    page = figure("factor-search", width=390, motion="reduce")
    page.select_option('[aria-label="Piece"]', "bishop")
    page.click('[data-square="b1"]')
    assert "an index of 5 bits has 32 slots" in says(page)
    page.focus(".run")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-way="sparse"].found')
    factor = re.match(r"0x[0-9a-f]{16}", lane(page, "sparse", ".state"))
    assert factor is not None
    slots: dict[int, set[int]] = {}
    for o in subsets(relevant_occupancy("bishop", rookery.B1)):
        slot = (int(o) * int(factor[0], 16) & 2**64 - 1) >> 59
        slots.setdefault(slot, set()).add(int(rookery.bishop_attacks(rookery.B1, o)))
    assert all(len(sets) == 1 for sets in slots.values())
    assert page.locator('[data-way="sparse"] dd').nth(2).text_content() == "0"


def test_with_a_bit_less_nothing_is_constructed(figure: Any) -> None:
    page = figure("factor-search")
    page.select_option('[aria-label="Piece"]', "bishop")
    page.select_option('[aria-label="Width of the index"]', "1")
    assert "The library knows no factor" in lane(page, "constructed", ".state")
    page.click('[data-square="b1"]')
    assert "an index of 4 bits has 16 slots" in says(page)
    assert f"The library has 0x{BISHOP[1]:016x} for this width, which works." in lane(page, "constructed", ".state")


def test_a_search_is_stopped(figure: Any) -> None:
    page = figure("factor-search", touch=True)
    page.tap(".run")
    page.wait_for_function("() => document.querySelector('[data-way=dense] dd').textContent !== '0'")
    page.tap(".run")
    assert page.text_content(".run") == "Start"
    before = lane(page, "dense", "dd")
    page.wait_for_timeout(100)
    assert lane(page, "dense", "dd") == before
    page.tap("text=Reset")
    assert lane(page, "dense", "dd") == "0"


def test_the_oracle_rejects_what_is_not_magic() -> None:
    found = find("rook", rookery.D4)
    assert found is not None
    assert is_magic(found)
    assert not is_magic(found._replace(magic=1))


def check_gather(page: Any, occupied: Bitboard) -> None:
    index = sum(1 << n for n, square in enumerate(MASK) if square in occupied)
    assert f"0b{index:010b}" in says(page)
    assert str(index) in says(page)
    bits = "".join(page.locator(".gather .bit").all_text_contents())
    assert bits == f"{index:010b}"
    assert page.locator(".lines path.set").count() == index.bit_count()


def test_gather(figure: Any) -> None:
    page = figure("gather")
    occupied = Bitboard.of("b4", "g4", "d6", "f6", "d8")
    check_gather(page, occupied)
    assert "The mask ignores f6, d8." in says(page)
    page.click('[data-square="e4"]')
    page.click('.bit[aria-label^="index bit 9"]')
    check_gather(page, occupied | Bitboard.of("e4", "d7"))
    page.hover('.bit[aria-label^="index bit 0"]')
    assert page.locator(".lines path.lit").get_attribute("data-of") == "d2"
    page.click("text=PDEP")
    check_gather(page, occupied | Bitboard.of("e4", "d7"))
    pressed = attacked(page, '.square[aria-pressed="true"]')
    assert pressed == (occupied | Bitboard.of("e4", "d7")) & MASK


def test_gather_by_keyboard_and_touch(figure: Any) -> None:
    page = figure("gather", width=390, touch=True, scheme="dark")
    page.tap('.bit[aria-label^="index bit 2"]')
    page.focus('[data-square="d4"]')
    page.keyboard.press("ArrowUp")
    page.keyboard.press(" ")
    check_gather(page, Bitboard.of("g4", "d6", "d5"))


def east_of(slider: str, occupied: Bitboard) -> Bitboard:
    square = rookery.parse_square(slider)
    rank = Bitboard(0xFF << (square & 56))
    return rookery.rook_attacks(square, occupied) & rank & Bitboard(2**64 - 2 ** (square + 1))


def check_lanes(page: Any) -> None:
    for board in page.locator(".lane-board").all():
        (slider,) = board.locator(".chosen").evaluate_all("all => all.map((one) => one.dataset.square)")
        occupied = board.locator('[aria-pressed="true"]').evaluate_all("all => all.map((one) => one.dataset.square)")
        found = board.locator(".filled.done").evaluate_all("all => all.map((one) => one.dataset.square)")
        assert Bitboard.of(*found) == east_of(slider, Bitboard.of(*occupied))


def test_lanes(figure: Any) -> None:
    page = figure("lanes")
    page.locator('.lane-board [data-square="d2"]').first.click()
    for _ in range(8):
        page.click("text=Next instruction line")
    check_lanes(page)
    together = re.search(r"took (\d+) instructions on registers of eight lanes, or (\d+)", says(page))
    assert together is not None
    assert int(together[2]) == 8 * int(together[1])
    page.click("text=One board at a time")
    assert page.locator(".filled.done").count() == 0
    page.focus("text=Next instruction line")
    for _ in range(64):
        page.keyboard.press("Enter")
    check_lanes(page)
    assert says(page).startswith(f"{together[2]} instructions so far.")


def test_lanes_by_touch(figure: Any) -> None:
    page = figure("lanes", width=390, touch=True, scheme="dark")
    page.locator('.lane-board [data-square="e8"]').nth(4).tap()
    for _ in range(8):
        page.tap("text=Next instruction line")
    check_lanes(page)


def check_rotation(page: Any, square: str, occupied: Bitboard) -> None:
    sq = rookery.parse_square(square)
    boards = technique("rotated-hyatt-64").prepare(occupied | Bitboard.of(square))
    tables = technique("rotated-hyatt-64").tables()
    index = int(boards.r45) >> int(tables.r45_shift[sq]) + 1 & 63
    assert page.text_content(".rotation .sum").endswith(f"& 63 = {index}")
    seen = attacked(page, ".cell.seen")
    assert seen == Bitboard(int(tables.diagonal[sq, index]))


def test_rotation(figure: Any) -> None:
    page = figure("rotation", motion="reduce")
    occupied = Bitboard.of("c1", "f4", "h6", "e5", "b6")
    for stage in ("Turned by 45 degrees", "Rows", "The look-up"):
        page.click(f"text={stage}")
    check_rotation(page, "e3", occupied)
    page.click('[data-square="f4"]')
    check_rotation(page, "e3", occupied ^ Bitboard.of("f4"))
    for square in ("a1", "h1", "d5", "g8"):
        page.select_option("select", str(rookery.parse_square(square)))
        check_rotation(page, square, occupied ^ Bitboard.of("f4"))


def test_the_board_turns(figure: Any) -> None:
    page = figure("rotation", motion="reduce")
    middle = "(one) => [one.getBoundingClientRect()].map((r) => [r.x + r.width / 2, r.y + r.height / 2])[0]"

    def where(name: str) -> Any:
        return page.locator(f'[data-square="{name}"] rect').evaluate(middle)

    a1, h8, h1 = where("a1"), where("h8"), where("h1")
    assert a1[0] < h8[0]
    assert a1[1] > h8[1]
    page.click("text=Turned by 45 degrees")
    a1, d4, h8, h1 = where("a1"), where("d4"), where("h8"), where("h1")
    assert abs(a1[1] - h8[1]) < 1
    assert abs(a1[1] - d4[1]) < 1
    assert h1[1] > a1[1]
    page.click("text=Rows")
    assert abs(where("c1")[1] - where("h6")[1]) < 1
    assert where("d1")[1] > where("c1")[1]


def test_rotation_by_keyboard_and_touch(figure: Any) -> None:
    page = figure("rotation", width=390, touch=True, scheme="dark", motion="reduce")
    page.tap("text=The look-up")
    page.focus('[data-square="e3"]')
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    page.tap('[data-square="d2"]')
    check_rotation(page, "e3", Bitboard.of("c1", "h6", "e5", "b6", "d2"))
