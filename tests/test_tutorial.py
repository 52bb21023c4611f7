"""Pages show what they say: explorer states have the lines quoted, chapters follow each other and have exercises."""

import re
from pathlib import Path

import pytest

from docsite.explorer_states import Embed, embeds
from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import parse_square
from rookery.explain import explain

DOCS = Path(__file__).parents[1] / "docs"
CHAPTERS = sorted((DOCS / "tutorial").glob("[0-9]*.md"))
INDEX = (DOCS / "tutorial" / "index.md").read_text(encoding="utf-8")
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda p: p.stem)


def shown_in(page: Path) -> list[Embed]:
    return embeds(page.read_text(encoding="utf-8"))


SHOWN = [embed for page in sorted(DOCS.rglob("*.md")) for embed in shown_in(page)]


@pytest.mark.parametrize("embed", SHOWN, ids=lambda e: f"{Path(e.picture).stem}-{e.state['technique']}")
def test_the_explorer_shows_the_line_that_its_caption_quotes(embed: Embed) -> None:
    state = embed.state
    occupied = Placement.from_fen(state["fen"]).occupied
    printed = explain(state["technique"], state["piece"], parse_square(state["square"]), occupied, state["mapping"])
    step = printed.steps[int(state["step"]) - 1]
    for quoted in re.findall(r"`(.+?)`", embed.caption):
        if embed.state.get("panel") != "position":
            assert quoted in step.code, f"step {state['step']} is {step.code!r}"


def test_every_drawn_state_of_the_explorer_is_in_a_page() -> None:
    drawn = {path.stem for path in (DOCS / "figures" / "explorer").iterdir()}
    assert drawn == {Path(embed.picture).stem for embed in SHOWN}
    assert len(drawn) == len(SHOWN)


def test_most_captions_quote_their_line() -> None:
    assert sum("`" in embed.caption for embed in SHOWN) > 8


@each_chapter
def test_a_chapter_has_an_explorer_state_and_exercises_with_answers(chapter: Path) -> None:
    text = chapter.read_text(encoding="utf-8")
    assert shown_in(chapter)
    exercises = re.findall(r"^(\d)\\\. ", text, flags=re.M)
    assert exercises == [str(n) for n in range(1, len(exercises) + 1)]
    assert 2 <= len(exercises) <= 4
    answers = re.findall(r"<details><summary>Answer</summary>\n(.*?)</details>", text, flags=re.S)
    assert len(answers) == len(exercises)
    assert all("\n>>> " in answer for answer in answers)


@each_chapter
def test_a_chapter_opens_with_a_picture_and_a_question_and_ends_with_what_it_bought(chapter: Path) -> None:
    text = chapter.read_text(encoding="utf-8")
    picture, question = text.split("\n\n")[1:3]
    assert re.fullmatch(rf"!\[.{{40,}}\]\(pictures/{chapter.stem}\.svg\)", picture)
    assert (chapter.parent / "pictures" / f"{chapter.stem}.svg").is_file()
    assert re.fullmatch(r"\*\*.+\?\*\*", question, flags=re.S)
    assert re.findall(r"^## (.+)$", text, flags=re.M)[-1] == "What this bought us"


def test_chapters_follow_each_other() -> None:
    assert 8 <= len(CHAPTERS) <= 13
    names = [chapter.name for chapter in CHAPTERS]
    for before, chapter, after in zip(["", *names], CHAPTERS, [*names[1:], "index.md"], strict=False):
        last = chapter.read_text(encoding="utf-8").rstrip().splitlines()[-1]
        links = re.findall(r"\(([\w-]+\.md)\)", last)
        assert after in links
        assert before in ["", *links]
    assert re.findall(r"^\| \[\d+\. .+?\]\((.+?)\) \|", INDEX, flags=re.M) == names
    assert re.findall(r"^(\d\d-.+)$", INDEX, flags=re.M) == [chapter.stem for chapter in CHAPTERS]


@each_chapter
def test_the_index_has_the_title_of_a_chapter(chapter: Path) -> None:
    title = chapter.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    assert f"[{title}]({chapter.name})" in INDEX


