"""Thirty questions that people ask about collections of games: those of the gallery in the documentation."""

from typing import Final, NamedTuple


class GalleryQuestion(NamedTuple):
    """A question and the query that answers it."""

    name: str
    sentence: str
    query: str


TOPICS: Final = {
    "Positions and material": (
        GalleryQuestion(
            "A position, whatever the order of moves",
            "Which games reach the Four Knights, by any order of moves?",
            'pattern("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R")',
        ),
        GalleryQuestion(
            "Part of a position",
            "Where does a knight on f5, or Black's on f4, face the unmoved pawns of a castled king?",
            'pattern("?????rk?/?????ppp/*/?????N??/*/*/*/*", "colors")',
        ),
        GalleryQuestion(
            "Similar positions",
            "When do at least four of the five pawns of a Stonewall first stand in their places?",
            'first(like("*/*/*/???p????/???P?P??/??P?P???/*/*") >= 0.8)',
        ),
        GalleryQuestion(
            "Two bishops against two knights",
            "Which games have two bishops against two knights, and no other minor pieces, at move 30?",
            "count(us.bishops) == count(them.knights) == 2 and count(bishops | knights) == 4 and move_number == 30",
        ),
        GalleryQuestion(
            "Rook endings",
            "Which games come to an ending of rook and pawns against rook and pawns?",
            "first(count(white.rooks) == 1 and count(black.rooks) == 1 and phase == 4)",
        ),
        GalleryQuestion(
            "Bishops of opposite colours",
            "Which games come to an ending with nothing but pawns and bishops of opposite colours?",
            "first(opposite_coloured_bishops and phase == 2)",
        ),
        GalleryQuestion(
            "Many queens",
            "Where are three or more queens on the board?",
            "count(queens) >= 3",
        ),
    ),
    "Tactics": (
        GalleryQuestion(
            "Royal forks",
            "Where does a knight attack the king and a queen at once?",
            "them.knights & knight_attacks(us.king) & knight_attacks(us.queens)",
        ),
        GalleryQuestion(
            "Pins along a long diagonal",
            "Which pieces are pinned to their king along the diagonal a1-h8 or a8-h1?",
            '(pinned(us, "diagonal") | pinned(us, "antidiagonal")) & long_diagonals and us.king in long_diagonals',
        ),
        GalleryQuestion(
            "Skewers",
            "Where is a queen or a king attacked, in front of a piece that falls when it moves away?",
            "skewered(us) & (us.king | us.queens)",
        ),
        GalleryQuestion(
            "Double checks",
            "Where do two pieces give check at once?",
            "count(checkers) == 2",
        ),
        GalleryQuestion(
            "Uncovered attacks",
            "Which knight moves give check and uncover the attack of another piece?",
            'move.piece == "N" and move.is_check and move.from_square in discovered_attack(us)',
        ),
        GalleryQuestion(
            "The Greek gift",
            "Where is a bishop sacrificed on h7 with check, with a knight and the queen ready to follow?",
            'move.from_square in greek_gift(us) and move.captured == "P" and move.is_check',
        ),
        GalleryQuestion(
            "Overlooked queens",
            "Where does a player who is not in check leave the queen to be taken, without taking anything?",
            'hanging(us) & us.queens and not is_check and not move.captures and move.piece != "Q" '
            'and next(move.captured == "Q")',
        ),
    ),
    "Mates": (
        GalleryQuestion(
            "Smothered mates",
            "Where do players with a rating below 1500 mate with a knight a king that its own pieces shut in?",
            "is_mate and checkers in them.knights and king_attacks(us.king) in us and elo(them) < 1500",
        ),
        GalleryQuestion(
            "Back-rank mates",
            "Where does a rook or queen mate a king on its first rank, along that rank?",
            "is_mate and us.king in our_rank(1) and checkers in our_rank(1) & (rooks | queens)",
        ),
        GalleryQuestion(
            "Missed mates",
            "Where was there a mate in one, and another move was played?",
            "possible(move.is_mate) and move.exists and not move.is_mate",
        ),
        GalleryQuestion(
            "Queen sacrifices",
            "Where is a queen taken, and then the side mated, far ahead in material, within six half-moves?",
            'within(6, move.captured == "Q", is_mate and imbalance >= 5)',
        ),
    ),
    "Moves": (
        GalleryQuestion(
            "Underpromotions",
            "Where does a pawn promote to a piece other than a queen?",
            'move.promotes and move.promotion != "Q"',
        ),
        GalleryQuestion(
            "En passant with check",
            "Which captures en passant give check?",
            "move.is_en_passant and move.is_check",
        ),
        GalleryQuestion(
            "Castling with check",
            "Where does castling give check?",
            "move.castles and move.is_check",
        ),
        GalleryQuestion(
            "Forced moves",
            "Where is there only one legal move, although the king is not in check?",
            "legal_moves == 1 and not is_check",
        ),
    ),
    "Pawns and rooks": (
        GalleryQuestion(
            "Isolated queen's pawns",
            "Which games get a pawn on the d-file that is isolated, with most of the pieces still on the board?",
            "first(isolated_queen_pawn(us) and phase >= 16)",
        ),
        GalleryQuestion(
            "Connected passed pawns",
            "Where do two connected passed pawns stand on the sixth or seventh rank?",
            "count(connected_passed(us) & (our_rank(6) | our_rank(7))) >= 2",
        ),
        GalleryQuestion(
            "Tripled pawns",
            "Which games get three pawns of one side on a file?",
            "first(tripled(white) | tripled(black))",
        ),
        GalleryQuestion(
            "Rooks on the seventh rank",
            "Where do two rooks of the side to move stand on the seventh rank?",
            "count(us.rooks & our_rank(7)) == 2",
        ),
    ),
    "Games": (
        GalleryQuestion(
            "A king on the march",
            "When does the white king first go beyond the middle of the board while both sides have a queen?",
            "first(white.king & (rank(5) | rank(6) | rank(7) | rank(8)) and white.queens and black.queens)",
        ),
        GalleryQuestion(
            "The path of a piece",
            "Where has the queen just gone from d1 by way of h5 to f7?",
            'first(path(piece(d1), "d1-h5-f7"))',
        ),
        GalleryQuestion(
            "Threefold repetition",
            "Where does a position occur for the third time?",
            "repetitions == 3",
        ),
        GalleryQuestion(
            "Time trouble",
            "Which queens were taken by a player with less than ten seconds on the clock?",
            'clock < 10 and move.captured == "Q"',
        ),
    ),
}

QUESTIONS: Final = tuple(question for questions in TOPICS.values() for question in questions)
