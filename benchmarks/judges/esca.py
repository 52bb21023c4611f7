"""esca 0.4 (MIT): those of its facts of a position that a query can say, on thousands of positions.

esca needs Python 3.13; a path names the Python of an environment that has it. Each fact is asked for both sides, if
it has sides: `us` and `them` change places for the side that is not to move.
"""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from judges.questions import Question
from rookery import Positions, Query
from rookery.bitboards.squares import SQUARE_NAMES

_KINDS: Final = {"pawns": "P", "knights": "N", "bishops": "B", "rooks": "R", "queens": "Q"}
_CHECKS: Final = {"pawn": "P", "knight": "N", "bishop": "B", "rook": "R", "queen": "Q"}
_RING: Final = "king_attacks(us.king)"
_OFFICERS: Final = "- pawns - kings"
_OWN_RING: Final = " | ".join(f'attacks(us, "{letter}")' for letter in _KINDS.values())
_BY_PAWNS: Final = "pawn_attacks(them.pawns, them)"
_SPANS: Final = 'fill(them.pawns, "backward", all_squares)'
_OUTPOSTS: Final = (
    "(our_rank(4, us) | our_rank(5, us) | our_rank(6, us)) & pawn_attacks(us.pawns, us) - "
    f'shift({_SPANS}, "east") - shift({_SPANS}, "west")'
)
_CHAIN_BASES: Final = " | ".join(
    f'us.pawns & shift(shift(us.pawns, "backward"), "{ahead}") - shift(shift(us.pawns, "forward"), "{behind}")'
    for ahead, behind in (("east", "west"), ("west", "east"))
)
_FILES_OF_PASSED: Final = 'fill(fill(passed(us), "north", all_squares), "south", all_squares)'
_HOLES: Final = (
    "(our_rank(3, us) | our_rank(4, us) | our_rank(5, us) | our_rank(6, us)) - "
    'pawn_attacks(fill(us.pawns, "forward", all_squares), us)'
)
_HANGING: Final = "us - kings & attacks(them) - attacks(us)"
_IMMOBILE: Final = (
    "us.knights & ~knight_attacks(~us) | us.bishops & ~bishop_attacks(~us, all_squares) | "
    "us.rooks & ~rook_attacks(~us, all_squares) | us.queens & ~king_attacks(~us)"
)


def _weighed(pieces: str) -> str:
    return f"count({pieces} & (knights | bishops)) + 2 * count({pieces} & rooks) + 4 * count({pieces} & queens)"


_ATTACKERS: Final = f"(attackers({_RING}, them) {_OFFICERS})"
_DEFENDERS: Final = f"(attackers({_RING}, us) {_OFFICERS})"

