"""The multiplication of a magic look-up in the explorer: what it adds, who shares a slot, and other factors."""

from collections import Counter
from typing import Any

import pytest

import rookery
from rookery.bitboards.bits import subsets
from rookery.bitboards.lines import relevant_occupancy
from rookery.explain import explain
from rookery.techniques import ALL
from test_explorer_page import START, wait_for_address

B1 = {"technique": "magic-reduced", "piece": "bishop", "square": "b1", "fen": "8/8/6p1/8/4p3/8/8/1B6", "step": 7}


# `test_explorer.py` compares the steps of all of them, under Node. The table of copies is made in other ways only for a
# plain magic, a black one, a fixed shift and a folded occupancy.
MAGICS = [t.name for t in ALL if t.name.startswith("magic")]
OF_EACH_KIND = ("magic-plain", "magic-black", "magic-fixed-shift", "magic-folded-4")
CASES = [
    pytest.param(piece, name, marks=[] if piece == "rook" and name in OF_EACH_KIND else pytest.mark.slow)
    for piece in ("rook", "bishop")
    for name in MAGICS
]


@pytest.mark.parametrize(("piece", "name"), CASES)
def test_the_multiplication_is_the_kernels(visit: Any, name: str, piece: str) -> None:
    """The sum of the copies begins with the index that the kernel makes, and its factor works."""
    page = visit(technique=name, piece=piece, square="e6", fen=START)
    printed = explain(name, piece, 44, int(rookery.Placement.from_fen(START).occupied))
    parts = (part for step in printed.steps for part in step.parts)
    part = next(part for part in parts if part.marked and part.text.endswith("* magic"))
    width = part.marked.bit_count()
    index = page.locator("#copies tbody tr").last.locator("td").first.text_content().replace("·", "0")
    assert int(index, 2) == part.value >> (64 - width)
    assert len(index) == width
    assert "This factor works" in page.text_content("#verdict")
    assert page.text_content("#sharing figcaption").startswith("this one: index")
    bits = ["".join(row.locator("td").all_text_contents()) for row in page.locator("#copies tbody tr").all()]
    words = [int(text.replace("·", "0"), 2) for text in bits]
    assert sum(words[1:-1]) & 2**64 - 1 == words[-1] == part.value
    page.click("#clear")
    assert "This factor works" in page.text_content("#verdict")


def test_a_magic_is_broken(visit: Any) -> None:
    page = visit(technique="magic-fancy", square="d4")
    assert page.text_content("#verdict") == (
        "This factor works: 1,024 relevant occupancies in 1,024 slots: none shares its slot."
    )
    assert page.text_content("#own-steps") == ""
    assert page.locator("#clash figure").count() == 0
    page.fill("#factor", "0x0000000000000001")
    page.click("#factor-form button[type=submit]")
    assert page.text_content("#verdict").startswith("This factor fails: two occupancies that attack different squares")
    assert page.locator("#clash figure").count() == 2
    wait_for_address(page, "factor=0x0000000000000001")
    assert "not with 0x0000000000000001" in page.text_content("#own-steps")
    page.click("#own-factor")
    assert page.get_attribute("#verdict", "class") == "good"


def test_who_shares_a_slot_is_counted(visit: Any) -> None:
    """Of 32 occupancies in 14 slots all share theirs that are not alone in it."""
    mask, magic, shift = (int(w) for w in rookery.technique("magic-reduced").tables().bishop[4:7])
    slots = Counter((o * magic & 2**64 - 1) >> shift for o in map(int, subsets(mask)))
    sharing = sum(count for count in slots.values() if count > 1)
    page = visit(**B1)
    assert page.text_content("#verdict") == (
        f"This factor works: 32 relevant occupancies in {len(slots)} slots: {sharing} share theirs."
    )
    attacks = Counter(int(rookery.bishop_attacks(1, o)) for o in map(int, subsets(relevant_occupancy("bishop", 1))))
    printed = page.text_content("#shared")
    assert f"32 occupancies here lead to only {len(attacks)} different sets of squares, and 3 others lead to" in printed
    assert "With this factor, 1 other occupancy gets this index." in printed
    assert "0 " not in printed
    assert page.locator("#shared a").count() == 0


def test_factors_without_collisions_lead_to_one_with_them(visit: Any) -> None:
    page = visit(technique="magic-fancy", square="d4", fen="8/3p4/8/8/1p1R2p1/8/3p4/8", embed=1, mapping="rank-big-big")
    printed = page.text_content("#shared")
    assert "no other leads to the same" in printed
    assert "no other occupancy gets this index" in printed
    page.click("#shared a")
    page.wait_for_function("() => document.querySelector('#lookup').textContent.includes('bishop on b1')")
    for name, value in B1.items():
        if name != "fen":
            wait_for_address(page, f"{name}={value}")
    wait_for_address(page, "embed=1")
    assert "30 share theirs" in page.text_content("#verdict")


def test_the_steps_say_that_they_keep_the_own_factor(visit: Any) -> None:
    page = visit(**B1, factor="0x0202020202020202")
    assert page.text_content("#own-steps") == (
        "The steps run with the technique's own factor, not with 0x0202020202020202, which is tried below."
    )
    answer = page.locator("#step-boards .number").last.text_content()  # an index has all its bits, above and below
    assert answer == "5 = 0b0101index"
    printed = page.text_content("#index-text")
    assert "The technique's own factor gives 5 = 0b0101." in printed
    assert "is magic if occupancies that lead to different attacks never get the same top 4 bits" in printed
    page.click("#own-factor")
    assert page.text_content("#own-steps") == ""
    assert "These are the index: 5 = 0b0101." in page.text_content("#index-text")
