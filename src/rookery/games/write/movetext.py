"""Games to PGN: one compiled loop over games and their moves, which writes into one array of bytes."""

from typing import Any, Final, NamedTuple

from rookery.kernel import entry_of

write_games: Final = entry_of("rookery.games.write.text_of_games", "write_games")
write_value_comments: Final = entry_of("rookery.games.write.text_of_games", "write_value_comments")


PER_PLY: Final = 24  # bytes at most: a number of ten digits, a move, blanks
PER_VALUE: Final = 40  # a clock or an evaluation
PER_COMMENT: Final = 8
PER_NAG: Final = 12
PER_TAG: Final = 8
PER_GAME: Final = 16


class Tags(NamedTuple):
    """Headers: columns, followed by rows of names and values; those of game i begin at ``rows[i]``."""

    rows: Any  # int64, n + 1
    names: Any  # uint8
    name_ends: Any  # int64, with a 0 in front, like the other ends
    values: Any
    value_ends: Any
    column_names: Any
    column_name_ends: Any
    column_values: Any
    column_ends: Any  # int64, a row of n + 1 for each column
    column_valid: Any  # bool, a row of n for each


class Annotations(NamedTuple):
    """NAGs, comments and variations: for each game rows of a ply and a number or a text.

    `nag_after` counts the comments and variations of the ply before a NAG, `comment_after` the variations before a
    comment.
    """

    nag_rows: Any
    nag_plies: Any
    nags: Any
    nag_after: Any
    comment_rows: Any
    comment_plies: Any
    comment_after: Any
    comment_ends: Any
    comments: Any
    variation_rows: Any
    variation_plies: Any
    variation_ends: Any
    variations: Any


class Play(NamedTuple):
    """Moves, clocks, evaluations and times (arrays that may be empty), results, and start positions."""

    offsets: Any
    moves: Any
    clocks: Any
    evals: Any
    emts: Any
    scores: Any
    places: Any
    starts: Any
