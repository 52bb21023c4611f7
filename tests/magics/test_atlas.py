"""The atlas against what is published, and against proofs made again."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from magics import additions
from magics.prove import branch
from magics.prove import proof as prove
from magics.prove.ledger import Finished, Ledger
from magics.prove.schedule import plan_for
from published import BISHOPS_WITH_ONE_BIT_LESS, separates
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import parse_square
from rookery.cli import main
from rookery.magics import atlas
from rookery.techniques._magics import Factor, stored


def test_the_factors_found_are_new_and_right() -> None:
    published = {(f.piece, f.square) for f in stored("narrow")}
    cells = {(c.piece, c.square): c for c in atlas.atlas()}
    for f in stored("found"):
        assert (f.piece, f.square) not in published
        assert f.bits == len(relevant_occupancy(f.piece, parse_square(f.square))) - 1
        assert separates(f.piece, parse_square(f.square), f.magic, f.bits)
        assert (cells[f.piece, f.square].answer, cells[f.piece, f.square].magic) == ("factor", f.magic)


def test_the_atlas_agrees_with_what_is_published() -> None:
    assert atlas.faults() == []
    for cell in atlas.atlas():
        bits, magic = cell.best
        assert bits == cell.bits + (cell.answer != "factor")  # each factor is known, found here or published
        assert separates(cell.piece, parse_square(cell.square), magic, bits)
        if cell.piece == "bishop":
            expected = "factor" if cell.square in BISHOPS_WITH_ONE_BIT_LESS else "none"
        elif cell.square[1] in "12":
            expected = "open"
        else:
            expected = "factor" if cell.square[1] in "78" and cell.square != "f8" else "none"
        settled = expected == "open" and cell.source in ("proved here", "found here")
        assert cell.answer == expected or settled
        if cell.answer == "none" and cell.source == "proved here":
            assert cell.done == cell.prefixes > 0
            assert cell.nodes > cell.done


def _found_again(most: int) -> int:
    """How many bishops of so many nodes at most the atlas tells the figures of the present search of: none is wrong."""
    count = 0
    for cell in atlas.atlas():
        if cell.piece == "bishop" and cell.search == branch.VERSION and 0 < cell.nodes < most:
            proof = prove.prove(cell.piece, parse_square(cell.square), cell.bits)
            printed = (cell.prefixes, cell.done, cell.nodes, cell.tested, cell.magic)
            assert (proof.prefixes, proof.done, proof.nodes, proof.tested, proof.magic) == printed
            count += 1
    return count


def test_proofs_of_the_atlas_are_found_again() -> None:
    assert _found_again(200_000) > 20


def test_a_factor_of_a_proof_ends_it() -> None:
    """In one thread, all prefixes up to that of the factor are done, and none besides."""
    for cell in atlas.atlas():
        if cell.nodes and cell.magic is not None:
            p = plan_for(cell.piece, parse_square(cell.square), cell.bits)
            low, width = int(p.low[0]), int(p.width[0])
            child = cell.magic >> low & (1 << width) - 1
            assert cell.done == 1 + int(format(child, f"0{width}b")[::-1], 2), cell


@pytest.mark.slow
def test_larger_proofs_of_the_atlas_are_found_again() -> None:
    assert _found_again(30_000_000) > 50


def test_the_atlas_says_of_which_search_its_figures_are(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = atlas.atlas()
    for cell in cells:
        assert cell.search in range(1, branch.VERSION + 1) if cell.nodes else cell.search == 0
    printed = CliRunner().invoke(main, ["magics", "atlas"]).stdout
    assert ("of the search" in printed) == any(c.nodes and c.search != branch.VERSION for c in cells)
    other = tuple(c._replace(search=1) if (c.piece, c.square) == ("bishop", "f3") else c for c in cells)
    wrong = tuple(c._replace(search=branch.VERSION + 1) if c.nodes else c for c in cells[-1:])
    monkeypatch.setattr(atlas, "atlas", lambda: other + wrong)
    [f3] = [line for line in CliRunner().invoke(main, ["magics", "atlas"]).stdout.splitlines() if "version 1" in line]
    assert f3.split()[:2] == ["bishop", "f3"]
    assert f3.rstrip().endswith(" s, by version 1 of the search")
    assert [fault for fault in atlas.faults() if "of the search" in fault] == [
        f"atlas: bishop h8: {cells[-1].nodes} nodes by version {branch.VERSION + 1} of the search"
    ]


def test_figures_of_another_search_are_replaced(tmp_path: Path) -> None:
    cells = atlas.atlas()
    [c1] = [i for i, c in enumerate(cells) if (c.piece, c.square) == ("bishop", "c1")]
    [b2] = [i for i, c in enumerate(cells) if (c.piece, c.square) == ("bishop", "b2")]
    with Ledger(tmp_path / "l") as ledger:
        for i in (c1, b2):
            prove.prove(cells[i].piece, parse_square(cells[i].square), cells[i].bits, ledger=ledger)
        for search in (1, branch.VERSION):
            before = tuple(c._replace(search=search, nodes=7) if i in (c1, b2) else c for i, c in enumerate(cells))
            after = additions.with_ledger(before, ledger)
            assert (after[c1].nodes, after[c1].search) == (cells[c1].nodes, branch.VERSION)
            # A factor of the present search stands.
            assert (after[b2].nodes == 7) == (search == branch.VERSION)
            assert (after[b2].search, after[b2].magic) == (branch.VERSION, cells[b2].magic)


def test_what_is_stored_as_found_is_what_the_command_writes(tmp_path: Path) -> None:
    """Without two factors that were found by no proof, and then with them again."""
    cells = {(c.piece, c.square): c for c in atlas.atlas()}
    found = [cells["rook", square] for square in ("a7", "e7")]
    assert all(c.source == "found here" and not c.nodes for c in found)
    factors = [Factor(c.piece, c.square, c.magic or 0, c.bits) for c in found]
    blank = tuple(
        c._replace(answer="factor", source=atlas.PUBLISHED, magic=None, date="") if c in found else c
        for c in atlas.atlas()
    )
    again = {(c.piece, c.square): c for c in additions.with_factors(blank, factors, "2026-11-21")}
    assert again == cells
    published = [f for f in stored("narrow") if f.square in ("a7", "e7")]
    wider = [f for f in stored() if f.square == "b7"]
    assert additions.with_factors(blank, published + wider, "2026-11-21") == blank
    with pytest.raises(ValueError, match=r"factors: rook a7: 0x[0-9a-f]{15}1 is not a magic factor"):
        additions.with_factors(blank, [factors[0]._replace(magic=factors[0].magic | 1)], "2026-11-21")
    contrary = tuple(c._replace(answer="none") for c in blank)
    with pytest.raises(ValueError, match="rook a7: a factor of 10 bits, where the atlas says none"):
        additions.with_factors(contrary, factors, "2026-11-21")


def test_an_atlas_grows_by_a_ledger(tmp_path: Path) -> None:
    cells = tuple(
        c._replace(
            answer="open", source="", prefixes=0, done=0, nodes=0, tested=0, seconds=0.0, date="", magic=None, search=0
        )
        for c in atlas.atlas()
    )
    with Ledger(tmp_path / "l") as ledger:
        prove.prove("bishop", 3, ledger=ledger)
        prove.prove("bishop", 12, ledger=ledger, most=5)
        prove.prove("bishop", 9, ledger=ledger)
        grown = {(c.piece, c.square): c for c in additions.with_ledger(cells, ledger)}
        d1, e2, b2 = (grown["bishop", name] for name in ("d1", "e2", "b2"))
        assert (d1.answer, d1.source, d1.done) == ("none", "proved here", 64)
        assert (e2.answer, e2.source, e2.done, e2.prefixes) == ("open", "", 5, 64)
        assert (b2.answer, b2.source, b2.best[0]) == ("factor", "found here", 4)
        assert b2.date
        assert b2.nodes > 0
        contrary = tuple(c._replace(answer="factor") for c in cells)
        with pytest.raises(ValueError, match="the ledger says none, the atlas factor"):
            additions.with_ledger(contrary, ledger)
        e2_question = next(q for q in ledger.questions() if q.square == "e2")
        ledger.add(e2_question, [Finished(77777, 1, 1, 0.0, None)])
        with pytest.raises(ValueError, match="bishop e2: its prefixes cannot be: the file was tampered with"):
            additions.with_ledger(cells, ledger)
    additions.write(tmp_path / "a", tuple(grown.values()))
    assert atlas.read((tmp_path / "a").read_text()) == tuple(grown.values())
    with pytest.raises(ValueError, match="atlas: damaged"):
        atlas.read((tmp_path / "a").read_text()[:-50])