# The query of each fact, by its group and name.
FACTS: Final[dict[str, str]] = {
    "placement.units": "us",
    **{f"placement.{kind}": f"us.{kind}" for kind in (*_KINDS, "kings")},
    "state.in_check": "is_check",
    "state.double_check": "count(checkers) >= 2",
    "state.can_castle_short": 'castling_rooks(us) & file("h")',
    "state.can_castle_long": 'castling_rooks(us) & file("a")',
    "state.en_passant_capture_legal": "possible(move.is_en_passant)",
    "history.halfmove_clock": "halfmove_clock",
    **{f"material.{kind}": f"count(us.{kind})" for kind in _KINDS},
    "material.value": "material(us)",
    "material.non_pawn_value": "material(us) - count(us.pawns)",
    "material.phase_points": "phase",
    "material.both_queens": "us.queens and them.queens",
    "material.pawns_only": "occupied == pawns | kings",
    "pawns.pawns": "us.pawns",
    "pawns.passed": "passed(us)",
    "pawns.candidates": "candidate(us)",
    "pawns.doubled": "doubled(us)",
    "pawns.isolated": "isolated(us)",
    "pawns.backward": "backward(us)",
    "pawns.defended": "us.pawns & pawn_attacks(us.pawns, us)",
    "pawns.open_files": "open_files(us) & rank(1)",
    "pawns.semi_open_files": "half_open_files(us) & rank(1)",
    "pawns.islands": "count(islands(us))",
    "pawns.levers": "count(lever(us))",
    "pawns.rams": "count(rammed(us))",
    "pawns.passer_protected": "count(protected_passed(us))",
    "pawns.passers_connected": f'passed(us) & shift({_FILES_OF_PASSED}, "east")',
    "pawns.passer_unstoppable": "unstoppable(us)",
    "pawns.chain_base_attacked": f"({_CHAIN_BASES}) & attacks(them)",
    "pawns.queenside_majority": 'count(us.pawns & file("abcd")) > count(them.pawns & file("abcd"))',
    "pawns.kingside_majority": 'count(us.pawns & file("efgh")) > count(them.pawns & file("efgh"))',
    "pawns.holes": _HOLES,
    "pawns.holes_occupied": f"count(({_HOLES}) & (them.knights | them.bishops))",
    "pawns.fixed_pawns": 'count(us.pawns & shift(occupied, "backward"))',
    "pawns.blocked_passers": 'count(passed(us) & shift(them, "backward"))',
    "pawns.passer_free_path": 'count(passed(us) - fill(shift(occupied, "backward"), "backward", all_squares))',
    "pawns.backward_on_semi_open": "count(backward(us) & half_open_files(them))",
    "pieces.bishop_pair": "bishop_pair(us)",
    "pieces.knight_pair": "count(us.knights) >= 2",
    "pieces.bishops_light": "count(us.bishops & light_squares)",
    "pieces.bishops_dark": "count(us.bishops & dark_squares)",
    "pieces.opposite_coloured_bishops": "opposite_coloured_bishops(us)",
    "pieces.rooks_connected_rank": 'us.rooks & shift(fill(us.rooks, "east"), "east")',
    "pieces.rooks_connected_file": 'us.rooks & shift(fill(us.rooks, "north"), "north")',
    "pieces.rooks_on_open_file": "count(rook_on_open_file(us))",
    "pieces.rooks_on_semi_open_file": "count(rook_on_half_open_file(us))",
    "pieces.rooks_on_seventh_rank": "count(us.rooks & our_rank(7, us))",
    "pieces.rook_on_seventh_with_king_on_eighth": "us.rooks & our_rank(7, us) and them.king & our_rank(8, us)",
    "pieces.rook_behind_own_passer": 'count(us.rooks & fill(passed(us), "backward", all_squares))',
    "pieces.rook_behind_enemy_passer": 'count(us.rooks & fill(passed(them), "forward", all_squares))',
    "pieces.outposts": _OUTPOSTS,
    "pieces.minors_on_outpost": f"count({_OUTPOSTS} & (us.knights | us.bishops))",
    "pieces.outpost_squares_free": f"count({_OUTPOSTS} & empty)",
    "pieces.knights_on_rim": "count(us.knights & edges)",
    "pieces.minors_undeveloped": 'count((us.knights | us.bishops) & file("bcfg") & our_rank(1, us))',
    "pieces.queen_developed": 'us.queens - (file("d") & our_rank(1, us))',
    "king.square": "us.king",
    "king.on_home_square": 'us.king & file("e") & our_rank(1, us)',
    "king.castled_queenside": 'us.king & file("abc")',
    "king.castled_kingside": 'us.king & file("fgh")',
    "king.opposite_side_castling": (
        'us.king & file("abcd") and them.king & file("efgh") or us.king & file("efgh") and them.king & file("abcd")'
    ),
    "king.ring": _RING,
    "king.ring_attackers": f"count{_ATTACKERS}",
    "king.ring_attack_weight": _weighed(_ATTACKERS),
    "king.ring_defenders": f"count{_DEFENDERS}",
    "king.ring_defence_weight": _weighed(_DEFENDERS),
    "king.ring_defended": f"count({_RING} & ({_OWN_RING}))",
    "king.ring_holes": f"count({_RING} & attacks(them) & ~({_OWN_RING}))",
    "king.escape_squares": f"count({_RING} - us - attacks(them))",
    "king.back_rank_risk": f"us.king & our_rank(1, us) and {_RING} & our_rank(2, us) in us",
    "king.luft": f"us.king & our_rank(1, us) and {_RING} & our_rank(2, us) & empty - attacks(them)",
    "king.distance": "distance(us.king, them.king)",
    "king.virtual_mobility": "count(queen_attacks(us.king))",
    **{f"mobility.{kind}": f'count(attacks(us, "{letter}") - us)' for kind, letter in _KINDS.items()},
    **{
        f"mobility.safe_{kind}": f'count(attacks(us, "{letter}") - us - {_BY_PAWNS})' for kind, letter in _KINDS.items()
    },
    "mobility.total": " + ".join(f'count(attacks(us, "{letter}") - us)' for letter in _KINDS.values()),
    "mobility.space": "count(attacks(us) & (our_rank(5, us) | our_rank(6, us) | our_rank(7, us) | our_rank(8, us)))",
    "mobility.immobile_pieces": f"count({_IMMOBILE})",
    "attacks.controlled": "attacks(us)",
    **{f"attacks.by_{kind}": f'attacks(us, "{letter}")' for kind, letter in (*_KINDS.items(), ("kings", "K"))},
    "attacks.attacked": "us - kings & attacks(them)",
    "attacks.hanging": _HANGING,
    "attacks.en_prise": f"({_HANGING}) | threatened(us)",
    "attacks.attacked_value": "value(us & attacks(them))",
    "attacks.hanging_value": f"value({_HANGING})",
    "attacks.en_prise_value": f"value({_HANGING} | threatened(us))",
    "attacks.pinned_value": "value(pinned(us))",
    "attacks.pinned": "pinned(us)",
    "attacks.defended": "us & attacks(us)",
    "threats.threatened": "hanging(us)",
    "threats.attacked_by_lesser": "threatened(us)",
    "threats.queen_attacked_by_lesser": "threatened(us) & us.queens",
    "threats.overloaded_defenders": "overloaded(us)",
    "threats.loose": "us - kings - attacks(us)",
    "endgame.king_centralisation": "distance(us.king, center)",
    "maps.controlled": "attacks(us)",
    "maps.by_pawns": "pawn_attacks(us.pawns, us)",
    "maps.hanging": _HANGING,
    "maps.pinned": "pinned(us)",
    "maps.threatened": "hanging(us)",
}
# Facts of legal moves, which are asked for the side to move only.
TACTICS: Final[dict[str, str]] = {
    "legal_move_count": "legal_moves",
    "check_count": "count_possible(move.is_check)",
    **{f"check_by_{kind}": f'possible(move.is_check and move.piece == "{letter}")' for kind, letter in _CHECKS.items()},
    "double_check_available": "possible(count(after(checkers)) >= 2)",
    "discovered_check_available": "possible(after(checkers) - move.to_square and not move.castles)",
    "mate_in_1": "possible(move.is_mate)",
    "stalemate_in_1": "possible(move.is_stalemate)",
    **{
        f"promotes_to_{kind}": f'possible(move.promotion == "{letter}")'
        for kind, letter in _CHECKS.items()
        if kind != "pawn"
    },
    "capture_count": "count_possible(move.captures)",
    "captures_hanging": "possible(move.captures and not move.is_en_passant and not move.to_square & attacks(them))",
}
_PSEUDO_LEGAL: Final = (
    "recorded when exchanges ignored pins and checks, as those of esca do; a knight and a bishop have equal values "
    "there, and here a bishop is worth a tenth of a pawn more. With legal captures 230 of 5,336 values on the games of "
    "Lichess differ"
)
VERDICTS: Final[dict[str, str]] = {
    "pawns.candidates": (
        "all differences are rear pawns of doubled pawns; here a candidate has a free file in front, without pawns of "
        "either side"
    ),
    "pawns.passer_unstoppable": (
        "a piece of the pawn's side stands in its way, which must be free here; or the pawn can begin with two steps, "
        "which esca does not count"
    ),
    "pawns.passers_connected": "`connected_passed` is narrower: the pawns are at most one rank apart",
    "pawns.chain_base_attacked": "`chain_base` is narrower: no pawn defends the base, from either side",
    "pieces.outposts": "esca takes a pawn beside the square for one that can still attack it; `outpost` does not",
    "threats.threatened": _PSEUDO_LEGAL,
    "maps.threatened": _PSEUDO_LEGAL,
}

