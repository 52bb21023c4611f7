"""The records of the motifs of tactics."""

from collections.abc import Callable
from typing import Any, Final

from rookery.positions.layout import Columns, Side, empty_rows
from rookery.positions.motifs.boards import Attacked, TacticBoards, add_hanging, attacks, tactics
from rookery.positions.motifs.motif import Example, Family, Motif
from rookery.rules.constants import default_tables
from rookery.rules.exchange_search import new_space


def _resolve(columns: Columns, side: Side, boards: TacticBoards) -> Callable[[Columns, Side, Any], None]:
    tables, captures, n = default_tables(), new_space(), len(boards.hanging)
    shared = Attacked(*empty_rows(len(Attacked._fields), n)[:, :n])
    first = attacks.resolve(columns, side, boards, shared)
    second = tactics.resolve(columns, side, shared, boards)
    third = add_hanging.resolve(columns, shared.doubtful, shared.even, boards.hanging, captures, tables)

    def write(columns: Columns, side: Side, boards: TacticBoards) -> None:
        first(columns, side, boards, shared)
        second(columns, side, shared, boards)
        third(columns, shared.doubtful, shared.even, boards.hanging, captures, tables)

    return write


TACTICS: Final = Family(TacticBoards, _resolve)

TACTIC_MOTIFS: Final = (
    Motif(
        "attacked_twice",
        "The squares that at least two pieces of the side attack or defend.",
        "each square that at least two pieces of us attack",
        "Pieces behind other pieces.",
        Example("4k3/8/8/8/8/8/3P1P2/4K3 w - - 0 1", "e3"),
        TACTICS,
        "Attack and Defend Maps",
        in_words=True,
    ),
    Motif(
        "center_control",
        "The squares d4, e4, d5 and e5 that the side attacks more often than the opponent.",
        "each square of center that more pieces of us attack than pieces of them",
        "The values of the attackers, pins, and pieces behind other pieces.",
        Example("4k3/2p5/8/8/8/2P5/8/4KB2 w - - 0 1", "d4"),
        TACTICS,
        "Center Control",
        in_words=True,
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
        "us.king & our_rank(1), if the two or three squares diagonally and straight in front of it are all in "
        "us.pieces | attacks(them), (us.rooks | us.queens) & our_rank(1) is empty, and them.rooks | them.queens is "
        "not",
        "Whether the opponent can reach the rank, other defenders, and escapes along the rank.",
        Example("3r2k1/8/8/8/8/8/5PPP/6K1 w - - 0 1", "g1"),
        TACTICS,
        in_words=True,
    ),
    Motif(
        "greek_gift",
        "Bishops that can be sacrificed on h7 against a king on g8, with a knight for g5 and a queen for h5.",
        "us.bishops & bishop_attacks(h7), if them.king is on g8 and alone attacks h7, h7 is in them.pawns, g5 is "
        "in knight_attacks(us.knights) - us.pieces and h5 in queen_attacks(us.queens, occupied - us.knights); for "
        "black the squares are h2, g1, g4 and h4",
        "Whether the sacrifice wins, pieces that guard g5 or h5, and kings on the queen's side.",
        Example("rnbq1rk1/pppnbppp/4p3/3pP3/3P4/2NB1N2/PPP2PPP/R1BQK2R w KQ - 0 1", "d3"),
        TACTICS,
        in_words=True,
    ),
    Motif(
        "undefended",
        "Loose pieces: knights, bishops, rooks and queens that no piece of their side defends.",
        "us.pieces - us.pawns - us.king - attacks(us)",
        "Whether they are attacked; a pinned defender counts.",
        Example("4k3/8/8/8/8/3N4/4P3/B3K3 w - - 0 1", "a1"),
        TACTICS,
    ),
    Motif(
        "threatened",
        "Pieces that a less valuable piece of the opponent attacks.",
        '(us.knights | us.bishops) & attacks(them, "pawn") | us.rooks & (attacks(them, "pawn") | attacks(them, '
        '"knight") | attacks(them, "bishop")) | us.queens & (attacks(them, "pawn") | attacks(them, "knight") | '
        'attacks(them, "bishop") | attacks(them, "rook"))',
        "Whether the attacker is pinned.",
        Example("4k3/8/2b2p2/4N3/8/8/4R3/4K3 w - - 0 1", "e5"),
        TACTICS,
        "En prise",
    ),
    Motif(
        "hanging",
        "Pieces and pawns that lose at least a pawn's worth to legal captures, if the opponent moves first.",
        "each piece of us.pieces - us.king on whose square the opponent wins at least 100 centipawns, if the sides "
        "take turns to make any legal capture on it, or stop; a capture is legal if it leaves its own king unattacked",
        "Captures en passant, and the rest of the board, as in every static exchange.",
        Example("4k3/8/2n5/8/3N4/8/5R2/4K3 w - - 0 1", "d4"),
        TACTICS,
        "SEE - The Swap Algorithm",
        in_words=True,
    ),
    Motif(
        "trapped",
        "Attacked knights, bishops, rooks and queens that cannot go to a safe square or capture a piece worth as much.",
        "each knight, bishop, rook or queen in threatened(us), or in undefended(us) & attacks(them), if none of "
        "its moves goes outside attacks(them) or captures a piece of them that is worth as much as it, kings "
        "excepted",
        "Escapes along the attacker's line that stay attacked, pinned pieces, and relief by other pieces.",
        Example("8/Bkp5/1p6/8/8/8/8/4K3 w - - 0 1", "a7"),
        TACTICS,
        "Trapped Pieces",
        in_words=True,
    ),
    Motif(
        "overloaded",
        "Pieces that are the only defender of two or more attacked pieces.",
        "each piece of us that is the only one to defend at least two squares of (us.pieces - us.king) & attacks(them)",
        "Whether the defended pieces hang without the defender.",
        Example("1r3rk1/8/8/1N3N2/8/3B4/8/6K1 w - - 0 1", "d3"),
        TACTICS,
        "Overloading",
        in_words=True,
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
        "each pawn, knight, bishop or rook of us that stands alone between a slider of them and a rook or queen of "
        "us that is worth more than it, if the latter is worth more than the slider, too, or is undefended and not "
        "behind a rook",
        "Less valuable pieces behind; pinned pieces that can capture the slider or move along the line.",
        Example("3q2k1/8/8/6b1/8/4N3/3Q4/6K1 b - - 0 1", "e3"),
        TACTICS,
        "Pin",
        in_words=True,
    ),
    Motif(
        "skewered",
        "Kings, queens and rooks that a less valuable slider attacks, in front of a piece that falls when they move.",
        "each king, queen or rook of us that a less valuable slider of them attacks, if the next piece behind it "
        "is a knight, bishop, rook or queen of us that is worth at most as much as it, and is undefended or worth "
        "more than the slider",
        "Pawns behind; whether the attacker is safe.",
        Example("6k1/8/5b2/4R3/8/8/1R6/4K3 w - - 0 1", "e5"),
        TACTICS,
        "Skewer",
        in_words=True,
    ),
    Motif(
        "battery",
        "Bishops, rooks and queens that see another of their side along a file or diagonal on which both move.",
        '(us.rooks | us.queens) & (shift(fill(us.rooks | us.queens, "north"), "north") | shift(fill(us.rooks | '
        'us.queens, "south"), "south")) | (us.bishops | us.queens) & bishop_attacks(us.bishops | us.queens)',
        "Ranks (see connected_rooks); what the battery aims at.",
        Example("4k3/8/8/8/8/3Q4/2B5/4K3 w - - 0 1", "c2 d3"),
        TACTICS,
        "Battery",
    ),
    Motif(
        "x_rays",
        "Pieces of the opponent, except pawns, that a slider attacks through exactly one piece of either side.",
        "the second piece on each line from a slider of us, if it is in them.pieces - them.pawns",
        "Whether the piece in between can move.",
        Example("3qk3/8/8/8/3p4/8/8/3RK3 w - - 0 1", "d8"),
        TACTICS,
        "X-ray Attacks (Bitboards)",
        in_words=True,
    ),
    Motif(
        "discovered_attack",
        "Pieces whose move uncovers an attack by a slider on a king, a more valuable piece or an undefended piece.",
        "each piece of us that stands alone between a slider of us and a piece of them that is a king, worth more "
        "than the slider or undefended, if it does not move along the line itself and is not a pawn on a file",
        "Whether the piece can move, and en passant; pawns on files are not counted.",
        Example("3qk3/8/8/8/8/3N4/8/3RK3 w - - 0 1", "d3"),
        TACTICS,
        "Discovered Attack",
        in_words=True,
    ),
    Motif(
        "discovered_check",
        "Pieces that give a discovered check by leaving their line.",
        "discoverers(us)",
        "Whether the piece can leave the line.",
        Example("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "e4"),
        TACTICS,
        "Discovered Check",
    ),
    Motif(
        "fork",
        "Pieces that attack at least two of: the opponent's king, more valuable pieces, undefended pieces and pawns.",
        "each piece of us that attacks at least two pieces of them that are kings, worth more than it, or undefended",
        "Whether the forking piece is safe or pinned; pieces it attacks through others.",
        Example("4k2r/8/5N2/3r4/8/8/8/4K3 b - - 0 1", "f6"),
        TACTICS,
        "Double Attack",
        in_words=True,
    ),
)
