"""CQL 6.2 (Gady Costeff and Lewis Stiller, GPL 3): the examples that come with it, on its sample of 253 games.

A folder holds a build: the program `cql`, its examples `exalpha/*.cql` and `sample.pgn`, such as those of the
repository lamech/cql. The questions are the folder's files; here are only our queries.
"""

import itertools
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from judges.pgn_extract import numbered
from judges.questions import Question, compared, games_found, positions_of


def _either(query: str) -> str:
    """Return a query about White, or the same about Black."""
    other = query.replace("white", "?").replace("black", "white").replace("?", "black")
    return f"({query}) or ({other})"


def _stairs(pieces: str, steps: int, pairs: list[tuple[str, str]]) -> str:
    """Return a query for steps of a piece in two directions in turns."""
    paths = ("-".join(pair[k % 2] for k in range(steps)) for pair in pairs)
    return " or ".join(f'steps({pieces}, "{path}")' for path in paths)


_AXES: Final = [(a, b) for a in ("north", "south") for b in ("east", "west")]
_TURNS: Final = [pair for a, b in _AXES for pair in ((a, b), (b, a))]
_ROUND: Final = ("northeast", "southeast", "southwest", "northwest")
_DIAGONALS: Final = [pair for a, b in zip(_ROUND, (*_ROUND[1:], _ROUND[0]), strict=True) for pair in ((a, b), (b, a))]
_PAWNS_AT_HOME: Final = "at_start(white.pawns & rank(2) | black.pawns & rank(7))"
_SQUARES: Final = [file + rank for rank in "12345678" for file in "abcdefgh"]
_FIELD: Final = "king_attacks(us.king)"
_QUEENS: Final = ("Q!q", "q!Q", "Q/!/q", "q/!/Q", "Q??/?!?/??q", "q??/?!?/??Q", "??Q/?!?/q??", "??q/?!?/Q??")
_CORNERS: Final = "at_start(white.rooks) & " + " & ".join(f"collected(origins({s}))" for s in ("a1", "a8", "h1", "h8"))
_FOUR_PAWNS: Final = " or ".join(
    f'count({side}.pawns & file("{file}")) >= 4' for side in ("white", "black") for file in "abcdefgh"
)
_VISITS: Final = {
    which: f"max({', '.join(f'count_plies(move.{which} == {s})' for s in _SQUARES)}) >= 15"
    for which in ("from_square", "to_square")
}
_PURE: Final = (
    f"is_mate and not {_FIELD} & ~us & attacked_twice(them) and not {_FIELD} & us & ~pinned(us) & attacks(them)"
)
_LEAPS: Final = [
    "-".join((a, b, c, d))
    for a, b, c, d in itertools.permutations(("a1", "a8", "h1", "h8"))
    if all(x[0] == y[0] or x[1] == y[1] for x, y in ((a, b), (b, c), (c, d)))
]
_FILES: Final = "(file_number(move.from_square) - file_number(move.to_square))"
_RANKS: Final = "(rank_number(move.from_square) - rank_number(move.to_square))"


def _chain_of_pins(side: str, other: str) -> str:
    """Return a query for pieces that pin each other: the fourth, the second to the king of a side, and so on."""
    first = f"pinners({side}) - pinned({other})"
    second = f"pinners({other}) & pinned({side}) & between({first}, {side}.king)"
    third = f"pinners({side}) & pinned({other}) & between({second}, {other}.king)"
    return f"pinned({side}) & between({third}, {side}.king)"


_BEHIND: Final = (  # squares next to the king that are attacked through it
    f"({_FIELD} & line(checkers & (bishops | rooks | queens), us.king) - between(checkers, us.king) - checkers)"
)
_PRIZE: Final = 'header("Event")'

