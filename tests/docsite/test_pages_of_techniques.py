"""Every technique has a page that says what its module, card, tables and record say."""

import doctest
import re
from pathlib import Path

import pytest

import chapter_figures
from docsite import repository, technique_pages
from docsite.technique_pages import Example, advice, example_of, fen_of, page
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import parse_square
from rookery.explain import explain
from rookery.techniques import ALL
from rookery.techniques import technique as technique_of
from rookery.techniques.base import Needs, Technique

ROOT = Path(__file__).parents[2]
MODULES = list(dict.fromkeys(t.module for t in ALL))


def test_a_page_has_all_its_sections(technique: Technique) -> None:
    text = page(technique)
    titles = re.findall(r"^(\S.*)\n-{3,}$", text, flags=re.M)
    assert titles == [
        "The idea",
        "Step by step",
        "The formula",
        "Its tables",
        "Its speed",
        "When to use it",
        "Related techniques",
    ]
    assert text.startswith(f"{technique.name}\n")
    for author in technique.authors:
        assert author in text
    assert f":Source: {technique.source}\n" in text
    assert f".. explorer:: technique={technique.name} " in text
    assert "@kernel" in text


def test_the_example_of_a_page_is_the_one_its_module_draws(technique: Technique) -> None:
    text = page(technique)
    words = dict(re.findall(r"(\w+)=(\S+)", text[text.index(".. explorer::") :].splitlines()[0]))
    (fen,) = re.findall(r"^   :fen: (.*)$", text, flags=re.M)
    printed = explain(words["technique"], words["piece"], parse_square(words["square"]), _occupied(fen))
    drawn = re.sub(r"\s+", " ", text)
    assert re.search(rf"{words['piece']}s? on {words['square']}", drawn, flags=re.I)
    assert len(printed.attacks) > 2


def _occupied(fen: str) -> Bitboard:
    from rookery.bitboards.placement import Placement

    return Placement.from_fen(fen).occupied


@pytest.mark.parametrize("module", MODULES)
def test_what_one_copies_from_a_page_runs(module: str) -> None:
    """Examples are run by themselves, and not where the names of their module are known."""
    text = page(next(t for t in ALL if t.module == module))
    examples = doctest.DocTestParser().get_doctest(text, {}, module, None, 0)
    assert examples.examples[0].source.startswith(f"from {module} import ")
    assert doctest.DocTestRunner(verbose=False).run(examples).failed == 0


def test_a_page_leads_back_to_the_chapter_that_leads_to_it(technique: Technique) -> None:
    (chapter,) = re.findall(r"^:Tutorial: :doc:`\d+\. .+ </(tutorial/[\w-]+)>`$", page(technique), flags=re.M)
    own = f"[`{technique.name}`](../../{'/'.join(['src', *technique.module.split('.')])}.py)"
    leading = [
        path.stem for path in sorted((ROOT / "docs/tutorial").glob("[0-9]*.md")) if own in path.read_text("utf-8")
    ]
    if leading:
        assert chapter == f"tutorial/{leading[0]}"


@pytest.mark.parametrize(
    ("name", "chapter"),
    [
        ("classical-branchless", "05-rays"),
        ("first-rank-256", "08-rotated-boards"),
        ("magic-byte", "10-magic"),
        ("magic-folded-8", "10-magic"),
    ],
)
def test_a_technique_that_no_chapter_names_belongs_to_that_of_its_idea(name: str, chapter: str) -> None:
    assert technique_pages.chapter_of(technique_of(name)).page == f"tutorial/{chapter}"


def test_an_example_is_read_from_its_text() -> None:
    text = 'A bishop on d4:\n\n>>> sq, o, t = 27, Bitboard.of("d4", "a7"), None\n>>> o = o | 1\n'
    assert example_of(text) == Example("bishop", "d4", Bitboard.of("d4", "a7"))
    with pytest.raises(ValueError, match="no piece on a square"):
        example_of("nothing")
    with pytest.raises(ValueError, match="no occupancy"):
        example_of("Rooks on a1\n\n>>> board = Bitboard.of('a1')\n")
    assert fen_of({"a8": "p", "h1": "R"}) == "p7/8/8/8/8/8/8/7R"


