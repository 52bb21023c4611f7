"""The records of the motifs of tactics."""

from collections.abc import Callable
from typing import Any, Final

from rookery.positions.layout import Columns, empty_rows
from rookery.positions.motifs.attacks import Attacked, TacticBoards, attacks
from rookery.positions.motifs.hanging import add_hanging
from rookery.positions.motifs.motif import Example, Family, Motif
from rookery.positions.motifs.tactics import tactics
from rookery.positions.queries.attacks import Side
from rookery.rules.compiled import default_technique


def _resolve(columns: Columns, side: Side, boards: TacticBoards) -> Callable[[Columns, Side, Any], None]:
    tables, n = default_technique().tables(), len(boards.hanging)
    space = empty_rows(len(Attacked._fields) + 1, n)
    shared, doubtful = Attacked(*space[1:, :n]), space[0, :n]
    first = attacks.resolve(columns, side, boards, shared)
    second = tactics.resolve(columns, side, shared, boards, doubtful)
    third = add_hanging.resolve(columns, doubtful, boards.hanging, tables)

    def write(columns: Columns, side: Side, boards: TacticBoards) -> None:
        first(columns, side, boards, shared)
        second(columns, side, shared, boards, doubtful)
        third(columns, doubtful, boards.hanging, tables)

    return write


TACTICS: Final = Family(TacticBoards, _resolve)

