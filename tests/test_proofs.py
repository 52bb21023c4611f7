"""The prover, its ledger, its certificates and their checker."""

import lzma
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rookery.geometry import attacks
from rookery.lines import relevant_occupancy
from rookery.magics import atlas, branch, certify, prove
from rookery.magics.certificate import record
from rookery.magics.certify import Refused
from rookery.magics.find import is_magic
from rookery.magics.ledger import Finished, Ledger
from rookery.magics.orders import usual_order
from rookery.magics.schedule import Plan, copies_of, levels, plan, plan_for
from rookery.squares import SQUARE_NAMES, parse_square
from rookery.techniques._magics import Factor, stored
from rookery.techniques._magics import stored as stored_factors

# github niklasf/magics, May 2026; c1 and d1 were open there.
BISHOPS_WITH_ONE_BIT_LESS = [file + rank for rank in "123678" for file in "abgh"]
FIVE_SQUARES = [s for s in range(64) if len(relevant_occupancy("bishop", s)) == 5]


def _check_published(square: int) -> None:
    natural = len(relevant_occupancy("bishop", square))
    proof = prove.prove("bishop", square, natural - 1)
    exists = SQUARE_NAMES[square] in BISHOPS_WITH_ONE_BIT_LESS
    assert proof.answer == ("factor" if exists else "none"), proof
    if proof.magic is not None:
        assert _separates("bishop", square, proof.magic, natural - 1)


def test_published_answers_on_the_lowest_ranks() -> None:
    for square in range(16):
        _check_published(square)


@pytest.mark.slow
def test_published_answers_on_all_bishops_of_five_squares() -> None:
    for square in FIVE_SQUARES:
        _check_published(square)


def _separates(piece: str, square: int, magic: int, bits: int) -> bool:
    """By a dictionary and the oracle."""
    slots: dict[int, int] = {}
    relevant = int(relevant_occupancy(piece, square))
    subset = 0
    while True:
        index = (subset * magic & 2**64 - 1) >> 64 - bits
        reached = attacks(piece, square, subset)
        if slots.setdefault(index, reached) != reached:
            return False
        subset = (subset - relevant) & relevant
        if not subset:
            return True


def test_the_factors_found_are_new_and_right() -> None:
    published = {(f.piece, f.square) for f in stored("narrow")}
    cells = {(c.piece, c.square): c for c in atlas.atlas()}
    for f in stored("found"):
        assert (f.piece, f.square) not in published
        assert f.bits == len(relevant_occupancy(f.piece, parse_square(f.square))) - 1
        assert _separates(f.piece, parse_square(f.square), f.magic, f.bits)
        assert (cells[f.piece, f.square].answer, cells[f.piece, f.square].magic) == ("factor", f.magic)


def searched(p: Plan) -> int | None:
    """The factor that a search of all prefixes finds, if any."""
    s = branch.state_for(p)
    for prefix in range(branch.prefixes(p)):
        branch.stand_at(p, s, prefix)
        if int(branch.search(p, s, np.uint64(1 << 40))) == branch.FOUND:
            return s.found
    return None


def test_small_boards_against_every_factor() -> None:
    """Words of 64 bits with low ones that decide nothing: every factor of a few bits is tried by brute force."""
    random = np.random.default_rng(7)
    answers = set()
    for _ in range(60):
        blockers = sorted(random.choice(np.arange(52, 62), 3, replace=False).tolist())
        subsets = [sum(1 << s for i, s in enumerate(blockers) if n >> i & 1) for n in range(8)]
        reached = {s: int(random.integers(0, 3)) for s in subsets}
        bits = int(random.integers(1, 4))
        expected = [
            m
            for m in range(1 << 64 - blockers[0])
            if len({((s * m & 2**64 - 1) >> 64 - bits, reached[s]) for s in subsets})
            == len({(s * m & 2**64 - 1) >> 64 - bits for s in subsets})
        ]
        order = random.permutation(blockers).tolist()
        found = searched(plan(order, bits, reached, extra=int(random.integers(0, 4))))
        assert (found is not None) == bool(expected)
        assert found is None or found in expected
        answers.add(found is None)
    assert answers == {True, False}