QUESTIONS: Final = (
    Question(
        "8piecesinline",
        "Eight pieces fill a rank, a file or a long diagonal",
        'pattern("!!!!!!!!", "shift rotate") or all_squares in occupied | ~squares("a1 b2 c3 d4 e5 f6 g7 h8") or '
        'all_squares in occupied | ~squares("a8 b7 c6 d5 e4 f3 g2 h1")',
    ),
    Question("QQqq", "Two queens against two queens", 'signature == "KQQvKQQ"'),
    Question(
        "Qq-rotations-90-degree",
        "In one game, a queen stands two squares from the other side's in all four directions, with a piece between",
        " and ".join(f'ever(pattern("{p}", "shift"))' for p in _QUEENS[:4]),
    ),
    Question(
        "Qq-rotations",
        "The same in at least five of eight directions",
        " + ".join(f'min(1, count_plies(pattern("{p}", "shift")))' for p in _QUEENS) + " >= 5",
    ),
    Question(
        "allsamecolor",
        "At least ten pieces, all on squares of one colour",
        "count(occupied) >= 10 and (occupied in light_squares or occupied in dark_squares)",
    ),
    Question(
        "averagedistance",
        "The mean length of the moves of a game with more than ten half-moves is over four squares, measured by ruler",
        f"plies > 10 and not move.exists and total(sqrt({_FILES} * {_FILES} + {_RANKS} * {_RANKS})) / plies > 4",
    ),
    Question(
        "bristol-simple",
        "A white bishop clears a diagonal for the queen, which follows it to the square behind",
        'white_to_move and move.piece == "Q" and previous(move.piece == "B" and move.from_square & '
        "king_attacks(white.queens) & bishop_attacks(white.queens), 2) and previous(move.to_square, 2) & "
        "white.bishops & bishop_attacks(white.queens) and move.to_square & king_attacks(previous(move.to_square, 2)) & "
        "bishop_attacks(previous(move.to_square, 2), no_squares)",
    ),
    Question(
        "chameleon",
        "A position repeats with all its pieces shifted",
        'echo(white_to_move, "shift") or echo(not white_to_move, "shift")',
    ),
    Question(
        "checkcheckcheckstalemate",
        "Three checks in a row, then a stalemate",
        "then(move.is_check, move.is_check, move.is_check, move.is_stalemate)",
    ),
    Question(
        "consecutive-checks-by-one-color",
        "A side gives check with 20 moves in a row",
        _either("white_to_move and for_plies(39, move.is_check or not white_to_move)").replace(
            "black_to_move", "not white_to_move"
        ),
    ),
    Question("consecutive-checks", "Five half-moves in a row give check", "for_plies(5, move.is_check)"),
    Question(
        "discoveredchecks",
        "A game with at least five discovered checks",
        "count_plies(ply > 0 and checkers - previous(move.to_square)) >= 5",
    ),
    Question(
        "excelsior-multiple",
        "Two pawns of a game reach the last rank from their starting squares",
        f"count(collected(origins(move.from_square & us.pawns & our_rank(7))) & {_PAWNS_AT_HOME}) >= 2",
    ),
    Question(
        "excelsior-return",
        "A pawn that began on its starting square promotes, and returns there",
        f"origins(move.from_square) == move.to_square and move.to_square & {_PAWNS_AT_HOME}",
    ),
    Question(
        "excelsior-simple",
        "A white pawn from the second rank promotes",
        "white_to_move and move.promotes and origins(move.from_square) in rank(2)",
    ),
    Question(
        "fatamorgana",
        "White wins; a position with Black to move had the same pieces at least ten half-moves before, White to move",
        "result(white) == 1 and not white_to_move and seen_before(white_to_move, 10)",
    ),
    Question(
        "flipverticalecho",
        "A position repeats with its files exchanged, in the mainline",
        'echo(white_to_move and count(occupied) >= 4, "mirror") or '
        'echo(not white_to_move and count(occupied) >= 4, "mirror")',
    ),
    Question(
        "forced-moves-both-sides",
        "Three half-moves in a row are the only legal ones",
        "for_plies(3, legal_moves == 1 and move.exists)",
    ),
    Question(
        "forced-moves-either-side",
        "Ten moves in a row of one side are its only legal ones",
        _either("white_to_move and for_plies(19, move.exists and (legal_moves == 1 or not white_to_move))").replace(
            "black_to_move", "not white_to_move"
        ),
    ),
    Question(
        "forced-moves-white",
        "Four moves in a row of White are its only legal ones; promotions of one pawn count once",
        "white_to_move and for_plies(7, move.exists and (legal_moves - "
        'count_possible(move.promotes and move.promotion != "Q") == 1 or not white_to_move))',
    ),
    Question(
        "gameinfo",
        "Ivanchuk wins with White in an open tournament in Skopje, against a player of at least 2000",
        '"Skopje" in header("Site") and "Open" in header("Event") and "Ivanchuk" in header("White") and '
        "result(white) == 1 and elo(black) >= 2000",
    ),
    Question(
        "gameinfo2",
        "A study that won a first prize, by the code in its header Event",
        f'".p" in {_PRIZE} and not "sp.p" in {_PRIZE} and ("1.p" in {_PRIZE} or "1/2.p" in {_PRIZE} or '
        f'"1-2.p" in {_PRIZE} or not any(' + ", ".join(f'"{n}.p" in {_PRIZE}' for n in "023456789") + "))",
    ),
    Question(
        "greekgift",
        "Bxh7+ takes a pawn, Kxh7, Ng5+",
        'then(white_to_move and move.piece == "B" and move.captured == "P" and move.to_square == h7 and move.is_check, '
        'move.piece == "K" and move.to_square == h7, move.piece == "N" and move.to_square == g5 and move.is_check)',
    ),
    Question(
        "horizontallysymmetric",
        "White wins; Black's pieces mirror White's in the middle of the board",
        "count(occupied) >= 4 and result(white) == 1 and "
        + " and ".join(
            f"flip(white.{kind}) == black.{kind}" for kind in ("pawns", "knights", "bishops", "rooks", "queens", "king")
        ),
    ),
    Question(
        "immured",
        "At least three pieces of the side to move, not pinned, are blocked by pieces of their side; no check",
        "not is_check and count((us.knights & ~knight_attacks(~us) | us.bishops & ~bishop_attacks(~us, all_squares) | "
        "us.rooks & ~rook_attacks(~us, all_squares) | us.queens & ~king_attacks(~us)) & ~pinned(us)) >= 3",
    ),
    Question(
        "likeinterference",
        "Queen's check, a rook or bishop goes between, a rook or bishop goes between that and the king, with check",
        'white_to_move and move.piece in ("B", "R") and move.is_check and '
        'previous(move.piece == "Q" and move.is_check, 2) and previous(move.piece in ("R", "B")) and '
        "previous(move.to_square) & between(previous(move.to_square, 2), black.king) and "
        "move.to_square & between(previous(move.to_square), black.king)",
    ),
    Question(
        "loneknightmate",
        "A king and a knight give mate",
        "is_mate and count(white) == 2 and checkers & white.knights",
    ),
    Question(
        "long-sacrifice",
        "A side is at least nine pawns down for five positions in a row, and wins",
        _either("result(white) == 1 and for_plies(5, ply > 0 and material(black) - material(white) >= 9)"),
    ),
    Question("massivestalemate", "Stalemate of a side with 15 pawns' worth or more", "is_stalemate and material >= 15"),
    Question("maxqueenattack", "The queens of a side attack 27 squares", _either('count(attacks(white, "Q")) == 27')),
    Question(
        "mirrormate", "Mate; the eight squares around the king are empty", f"is_mate and count({_FIELD} & empty) == 8"
    ),
    Question(
        "mirrorstalemate",
        "Stalemate; all eight squares around the king are empty",
        f"is_stalemate and count({_FIELD} & empty) == 8",
    ),
    Question(
        "most-king-moves",
        "Black's king moves at least 20 times",
        'count_plies(not white_to_move and move.piece == "K") >= 20',
    ),
    Question("most-visited-square", "At least 15 moves of a game leave one square", _VISITS["from_square"]),
    Question("most-visited-square-2", "At least 15 moves of a game go to one square", _VISITS["to_square"]),
    Question(
        "multiple-discovered-checks",
        "A game with at least five discovered checks, as CQL asks it in another way",
        "count_plies(ply > 0 and checkers - previous(move.to_square)) >= 5",
    ),
    Question("passers", "A side has at least five passed pawns", _either("count(passed(white)) >= 5")),
    Question("pins", "At least three pieces of a side are pinned", _either("count(pinned(white)) >= 3")),
    Question("pinstalemate", "Stalemate with at least two pinned pieces", "is_stalemate and count(pinned(us)) > 1"),
    Question(
        "powerdifference-stalemate",
        "Stalemate of a side that is at least ten pawns up",
        "is_stalemate and imbalance >= 10",
    ),
    Question("puremate-simple", "Pure mate, by a simple definition", _PURE),
    Question(
        "puremate",
        "Black is in pure mate: attacks through the king count, too",
        f"not white_to_move and {_PURE} and not {_BEHIND} & (us | attacks(them))",
        "CQL accepts a pin only if the mate needs it: in these games, a pinned pawn or bishop could not help",
    ),
    Question("quadrupled-pawns", "Four pawns of a side on a file", _FOUR_PAWNS),
    Question("quadrupled-pawns2", "The same, as CQL asks it in another way", _FOUR_PAWNS),
    Question(
        "rookleapcorners",
        "A white rook goes from a corner to the three others with its next three moves",
        " or ".join(f'path(white.rooks, "{leap}")' for leap in _LEAPS),
    ),
    Question(
        "serialpin",
        "A piece pins a piece that pins a piece that pins a piece",
        f"{_chain_of_pins('white', 'black')} | {_chain_of_pins('black', 'white')}",
    ),
    Question("rook-corners-1", "A white rook visits all four corners", _CORNERS),
    Question("rook-corners-2", "The same, as CQL asks it in another way", _CORNERS),
    Question("rook-corners-rotate-with-range", "The same, in a third way", _CORNERS),
    Question(
        "smotheredmate",
        "Black is mated, and no square around the king is empty or White's",
        f"not white_to_move and is_mate and not {_FIELD} & ~us",
    ),
    Question(
        "snake",
        "A piece makes five steps along two diagonals in turns; others may move in between",
        _stairs("occupied", 5, _DIAGONALS),
        "CQL leaves out a line that begins within another; without its option `nestban` it finds the same games",
    ),
    Question("snake-old", "The same, as CQL asks it in another way", _stairs("occupied", 5, _DIAGONALS)),
    Question(
        "staircase-sort",
        "A queen makes eight steps, up or down and to one side in turns; others may move in between",
        _stairs("queens", 8, _TURNS),
    ),
    Question("staircase-sort-annotated", "The same, as CQL asks it in another way", _stairs("queens", 8, _TURNS)),
)

