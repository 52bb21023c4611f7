"""Strategies of hypothesis for well-typed expressions of the query language, written by its documentation.

An expression grows from templates. Words in braces are parts: a kind of value, or an argument of `CHOICES`.
"""

import re
from dataclasses import dataclass, replace
from typing import Any, Final

import chess
from hypothesis import strategies as st

from rookery import Query

PLAIN: Final = {
    "set": (
        "{side}.{kind} {side}.{kind} {side}.{kind} {side} {square} {hex} light_squares dark_squares center "
        "long_diagonals edges corners all_squares no_squares occupied empty pawns knights bishops rooks queens kings "
        "rank({rank}) our_rank({rank}) our_rank({rank},{side}) our_rank(side={side},number={rank}) file({files}) "
        "squares({squares}) checkers checkers({side}) castling_rooks castling_rooks({side}) "
        "king_danger king_danger({side}) attacks({side}) "
        "attacks({side},{piece}) attacks(piece={piece},side={side}) attacks({side},None) pinned pinned({side}) "
        "pinned({side},{line}) pinners pinners({side}) discoverers({side}) forks({piece},{letters}) "
        "forks({piece},{letters},side={side})"
    ).split(),
    "number": (
        "{integer} {integer} {float} count({side}.{kind}) count({side}.{kind}) material "
        "material({side}) imbalance phase mobility mobility({side}) "
        "mobility(us,{piece}) mobility(piece={piece}) halfmove_clock move_number"
    ).split(),
    "truth": (
        "True False is_check white_to_move is_chess960 signature=={signature} signature!={signature} "
        "any({side}.{kind}) "
        "count({side}.{kind})=={integer} count({side}.{kind})>={integer}"
    ).split(),
    "text": 'signature signature() {string} "N" ""'.split(),
}
DEEP: Final = {
    "set": [
        *("({set} & {set})", "({set} & {set})", "({set} | {set})", "({set} ^ {set})", "({set} - {set})", "~{set}"),
        *("knight_attacks({set})", "king_attacks({set})", "pawn_attacks({set})", "pawn_attacks({set}, by={side})"),
        *("bishop_attacks({set})", "rook_attacks({set})", "queen_attacks({set}, {set})"),
        *("rook_attacks({set}, through={set})", "bishop_attacks({set}, None)", "attackers({set}, {side})"),
        *("between({set}, {set})", "line({set}, {set})", "shift({set}, {direction})"),
        *("shift({set}, {direction}, {steps})", "fill({set}, {direction})", "fill({set}, {direction}, {set})"),
        *(
            "flip({set})",
            "mirror({set})",
            "pattern({pattern})",
            "pattern({pattern}, {under})",
            "pattern({pattern}, under={under})",
        ),
    ],
    "number": [
        *("count({set})", "count({set})", "count({set})", "distance({set}, {set})", "({number} + {number})"),
        *("value({set})", "file_number({square})", "rank_number({set})", "file_number({side}.king)", "sqrt({number})"),
        *("({number} - {number})", "{number} * {number}", "({number} / {number})", "({number} // {number})"),
        *("{number} % {number}", "-{number}", "+{number}", "abs({number})", "min({number}, {number})"),
        *("max({number}, {number}, {number})", "max({number})", "like({pattern})", "like({pattern}, {under})"),
    ],
    "truth": [
        *("({truth} and {truth})", "({truth} and {truth} and {truth})", "({truth} or {truth})", "not {truth}"),
        *("({truth} or {truth} or {truth})", "({set} and {number} > {integer})", "all({truth}, {set})"),
        *("any({truth}, {truth}, {truth})", "{number} {less} {number}", "{number} {less} {number} {less} {number}"),
        *("({set} {equal} {set})", "({text} {equal} {text})", "({truth} {equal} {truth})", "{set} in {set}"),
        *("{set} not in {set}", "{text} in {text}", "{number} in ({integer}, {number})", "{text} not in [{text}]"),
        *('{text} in ("N", {text})', "count({set}) > {integer}", "{integer} <= count({set}) < {integer}"),
    ],
    "text": [],
}
LEGAL: Final = {
    "number": ["legal_moves"],
    "truth": ["is_mate", "is_stalemate"],
}
MOVE: Final = {
    "set": ["move.from_square", "move.to_square"],
    "truth": [
        *("move.captures", "move.promotes", "move.castles", "move.is_en_passant", "move.exists", "move.is_check"),
        *("move.is_mate", "move.is_stalemate", "move.piece == {letter}", "move.captured in ({letter}, {letter})"),
        "move.from_square in {set}",
    ],
    "text": ["move.piece", "move.captured", "move.promotion", "move.san", "move.uci"],
}
AFTER: Final = {
    "set": ["after({set})"],
    "number": ["after({number})"],
    "truth": ["after({truth})"],
    "text": ["after({text})"],
}
POSSIBLE: Final = {"truth": ["possible({truth})"], "number": ["count_possible({truth})"]}
GAMES: Final = {
    "set": ["piece({start})", "piece({start})", "origins(us)", "origins(white.rooks)", "white_pawn_squares"],
    "number": (
        "ply plies clock clock({side}) emt eval eval({side}) score score({side}) eval_before(side={side}) elo "
        "elo({side}) result result({side}) year base increment WhiteElo BlackElo"
    ).split(),
    "truth": [
        *("moved(piece({start}))", "captured(piece({start}))", 'header("White") == "?"', "clock is None"),
        *("header({header}) is not None", 'White.startswith("?")', '"1" in header({header})', "elo is not None"),
        *("date is None", "date < 2015-11-11", "not date >= 2015-11-11", '"Q" in promotions'),
        *("not clock > {integer}", "not elo({side}) < 100 * {integer}", "not header({header}) == {text}"),
    ],
    "text": ["header({header})", "speed", "White", "header({header}).lower()", "Annotator", "final_signature"],
}
SEQUENCES: Final = {
    "set": ["next({set})", "previous({set}, {plies})", "collected({set})", "at_start({set})"],
    "number": [
        *("next({number}, {plies})", "previous({number})", "streak({truth})", "longest_streak({truth})", "repetitions"),
        *("count_plies({truth})", "highest({number})", "lowest({number})", "at_start({number})"),
        *("total(count({set}))", "total({integer})", "average(count({set}))", "average(file_number({set}))"),
    ],
    "truth": [
        *("next({truth}, {plies})", "previous({truth})", "then({truth}, {truth})", "then({truth})"),
        *("then({truth}, {truth}, {truth})", "within({plies}, {truth}, {truth})", "within({plies}, {truth})"),
        *("within(9, {truth}, {truth}, {truth})", "for_plies({plies}, {truth})", "ever({truth})", "never({truth})"),
        *("first({truth})", "earlier({truth})", "later({truth})", "echo", "echo({truth})", "echo({truth}, {under})"),
        *(
            "echo(under={under})",
            "path(piece({start}), {path})",
            "path({set}, {path})",
            "steps({set}, {directions})",
            "repetitions >= 2",
        ),
        *("at_start({truth})", "seen_before", "seen_before({truth})", "seen_before({truth}, {plies})"),
        "seen_before(plies={plies})",
    ],
    "text": ["next({text})", "previous({text}, {plies})"],
}


