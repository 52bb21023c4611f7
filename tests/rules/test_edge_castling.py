"""Castling, classical and in Chess960. See `edge_cases`."""

from typing import Final

import pytest

from edge_cases import Case, try_case

CASTLING: Final = [
    Case(
        "both sides",
        """
        r . . . k . . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P P P P P P
        R . . . K . . R
        """,
        "KQkq -",
        "e1",
        "e1d1 e1f1 e1g1 e1c1",
    ),
    Case(
        "not out of check",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P P . P P P
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1f1",
    ),
    Case(
        "not through an attacked square",
        """
        . k . r . r . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P . . .
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "",
    ),
    Case(
        "not into an attacked square",
        """
        . k r . . . r .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . P P P . .
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1f1",
    ),
    Case(
        "with attacked rooks, and b1 attacked",
        """
        r r . k . . . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1d2 e1e2 e1f2 e1f1 e1g1 e1c1",
    ),
    Case(
        "not over b1 when something stands there",
        """
        . . . . . . k .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . P P P . .
        R n . . K . N R
        """,
        "KQ -",
        "e1",
        "e1d1 e1f1",
    ),
    Case(
        "a pawn beside the way attacks it",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . p . . . . . p
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1d2 e1e2 e1f2 e1f1",
    ),
    Case(
        "the other king stands near",
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . k . . . . . .
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1d2 e1e2 e1f2 e1f1 e1g1",
    ),
]

CHESS960: Final = [
    Case(
        "the rook shields its king from the corner",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . P P P . . . .
        q R K . . . . .
        """,
        "B -",
        "c1",
        "c1d1",
        True,
    ),
    Case(
        "not out of check, in Chess960",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P P P P
        . q . . . K R .
        """,
        "G -",
        "f1",
        "",
        True,
    ),
    Case(
        "the rook stands between the king and where it goes",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P . . . . .
        . K . . R . . .
        """,
        "E -",
        "b1",
        "b1a1 b1c1 b1e1",
        True,
    ),
    Case(
        "king and rook swap",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P P P P
        . . . . . K R .
        """,
        "G -",
        "f1",
        "f1e1 f1g1",
        True,
    ),
    Case(
        "king and rook swap on the other side",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . P P P . . .
        . . R K . . . .
        """,
        "C -",
        "d1",
        "d1e1 d1c1",
        True,
    ),
    Case(
        "the king does not move",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . P P P
        . . . . . . K R
        """,
        "H -",
        "g1",
        "g1f1 g1h1",
        True,
    ),
    Case(
        "the rook does not move",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . P P P . .
        . . . R K R . .
        """,
        "DF -",
        "e1",
        "e1d1 e1f1",
        True,
    ),
    Case(
        "another piece stands on the king's way",
        """
        . . . . . . k .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P . . . . .
        . K . . N . . R
        """,
        "H -",
        "b1",
        "b1a1 b1c1",
        True,
    ),
    Case(
        "another piece stands on the rook's way only",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . P P P . . .
        R N . K . . . .
        """,
        "A -",
        "d1",
        "d1c1 d1e1",
        True,
    ),
    Case(
        "another piece stands where the rook goes",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . P P P . . . .
        R . K N . . . .
        """,
        "A -",
        "c1",
        "c1b1",
        True,
    ),
    Case(
        "an attack far on the king's way",
        """
        . . . . . r k .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P . . . . .
        . K . . . . . R
        """,
        "H -",
        "b1",
        "b1a1 b1c1",
        True,
    ),
    Case(
        "an inner rook castles while an outer one stands by",
        """
        k . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P P P .
        . . . . . K R R
        """,
        "G -",
        "f1",
        "f1e1 f1g1",
        True,
    ),
    Case(
        "the king steps to where it would castle, and castles",
        """
        k . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P P P .
        . . . . . K . R
        """,
        "H -",
        "f1",
        "f1e1 f1g1 f1h1",
        True,
    ),
]


@pytest.mark.parametrize("mirrored", [False, True], ids=["white", "black"])
@pytest.mark.parametrize("case", CASTLING + CHESS960, ids=lambda case: case.name)
def test_moves(case: Case, mirrored: bool) -> None:
    try_case(case, mirrored)
