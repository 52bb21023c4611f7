"""``rookery magics find | check | sets``."""

import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import document, run
from rookery.magics.certify import stored_certificates

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.compiler  # wheels have no machine code of searches for factors


def test_magics_find_one() -> None:
    text = run("magics", "find", "--piece", "bishop", "--square", "d4").stdout
    assert "bishop" in text
    assert "1 factors from seed 0" in text
    answer = document("magics", "find", "--square", "b1", "--piece", "bishop", "--seed", "5", "--injective")
    assert answer["injective"] is True
    assert [(f["square"], f["seed"], f["bits"]) for f in answer["factors"]] == [("b1", 5, 5)]


def test_magics_find_all_of_a_form() -> None:
    text = run("magics", "find", "--form", "black", "--seed", "9").stdout
    assert "128 factors from seed 9, found and tried in" in text
    answer = document("magics", "find", "--form", "fixed-shift", "--square", "d4")
    assert (answer["form"], [f["bits"] for f in answer["factors"]]) == ("fixed-shift", [12, 9])
    assert answer["command"] == "rookery magics find --form fixed-shift --json"


def test_magics_find_reduced() -> None:
    for piece, square, bits, source in [
        ("bishop", "h8", 5, "found here"),
        ("rook", "a8", 11, "Niklas Fiekas, github niklasf/magics, 2026"),
    ]:
        answer = document("magics", "find", "--reduced", "--piece", piece, "--square", square, "--tries", "1")
        assert answer["sources"] == [source]
        assert [(f["bits"], f["tries"]) for f in answer["factors"]] == [(bits, 0)]
    text = run("magics", "find", "--reduced", "--piece", "bishop", "--square", "b1").stdout
    assert "1 factors with one index bit less, 1 of them found now." in text
    text = run("magics", "find", "--reduced", "--piece", "bishop", "--square", "c1").stdout
    assert "1 squares have none, by the atlas, and were not searched." in text
    text = run("magics", "find", "--reduced", "--piece", "rook", "--square", "a1", "--tries", "1").stdout
    assert "Not found in 1 slices, nor known: rook a1." in text


def test_magics_find_interrupted_prints_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from magics.find import factors as find
    from magics.find import riders

    def interrupted(good: Any) -> Any:
        def search(a: Any, square: int, **options: Any) -> Any:
            if square == 6:
                raise KeyboardInterrupt
            return good(a, square, **options)

        return search

    monkeypatch.setattr(find, "find_widening", interrupted(find.find_widening))
    assert "6 injective factors" in run("magics", "find", "--injective", status=130).stdout
    monkeypatch.setattr(riders, "find_rider", interrupted(riders.find_rider))
    assert len(document("magics", "find", "--deltas", "1,1", status=130)["squares"]) == 6
    monkeypatch.setattr(find, "find", interrupted(find.find))
    answer = document("magics", "find", "--reduced", "--piece", "bishop", status=130)
    assert [f["square"] for f in answer["factors"]] == ["a1", "b1"]


def test_magics_find_riders() -> None:
    nightrider = "1,2 2,1 -1,2 -2,1 1,-2 2,-1 -1,-2 -2,-1"
    answer = document("magics", "find", "--deltas", nightrider, "--width", "10", "--height", "6")
    assert (answer["width"], answer["height"], answer["not_found"]) == (10, 6, [])
    assert answer["deltas"][2] == [-1, 2]
    assert [s["square"] for s in answer["squares"]][8:12] == ["i1", "j1", "a2", "b2"]
    assert all(s["shift"] == 64 - s["bits"] for s in answer["squares"])
    text = run("magics", "find", "--deltas", nightrider, "--square", "e4").stdout
    assert "1 factors from seed 0" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--deltas", "0,0"], "deltas: 0,0 moves nowhere"),
        (["--deltas", "1,2", "--width", "0"], "width: 0: expected 1 or more"),
        (["--deltas", "1,2", "--width", "13", "--height", "5"], "13 x 5 is 65 squares"),
        (["--deltas", "1,2", "--square", "i1"], "square: 'i1': expected a1 to h8"),
        (["--deltas", "1,2", "--piece", "rook"], "deltas: goes with"),
        (["--width", "8"], "width and height: are those of a rider's board"),
        (["--form", "black", "--injective"], "expected one of them at most"),
        (["--injective", "--reduced"], "expected one of them at most"),
        (["--tries", "5"], "tries: goes with --injective or --reduced only"),
    ],
)
def test_magics_find_refuses(arguments: list[str], message: str) -> None:
    assert message in run("magics", "find", *arguments, status=2).stderr


