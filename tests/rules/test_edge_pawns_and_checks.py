"""En passant, double check, promotion. See `edge_cases`."""

from typing import Final

import pytest

from edge_cases import Case, try_case

EN_PASSANT: Final = [
    Case(
        "both pawns leave the king's rank",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        K . p P . . . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- c6",
        "d5",
        "d5d6",
    ),
    Case(
        "a second pawn beside still shields the rank",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        K . P p P . . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "c5 e5",
        "c5c6 c5d6 e5e6 e5d6",
    ),
    Case(
        "a third piece between still shields the rank",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        K . p P . n . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- c6",
        "d5",
        "d5d6 d5c6",
    ),
    Case(
        "the captured pawn opens the king's diagonal",
        """
        . . . . . . . k
        . . . . . b . .
        . . . . . . . .
        . . . p P . . .
        . . . . . . . .
        . K . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "e5e6",
    ),
    Case(
        "the capturing pawn is pinned on a diagonal across its way",
        """
        . . . . . . . k
        . . . . . . b .
        . . . . . . . .
        . . . p P . . .
        . . . K . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "",
    ),
    Case(
        "the capturing pawn is pinned on the diagonal of its way",
        """
        . . . . . . . k
        . . b . . . . .
        . . . . . . . .
        . . . p P . . .
        . . . . . . . .
        . . . . . . K .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "e5d6",
    ),
    Case(
        "the capturing pawn is pinned on its file",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . . . . . . . .
        . . . . . . . .
        . . . . K . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "e5e6",
    ),
    Case(
        "the jumping pawn gives check, and may be taken",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . . K . . . . .
        . . . . . . . .
        P . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "a2 e5",
        "e5d6",
    ),
    Case(
        "the jumping pawn gives check, but the one that could take it is pinned",
        """
        . . . . . . . k
        . . . . . . b .
        . . . . . . . .
        . . . p P . . .
        . . . K . . . .
        . . . . . . . .
        P . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "a2 e5",
        "a2a3 a2a4",
    ),
    Case(
        "the jump opened a check, which the capture does not meet",
        """
        . . . . b . . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        K . . . . . . .
        . . . . . . . .
        . P . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "b2 e5",
        "",
    ),
    Case(
        "the capturing pawn blocks a check where the other passed (no game comes here: a pawn cannot have opened it)",
        """
        . . . . . b . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . K . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "e5d6",
    ),
    Case(
        "a knight's check is not met by taking a pawn that does not check",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . . . . . n . .
        . . . . . . . .
        . . . . . . K .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "",
    ),
    Case(
        "the captured pawn is pinned to its own king, which changes nothing",
        """
        . . . k . . . .
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . . . . . . . .
        . . . . . . . .
        . . . R . . . .
        . . . K . . . .
        """,
        "- d6",
        "e5",
        "e5e6 e5d6",
    ),
    Case(
        "two pawns may take one",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . P p P . . .
        . K . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "c5 e5",
        "c5c6 c5d6 e5e6 e5d6",
    ),
    Case(
        "a pawn on the other edge of the board is no neighbour",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        p . . . . . . P
        . . . . . . . P
        . . . . . . . .
        . . . . . . . .
        . . K . . . . .
        """,
        "- a6",
        "h4 h5",
        "h5h6",
    ),
]

CHECKS: Final = [
    Case(
        "double check: only the king moves, and may take",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . Q . . . . .
        . . . n . . . B
        . . P . . . . .
        . . . . K . . R
        """,
        "- -",
        "a1 c2 c4 e1 h1 h3",
        "e1d1 e1d2 e1f1",
    ),
    Case(
        "the king does not step back along the ray",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . . K . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- -",
        "e5",
        "e5d4 e5d5 e5d6 e5f4 e5f5 e5f6",
    ),
    Case(
        "a guarded checker may not be taken by the king",
        """
        . . . . . . . k
        . . . . . . b .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . q . . . . . .
        K . . . . . . .
        """,
        "- -",
        "a1",
        "",
    ),
    Case(
        "a pinned piece does not meet another check",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        b . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . R . . .
        . . . . K . . .
        """,
        "- -",
        "e2",
        "",
    ),
    Case(
        "pinned sliders keep to their ray, as far as the pinner",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . b
        . . . . R . . .
        . . . . . . . .
        . . . . Q . . .
        . . . B . . . .
        . . K . . . . .
        """,
        "- -",
        "d2 e3",
        "d2e1 d2c3 d2b4 d2a5 e3d3 e3c3 e3b3 e3a3 e3f3 e3g3 e3h3 e3e4 e3e2 e3e1 e3d4 e3c5 e3b6 e3a7 e3f2 e3g1 "
        "e3f4 e3g5 e3h6",
    ),
    Case(
        "promotion by block and by capture meets a check, nothing else",
        """
        . . r . . . . K
        . P . . . . P .
        k . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- -",
        "b7 g7",
        "b7c8q b7c8r b7c8b b7c8n g7g8q g7g8r g7g8b g7g8n",
    ),
]


@pytest.mark.parametrize("mirrored", [False, True], ids=["white", "black"])
@pytest.mark.parametrize("case", EN_PASSANT + CHECKS, ids=lambda case: case.name)
def test_moves(case: Case, mirrored: bool) -> None:
    try_case(case, mirrored)