TACTIC_MOTIFS: Final = (
    Motif(
        "attacked_twice",
        "The squares that at least two pieces of the side attack or defend.",
        "attacked_twice(us)",
        "Pieces behind other pieces.",
        Example("4k3/8/8/8/8/8/3P1P2/4K3 w - - 0 1", "e3"),
        TACTICS,
        "Attack and Defend Maps",
    ),
    Motif(
        "center_control",
        "The squares d4, e4, d5 and e5 that the side attacks more often than the opponent.",
        "center, where count(attackers(square, by=us)) > count(attackers(square, by=them))",
        "The values of the attackers, pins, and pieces behind other pieces.",
        Example("4k3/2p5/8/8/8/2P5/8/4KB2 w - - 0 1", "d4"),
        TACTICS,
        "Center Control",
    ),
    Motif(
        "king_attack",
        "The squares of the opponent's king zone that the side attacks.",
        "king_zone(them) & attacks(us)",
        "How many pieces attack each square, and its defenders.",
        Example("6k1/8/8/8/8/8/8/K4R2 w - - 0 1", "f6 f7 f8"),
        TACTICS,
        "King Safety",
    ),
    Motif(
        "back_rank_weakness",
        "A king on its first rank that cannot step forward, without a rook or queen of its side on that rank.",
        "us.king & our_rank(1) if each square in front of it is in us.pieces | attacks(them), "
        "count((us.rooks | us.queens) & our_rank(1)) == 0 and count(them.rooks | them.queens) >= 1",
        "Whether the opponent can reach the rank, other defenders, and escapes along the rank.",
        Example("3r2k1/8/8/8/8/8/5PPP/6K1 w - - 0 1", "g1"),
        TACTICS,
        "Back Rank Mate",
    ),
    Motif(
        "greek_gift",
        "Bishops that can be sacrificed on h7 against a king on g8, with a knight for g5 and a queen for h5.",
        "us.bishops & bishop_attacks(h7) if them.king == g8, h7 in them.pawns, only the king of them attacks h7, "
        "g5 in knight_attacks(us.knights) - us.pieces and "
        "h5 in queen_attacks(us.queens, occupancy=occupied - us.knights); h2, g1, g4 and h4 for black",
        "Whether the sacrifice wins, pieces that guard g5 or h5, and kings on the queen's side.",
        Example("rnbq1rk1/pppnbppp/4p3/3pP3/3P4/2NB1N2/PPP2PPP/R1BQK2R w KQ - 0 1", "d3"),
        TACTICS,
    ),
    Motif(
        "undefended",
        "Loose pieces: knights, bishops, rooks and queens that no piece of their side defends.",
        "us.pieces - us.pawns - us.king - attacks(us)",
        "Whether they are attacked; a pinned defender counts.",
        Example("4k3/8/8/8/8/3N4/4P3/B3K3 w - - 0 1", "a1"),
        TACTICS,
        "Loose Pieces",
    ),
    Motif(
        "threatened",
        "Pieces that a less valuable piece of the opponent attacks.",
        '(us.knights | us.bishops) & attacks(them, "pawn") | us.rooks & (attacks of pawns, knights and bishops) | '
        "us.queens & (attacks of pawns, knights, bishops and rooks)",
        "Whether the attacker is pinned.",
        Example("4k3/8/2b2p2/4N3/8/8/4R3/4K3 w - - 0 1", "e5"),
        TACTICS,
        "En prise",
    ),
    Motif(
        "hanging",
        "Pieces and pawns that lose at least a pawn's worth in a static exchange, if the opponent moves first.",
        "each s in us.pieces - us.king where the swap algorithm on s wins at least 100 centipawns for the opponent",
        "Pins, checks and the rest of the board, as in every static exchange.",
        Example("4k3/8/2n5/8/3N4/8/5R2/4K3 w - - 0 1", "d4"),
        TACTICS,
        "SEE - The Swap Algorithm",
    ),
    Motif(
        "trapped",
        "Attacked knights, bishops, rooks and queens that cannot go to a safe square or capture a piece worth as much.",
        "each s in threatened(us) | attacks(them) & undefended(us) where no square that s attacks is empty or "
        "holds a less valuable piece and is outside attacks(them), and none holds a piece worth as much as s",
        "Escapes along the attacker's line that stay attacked, pinned pieces, and relief by other pieces.",
        Example("8/Bkp5/1p6/8/8/8/8/4K3 w - - 0 1", "a7"),
        TACTICS,
        "Trapped Pieces",
    ),
    Motif(
        "overloaded",
        "Pieces that are the only defender of two or more attacked pieces.",
        "each s in us.pieces where count(attacks of s & {t in us.pieces - us.king: t in attacks(them) and "
        "count(attackers(t, by=us)) == 1}) >= 2",
        "Whether the defended pieces hang without the defender.",
        Example("1r3rk1/8/8/1N3N2/8/3B4/8/6K1 w - - 0 1", "d3"),
        TACTICS,
        "Overloading",
    ),
    Motif(
        "absolute_pin",
        "Pieces pinned to their king.",
        "pinned(us)",
        "With several kings, pins to others than the king on the lowest square.",
        Example("4r1k1/8/8/8/4N3/8/8/4K3 w - - 0 1", "e4"),
        TACTICS,
        "Pin",
    ),
    Motif(
        "relative_pin",
        "Pieces that shield a rook or queen behind them from a slider, to which it would fall.",
        "each s in us.pawns | us.knights | us.bishops | us.rooks alone between a slider of them and a more valuable "
        "rook or queen of us, which is worth more than the slider or, behind a pawn or minor piece, undefended",
        "Less valuable pieces behind; pinned pieces that can capture the slider or move along the line.",
        Example("3q2k1/8/8/6b1/8/4N3/3Q4/6K1 b - - 0 1", "e3"),
        TACTICS,
        "Pin",
    ),
    Motif(
        "skewered",
        "Kings, queens and rooks that a less valuable slider attacks, in front of a piece that falls when they move.",
        "each s in us.king | us.queens | us.rooks worth more than a slider of them that attacks it, alone between the "
        "slider and a piece of us that is worth at most as much and is undefended or worth more than the slider",
        "Pawns behind; whether the attacker is safe.",
        Example("6k1/8/5b2/4R3/8/8/1R6/4K3 w - - 0 1", "e5"),
        TACTICS,
        "Skewer",
    ),
    Motif(
        "battery",
        "Bishops, rooks and queens that see another of their side along a file or diagonal on which both move.",
        "sliders of us on a file or diagonal that attack each other along it",
        "Ranks (see connected_rooks); what the battery aims at.",
        Example("4k3/8/8/8/8/3Q4/2B5/4K3 w - - 0 1", "c2 d3"),
        TACTICS,
        "Battery",
    ),
    Motif(
        "x_rays",
        "Pieces of the opponent, except pawns, that a slider attacks through exactly one piece of either side.",
        "them.pieces - them.pawns & the second piece on a line from a slider of us",
        "Whether the piece in between can move.",
        Example("3qk3/8/8/8/3p4/8/8/3RK3 w - - 0 1", "d8"),
        TACTICS,
        "X-ray Attacks (Bitboards)",
    ),
    Motif(
        "discovered_attack",
        "Pieces whose move uncovers an attack by a slider on a king, a more valuable piece or an undefended piece.",
        "each s in us.pieces alone between a slider of us and a target of it, where s does not move along the line",
        "Whether s can move, pins of s, and en passant; pawns are left out on files.",
        Example("3qk3/8/8/8/8/3N4/8/3RK3 w - - 0 1", "d3"),
        TACTICS,
        "Discovered Attack",
    ),
    Motif(
        "discovered_check",
        "Pieces that give a discovered check by leaving their line.",
        "pieces of us alone between a slider of us and them.king",
        "Whether the piece can leave the line.",
        Example("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "e4"),
        TACTICS,
        "Discovered Check",
    ),
    Motif(
        "fork",
        "Pieces that attack at least two of: the opponent's king, more valuable pieces, undefended pieces and pawns.",
        "each s in us.pieces where count(attacks of s & (them.king | pieces of them worth more than s | "
        "them.pieces - attacks(them))) >= 2",
        "Whether the forking piece is safe or pinned; pieces it attacks through others.",
        Example("4k2r/8/5N2/3r4/8/8/8/4K3 b - - 0 1", "f6"),
        TACTICS,
        "Double Attack",
    ),
)
