"""The columns of games that the language knows: headers of PGN, and values computed from headers and from moves."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from rookery.lazy_imports import modules_later
from rookery.positions.language.grammar import DATE, NUMBER, SET, TEXT, TIME

if TYPE_CHECKING:
    import difflib
else:
    (difflib,) = modules_later("", "difflib")


# The kinds of headers; all others are texts.
KINDS: Final = {
    **dict.fromkeys(("WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"), NUMBER),
    **dict.fromkeys(("UTCDate", "Date"), DATE),
    "UTCTime": TIME,
}
# What is computed from headers, and from the moves of a game: kinds, and descriptions of the values.
COMPUTED: Final = {"date": DATE, "year": NUMBER, "base": NUMBER, "increment": NUMBER, "speed": TEXT}
OF_MOVES: Final = {
    "plies": NUMBER,
    "final_signature": TEXT,
    "promotions": TEXT,
    "white_pawn_squares": SET,
    "black_pawn_squares": SET,
}
SUMMARIES: Final = {
    "date": "Return the day of the game: UTCDate, or Date where a game has none; missing unless it is complete.",
    "year": "Return the year of the game; known for a date such as 1886.??.??, too.",
    "base": "Return the seconds of the first period of the game's TimeControl.",
    "increment": "Return the seconds that the game's TimeControl adds for each move.",
    "speed": (
        "Return the speed of the game by its TimeControl: ultraBullet, bullet, blitz, rapid, classical, correspondence."
    ),
    "plies": "Return the number of half-moves of the game.",
    "final_signature": 'Return the pieces at the end of the game, White\'s first: "KRPvKR".',
    "promotions": 'Return the pieces that pawns became in the game, White\'s in capitals and queens first: "QQn".',
    "white_pawn_squares": "Return the squares on which a white pawn ever stood in the game.",
    "black_pawn_squares": "Return the squares on which a black pawn ever stood in the game.",
}
# Headers of the PGN standard and of well-known programs and sites. A file may lack them.
USUAL: Final = frozenset(
    (
        *KINDS,
        *("Event", "Site", "Round", "White", "Black", "Result", "WhiteTitle", "BlackTitle", "ECO", "Opening"),
        *("TimeControl", "Termination", "Variant", "SetUp", "FEN"),
        *(side + name for side in ("White", "Black") for name in ("USCF", "NA", "Type", "FideId", "Team", "Clock")),
        *("Annotator", "PlyCount", "Mode", "Section", "Stage", "Board", "NIC", "Variation", "SubVariation", "Time"),
        *("EventDate", "EventSponsor", "EventType", "EventRounds", "EventCountry", "EventCategory", "Source"),
        *("SourceTitle", "SourceDate", "SourceVersion", "SourceVersionDate", "SourceQuality", "Remark", "GameId"),
        *("BroadcastName", "BroadcastURL", "StudyName", "ChapterName", "ChapterURL", "GameURL", "Link", "Timezone"),
        *("CurrentPosition", "ECOUrl", "StartDate", "StartTime", "EndDate", "EndTime", "Orientation"),
    )
)


def near_header(name: str, others: Collection[str] = ()) -> str | None:
    """Return the usual header or column whose name is nearest to an unknown name, or None; `others` are known, too.

    >>> near_header("whiteelo")
    'WhiteElo'
    """
    usual = {known.lower(): known for known in (*OF_MOVES, *sorted(USUAL), *COMPUTED, *others)}
    near = difflib.get_close_matches(name.replace("_", "").lower(), usual, 1, 0.8)
    return usual[near[0]] if near else None
