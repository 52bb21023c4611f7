"""The figures that build a factor, try random ones, and fill the table: their states are the library's answers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rookery
from rookery import Bitboard
from rookery.bitboards.bits import subsets
from rookery.bitboards.lines import relevant_occupancy
from rookery.techniques import technique

D4 = rookery.D4
MASK = relevant_occupancy("rook", D4)
MAGIC = int(technique("magic-fancy").tables().rook[4 * D4 + 1])
COPIES = [copy for copy in range(64) if MAGIC >> copy & 1]
OCCUPANCIES = [Bitboard(o) for o in subsets(MASK)]
WORD = 2**64 - 1
STATE = "() => document.querySelector('[data-figure]').figure.state"


def slots_of(factor: int) -> dict[int, set[int]]:
    """The attacks in each slot."""
    found: dict[int, set[int]] = {}
    for o in OCCUPANCIES:
        found.setdefault((int(o) * factor & WORD) >> 54, set()).add(int(rookery.rook_attacks(D4, o)))
    return found


def check_built(page: Any, laid: list[int]) -> dict[str, Any]:
    state: dict[str, Any] = page.evaluate(STATE)
    factor = sum(1 << copy for copy in laid)
    slots = slots_of(factor)
    assert state["laid"] == laid
    assert int(state["factor"], 16) == factor
    assert state["slots"] == len(slots)
    assert state["clashes"] == sum(len(attacks) > 1 for attacks in slots.values())
    arrivals = [(square, square + copy) for square in MASK for copy in laid]
    assert state["below"] == sum(1 << column for _, column in arrivals if column < 54) >> 54
    for name, column in state["own"].items():  # nobody else arrives there, but squares whose own bits are lower
        here = {rookery.square_name(square) for square, at in arrivals if at == column}
        assert name in here
        assert all(state["own"][other] < column for other in here - {name})
    text = page.text_content(".tried")
    assert ("is magic" in text) == (state["clashes"] == 0)
    return state


def test_a_factor_is_built_by_dragging(figure: Any) -> None:
    page = figure("build-a-factor")
    assert check_built(page, [])["clashes"] == 1
    laid: list[int] = []
    for copy in COPIES:
        hand = page.evaluate(STATE)["hand"]
        box = page.locator(".hand .grip").bounding_box()
        bit = page.locator(".rows.build").evaluate(
            "(svg) => 23 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width"
        )
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - (copy - hand) * bit / 2, y, steps=3)
        page.mouse.move(x - (copy - hand) * bit, y)
        page.mouse.up()
        assert page.evaluate(STATE)["hand"] == copy
        page.click("text=Lay this copy")
        laid.append(copy)
        state = check_built(page, laid)
    assert set(state["own"]) == set(MASK.names())
    assert "it is the library's" in page.text_content(".tried")
    assert "each has a slot of its own" in page.text_content(".tried")


def test_a_factor_is_built_by_keys(figure: Any) -> None:
    page = figure("build-a-factor", width=390, scheme="dark")
    page.focus(".hand")
    for key in (*["PageUp"] * 3, *["ArrowLeft"] * 4, "Enter"):
        page.keyboard.press(key)
    check_built(page, [28])
    assert page.get_attribute(".hand", "aria-valuetext").startswith("Shifted left by 28, the copy brings d5 to bit 63")
    assert "is laid already" in page.text_content(".says")
    for key in ("ArrowRight", " ", "Home", "Enter", "End", "Enter"):
        page.keyboard.press(key)
    check_built(page, [28, 27, 0, 52])
    page.click("text=Take the last one back")
    check_built(page, [28, 27, 0])
    page.click("text=Hint")
    assert page.text_content(".says").endswith("which has no copy << 0 and no copy << 27.")


def test_a_factor_is_built_by_touch(figure: Any) -> None:
    page = figure("build-a-factor", width=390, touch=True)
    for _ in COPIES:
        page.tap("text=Hint")
        page.tap("text=Lay this copy")
    assert sorted(page.evaluate(STATE)["laid"]) == COPIES
    page.tap("text=Start again")
    check_built(page, [])
    page.tap("text=The library's factor")
    check_built(page, COPIES)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_a_clash_is_shown_on_the_board(figure: Any) -> None:
    page = figure("build-a-factor")
    page.focus(".hand")
    for key in ("PageUp", "PageUp", "PageUp", "Enter"):
        page.keyboard.press(key)
    seen = set()
    for _ in range(4):
        page.locator("button", has_text=re.compile("Show a")).click()
        said = re.search(r"Slot (\d+): A \((.+?)\) and B \((.+?)\)", page.text_content(".tried"))
        assert said
        pair = [Bitboard.of(*([] if names == "no piece" else names.split(", "))) for names in said.groups()[1:]]
        assert [(int(o) << 24 & WORD) >> 54 for o in pair] == [int(said[1])] * 2
        assert rookery.rook_attacks(D4, pair[0]) != rookery.rook_attacks(D4, pair[1])
        for letter, o in zip("AB", pair, strict=True):
            drawn = page.locator(".square", has_text=letter).evaluate_all("all => all.map((one) => one.dataset.square)")
            assert Bitboard.of(*drawn) == o
        seen.add(said[1])
    assert len(seen) == 4


@pytest.mark.parametrize("piece_and_square", ["rook d4", "bishop b1"])
def test_random_factors_are_magic_and_share_what_the_figure_says(figure: Any, piece_and_square: str) -> None:
    page = figure("by-chance", width=390)
    page.select_option("select", piece_and_square)
    page.focus(".run")
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({STATE})().found.length >= 3")
    page.click(".run")
    state = page.evaluate(STATE)
    piece, name = piece_and_square.split()
    square, mask = rookery.parse_square(name), relevant_occupancy(piece, rookery.parse_square(name))
    attacks = rookery.rook_attacks if piece == "rook" else rookery.bishop_attacks
    for factor, injective, own in state["found"]:
        slots: dict[int, set[int]] = {}
        for o in subsets(mask):
            slots.setdefault((int(o) * int(factor, 16) & WORD) >> 64 - len(mask), set()).add(int(attacks(square, o)))
        assert all(len(sharers) == 1 for sharers in slots.values())
        assert injective == (len(slots) == 1 << len(mask))
        assert injective or not own
    counts = {kind: page.text_content(f"[data-count={kind}]") for kind in ("tries", "found", "injective")}
    assert counts["tries"].replace(",", "") == str(state["tries"])
    assert counts["found"] == str(len(state["found"]))
    assert counts["injective"].split()[0] == str(sum(injective for _, injective, _ in state["found"]))


def check_look_up(page: Any, occupied: Bitboard) -> None:
    slot = (int(occupied & MASK) * MAGIC & WORD) >> 54
    state = page.evaluate(STATE)
    assert state["slot"] == slot
    assert int(state["attacks"]) == rookery.rook_attacks(D4, occupied)
    drawn = page.locator(".square.attacked").evaluate_all("all => all.map((one) => one.dataset.square)")
    assert Bitboard.of(*drawn) == rookery.rook_attacks(D4, occupied)
    assert f"read slot {slot}. No square is walked." in page.text_content(".says")


def test_the_table_is_filled_as_the_library_fills_it(figure: Any) -> None:
    page = figure("fill-the-table")
    start = Bitboard.of("b4", "d6", "g4", "d8", "f6")
    assert "still empty" in page.text_content("[data-part=answer]")
    page.click("text=Who wrote it?")
    assert "Nobody wrote slot 176 yet." in page.text_content(".says")
    walked = 0
    for number, o in enumerate(OCCUPANCIES[:3], 1):
        page.click("text=Next occupancy")
        walked += len(rookery.rook_attacks(D4, o))
        state = page.evaluate(STATE)
        assert (state["written"], state["walked"]) == (number, walked)
        assert state["slot"] == (int(o) * MAGIC & WORD) >> 54
        assert int(state["attacks"]) == rookery.rook_attacks(D4, o)
    page.click("text=Fill the whole table")
    state = page.evaluate(STATE)
    record = json.loads((Path(__file__).parents[2] / "benchmarks" / "table_fill.json").read_text(encoding="utf-8"))
    one, everything = record["rows"]
    total = sum(len(rookery.rook_attacks(D4, o)) for o in OCCUPANCIES)
    assert (state["written"], state["walked"]) == (1024, total) == (one["occupancies"], one["squares_walked"])
    assert f"in the library {one['ms']} ms, and {everything['ms']} ms for rooks and bishops" in page.text_content(
        ".says"
    )
    page.click("text=Look up the board")
    check_look_up(page, start)
    page.click('[data-square="e4"]')
    page.click('[data-square="d8"]')
    check_look_up(page, start ^ Bitboard.of("e4", "d8"))


def test_who_wrote_a_slot(figure: Any) -> None:
    page = figure("fill-the-table", width=390, touch=True, scheme="dark")
    page.tap("text=Fill the whole table")
    page.tap("text=Who wrote it?")
    assert "Slot 176 was written by occupancy" in page.text_content(".says")
    for slot in (0, 176, 1023):
        page.fill('[aria-label="Slot"]', str(slot))
        page.focus('[aria-label="Slot"]')
        page.keyboard.press("Enter")
        (number,) = (n for n, o in enumerate(OCCUPANCIES, 1) if (int(o) * MAGIC & WORD) >> 54 == slot)
        names = ", ".join(OCCUPANCIES[number - 1].names()) or "none"
        attacks = ", ".join(rookery.rook_attacks(D4, OCCUPANCIES[number - 1]).names())
        assert page.text_content(".says") == (
            f"Slot {slot} was written by occupancy {number:,} of 1,024: {names}. It walked to {attacks}."
        )
    box = page.locator("svg.slots").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 16.5 / 32, box["y"] + box["height"] * 5.5 / 32)
    assert "Slot 176 was written" in page.text_content(".says")
    page.fill('[aria-label="Slot"]', "1")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_the_table_fills_while_it_plays(figure: Any) -> None:
    page = figure("fill-the-table", motion="reduce")
    page.click('button:text-is("Play")')
    page.wait_for_function(f"() => ({STATE})().written > 5")
    page.click("text=Pause")
    before = page.evaluate(STATE)["written"]
    page.wait_for_timeout(100)
    assert page.evaluate(STATE)["written"] == before
    page.click("text=Empty the table")
    assert page.evaluate(STATE)["written"] == 0


def check_sharers(page: Any, occupied: Bitboard) -> None:
    attacks = rookery.rook_attacks(D4, occupied)
    state = page.evaluate(STATE)
    assert state["sharers"] == sum(rookery.rook_attacks(D4, o) == attacks for o in OCCUPANCIES)
    assert state["sets"] == len({int(rookery.rook_attacks(D4, o)) for o in OCCUPANCIES})
    for name in state["hidden"]:  # occupied or not, the attacks stay
        assert rookery.rook_attacks(D4, occupied ^ Bitboard.of(name)) == attacks
    assert 1 << len(state["hidden"]) == state["sharers"]
    drawn = page.locator(".square.attacked").evaluate_all("all => all.map((one) => one.dataset.square)")
    assert Bitboard.of(*drawn) == attacks


def test_who_may_share_a_slot(figure: Any) -> None:
    page = figure("same-attacks")
    occupied = Bitboard.of("c4", "d6", "g4")
    check_sharers(page, occupied)
    for name in ("b4", "e4", "d3", "c4"):
        page.click(f'[data-square="{name}"]')
        occupied ^= Bitboard.of(name)
        check_sharers(page, occupied)
    page.click('[data-square="a8"]', force=True)  # does not matter, and cannot be pressed
    check_sharers(page, occupied)
    page.click("text=Occupy all ten squares")
    check_sharers(page, MASK)


def test_who_may_share_a_slot_by_keys_and_touch(figure: Any) -> None:
    page = figure("same-attacks", width=390, touch=True, scheme="dark")
    page.focus('[data-square="d4"]')
    for key in ("ArrowUp", " "):
        page.keyboard.press(key)
    page.tap('[data-square="f4"]')
    check_sharers(page, Bitboard.of("c4", "d6", "g4", "d5", "f4"))
    page.tap("text=Remove all pieces")
    check_sharers(page, Bitboard(0))
    assert "Nothing is hidden" in str(page.text_content(".says"))