# The example `persistent` counts positions and games: each number that it prints, as a query for positions.
COUNTS: Final = tuple(
    Question(f"persistent: {name}", text, query)
    for name, text, query in (
        ("NumberGames", "Games", "ply == 0"),
        ("NumberPositions", "Positions", "ply >= 0"),
        ("NumberWhiteWins", "Games that White wins", "ply == 0 and result(white) == 1"),
        ("NumberBlackWins", "Games that Black wins", "ply == 0 and result(black) == 1"),
        ("NumberDraws", "Drawn games", "ply == 0 and result == 0.5"),
        ("NumberMates", "Mates", "is_mate"),
        ("NumberStalemates", "Stalemates", "is_stalemate"),
        ("NumberCastles", "Castling", "move.castles"),
        ("NumberEnpassants", "Captures en passant", "move.is_en_passant"),
        ("NumberPromotions", "Promotions", "move.promotes"),
        ("NumberUnderpromotions", "Promotions to other pieces than queens", 'move.promotion in ("R", "B", "N")'),
        ("NumberQueenPromotions", "Promotions to queens", 'move.promotion == "Q"'),
        ("NumberRookPromotions", "Promotions to rooks", 'move.promotion == "R"'),
        ("NumberBishopPromotions", "Promotions to bishops", 'move.promotion == "B"'),
        ("NumberKnightPromotions", "Promotions to knights", 'move.promotion == "N"'),
    )
)
_WITH_VARIATIONS: Final = ("flipverticalecho",)  # searches them by itself, here as elsewhere only the mainline

