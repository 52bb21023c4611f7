"""The columns of a table of games: their names, their metadata, and the format's version.

Headers have the names of the Lichess dataset. They are followed by ``start`` (a FEN, null for the usual position),
``chess960``, lists with one value for each ply (``moves``, ``clocks``, ``evals``, ``emts``), the summary of the game
(see `rookery.games.positions.summaries`), what is wrong with it, and where it stood in its source. A missing value is
null. The metadata of the fields has the units.
"""

from typing import Any, Final

from rookery.frames.arrow import pyarrow_module
from rookery.games.errors import GameError
from rookery.games.game_columns import LISTS, PLY_VALUES
from rookery.games.headers.computed_headers import SOURCES
from rookery.positions.language.headers import OF_MOVES

FORMAT: Final = 1  # of the table; this version reads no other
ABOUT: Final = b"rookery games"  # the key of the format in the metadata
IDENTITY: Final = ("file", "number")  # of a game: the first columns of each table that names games
OWN: Final = (
    *(*IDENTITY, *SOURCES, "start", "chess960", "moves", *PLY_VALUES, *OF_MOVES),
    *("parse_error", "fault", "warnings", "offset", "row", *LISTS, "text"),
)  # columns that are not headers
LIST_FIELDS: Final = {
    "tags": ("name", "value"),
    "nags": ("ply", "nag", "after"),
    "comments": ("ply", "text", "after"),
    "variations": ("ply", "text"),
}
ADDED_FIELDS: Final = ("after",)  # missing in older tables: 0
TEXT_FIELDS: Final = ("name", "value", "text")  # of these; the others are int32
FIELD_METADATA: Final = {
    "WhiteElo": {"unit": "Elo"},
    "BlackElo": {"unit": "Elo"},
    "WhiteRatingDiff": {"unit": "Elo"},
    "BlackRatingDiff": {"unit": "Elo"},
    "date": {"meaning": "UTCDate, or Date where a game has none"},
    "year": {"meaning": "of the day, known for 1886.??.??, too"},
    "base": {"unit": "s", "meaning": "the first period of TimeControl"},
    "increment": {"unit": "s", "meaning": "added for each move by TimeControl"},
    "speed": {"meaning": "as Lichess calls base + 40 increments: below 30, 180, 480, 1,500 s, or more"},
    "text": {"format": "PGN, byte for byte as in its source"},
    "start": {"format": "FEN; null is the usual start position"},
    "moves": {
        "format": "bits 0-5 from, 6-11 to (a1 = 0), 12-13 promotion to n, b, r, q, 14-15 kind; castling to the rook"
    },
    "clocks": {"unit": "s", "meaning": "left on the mover's clock after the ply"},
    "warnings": {"meaning": "what was stepped over in the game"},
    "evals": {"unit": "pawns", "meaning": "as white sees it after the ply; a mate in n is 1000 - n or n - 1000"},
    "emts": {"unit": "s", "meaning": "taken by the ply"},
    "plies": {"unit": "half-moves"},
    "final_signature": {"meaning": "pieces after the last move: white's, a v and black's"},
    "promotions": {"meaning": "what pawns became: white's in capitals, queens first, then black's"},
    "white_pawn_squares": {"format": "64 bits, a1 the lowest", "meaning": "where a white pawn ever stood"},
    "black_pawn_squares": {"format": "64 bits, a1 the lowest", "meaning": "where a black pawn ever stood"},
    "file": {"meaning": "the file that the game was read from, as it was named"},
    "number": {"meaning": "of the game in its file, from 1"},
    "row": {"meaning": "of the column that the game's text is from, from 0"},
    "offset": {"unit": "bytes", "meaning": "where the game begins in its unpacked file"},
}
LARGEST: Final = (1 << 31) - (1 << 20)  # bytes of a chunk: offsets in it have 31 bits


def report_type() -> Any:
    """Return the Arrow type of an error or a warning."""
    pa = pyarrow_module()
    kinds = {str: pa.string(), int: pa.int64()}
    return pa.struct([(name, kinds[kind]) for name, kind in GameError.__annotations__.items()])


def is_of_games(schema: Any) -> bool:
    """Check whether a table has moves as rookery writes them, not as text."""
    pa = pyarrow_module()
    if "moves" not in schema.names:
        return False
    kind = schema.field("moves").type
    return bool((pa.types.is_list(kind) or pa.types.is_large_list(kind)) and kind.value_type == pa.uint16())