QUESTIONS: Final = tuple(
    Question(name, "", query, VERDICTS.get(name, ""))
    for name, query in (*FACTS.items(), *((f"tactics.{name}", query) for name, query in TACTICS.items()))
)
_SWAP: Final = {"us": "them", "them": "us", '"forward"': '"backward"', '"backward"': '"forward"'}


def _swapped(query: str) -> str:
    """Return a query with the sides exchanged."""
    return re.sub(r'\b(?:us|them)\b|"(?:forward|backward)"', lambda match: _SWAP[match[0]], query)


def _number(value: Any) -> int:
    """Return a fact as a number: a list of squares or files as a board, and -1 for a missing value."""
    if isinstance(value, list):
        return sum(1 << SQUARE_NAMES.index(name if len(name) == 2 else f"{name}1") for name in value)
    if isinstance(value, str):
        return 1 << SQUARE_NAMES.index(value)
    return -1 if value is None else int(value)


def facts_of(python: Path, fens: list[str]) -> list[dict[str, Any]]:
    """Return the facts of positions, by group and name."""
    script = Path(__file__).with_name("esca_facts.py")
    output = subprocess.run(
        [python, "-P", script], input="\n".join(fens), capture_output=True, text=True, check=True
    ).stdout
    return [json.loads(line) for line in output.splitlines()]


