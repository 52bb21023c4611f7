"""The steps as pictures and as a page, by their structure."""

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import square_name
from rookery.explain import explain
from rookery.explain.drawing import code_text, figure, shown_steps, signs
from rookery.explain.layout import turned_line
from rookery.explain.page import board, page, sheet
from rookery.explain.run import StepPart

SVG = "{http://www.w3.org/2000/svg}"
OCCUPIED = 0x0000_0800_2200_0800


def test_index_bits_differ_from_others_without_colour() -> None:
    printed = explain("magic-fancy", "rook", 27, OCCUPIED)
    shown = next(s for s in shown_steps(printed) if any(drawn.into_index for drawn in s.figure.boards))
    product = next(drawn for drawn in shown.figure.boards if drawn.into_index)
    drawn = signs(printed, product)
    index = [drawn[sq] for sq in range(63, 53, -1)]
    assert set(index) <= set("01")
    assert int("".join(index), 2) == shown.step.value
    assert {drawn[sq] for sq in drawn if sq < 54} == {"+"}


def test_blockers_differ_from_other_bits_without_colour() -> None:
    printed = explain("hyperbola", "rook", 27, OCCUPIED)
    answer = figure(printed, printed.steps[-1]).boards[-1]
    drawn = signs(printed, answer)
    assert {sq for sq, sign in drawn.items() if sign == "x"} == set(printed.attacks & OCCUPIED)
    assert {sq for sq, sign in drawn.items() if sign == "1"} == set(printed.attacks & ~OCCUPIED)
    assert drawn[27] == "R"


def test_a_ray_is_cut_at_the_blocker_that_is_found() -> None:
    printed = explain("classical", "rook", 27, OCCUPIED)  # east of d4: f4 stands before nothing else
    east = [step for step in printed.steps if step.depth == 1 and step.what == "assigned"][:4]
    assert [step.variable for step in east] == ["attacks", "blocker", "s", "attacks"]
    scan, cut = (figure(printed, step).boards[-1] for step in east[2:])
    assert scan.name == "blocker"
    assert signs(printed, scan) == {29: "X"}  # f4
    assert cut.taken.names() == ["g4", "h4"]
    named = {square_name(sq): sign for sq, sign in signs(printed, cut).items()}
    assert named == {"e4": "1", "f4": "x", "g4": "-", "h4": "-"}
    picture = board(printed, cut, 100)
    assert "bits taken away: g4, h4" in picture.findtext("desc", "")


@pytest.mark.parametrize("name", ["rotated-hyatt", "rotated-heinz-64", "rotated-compact"])
@pytest.mark.parametrize("mapping", ["rank-little-little", "file-big-little"])
def test_the_line_is_marked_on_a_turned_board(name: str, mapping: str) -> None:
    """On the turned board the eight squares of the diagonal are neighbours."""
    printed = explain(name, "bishop", 27, OCCUPIED, mapping)
    drawn = next(b for step in printed.steps for b in figure(printed, step).boards if b.name == "o_r45")
    places = sorted(int(printed.mapping.index(sq)) for sq in drawn.into_index)
    assert places == list(range(places[0], places[-1] + 1))
    assert len(places) == (8 if mapping == "rank-little-little" else 7)


def test_what_is_no_turned_board_has_no_line() -> None:
    printed = explain("rotated-hyatt", "bishop", 27, OCCUPIED)
    assert turned_line(printed, StepPart("o_r45", 0, "board"))
    assert not turned_line(printed, StepPart("occupied", 0, "board"))
    assert not turned_line(explain("rays", "bishop", 27, 0), StepPart("r45", 0, "board"))


def test_cells_that_are_no_squares_have_other_names() -> None:
    """A product has the numbers of its bits, a turned board its squares; neither has a-h, 1-8 or a frame."""
    for name, drawn_as, expected in (("magic-fancy", "o * magic", "27"), ("rotated-hyatt", "o_r90", "d5")):
        printed = explain(name, "rook", 27, OCCUPIED)
        drawn = next(b for shown in shown_steps(printed) for b in shown.figure.boards if b.name == drawn_as)
        picture = board(printed, drawn, 100)
        assert drawn.cells[27] == expected
        assert [e.text for e in picture.iterfind("g[@class='texts']/text")] == list(drawn.cells)
        assert picture.find("g[@class='coordinates']") is None
        assert not [e for e in picture.iter("rect") if e.get("class") == "chosen"]
    mask = next(b for shown in shown_steps(printed) for b in shown.figure.boards if b.name == "o_plain")
    assert board(printed, mask, 100).find("g[@class='coordinates']") is not None


@pytest.mark.parametrize("mapping", ["rank-little-little", "file-big-little"])
def test_a_bit_of_a_turned_board_stands_under_its_own_name(mapping: str) -> None:
    printed = explain("rotated-heinz", "bishop", 27, OCCUPIED, mapping)
    for shown in shown_steps(printed):
        for drawn in shown.figure.boards:
            if drawn.name in ("o_r90", "o_l45", "o_r45"):
                assert {drawn.cells[sq] for sq in drawn.free} == {square_name(sq) for sq in printed.occupied}