@pytest.mark.parametrize("use", technique_pages.USES, ids=lambda use: use.key)
def test_statements_about_speed_follow_from_the_record(use: technique_pages.Use) -> None:
    recorded = technique_pages.recorded()["techniques"]
    speeds = {row["name"]: 1 / row[use.figure] if use.smallest_first else row[use.figure] for row in recorded}
    best = max(speeds, key=lambda name: speeds[name])
    said = {row["name"]: technique_pages.in_use(use, technique_of(row["name"]), row) for row in recorded}
    assert said[best].endswith("yes, among the fastest.")
    for row in recorded:
        named = re.findall(r":doc:`([\w-]+)`", said[row["name"]])
        assert all(speeds[other] > speeds[row["name"]] for other in named)
        if "where PEXT is missing" in said[row["name"]]:
            others = [t.name for t in ALL if Needs.PEXT not in t.needs]
            assert row["name"] in others
            assert speeds[row["name"]] >= 0.9 * max(speeds[name] for name in others)
        if "no larger tables" in said[row["name"]]:
            assert technique_of(named[-1]).table_bytes <= row["table_bytes"]
        if named:
            assert named[0] == best
        else:
            assert speeds[row["name"]] >= 0.9 * speeds[best]


def test_a_technique_that_was_not_measured_has_the_command_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    t = technique_of("kogge-stone")
    record = technique_pages.recorded()
    rows = [row for row in record["techniques"] if row["name"] != t.name]
    monkeypatch.setattr(technique_pages, "recorded", lambda: record | {"techniques": rows})
    assert (
        technique_pages.speed(t)
        == f"Not recorded yet. ``{technique_pages.RECORDING}`` measures all techniques in one run."
    )
    assert not any("fastest" in line for line in advice(t))
    assert "| `kogge-stone` | - | - |" in chapter_figures.uses()


@pytest.mark.parametrize("use", technique_pages.USES, ids=lambda use: use.key)
def test_no_technique_that_needs_pext_is_advised_where_it_is_missing(use: technique_pages.Use) -> None:
    for row in technique_pages.recorded()["techniques"]:
        if Needs.PEXT in technique_of(row["name"]).needs:
            assert "where PEXT is missing" not in technique_pages.in_use(use, technique_of(row["name"]), row)


def test_a_page_names_the_programs_that_use_a_technique(technique: Technique) -> None:
    first = advice(technique)[0]
    assert (technique.users in first) if technique.users else ("no chess program" in first)
    assert f":Used by: {technique.users}" in page(technique)


@pytest.mark.parametrize("name", ["slide-arithmetic", "rays"])
def test_a_page_lists_the_variants(name: str) -> None:
    t = technique_of(name)
    assert t.card.variants
    (line,) = (line for line in page(t).splitlines() if line.startswith(":Also published as: "))
    for variant in t.card.variants:
        assert f"{variant.name} ({', '.join(variant.authors)}, {variant.year}: " in line
        assert variant.difference.replace("`", "``") in line


def test_the_order_of_learning_is_that_of_the_chapters() -> None:
    starts = [min(map(ALL.index, map(technique_of, c.techniques))) for c in repository.chapters() if c.techniques]
    assert starts == sorted(starts)
    assert len(starts) >= 7
    way = re.findall(r"techniques/(\w+)\.py\)", (ROOT / "docs" / "guides" / "learners.md").read_text(encoding="utf-8"))
    modules = [module.rpartition(".")[2] for module in MODULES]
    assert [modules.index(name) for name in way] == sorted(modules.index(name) for name in way)


def test_required_instructions_are_named() -> None:
    assert any("BMI2" in line for line in advice(technique_of("pext")))
    assert not any("BMI2" in line for line in advice(technique_of("kogge-stone")))
    assert all(need in technique_pages.INSTRUCTIONS for t in ALL for need in t.needs)


def test_lines_of_the_source_are_those_linked() -> None:
    links = re.findall(r"blob/main/(\S+)#L(\d+)-L(\d+)>", "".join(page(t) for t in ALL))
    assert len(links) >= len(ALL)
    for path, first, last in links:
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        assert re.match(r"@kernel|def |class |[A-Za-z_]\w*(: \S+)? = |[A-Z_, ]+ = ", lines[int(first) - 1])
        assert lines[int(last) - 1]


def test_links_lead_to_the_site_or_to_the_repository() -> None:
    text = "[`pext`](../src/rookery/techniques/pext.py) [pext](../src/rookery/verify.py) [c](../CONTRIBUTING.md#taste)"
    blob = repository.source_url("src/rookery/verify.py")
    assert repository.for_site(text, "techniques") == (
        f"[`pext`](generated/techniques/pext.rst) [pext]({blob}) [c](generated/contributing.md#taste)"
    )
    assert repository.for_site("[g](docs/games.md) [x](https://x.org/a)", "generated/contributing", written_in="") == (
        "[g](../games.md) [x](https://x.org/a)"
    )
    nested = "[`rays`](../../src/rookery/techniques/rays.py)"
    assert repository.for_site(nested, "tutorial/one", "docs/tutorial") == "[`rays`](../generated/techniques/rays.rst)"