def _theirs(facts: list[dict[str, Any]], name: str, is_white: Any) -> tuple[list[Any], list[Any] | None]:
    """Return a fact of the side to move, and of the other if it has sides."""
    group, field = name.split(".")
    values = [position[group][field] for position in facts]
    if not isinstance(values[0], dict):
        return values, None
    us = [value["white" if white else "black"] for value, white in zip(values, is_white, strict=True)]
    return us, [value["black" if white else "white"] for value, white in zip(values, is_white, strict=True)]


def compare(
    python: Path, fens: list[str], progress: Callable[[str], None] = lambda what: None
) -> tuple[dict[str, Any], dict[str, tuple[str, Any, Any]]]:
    """Ask for each fact of some positions, and count the values that differ.

    Return the result, and for each fact that differs an example: FEN, esca's value and ours.
    """
    progress(f"esca: {len(fens)} positions")
    facts, positions = facts_of(python, fens), Positions.from_fens(fens)
    is_white, rows = positions.turn, []
    examples: dict[str, tuple[str, Any, Any]] = {}
    for question in QUESTIONS:
        us, them = _theirs(facts, question.name, is_white)
        sides = [(us, question.query)]
        if them is not None and not question.name.startswith("tactics."):
            sides.append((them, _swapped(question.query)))
        values = differences = 0
        for theirs, query in sides:
            ours = positions.evaluate(Query(query))
            if isinstance(theirs[0], bool):
                ours = np.not_equal(ours, 0)
            for fen, value, there in zip(fens, ours, theirs, strict=True):
                values += 1
                if int(value) != _number(there):
                    differences += 1
                    examples.setdefault(question.name, (fen, there, value))
        rows.append({"name": question.name, "values": values, "differences": differences})
    return {"positions": len(fens), "rows": rows}, examples