def test_magics_check(monkeypatch: pytest.MonkeyPatch) -> None:
    text = run("magics", "check").stdout
    assert "0 faults" in text
    assert "magic-reduced: 90,304 entries, 726,528 bytes, right" in text
    from rookery.techniques import _magics

    # Forged factors. Tables and certificates are right as above: they need not be gone through again for each set.
    monkeypatch.setattr("rookery.verify.magics.magic_techniques", tuple)
    monkeypatch.setattr("rookery.verify.magics.stored_certificates", dict)
    sets = {which: _magics.stored(which) for which in _magics.SETS}
    for which, good in sets.items():
        forged = good[0]._replace(magic=1)
        changed = {**sets, which: (forged, *good[1:])}
        monkeypatch.setattr("rookery.verify.magics.stored", changed.__getitem__)
        faults = document("magics", "check", status=1)["faults"]
        assert f"{which}: rook {forged.square}: 0x0000000000000001 is no magic" in faults
        assert any("does not find" in fault for fault in faults) == (which not in _magics.INCOMPLETE)
        assert len(faults) == (1 if which in _magics.INCOMPLETE else 2)


def test_magics_check_says_which_certificates_a_wheel_leaves_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("rookery.verify.magics.magic_techniques", tuple)
    monkeypatch.setattr("rookery.verify.magics.PACKINGS", {})
    package = tmp_path / "certificates"
    package.mkdir()
    (package / "bishop-d1-4.xz").write_bytes(stored_certificates()["bishop-d1-4.xz"])
    monkeypatch.setattr("rookery.magics.certify.resources.files", lambda _: tmp_path)
    left_out = (
        "certificate bishop-c1-4.xz: not in this installation: it is too large for wheels; "
        "a checkout of rookery or its source archive has it in src/rookery/magics/certificates"
    )
    found = document("magics", "check")
    assert found["left_out"] == [left_out]
    assert [(c["piece"], c["square"]) for c in found["certificates"]] == [("bishop", "d1")]
    text = " ".join(run("magics", "check").stdout.split())
    assert left_out in text
    assert "0 faults" in text


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without the laboratory."""
    monkeypatch.setattr("rookery.magics.laboratory._FOLDER", tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if Path(path).name != "research"])
    for name in [name for name in sys.modules if name.partition(".")[0] == "magics"]:
        monkeypatch.delitem(sys.modules, name)


WHERE = (
    "the laboratory of magic factors is not in this installation: it is in the folder research/magics of a checkout. "
    "git clone https://github.com/rookery-chess/rookery, and there: pip install -e '.[compile]'"
)


@pytest.mark.usefixtures("wheel")
@pytest.mark.parametrize(
    "arguments",
    [
        ("find", "--piece", "rook", "--seed", "3"),
        ("prove", "--ledger", "file"),
        ("pilot",),
        ("pack", "--rounds", "5"),
        ("ranges", "--prove"),
        ("ranges", "--out", "file"),
        ("atlas", "--factors", "pyproject.toml"),
        ("atlas", "--out", "file"),
    ],
)
def test_a_wheel_says_where_the_laboratory_is(arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = run("magics", *arguments, status=1)
    assert (result.stdout, result.stderr) == ("", f"Error: {WHERE}\n")
    assert not Path("file").exists()


@pytest.mark.usefixtures("wheel")
def test_a_wheel_lists_and_checks_what_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery.verify.magics.magic_techniques", tuple)
    monkeypatch.setattr("rookery.verify.magics.PACKINGS", {})
    monkeypatch.setattr("rookery.verify.magics.stored_certificates", dict)
    checked = document("magics", "check")
    assert (checked["factors"], checked["left_out"], checked["faults"]) == (171, [f"seeds: not tried: {WHERE}"], [])
    text = run("magics", "check").stdout
    assert "171 stored factors tried on every occupancy.\n" in text
    assert WHERE in " ".join(text.split())
    listed = run("magics", "--help").stdout.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == "atlas check find pack pilot prove ranges sets".split()
    for command in ("find", "pack", "pilot", "prove"):
        assert "(In a checkout.)" in " ".join(run("magics", command, "--help").stdout.split())
    assert len(document("magics", "atlas")) == 128
    assert document("magics", "ranges", "--square", "d8")


def test_magics_sets() -> None:
    text = run("magics", "sets").stdout
    assert "4096/49" in text
    assert "102,400 / 4,900" in text
    rows = document("magics", "sets")
    assert len(rows) == 128
    assert rows[0] == {"piece": "rook", "square": "a1", "occupancies": 4096, "sets": 49}