def test_small_boards_with_a_highest_index() -> None:
    random = np.random.default_rng(8)
    answers = set()
    for _ in range(40):
        blockers = sorted(random.choice(np.arange(53, 62), 3, replace=False).tolist())
        subsets = [sum(1 << s for i, s in enumerate(blockers) if n >> i & 1) for n in range(8)]
        reached = {s: int(random.integers(0, 4)) for s in subsets}
        bits, highest = 3, int(random.integers(2, 8))
        expected = [
            m
            for m in range(1 << 64 - blockers[0])
            if max((s * m & 2**64 - 1) >> 61 for s in subsets) <= highest
            and len({((s * m & 2**64 - 1) >> 61, reached[s]) for s in subsets})
            == len({(s * m & 2**64 - 1) >> 61 for s in subsets})
        ]
        found = searched(plan(blockers, bits, reached, highest=highest))
        assert (found is not None) == bool(expected)
        assert found is None or found in expected
        answers.add(found is None)
    assert answers == {True, False}


def test_a_plan_decides_every_bit_once() -> None:
    for piece in ("rook", "bishop"):
        for square in range(64):
            blockers = usual_order(relevant_occupancy(piece, square), square)
            rows = levels(blockers, len(blockers) + 1)
            decided = [p for row in rows for p in range(row.low, row.low + row.width)]
            assert sorted(decided) == list(range(64 - min(blockers)))
            assert [row.blocker for row in rows if row.blocker is not None] == blockers


def test_copies_are_cut_at_the_word() -> None:
    assert copies_of(2**63 | 1, 0b110) == 2 + 4


def test_the_count_does_not_depend_on_slices_or_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = prove.prove("bishop", 3)
    monkeypatch.setattr(prove, "_SLICE", np.uint64(500))
    assert prove.prove("bishop", 3)._replace(seconds=0) == whole._replace(seconds=0)
    assert prove.prove("bishop", 3, threads=3)._replace(seconds=0) == whole._replace(seconds=0)


def test_a_proof_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = prove.prove("bishop", 3)
    with Ledger(tmp_path / "l") as ledger:
        part = prove.prove("bishop", 3, ledger=ledger, most=10)
        assert (part.done, part.answer) == (10, "open")
    with Ledger(tmp_path / "l") as ledger:
        rest = prove.prove("bishop", 3, ledger=ledger)
        assert rest._replace(seconds=0) == whole._replace(seconds=0)
        assert prove.prove("bishop", 3, ledger=ledger) == rest
        question = ledger.questions()[0]
        assert sum(f.nodes for f in ledger.finished(question.id)) == whole.nodes


def test_an_interrupt_loses_no_finished_prefix(tmp_path: Path) -> None:
    def interrupt(proof: prove.Proof) -> None:
        if proof.done >= 1:
            raise KeyboardInterrupt

    with Ledger(tmp_path / "l") as ledger:
        with pytest.raises(KeyboardInterrupt):
            prove.prove("bishop", 2, ledger=ledger, progress=interrupt)
        assert prove.prove("bishop", 2, ledger=ledger, most=0).done >= 1
        assert prove.prove("bishop", 2, ledger=ledger)._replace(seconds=0) == prove.prove("bishop", 2)._replace(
            seconds=0
        )


def test_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    command = [
        sys.executable,
        "-m",
        "rookery",
        "magics",
        "prove",
        "--piece",
        "rook",
        "--square",
        "e6",
        "--threads",
        "1",
    ]
    command += ["--ledger", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ))
    try:
        deadline = time.monotonic() + 120
        done = 0
        while done < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
            if path.exists():
                with Ledger(path) as ledger:
                    done = sum(len(ledger.finished(q.id)) for q in ledger.questions())
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert done >= 3
    with Ledger(path) as ledger:
        assert ledger.set_aside is None
        before = ledger.finished(1)
        after = prove.prove("rook", parse_square("e6"), ledger=ledger, most=1)
        assert after.done == len(before) + 1
        assert ledger.finished(1)[: len(before)] == before


@pytest.mark.parametrize(
    "content", [b"not a database, but long enough to look at" * 100, b"SQLite format 3\0" + b"\7" * 5000, b"x"]
)
def test_a_damaged_ledger_is_set_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "l"
    for n in (1, 2):
        path.write_bytes(content)
        with Ledger(path) as ledger:
            assert ledger.set_aside == tmp_path / f"l.damaged-{n}"
            ledger.question("bishop", "c1", 4, "plan", 64)
        assert (tmp_path / f"l.damaged-{n}").read_bytes() == content
    with Ledger(path) as ledger:
        assert ledger.set_aside is None
        assert len(ledger.questions()) == 1


def test_damage_within_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "l"
    with Ledger(path) as ledger:
        question = ledger.question("bishop", "c1", 4, "plan", 4096)
        ledger.add(question, (Finished(n, n, n, 0.5, None) for n in range(4000)))
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    path.write_bytes(content)
    with Ledger(path) as ledger:
        assert ledger.set_aside == tmp_path / "l.damaged-1"
    assert (tmp_path / "l.damaged-1").read_bytes() == bytes(content)