TEN_MINUTES = (DOCS / "tutorial" / "ten-minutes.md").read_text(encoding="utf-8")
CODE = re.compile(r"^```.*?^```$", flags=re.M | re.S)
# Each is defined where it stands in bold.
TERMS = (
    *("bit", "binary", "hexadecimal", "bitboard", "mask", "AND", "blocker", "occupancy", "slot", "index", "shift"),
    *("factor", "carry", "clash", "sparse", "magic"),
)
FAMILIES = {
    "AND": "(?-i:AND)",
    "occupancy": "occupanc(?:y|ies)",
    "index": "(?:index|indices)",
    "shift": "shift(?:s|ed)?",
    "carry": "carr(?:y|ies)",
    "clash": "clash(?:es)?",
}


def read_by_people(text: str) -> str:
    """The words of a page: without code, addresses, what stands for a picture, and marks of generated blocks."""
    text = re.sub(r"<!--.*?-->|</?(details|summary)>", " ", CODE.sub(" ", text))
    text = re.sub(r'!\[[^\]]*\]\(\S+?(?: "(.*?)")?\)', r"\1", text)
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)


def test_the_ten_minute_path_is_short_and_its_code_is_folded() -> None:
    words = re.findall(r"[\w'-]+", read_by_people(TEN_MINUTES))
    assert 1_000 < len(words) <= 1_600
    unfolded = re.sub(r"<details>.*?</details>", "", TEN_MINUTES, flags=re.S)
    assert CODE.findall(TEN_MINUTES)
    assert not CODE.findall(unfolded)


@pytest.mark.parametrize("term", TERMS)
def test_the_ten_minute_path_uses_no_term_before_its_definition(term: str) -> None:
    text = read_by_people(TEN_MINUTES).partition("\n## ")[2]  # the question above is not part of the explanation
    bold = re.search(rf"\*\*{term}s?\*\*", text, flags=re.I)
    assert bold, f"{term} is not defined"
    family = FAMILIES.get(term, f"{term}s?")
    first = re.search(rf"\b{family}\b", text, flags=re.I)
    assert first
    assert first.start() == bold.start() + 2, text[first.start() - 60 : first.start() + 20]


def test_each_part_of_the_ten_minute_path_has_a_figure_of_one_board() -> None:
    parts = re.split(r"^## (\d+)\. ", TEN_MINUTES.partition("## Five questions")[0], flags=re.M)
    assert parts[1::2] == [str(n) for n in range(1, len(parts[1::2]) + 1)]
    opening = re.findall(r"!\[(.+?)\]\((\S+?)\)", parts[0])
    assert [path for _, path in opening] == ["pictures/10-magic.svg"]
    for number, part in zip(parts[1::2], parts[2::2], strict=True):
        figures = re.findall(r"!\[.+?\]\((\S+\.svg)", part)
        assert figures, number
        assert all((DOCS / "tutorial" / path).is_file() for path in figures)
    assert "bishop on d4" not in TEN_MINUTES


def test_the_ten_minute_path_ends_with_five_questions_and_folded_answers() -> None:
    questions = TEN_MINUTES.partition("## Five questions")[2]
    assert re.findall(r"^(\d)\\\. ", questions, flags=re.M) == list("12345")
    answers = re.findall(r"<details><summary>Answer</summary>\n(.*?)</details>", questions, flags=re.S)
    assert len(answers) == 5
    assert re.search(r"\d ms", answers[4])
    assert "(ten-minutes.md)" in INDEX
    assert "\nten-minutes\n" in INDEX


def test_the_worksheet_asks_about_the_tutorial_and_answers_rightly() -> None:
    sheet = (DOCS / "tutorial" / "worksheet.md").read_text(encoding="utf-8")
    asked, answered = sheet.split("## Answers")
    numbers = [str(n) for n in range(1, 12)]
    assert re.findall(r"^(\d+)\\\.", asked, flags=re.M) == re.findall(r"^(\d+)\\\.", answered, flags=re.M) == numbers
    for chapter, name in re.findall(r"\(\[chapter (\d+)\]\((.+?)\)\)", asked):
        assert int(name[:2]) == int(chapter)
        assert (DOCS / "tutorial" / name).is_file()
    # Worked out by hand.
    for answer in (
        "e4 is 28, g7 is 54, b3 is 17, h8 is 63; bit 42 is c6",
        "`10011001`; b1, c1, g1",
        "Wrapped: a6.",
        "`10011000`, `00001000` and `01100000`",
        "`o ^ (o - 2r) = 01111000`",
        "`110010`",
        "12, 10, 6, 9",
        "`0101001011`",
        "constructive, destructive, constructive",
    ):
        assert answer in answered
