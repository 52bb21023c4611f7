"""The page "try it" in browsers: its state is compared with the library's and python-chess's answers."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

pytest.importorskip("sphinx", reason="the extra docs is not installed")

import rookery
from browser import Visits, accessibility_faults, visits
from corpus import EDGES, corpus
from docsite.repository import address
from docsite.try_it import PAGE, try_it
from firefox import MARKS, firefox_with
from rookery import kernel
from rookery.bitboards import bits
from rookery.bitboards.mappings import MAPPINGS
from rookery.techniques import ALL
from thinning import slow

pytestmark = [pytest.mark.compiler, MARKS]
READY = "() => window.tryIt?.ready"
ALL_BITS = 2**64 - 1
PINNED = "4r2k/8/8/8/1b5p/8/3NR3/3QK3 w - - 0 1"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with one technique."""
    path = tmp_path_factory.mktemp("try-it") / "try-it.html"
    path.write_text(try_it("magic-fancy"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def windows(small: Path, chromium: Any) -> Iterator[Visits]:
    with visits(chromium, small) as found:
        yield found


@pytest.fixture
def open_page(windows: Visits) -> Iterator[Callable[..., Any]]:
    """Open the page at a state, and check in the end that nothing was wrong with it."""

    def opened(**state: Any) -> Any:
        page = windows(**state)
        page.wait_for_function(READY)
        return page

    yield opened
    windows.leave()
    faults, windows.faults[:] = [*windows.faults], []
    assert faults == []


def marked(page: Any, word: str) -> set[str]:
    """The squares whose spoken label has a word."""
    labels = page.eval_on_selector_all("#board .square", "all => all.map((one) => one.getAttribute('aria-label'))")
    return {label[:2] for label in labels if word in label}


def press(page: Any, square: str) -> None:
    page.click(f"#board [data-square={square}]")


def attacked_by(board: chess.Board, colour: chess.Color) -> set[str]:
    found = chess.SquareSet()
    for square in chess.SquareSet(board.occupied_co[colour]):
        found |= board.attacks(square)
    return {chess.square_name(square) for square in found}


def playable() -> list[str]:
    boards = [board.fen() for board in corpus(24, seed=3)]
    return [PINNED, EDGES[0], *(fen for fen in boards if chess.Board(fen).is_valid())]


def test_moves_attacks_checks_and_pins_are_those_of_python_chess(open_page: Callable[..., Any]) -> None:
    page = open_page()
    for fen in playable():
        board = chess.Board(fen)
        page.fill("#fen", fen)
        page.click("#fen-form button[type=submit]")
        sans = page.eval_on_selector_all("#moves button", "all => all.map((one) => one.textContent)")
        assert sorted(sans) == sorted(map(board.san, board.legal_moves)), fen
        for show, colour in (("white", chess.WHITE), ("black", chess.BLACK)):
            page.check(f"input[name=show][value={show}]")
            assert marked(page, "attacked") == attacked_by(board, colour), fen
        page.check("input[name=show][value=safety]")
        assert marked(page, "gives check") == {chess.square_name(s) for s in board.checkers()}, fen
        own = chess.SquareSet(board.occupied_co[board.turn])
        pinned = {chess.square_name(s) for s in own if board.is_pinned(board.turn, s)}
        assert marked(page, "pinned") == pinned, fen
        page.check("input[name=show][value=moves]")
        source = next(iter(board.legal_moves)).from_square
        press(page, chess.square_name(source)) if marked(page, "selected") != {chess.square_name(source)} else None
        targets = {chess.square_name(m.to_square) for m in board.legal_moves if m.from_square == source}
        assert marked(page, "can be reached") == targets, fen


def test_a_game_is_played_by_pressing_squares_and_moves(open_page: Callable[..., Any]) -> None:
    page = open_page()
    board = chess.Board()
    for source, target in (("e2", "e4"), ("d7", "d5"), ("e4", "d5"), ("g8", "f6"), ("f1", "b5")):
        press(page, source)
        press(page, target)
        board.push_uci(source + target)
        assert page.input_value("#fen") == board.fen()
    assert "in check from b5" in page.text_content("#state")
    page.click("#moves button:text-is('c6')")
    board.push_san("c6")
    assert page.input_value("#fen") == board.fen()
    page.wait_for_function("() => location.hash.includes('c6') || location.hash.includes('2p2')")


def test_pieces_are_put_and_taken(open_page: Callable[..., Any]) -> None:
    page = open_page(fen="4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    page.select_option("#brush", "q")
    press(page, "d4")
    assert page.input_value("#fen") == "4k3/8/8/8/3q4/8/8/R3K2R w KQ - 0 1"
    press(page, "d4")
    page.select_option("#brush", "")
    press(page, "a1")
    assert page.input_value("#fen") == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    page.click("#turn")
    assert page.input_value("#fen") == "4k3/8/8/8/8/8/8/4K2R b K - 0 1"
    page.click("#empty")
    assert "no king" in page.text_content("#state")
    assert page.locator("#moves button").count() == 0
    page.click("#start")
    assert page.input_value("#fen") == chess.STARTING_FEN


def test_a_text_that_is_no_fen_is_refused_and_changes_nothing(open_page: Callable[..., Any]) -> None:
    page = open_page()
    page.fill("#fen", "8/8/8/8/8/8/8/8 w KQkx - 0 1")
    page.press("#fen", "Enter")
    assert "FEN field 3 (castling)" in page.text_content("#message")
    assert page.locator("#moves button").count() == 20
    page = open_page(fen="nonsense")
    assert page.text_content("#message").startswith("Address: FEN")
    assert page.input_value("#fen") == chess.STARTING_FEN


def test_perft_with_divide(open_page: Callable[..., Any]) -> None:
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    page = open_page(fen=fen, depth=3)
    page.click("#count")
    page.wait_for_function("() => window.tryIt.perft")
    assert "perft(3) = 97,862" in page.text_content("#perft-text")
    board = chess.Board(fen)
    expected = {}
    for move in [*board.legal_moves]:
        board.push(move)
        expected[move.uci()] = rookery.perft(board.fen(), 2)
        board.pop()
    assert page.evaluate("() => window.tryIt.perft.divide") == expected
    assert page.locator("#divide div").count() == 48
    page.select_option("#depth", "0")
    assert page.text_content("#perft-text") == ""
    page.click("#count")
    assert "perft(0) = 1:" in page.text_content("#perft-text")


def test_the_technique_answers_about_the_square(open_page: Callable[..., Any]) -> None:
    page = open_page(fen="8/8/3p4/8/1p4p1/8/3p4/8 w - - 0 1", square="d4", piece="queen")
    page.wait_for_function("() => document.querySelector('#agreement').textContent")
    occupied = rookery.Placement.from_fen("8/8/3p4/8/1p4p1/8/3p4/8").occupied
    expected = int(rookery.technique("hyperbola").queen(27, occupied))
    assert page.text_content("#answers tbody tr td:nth-child(2)") == f"0x{expected:016x}"
    assert f"{expected.bit_count()} squares" in page.text_content("#asked")
    page.click("#measure")
    page.wait_for_function("() => Number(document.querySelector('#answers tbody tr td:nth-child(3)').textContent) > 0")
    assert page.is_visible("#fairness")


# The calculator.

BINARY: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "andnot": lambda a, b: a & ~b,
    "not": lambda a, b: ~a,
    "shl": lambda a, b: a << b % 64,
    "shr": lambda a, b: a >> b % 64,
    "rotl": lambda a, b: kernel.rotate_left(a, b % 64),
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a, b: -a,
    "lowest": lambda a, b: a & -a,
    "rest": lambda a, b: a & (a - 1),
    "upto": lambda a, b: a ^ (a - 1),
    "subtract": lambda a, b: a ^ (a - 2 * b),
    "popcount": lambda a, b: a.bit_count(),
    "ctz": lambda a, b: kernel.trailing_zeros(a),
    "clz": lambda a, b: kernel.leading_zeros(a),
    "bswap": lambda a, b: kernel.byteswap(a),
    "mirror": lambda a, b: bits.mirror_horizontal(a),
    "bitreverse": lambda a, b: kernel.bitreverse(a),
    "diagonal": lambda a, b: bits.flip_diagonal(a),
    "turn": lambda a, b: bits.flip_vertical(bits.flip_diagonal(a)),
    "smear": lambda a, b: a | a << 8 | a << 16 | a << 24 | a << 32 | a << 40 | a << 48 | a << 56,
    "pext": lambda a, b: kernel.pext(a, b),
    "pdep": lambda a, b: kernel.pdep(a, b),
}
ATTACKS = ("rook", "bishop", "queen")


def attacks_in(piece: str, a: int, b: int, mapping: str) -> int:
    chosen = MAPPINGS[mapping]
    boards = [sum(1 << int(chosen.square(i)) for i in range(64) if word >> i & 1) for word in (a, b)]
    found = 0
    for square in range(64):
        if boards[0] >> square & 1:
            found |= int(rookery.technique("rays").ask(piece, square, boards[1]))
    return sum(1 << int(chosen.index(square)) for square in range(64) if found >> square & 1)


@pytest.mark.parametrize("times", [1, slow(3)])
def test_every_operation_gives_the_number_of_the_library(open_page: Callable[..., Any], times: int) -> None:
    page = open_page()
    assert [*BINARY, *ATTACKS] == page.evaluate("() => Object.keys(window.tryIt.OPERATIONS)")
    rng = random.Random(5)
    numbers = [0, 1, 1 << 63, ALL_BITS, 0x8140]
    numbers += [rng.getrandbits(64) & rng.getrandbits(64) for _ in range(8)]
    for mapping in (*MAPPINGS,)[::3]:
        page.select_option("#mapping", mapping)
        for name in [*BINARY, *ATTACKS]:
            for a in rng.sample(numbers, times):
                b = (
                    rng.choice([0, 5, 63, 0xFF00, *numbers])
                    if name not in ("shl", "shr", "rotl")
                    else rng.randrange(64)
                )
                page.fill("#number", hex(a))
                page.press("#number", "Enter")
                page.fill("#operand", hex(b))
                page.click(f"[data-operation={name}]")
                found = page.evaluate("() => String(window.tryIt.trace.at(-1).value)")
                expected = attacks_in(name, a, b, mapping) if name in ATTACKS else int(BINARY[name](a, b)) & ALL_BITS
                assert int(found) == expected, (name, a, b, mapping)
                assert page.locator("#trace li").count() == 2
                assert f"0x{expected:016x}" in page.text_content("#trace li:last-child")


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_a_number_has_its_squares_in_each_mapping(open_page: Callable[..., Any], mapping: str) -> None:
    page = open_page(mapping=mapping, x="0x8000000000000301")
    names = page.get_attribute("#trace svg", "aria-label").split()
    expected = {chess.square_name(int(MAPPINGS[mapping].square(bit))) for bit in (0, 8, 9, 63)}
    assert {*names} == expected
    page.fill("#number", "a1, h8 c3")
    page.press("#number", "Enter")
    assert page.get_attribute("#trace svg", "aria-label").split() == ["a1", "c3", "h8"]


def test_numbers_are_read_as_programs_write_them(open_page: Callable[..., Any]) -> None:
    page = open_page()
    good = {
        "255": 255,
        "0xFF": 255,
        "0b1111_0000": 240,
        "18446744073709551615": ALL_BITS,
        "-1": ALL_BITS,
        "0xffULL": 255,
    }
    for text, value in good.items():
        page.fill("#number", text)
        page.press("#number", "Enter")
        assert page.text_content("#number-message") == ""
        assert page.evaluate("() => String(window.tryIt.state.number)") == str(value), text
    for text in ("18446744073709551616", "0xg", "", "a9", "1.5"):
        page.fill("#number", text)
        page.press("#number", "Enter")
        assert "expected" in page.text_content("#number-message"), text
        assert page.evaluate("() => String(window.tryIt.state.number)") == "255", text


def test_a_link_carries_the_state(open_page: Callable[..., Any]) -> None:
    page = open_page(
        fen=PINNED, square="e2", show="safety", piece="bishop", depth=2, mapping="file-big-little", x="0x8140"
    )
    for name, operand in (("lowest", "0"), ("rook", "0xff00"), ("bswap", "0x7")):
        page.fill("#operand", operand)
        page.click(f"[data-operation={name}]")
    page.wait_for_function("() => location.hash.includes('bswap')")
    shown = "() => [location.hash, document.querySelector('#trace').innerText, document.querySelector('#fen').value]"
    before = page.evaluate(shown)
    page.evaluate("() => location.reload()")
    page.wait_for_function(READY)
    assert page.evaluate(shown) == before
    assert page.locator("#trace li").count() == 4
    page.click("#undo")
    assert page.locator("#trace li").count() == 3
    page.click("#trace li:nth-child(2) summary")
    page.wait_for_function("() => document.querySelectorAll('#trace li:nth-child(2) details div').length === 2")
    page.evaluate("() => { location.hash = 'steps=nonsense.0x0'; }")
    page.wait_for_function("() => document.querySelector('#number-message').textContent.includes('nonsense')")


def test_by_keyboard_only(open_page: Callable[..., Any]) -> None:
    page = open_page()
    page.keyboard.press("Tab")
    focused = "() => document.activeElement.dataset.square"
    assert page.evaluate(focused) == "e1"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert marked(page, "selected") == {"e2"}
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.input_value("#fen").startswith("rnbqkbnr/pppppppp/8/8/4P3/8/")


@pytest.mark.parametrize("look", [{"width": 390, "scheme": "dark"}, {"width": 1280, "scheme": "light"}])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_page(open_page: Callable[..., Any], look: Any) -> None:
    page = open_page(**look, fen=PINNED, show="safety", steps="lowest.0x0,rook.0xff")
    page.click("#count")
    page.click("#trace li:nth-child(2) summary")
    assert accessibility_faults(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "try-it.html"
    path.write_text(try_it(), encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_whole_page_is_small_and_all_techniques_agree(whole: Path, chromium: Any) -> None:
    assert whole.stat().st_size < 400_000
    with visits(chromium, whole) as visit:
        page = visit(fen=PINNED, square="e2", piece="queen")
        page.wait_for_function(READY)
        page.wait_for_function("() => document.querySelector('#agreement').textContent", timeout=60_000)
        assert page.text_content("#agreement") == f"All {len(ALL)} techniques agree."
        assert visit.faults == []


@pytest.mark.slow
def test_in_firefox(whole: Path, tmp_path: Path) -> None:
    with firefox_with(whole.parent, tmp_path / "gecko.log") as firefox:
        firefox.navigate(f"{firefox.address}/try-it.html#depth=4")
        script = "const [done] = arguments; const page = window.wrappedJSObject; let asked = false;"
        script += """const look = () => {
            if (page.tryIt?.ready && !asked) { asked = true; page.document.querySelector("#count").click(); }
            const agreement = page.document.querySelector("#agreement").textContent;
            const text = page.document.querySelector("#perft-text").textContent;
            return text.startsWith("perft") && agreement ? done([text, agreement]) : setTimeout(look, 30);
        }; look();"""
        text, agreement = firefox.execute_async_script(script)
    assert text.startswith("perft(4) = 197,281")
    assert agreement == f"All {len(ALL)} techniques agree."


@pytest.mark.slow
def test_the_site_has_the_page_in_place_of_its_link(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    from sphinx_build import build

    link = address("Documentation") + PAGE
    pages = {"index.md": f"# Page\n\n[Open the page]({link})\n\nA [link]({link}) in a sentence stays.\n"}
    built = build(tmp_path, pages, ("docsite.explorer", "docsite.try_it"))
    text = (built / "index.html").read_text(encoding="utf-8")
    assert text.count(f'<iframe src="{PAGE}#embed=1"') == 1
    assert text.count(f'href="{link}"') == 1
    assert (built / PAGE).stat().st_size < 400_000
