"""The explorer in Firefox: its steps, its answers and its parts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import rookery
from firefox import MARKS, firefox_with
from rookery.explain import explain
from rookery.explain.drawing import told_ideas
from thinning import slow

pytestmark = MARKS
FEN = "4k3/8/2p2p2/8/3Q4/8/1p3p2/4K3"
OCCUPIED = rookery.Placement.from_fen(FEN).occupied
READY = """
const [done] = [...arguments].slice(-1);
const look = () => (document.querySelector("#step h3") ? done(true) : setTimeout(look, 20));
look();
"""
ANSWER = """return [...document.querySelectorAll("#board button")].map((one) => one.getAttribute("aria-label"))
    .filter((label) => label.endsWith("attacked")).map((label) => label.slice(0, 2))"""


@pytest.fixture(scope="module")
def firefox(explorer_page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Firefox, with the folder of the explorer's page as `address`."""
    with firefox_with(explorer_page.parent, tmp_path_factory.mktemp("firefox") / "gecko.log") as browser:
        yield browser


def show(firefox: Any, name: str, **state: Any) -> None:
    firefox.navigate("about:blank")
    words = urlencode({"technique": name, "piece": "queen", "square": "d4", "fen": FEN, **state})
    firefox.navigate(f"{firefox.address}/explorer.html#{words}")
    assert firefox.execute_async_script(READY)


def text_of(firefox: Any, selector: str) -> str:
    return str(firefox.execute_script("return document.querySelector(arguments[0]).textContent", [selector]))


# In chromium, `test_explorer_ideas.py` compares the ideas of all techniques.
@pytest.mark.parametrize(
    "name",
    [
        *("hyperbola", "magic-black"),
        *(slow(name) for name in ("kogge-stone", "rotated-compact", "pext")),
    ],
)
def test_every_idea_is_the_librarys(firefox: Any, name: str) -> None:
    """The sentences are those of Python, the last board is the answer, and so are the marked squares."""
    show(firefox, name)
    explanation = explain(name, "queen", rookery.D4, OCCUPIED)
    for told in told_ideas(explanation):
        assert text_of(firefox, "#step h3") == told.sentence
        firefox.find_element("css selector", "#forward").click()
    words = firefox.execute_script("return [...document.querySelectorAll('.word')].map((one) => one.textContent)")
    assert int(words[-1], 16) == explanation.attacks
    assert sorted(firefox.execute_script(ANSWER)) == sorted(explanation.attacks.names())


def test_a_blocker_is_set_by_a_click_and_has_its_colour(firefox: Any) -> None:
    show(firefox, "magic-fancy", piece="rook", step=7)
    firefox.find_element("css selector", 'button[aria-label^="d6"]').click()
    expected = rookery.rook_attacks(rookery.D4, OCCUPIED | 1 << rookery.D6)
    assert sorted(firefox.execute_script(ANSWER)) == sorted(rookery.Bitboard(expected).names())
    script = """return [...document.querySelectorAll('[data-blocker="43"]')]
        .map((one) => getComputedStyle(one).getPropertyValue("--copy"))"""
    colours = firefox.execute_script(script)
    assert len(colours) >= 4
    assert len(set(colours)) == 1
    letters = firefox.execute_script("return getComputedStyle(document.querySelector('.framed'), '::before').maskImage")
    assert letters.startswith('url("data:image/svg+xml')


def test_a_factor_is_tried_and_all_techniques_are_compared(firefox: Any) -> None:
    show(firefox, "magic-fancy", piece="rook")
    field = firefox.find_element("css selector", "#factor")
    field.clear()
    field.send_keys("0x1")
    firefox.find_element("css selector", "#factor-form button").click()
    assert text_of(firefox, "#verdict").startswith("This factor fails")
    firefox.find_element("css selector", "#compare").click()
    answers = firefox.execute_async_script("""
        const [done] = [...arguments].slice(-1);
        const look = () => {
            const cells = [...document.querySelectorAll("#comparison td:last-child")].map((cell) => cell.textContent);
            return cells.length && !cells.includes("...") ? done(cells) : setTimeout(look, 50);
        };
        look();
    """)
    assert len(answers) > 30
    assert set(answers) == {"agrees"}
