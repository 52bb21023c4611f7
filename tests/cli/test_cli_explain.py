"""``rookery explain``, and the picture of ``rookery attacks``."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rookery
from command_line import KIWIPETE, document, run
from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import parse_square
from rookery.cli.common import out
from rookery.cli.techniques import explain_terminal
from rookery.cli.techniques.explain import EXAMPLE
from rookery.cli.techniques.explain_terminal import style_of
from rookery.explain import explain
from rookery.explain.drawing import shown_steps
from rookery.explain.multiplication import multiplication, sharing
from rookery.techniques import ALL
from thinning import slow

SVG = "{http://www.w3.org/2000/svg}"


def test_the_steps_are_drawn() -> None:
    text = run("explain", "magic-fancy", "d4", "--calls").stdout
    assert KIWIPETE.startswith(EXAMPLE)
    for line in (
        "magic-fancy: ",
        "o = occupied & mask   techniques.magic:",
        "return (o * magic) >> shift",
        "squares: d2 d3",
    ):
        assert line in text
    assert "     the relevant occupancy: the occupied relevant squares" in text
    assert "=  964 = 0b1111000100" in text
    assert "56 1 0 0 0 1 1 1 1" in text
    assert (
        "The index is read from bit 63 down to bit 54 (h8 to a8, then h7 to g7 on a board): 0b1111000100 = 964." in text
    )
    assert "A piece on the last square of a ray (d1 a4 h4 d8)" in text
    assert "the answer: attacks[46,020] of 107,648" in text
    assert "4 . x 1 R x . . ." in text


def test_a_formula_has_its_operands_from_left_to_right() -> None:
    lines = run("explain", "magic-fancy", "--occupied", "d2,d6,e4,f7", "--", "d4").stdout.splitlines()
    middle = next(line for line in lines if line.startswith("  5 ") and " & " in line)
    assert middle == "  5 . . . . . . . .  &  . . . 1 . . . .  =  . . . . . . . ."
    names = lines[lines.index(middle) - 4]
    assert names.split() == ["occupied", "mask", "o"]


@pytest.mark.parametrize("piece", ["rook", slow("bishop")])
@pytest.mark.parametrize("name", [t.name for t in ALL])
def test_few_ideas_explain_a_technique(name: str, piece: str) -> None:
    text = run("explain", name, "--piece", piece).stdout
    numbered = [int(line.partition(".")[0]) for line in text.splitlines() if re.match(r"\d+\. ", line)]
    assert numbered == list(range(1, len(numbered) + 1))
    assert 3 <= len(numbered) <= 6
    assert f"what a {piece} on d4 attacks in 8/3p" in text
    assert "is assumed" not in text


def test_without_a_square_the_piece_of_the_position_is_taken() -> None:
    assert document("explain", "rays", "--fen", "8/8/8/5b2/8/8/8/8")["square"] == "f5"
    assert document("explain", "rays", "--fen", "8/8/8/5b2/8/1Q6/8/8", "--piece", "bishop")["square"] == "f5"


def test_the_multiplication_is_drawn() -> None:
    lines = run("explain", "magic-fancy", "d4", "--occupied", "d2,d6").stdout.splitlines()
    at = lines.index("  each bit adds the factor, shifted by its number")
    copies = [int(line[19:].replace("|", "").replace(".", "0"), 2) for line in lines[at + 1 : at + 5]]
    factor = copies[0]
    first, second = (factor << bit & 2**64 - 1 for bit in (11, 43))
    assert copies == [factor, first, second, first + second & 2**64 - 1]
    assert lines[at + 2].startswith("  d2: magic << 11")
    assert lines[at + 4].index("|") == 19 + 10
    assert lines[at + 6] == "  1,024 relevant occupancies lead to 144 different sets of attacked squares."
    printed = " ".join(line.strip() for line in lines[at + 7 :])
    assert printed.startswith(
        "1 other occupancy leads to the same attacks. It may share this slot (a constructive collision)"
    )
    assert "With this factor it does not. `rookery explain magic-reduced b1 --piece bishop` shows one" in printed


def test_the_occupancies_that_share_a_slot_are_named() -> None:
    """What the hint of others promises."""
    text = " ".join(run("explain", "magic-reduced", "b1", "--piece", "bishop").stdout.split())
    found = re.search(r"(\d+) other occupancies .* With this factor (\d+) of them do: (.+?)\. ", text)
    assert found
    others = [sum(1 << parse_square(name) for name in names.split()) for names in found[3].split("; ")]
    assert len(others) == int(found[2]) < int(found[1])
    technique = rookery.technique("magic-reduced")
    occupied = int(Placement.from_fen(EXAMPLE).occupied)
    assert {int(technique.bishop(1, other)) for other in others} == {int(technique.bishop(1, occupied))}


def test_a_turned_board_has_the_names_of_its_squares() -> None:
    lines = run("explain", "rotated-hyatt", "d4", "--occupied", "d2,d6,a1", "--calls").stdout.splitlines()
    at = lines.index("    o_r90")
    assert lines[at + 5] == "    d8 0  d7 0  d6 1  d5 0  d4 0  d3 0  d2 1  d1 0"
    assert lines[at + 8].endswith("a1 +")
    assert any(line.endswith("=  0 (a1)") for line in lines)


def test_a_word_that_is_no_board_has_the_numbers_of_its_bits() -> None:
    text = run("explain", "magic-fancy", "d4", "--occupied", "0", "--mapping", "file-little-little").stdout
    assert "  0  8 16 24 32 40 48 56\n" in text


def test_what_pext_gathers_is_listed() -> None:
    lines = run("explain", "pext", "d4", "--occupied", "d2,e4").stdout.splitlines()
    gathered = [line.strip() for line in lines if line.startswith("  bit ")]
    assert gathered[:6] == [
        "bit 0: d2 = 1",
        "bit 1: d3 = 0",
        "bit 2: b4 = 0",
        "bit 3: c4 = 0",
        "bit 4: e4 = 1",
        "bit 5: f4 = 0",
    ]
    assert len(gathered) == 10
    assert any(line.endswith("=  17 = 0b10001") for line in lines)


@pytest.mark.parametrize(
    ("square", "more", "said"),
    [
        ("d4", [], "No piece stands on d4: a rook is assumed there."),
        ("c3", ["--piece", "b"], "A knight stands on c3: a bishop is assumed in its place."),
        ("f3", [], ""),
        ("d4", ["--occupied", "d6"], ""),
    ],
)
def test_what_piece_is_assumed(square: str, more: list[str], said: str) -> None:
    text = run("explain", "rays", square, *more).stdout
    assert said in text
    assert ("is assumed" in text) == bool(said)
    assert document("explain", "rays", square, *more)["assumption"] == (said or None)


def test_directions_have_names() -> None:
    text = run("explain", "kogge-stone", "d4", "--occupied", "d6", "--calls").stdout
    assert "direction = 6 = 0b110" not in text
    assert {"direction = 0 (north)", "direction = 2 (east)", "direction = 6 (west)"} <= {
        x.strip() for x in text.splitlines()
    }


@pytest.mark.parametrize("name", ["magic-black", "rotated-hyatt-64", "kindergarten", "pext", "hyperbola"])
def test_nothing_is_wider_than_the_terminal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out, "width", 50)
    text = run("explain", name, "d4").stdout
    assert max(map(len, text.splitlines())) <= 50
    whole = " ".join(text.split())
    assert "numbers at the edges: the sum of both, at the left and below," in whole or name in ("hyperbola", "pext")


@pytest.mark.parametrize("name", [t.name for t in ALL if t.name.startswith("magic")])
def test_the_sum_of_the_copies_is_the_product(name: str) -> None:
    printed = explain(name, "bishop", 44, 0x0000_2200_0814_0200, "file-little-big")
    found = multiplication(printed)
    assert found
    product = next(part for step in printed.steps for part in step.parts if part.text.endswith(" * magic"))
    assert found.product == product.value == sum(copy for _, copy in found.copies()) & 2**64 - 1
    shared = sharing(printed, found)
    assert shared is None or shared.slots >= shared.sets  # a factor that works
    assert bool(shared) or "folded" in name


def test_boards_stand_side_by_side_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = run("explain", "hyperbola", "d4", "--occupied", "d2,d6,d7").stdout
    assert "    byteswap(o)         byteswap(r)         byteswap(o) - byteswap(r)" in wide
    monkeypatch.setattr(explain_terminal, "_MOST_COLUMNS", 40)
    narrow = run("explain", "hyperbola", "d4", "--occupied", "d2,d6,d7").stdout
    assert "    byteswap(o)\n" in narrow
    boards = [line for line in narrow.splitlines() if line.startswith("  8 ")]
    assert boards
    assert max(map(len, boards)) <= 40


def test_a_piece_on_the_square_is_the_default() -> None:
    assert document("explain", "rays", "f3", "--fen", KIWIPETE)["piece"] == "queen"
    assert document("explain", "rays", "f3", "--fen", KIWIPETE, "--piece", "b")["piece"] == "bishop"
    assert document("explain", "rays", "e1", "--fen", "kiwipete")["piece"] == "rook"


def test_explain_as_json() -> None:
    printed = document("explain", "magic-fancy", "d4", "--occupied", "0x0000080020000800", "--mapping", "rank-big-big")
    assert (printed["technique"], printed["piece"], printed["square"], printed["fen"]) == (
        "magic-fancy",
        "rook",
        "d4",
        None,
    )
    expected = rookery.technique("magic-fancy").rook(27, 0x0000_0800_2000_0800)
    assert printed["attacks"] == f"0x{int(expected):016x}"
    assert printed["squares"] == expected.names()
    steps = explain("magic-fancy", "rook", 27, 0x0000_0800_2000_0800, "rank-big-big").steps
    assert [(step["variable"], int(step["value"], 16)) for step in printed["steps"]] == [
        (s.variable, s.value) for s in steps
    ]
    last = printed["steps"][-1]
    assert last["squares"] == printed["squares"]
    assert last["parts"][-1]["table"] == "attacks"
    product = next(part for step in printed["steps"] for part in step["parts"] if "index_bits" in part)
    assert product["index_bits"] == "0xffc0000000000000"


def test_the_multiplications_as_json() -> None:
    printed = document("explain", "magic-fancy", "d4", "--occupied", "d2,d6", "--piece", "queen")
    rook, bishop = printed["multiplications"]
    assert [copy["square"] for copy in rook["copies"]] == ["d2", "d6"]
    for found in (rook, bishop):
        copies = sum(int(copy["copy"], 16) for copy in found["copies"])
        assert int(found["product"], 16) == copies & 2**64 - 1
    assert rook["sharing"] == {"occupancies": 1024, "sets": 144, "slots": 1024, "alike": 1, "sharers": []}
    shared = document("explain", "magic-reduced", "b1", "--piece", "bishop")["multiplications"][0]["sharing"]["sharers"]
    assert shared
    assert all(set(other["squares"]) <= {"a2", "c2", "d3", "e4", "f5", "g6"} for other in shared)
    assert document("explain", "pext", "d4")["multiplications"] == []


def test_blockers_result_and_index_are_coloured() -> None:
    printed = explain("magic-fancy", "rook", 27, 0x0000_0800_2200_0800)
    boards = [board for shown in shown_steps(printed) for board in shown.figure.boards]
    answer = boards[-1]
    assert {style_of(printed, answer, sq) for sq in answer.blocked} == {"red"}
    assert {style_of(printed, answer, sq) for sq in answer.free} == {"green"}
    assert style_of(printed, answer, 27) == "bold"
    product = next(board for board in boards if board.into_index)
    assert {style_of(printed, product, sq) for sq in product.into_index} == {"bold blue", "blue"}
    assert {style_of(printed, product, sq) for sq in product.free & ~product.into_index} == {"dim"}


def test_every_round_of_a_loop() -> None:
    some, every = (run("explain", "rays", "a1", "--occupied", "h8", more).stdout for more in ("--calls", "--all"))
    assert "more steps of this loop (--all shows them)" in some
    assert "more steps" not in every
    assert len(every) > len(some)


def test_pictures_and_pages_are_written(tmp_path: Path) -> None:
    run("explain", "kindergarten", "e5", "--svg", str(tmp_path / "a.svg"), "--html", str(tmp_path / "a.html"))
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.findtext(f"{SVG}title") == "kindergarten: a rook on e5"
    assert "<title>kindergarten: a rook on e5</title>" in (tmp_path / "a.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("magic-fanci", "d4"), "did you mean 'magic-fancy'"),
        (("rays", "d9"), "square: 'd9'"),
        (("rays", "d4", "--piece", "knight"), "piece: 'knight': expected one of rook"),
        (("rays", "d4", "--occupied", "d4,z9"), "--occupied: 'd4,z9': expected names of squares"),
        (("rays", "d4", "--occupied", "-1"), "--occupied: '-1'"),
        (("rays", "d4", "--occupied", "1" * 999), "(999 characters)"),
        (("rays", "d4", "--fen", "<script>/x"), "FEN field 1"),
        (("rays", "d4", "--fen", "8/8/8/8/8/8/8/8", "--occupied", "0"), "--fen and --occupied"),
        (("rays", "d4", "--mapping", "sideways"), "Invalid value"),
        (("rays", "--occupied", "d4"), "SQUARE: missing"),
        (("rays", "--fen", "8/8/8/8/8/8/8/8"), "SQUARE: missing, and the position has no rook or bishop or queen"),
        (("rays", "--piece", "knight"), "piece: 'knight': expected one of rook"),
        (("rays", "d4", "--svg", "/nowhere/a.svg"), "there is no folder"),
    ],
)
def test_errors(arguments: tuple[str, ...], message: str) -> None:
    assert message in " ".join(run("explain", *arguments, status=2).stderr.split())


def test_nothing_is_compiled(tmp_path: Path) -> None:
    program = (
        "import sys; from rookery.cli import main; "
        "main(['explain', 'magic-fancy', 'd4', '--svg', 'a.svg', '--html', 'a.html'], standalone_mode=False); "
        "main(['explain', 'rotated-heinz', 'd4'], standalone_mode=False); "
        "sys.exit('numba' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)


def test_attacks_as_a_picture(tmp_path: Path) -> None:
    run("attacks", "kiwipete", "d4", "--piece", "rook", "--svg", str(tmp_path / "a.svg"))
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.findtext(f"{SVG}title") == "What a rook on d4 attacks"
    assert "attacked: d2, d3, b4, c4, e4, d5" in (root.findtext(f"{SVG}desc") or "")
    pieces = [e for e in root.iter() if (e.get("class") or "").startswith("piece")]
    assert len(pieces) == 33