def _quoted(*texts: str) -> tuple[str, ...]:
    return tuple(f'"{text}"' for text in texts)


CHOICES: Final[dict[str, Any]] = {
    "side": ("us", "them", "white", "black"),
    "kind": ("pawns", "knights", "bishops", "rooks", "queens", "king", "pieces"),
    "square": chess.SQUARE_NAMES,
    "start": (*chess.SQUARE_NAMES[:16], *chess.SQUARE_NAMES[48:]),
    "hex": st.integers(0, 2**64 - 1).map(hex),
    "integer": st.integers(0, 12).map(str),
    "float": ("0.5", "1.", "1e2", ".25", "3_0.0"),
    "rank": st.integers(1, 8).map(str),
    "steps": st.integers(0, 8).map(str),
    "plies": st.integers(1, 9).map(str),
    "files": _quoted("a", "h", "abc", "dg"),
    "squares": _quoted("e4", "a1,h8", "d4,e5,d4"),
    "piece": _quoted("N", "pawn", "Q", "rook", "k", "bishop", "p"),
    "letter": _quoted("P", "N", "B", "R", "Q", "K", ""),
    "letters": _quoted("kq", "rr", "p", "bnp", "KQ"),
    "line": _quoted("file", "rank", "diagonal", "antidiagonal"),
    "direction": _quoted(
        *("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"),
        *("forward", "right", "backward", "left"),
    ),
    "string": (*_quoted("O-O", "e4", "+", "x", "Qxf7#", "K"), "'KvK'"),
    "signature": _quoted(
        "KvK", "KPvK", "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", "vK", "v", "KRPvKR", "KQvKR", "KKvK", "KvKQ", "PKvK", ""
    ),
    "header": _quoted("White", "WhiteElo", "Event", "Result"),
    "path": _quoted("e2-e4", "g1-f3", "b8-c6", "d1-h5-f7", "e8-g8", "e7-e5", "d2-d4-d5"),
    "directions": _quoted("north", "south", "northeast", "east-west", "south-south"),
    "less": ("<", "<=", ">", ">=", "==", "!="),
    "equal": ("==", "!="),
    "under": _quoted(
        *("", "mirror", "flip", "rotate", "dihedral", "colors", "shift", "mirror colors", "shift,flip", "colors shift"),
        "rotate shift",
    ),
    "pattern": _quoted(
        "*/*/*/*/*/*/UUUUUUUU/*",
        "*/*/*/*/*/*/?PPP*/6K1",
        "k*/*/*/*/*/*/*/*",
        "*/*/*/3[Pp]*/3!*/*/*/*",
        *("U/u", "Pp", "pP", "P./.P", "[QRqr]..[Kk]", "N??/??a", "[^.]A/a!", "!!!/!?!/!!!", "[^PpUK]?[^.]", "A1a"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    ),
}


_ONE_PART: Final = re.compile(r"""[\w.{}]+(\(.*\))?$|\(.*\)$|["'].*["']$""")  # needs no brackets


@dataclass(frozen=True)
class Allowed:
    """What may be written at a place of an expression."""

    depth: int
    games: bool = False  # what the game says
    move: bool = False  # the move in question
    sequences: int = 0  # how deep they may nest
    legal: bool = True  # whatever needs legal moves
    possible: int = 1  # how deep it may nest

    def templates(self, kind: str) -> list[str]:
        """The templates of a kind."""
        found = list(PLAIN[kind])
        found += LEGAL.get(kind, []) if self.legal else []
        if self.depth > 0:
            found += 2 * DEEP[kind]
            found += AFTER[kind] if self.move else []
            found += 2 * POSSIBLE.get(kind, []) if self.possible and self.legal else []
            found += 2 * SEQUENCES[kind] if self.sequences else []
        found += MOVE.get(kind, []) if self.move else []
        return found + (GAMES.get(kind, []) if self.games else [])

    def within(self, template: str) -> "Allowed":
        """What may be written for a part of a template."""
        name = template.split("(")[0]
        inner = replace(self, depth=self.depth - 1)
        if name in ("possible", "count_possible"):
            # A sequence looks at the moves that were played, so it may not depend on the move in question.
            return replace(inner, move=True, sequences=0, possible=self.possible - 1)
        if name == "after":
            return replace(inner, games=False, move=False, sequences=0, possible=self.possible)
        if any(template in templates for templates in SEQUENCES.values()):
            return replace(inner, sequences=self.sequences - 1)
        return inner


@st.composite
def queries(draw: st.DrawFn, kind: str, allowed: Allowed) -> str:
    """An expression of a kind."""

    def written(kind: str, a: Allowed) -> str:
        template = draw(st.sampled_from(a.templates(kind)))
        inner = a.within(template)

        def part(found: re.Match[str]) -> str:
            name = found[1]
            if name in PLAIN:
                return written(name, inner)
            choices = CHOICES[name]
            return str(draw(choices if isinstance(choices, st.SearchStrategy) else st.sampled_from(choices)))

        text = re.sub(r"\{(\w+)\}", part, template)
        return text if _ONE_PART.match(template) else f"({text})"

    return written(kind, allowed)


def any_query(allowed: Allowed) -> st.SearchStrategy[str]:
    """An expression of any kind, most often a condition."""
    return st.sampled_from(("truth", "truth", "truth", "set", "number", "text")).flatmap(
        lambda kind: queries(kind, allowed)
    )


def refused(text: str) -> bool:
    """Check whether a text compares a piece or a signature with a text that can be neither: such queries are errors."""
    try:
        Query(text)
    except ValueError as error:
        message = str(error).split("\n")[0]
        assert "expected the letter of a piece" in message or "expected a signature such as" in message, message
        return True
    return False