def test_other_databases_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mine (a)")
    connection.commit()
    connection.close()
    content = path.read_bytes()
    with pytest.raises(ValueError, match="something else"):
        Ledger(path)
    with pytest.raises(ValueError, match="ledger"):
        Ledger(tmp_path)
    assert path.read_bytes() == content


def test_a_ledger_that_cannot_be_true(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l") as ledger:
        prove.prove("bishop", 3, ledger=ledger, most=1)
        ledger.add(1, [Finished(63, 1, 1, 0.0, 0x1234)])
        with pytest.raises(ValueError, match="prefix 63 cannot be"):
            prove.prove("bishop", 3, ledger=ledger)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("queen", 0), "piece: 'queen'"),
        (("rook", 64), "square: 64"),
        (("rook", 0, 5), "5 bits have 32 slots; rook a1 needs 49"),
        (("bishop", 0, 0), "bits: 0"),
        (("bishop", 0, 25), "bits: 25"),
    ],
)
def test_impossible_questions(arguments: tuple[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        prove.prove(*arguments)


def test_plans_of_other_questions_differ() -> None:
    digests = {plan_for("bishop", square, 4).digest() for square in FIVE_SQUARES}
    assert len(digests) > 5
    assert (
        plan_for("bishop", 3, 4).digest() == plan_for("bishop", 3, 4).digest() != plan_for("bishop", 3, 4, 3).digest()
    )


# Certificates.

E2 = ("bishop", 12, 4)


@pytest.fixture(scope="module")
def certificate() -> bytes:
    return record(*E2)


def _tampered(certificate: bytes, old: bytes, new: bytes) -> bytes:
    text = lzma.decompress(certificate)
    assert old in text
    return lzma.compress(text.replace(old, new, 1))


def test_a_certificate(certificate: bytes) -> None:
    assert certify.certify(certificate) == ("bishop", "e2", 4, 38363, 19182)


def test_tampered_certificates_are_refused(certificate: bytes) -> None:
    text = lzma.decompress(certificate)
    body = text.index(b"\n", 30) + 1
    for refused in (
        b"",
        b"no xz file",
        certificate[:-10],
        lzma.compress(b"something else"),
        lzma.compress(certify.HEADING + b"[" * 100_000 + b"\n"),
        lzma.compress(certify.HEADING + b"[]\n"),
        lzma.compress(certify.HEADING + b"{}\n"),
        lzma.compress(text[:-2]),  # a node less
        lzma.compress(text[:-1]),
        lzma.compress(text + b"\1\0"),  # a node more
        lzma.compress(text[:body]),  # no tree
        lzma.compress(text[:body] + b"\1\0"),  # one leaf for all
        _tampered(certificate, b'"e2"', b'"d2"'),
        _tampered(certificate, b'"bits": 4', b'"bits": 5'),
        _tampered(certificate, b'"bishop"', b'"rook"'),
        _tampered(certificate, b'"order": [44, 43', b'"order": [43, 44'),
        _tampered(certificate, b'"pairs": [[', b'"pairs": [["0x0", "0x0"], ['),
        _tampered(certificate, b'"pairs": [[', b'"pairs": [7, ['),
        _tampered(certificate, b'"order": [44', b'"order": ["44"'),
        _tampered(certificate, b'"order": [44', b'"order": [444'),
        _tampered(certificate, b'"bits": 4', b'"bits": "4"'),
        _tampered(certificate, b'"bits": 4', b'"bits": 25'),
    ):
        with pytest.raises(Refused):
            certify.certify(refused)


def test_every_change_of_a_leaf_is_judged_by_itself(certificate: bytes) -> None:
    """Pairs that a leaf may have instead are those that collide there by brute force."""
    text = lzma.decompress(certificate)
    body = text.index(b"\n", 30) + 1
    random = np.random.default_rng(3)
    tokens = np.frombuffer(text[body:], "<u2").copy()
    leaves = np.flatnonzero(tokens)
    refused = 0
    for leaf in random.choice(leaves, 12):
        changed = tokens.copy()
        changed[leaf] = changed[leaf] % tokens.max() + 1
        try:
            certify.certify(lzma.compress(text[:body] + changed.tobytes(), preset=0))
        except Refused:
            refused += 1
    assert refused > 6


def test_there_is_no_certificate_against_a_factor() -> None:
    with pytest.raises(ValueError, match="there is a factor"):
        record("bishop", 1, 4)


def test_stored_certificates() -> None:
    proved = [certify.certify(data)[:3] for data in certify.stored_certificates().values()]
    assert proved == [("bishop", "c1", 4), ("bishop", "d1", 4)]


def test_found_factors_are_factors() -> None:
    for square in ("a1", "b8", "g7"):
        proof = prove.prove("bishop", parse_square(square))
        assert proof.magic is not None
        assert is_magic(Factor("bishop", square, proof.magic, proof.bits, 0, 0))


# The atlas.


def test_the_atlas_agrees_with_what_is_published() -> None:
    assert atlas.faults() == []
    for cell in atlas.atlas():
        bits, magic = cell.best
        assert bits == cell.bits + (cell.answer != "factor")  # each factor is known, found here or published
        assert _separates(cell.piece, parse_square(cell.square), magic, bits)
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


def test_proofs_of_the_atlas_are_found_again() -> None:
    for cell in atlas.atlas():
        if cell.answer == "none" and cell.source == "proved here" and cell.nodes < 200_000:
            proof = prove.prove(cell.piece, parse_square(cell.square), cell.bits)
            assert (proof.prefixes, proof.nodes, proof.tested) == (cell.prefixes, cell.nodes, cell.tested)


def test_what_is_stored_as_found_is_what_the_command_writes(tmp_path: Path) -> None:
    """Without two factors that were found by no proof, and then with them again."""
    stored = {(c.piece, c.square): c for c in atlas.atlas()}
    found = [stored["rook", square] for square in ("a7", "e7")]
    assert all(c.source == "found here" and not c.nodes for c in found)
    factors = [Factor(c.piece, c.square, c.magic or 0, c.bits) for c in found]
    blank = tuple(
        c._replace(answer="factor", source=atlas.PUBLISHED, magic=None, date="") if c in found else c
        for c in atlas.atlas()
    )
    again = {(c.piece, c.square): c for c in atlas.with_factors(blank, factors, "2026-11-21")}
    assert again == stored
    published = [f for f in stored_factors("narrow") if f.square in ("a7", "e7")]
    wider = [f for f in stored_factors() if f.square == "b7"]
    assert atlas.with_factors(blank, published + wider, "2026-11-21") == blank
    with pytest.raises(ValueError, match=r"factors: rook a7: 0x[0-9a-f]{15}1 is no magic"):
        atlas.with_factors(blank, [factors[0]._replace(magic=factors[0].magic | 1)], "2026-11-21")
    contrary = tuple(c._replace(answer="none") for c in blank)
    with pytest.raises(ValueError, match="rook a7: a factor of 10 bits, where the atlas says none"):
        atlas.with_factors(contrary, factors, "2026-11-21")


def test_an_atlas_grows_by_a_ledger(tmp_path: Path) -> None:
    cells = tuple(
        c._replace(answer="open", source="", prefixes=0, done=0, nodes=0, tested=0, seconds=0.0, date="", magic=None)
        for c in atlas.atlas()
    )
    with Ledger(tmp_path / "l") as ledger:
        prove.prove("bishop", 3, ledger=ledger)
        prove.prove("bishop", 12, ledger=ledger, most=5)
        prove.prove("bishop", 9, ledger=ledger)
        grown = {(c.piece, c.square): c for c in atlas.with_ledger(cells, ledger)}
        d1, e2, b2 = (grown["bishop", name] for name in ("d1", "e2", "b2"))
        assert (d1.answer, d1.source, d1.done) == ("none", "proved here", 64)
        assert (e2.answer, e2.source, e2.done, e2.prefixes) == ("open", "", 5, 64)
        assert (b2.answer, b2.source, b2.best[0]) == ("factor", "found here", 4)
        assert b2.date
        assert b2.nodes > 0
        contrary = tuple(c._replace(answer="factor") for c in cells)
        with pytest.raises(ValueError, match="the ledger says none, the atlas factor"):
            atlas.with_ledger(contrary, ledger)
        ledger.add(2, [Finished(77777, 1, 1, 0.0, None)])
        with pytest.raises(ValueError, match="bishop e2: its prefixes cannot be: the file was tampered with"):
            atlas.with_ledger(cells, ledger)
    atlas.write(tmp_path / "a", tuple(grown.values()))
    assert atlas.read((tmp_path / "a").read_text()) == tuple(grown.values())
    with pytest.raises(ValueError, match="atlas: damaged"):
        atlas.read((tmp_path / "a").read_text()[:-50])
