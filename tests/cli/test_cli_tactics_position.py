"""``rookery tactics`` with a position."""

from command_line import KIWIPETE, document, run
from rookery import Positions
from rookery.bitboards.bitboard import Bitboard
from rookery.cli.positions.tactics import _DRAWN
from rookery.positions.motifs import MOTIF_BY_NAME, names_of


def test_json_has_the_motifs_of_both_sides() -> None:
    printed = document("tactics", KIWIPETE)
    positions = Positions.from_fens([KIWIPETE])
    assert printed["fen"] == KIWIPETE
    for side in ("white", "black"):
        assert [row["motif"] for row in printed[side]] == names_of(positions.tags(side)[0])
        for row in printed[side]:
            squares = positions.motif(row["motif"], side)[0]
            assert row["squares"] == Bitboard(squares).names()
            assert row["summary"] == MOTIF_BY_NAME[row["motif"]].summary


def test_text_lists_motifs_and_draws_those_of_tactics() -> None:
    printed = run("tactics", "kiwipete").stdout
    assert "\n  bishop_pair               d2 e2\n" in printed
    assert "      The bishops of a side that has them on squares of both colours.\n" in printed
    assert "3 . . N*. . Q . p" in printed
    assert printed.index("White: ") < printed.index("Black: ")


def test_drawn_motifs_exist() -> None:
    assert not _DRAWN - MOTIF_BY_NAME.keys()


def test_a_bad_position() -> None:
    assert "FEN" in run("tactics", "8/8/8/8/8/8/8/9 w - - 0 1", status=2).stderr
    assert "no such file" in run("tactics", "nonsense", status=2).stderr


def test_a_mate_has_a_name() -> None:
    smothered = "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1"
    assert document("tactics", smothered)["mates"] == ["smothered_mate"]
    assert "Checkmate\n  smothered_mate\n" in run("tactics", smothered).stdout
    assert document("tactics", KIWIPETE)["mates"] == []