# The examples that the language cannot say, by what is missing.
_VARIATIONS: Final = "compares the mainline with variations; only mainlines are searched"
_NAMED: Final = "follows pieces that stand anywhere, by name, through moves with others between them"
UNSAID: Final = {
    _VARIATIONS: (
        "babson-old babson0 babson1 babson2 babson3 castleecho enpassantecho knightpawnforkecho lacny "
        "missingwhitepiece movedblackpieceecho queenknightpromotion queenpawnpinecho underpromotionecho "
        "wurzburg-plachutta zugzwang1 zugzwang2"
    ).split(),
    _NAMED: (
        "bristol-universal clearance-delayed dingstheme dingstheme-simple followpath followpaths-simple indian "
        "platzwechselecho platzwechseln1 platzwechseln2 rundlaufe turton turton-old two-piece-cycle"
    ).split(),
    "compares all pairs of positions of a game by a condition of both": ["systematicmaneuver", "wcct7"],
    "asks for the year of a game; a date with only a year is not a date here": ["smotheredmate2"],
    "begins a pattern of moves again at each position, and counts the matches": ["queentriangulation"],
}


def _output(folder: Path, name: str, games: Path, *options: str) -> str:
    """Run an example, and return what CQL prints."""
    with tempfile.TemporaryDirectory() as temporary:
        found = Path(temporary) / "found.pgn"
        command: list[str | Path] = [folder / "cql", *options, "-input", games, "-output", found, "-showmatches", "-s"]
        command.append(folder / "exalpha" / f"{name}.cql")
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