def test_the_multiplication_is_on_the_page_and_in_the_picture() -> None:
    printed = explain("magic-fancy", "rook", 27, 0x0800_0800)
    pages = page(printed), "".join(ElementTree.fromstring(sheet(printed)).itertext())
    for text in pages:
        assert "d2: magic &lt;&lt; 11" in text or "d2: magic << 11" in text
        assert "1,024 relevant occupancies lead to 144 different sets" in text
        assert "a diamond the square" in " ".join(text.split())


def test_what_is_code_in_a_note_is_code_on_the_page() -> None:
    text = page(explain("magic-fancy", "rook", 27, OCCUPIED))
    assert "<code>rookery explain magic-reduced b1 --piece bishop</code> shows" in text
    assert "`" not in text


def test_an_answer_does_not_repeat_its_function() -> None:
    for name in ("magic-fancy", "kindergarten", "rotated-hyatt"):
        said: dict[int, str] = {}
        for shown in shown_steps(explain(name, "queen", 27, OCCUPIED)):
            if shown.step.what in ("given", "called"):
                assert shown.sentence == shown.step.sentence
                said[shown.step.depth] = shown.sentence
            elif shown.step.what == "returned":
                assert shown.sentence != said[shown.step.depth]


def test_the_mask_is_explained_where_it_is_seen_first() -> None:
    for name, times in (("magic-fancy", 1), ("magic-black", 1), ("pext", 1), ("kindergarten", 0), ("rays", 0)):
        shown = list(shown_steps(explain(name, "rook", 0, OCCUPIED)))
        notes = [note for s in shown for note in s.figure.notes if "(h1 a8) makes none" in note]
        assert len(notes) == times, name
        assert all("so there are 4,096 relevant occupancies" in note for note in notes)


def test_the_slot_is_explained() -> None:
    printed = explain("magic-fancy", "rook", 27, OCCUPIED)
    answer = figure(printed, printed.steps[-1]).boards[-1]
    entry = printed.steps[-1].parts[-1]
    assert answer.place == f"attacks[{entry.slot:,}] of 107,648"


def test_later_rounds_of_a_loop_are_counted() -> None:
    printed = explain("rays", "queen", 0, 0)
    some, every = list(shown_steps(printed)), list(shown_steps(printed, everything=True))
    assert [shown.step for shown in every] == list(printed.steps)
    assert sum(shown.left_out for shown in some) + len(some) == len(every)
    assert any(shown.left_out for shown in some)


def test_a_call_is_named_with_its_arguments() -> None:
    printed = explain("magic-fancy", "rook", 0, 0)
    assert [code_text(step) for step in printed.steps][:2] == ["rook(sq, occupied)", "rook_index(sq, occupied)"]


@pytest.mark.parametrize("name", ["magic-fancy", "rotated-heinz", "kogge-stone"])
def test_the_sheet_has_every_board(name: str) -> None:
    printed = explain(name, "bishop", 27, OCCUPIED, "file-big-little")
    root = ElementTree.fromstring(sheet(printed, calls=True))
    boards = [drawn for shown in shown_steps(printed) for drawn in shown.figure.boards]
    inner = [e for e in root if e.tag == f"{SVG}svg"]
    assert [e.findtext(f"{SVG}title") for e in inner] == [f"{b.name} = 0x{b.word:016x}" for b in boards]
    height = float(root.get("height", "0"))
    assert all(float(e.get("y", "0")) + float(e.get("height", "0")) <= height for e in inner)
    places = [(e.get("x"), e.get("y")) for e in inner]
    assert len(set(places)) == len(places)


class Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attributes if name in ("src", "href") or name.startswith("on")]


def test_the_page_runs_nothing_and_needs_nothing() -> None:
    printed = explain("magic-fancy", "rook", 27, OCCUPIED)
    text = page(printed, Placement.from_fen("8/8/8/8/8/8/8/8"), calls=True)
    read = Read()
    read.feed(text)
    assert "script" not in read.tags
    assert not read.links
    assert read.tags.count("section") == len(list(shown_steps(printed)))
    assert read.tags.count("svg") == sum(len(shown.figure.boards) for shown in shown_steps(printed))
    assert "default-src 'none'" in text
    assert "8/8/8/8/8/8/8/8" in text


def test_blockers_are_blockers_on_a_board_that_is_turned_over() -> None:
    """The byte swap brings the blocker on d7 to d2, and the rook on d4 to d5."""
    explanation = explain("hyperbola", "rook", 27, 1 << 51 | 1 << 35 | 1 << 27)
    boards = [board for step in explanation.steps for board in figure(explanation, step).boards]
    o, r = (next(one for one in boards if one.name == name) for name in ("byteswap(o)", "byteswap(r)"))
    assert o.blocked.names() == ["d2", "d4"]
    assert o.free == 0
    assert signs(explanation, o) == {11: "x", 27: "x"}
    assert signs(explanation, r) == {35: "R"}