def _run(folder: Path, name: str, games: Path, *options: str) -> tuple[set[int], float]:
    """Run an example, and return the games it finds, numbered from 0, and its seconds."""
    output = _output(folder, name, games, *options)
    summary = re.search(r"(\d+) match\w* of (\d+) games in ([\d.]+)", output)
    numbers = {int(number) - 1 for number in re.findall(r"<(\d+)>", output)}
    if summary is None or int(summary[1]) != len(numbers):
        raise ValueError(f"{name}: CQL's output was not understood: {output[-300:]!r}")
    return numbers, float(summary[3])


def compare(folder: Path, progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Ask each question about the sample, and compare the games that both sides find."""
    games = folder / "sample.pgn"
    positions = positions_of(games)
    rows: list[dict[str, Any]] = []
    for question in QUESTIONS:
        progress(f"CQL: {question.name}")
        options = ("-mainline",) if question.name in _WITH_VARIATIONS else ()
        theirs, seconds = _run(folder, question.name, games, *options)
        rows.append(
            {"name": question.name, "seconds": seconds, **compared(theirs, games_found(positions, question.query))}
        )
    printed = dict(re.findall(r"(Number\w+): (\d+)", _output(folder, "persistent", games)))
    for question in COUNTS:
        there, here = int(printed[question.name.split()[1]]), len(positions.where(question.query))
        rows.append({"name": question.name, "theirs": there, "ours": here, "both": min(there, here)})
    return {"games": int(positions.game.max()) + 1, "rows": rows}


def compare_more(
    folder: Path, sources: list[Path], progress: Callable[[str], None] = lambda what: None
) -> tuple[int, dict[str, dict[str, int]]]:
    """Ask each question about the mainlines of other games.

    Return the number of games, and the answers by the names of the questions.
    """
    texts = [text for text, _ in numbered(sources)]
    answers = {}
    with tempfile.TemporaryDirectory() as temporary:
        games = Path(temporary) / "games.pgn"
        games.write_text("".join(texts), encoding="ascii")
        positions = positions_of(games)
        for question in QUESTIONS:
            progress(f"CQL, more games: {question.name}")
            theirs, _ = _run(folder, question.name, games, "-mainline")
            answers[question.name] = compared(theirs, games_found(positions, question.query))
    return len(texts), answers
