"""The output of the compiled reader: options, faults, rows of games, and its state."""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel import U64, array_of

PAD: Final = 128  # bytes behind a text that may be read, whatever they hold

# Options: what to read besides moves and headers.
# With `VALUES_AS_TEXT` a comment that holds nothing but values is kept as text, too.
CLOCKS, COMMENTS, NAGS, VARIATIONS, ONE_EACH, NO_MOVES, STRICT, VALUES_AS_TEXT = (1 << n for n in range(8))
LANGUAGE_SHIFT: Final = 8  # above are the bits of a language's number, see `languages`

# Faults of a game.
(
    NO_FAULT, MOVE_FAULT, BROKEN_TAG, TAG_TWICE, BAD_RESULT, BAD_VARIANT, NO_FEN, BAD_FEN, UNCLOSED_COMMENT,
    CLOSES_NOTHING, OPEN_VARIATION, OTHER_RESULT, NO_GAME, ANOTHER_GAME, TOO_MANY_WARNINGS, AMBIGUOUS_TIME,
    WAS_BAD, TWO_RESULTS, NO_BEGINNING, RESULT_IN_MOVES, TAG_IN_MOVES,
) = range(21)  # fmt: skip

# Warnings: what is skipped in a game.
(
    NO_WARNING, ANNOTATION, READ_AS, STRAY_BRACE, STRAY_BRACKET, COMMENT_REST, NULS, IMPOSSIBLE_RIGHTS, SHORT_TIME,
    PRINTED, ODD_RESULT, RESULT_TWICE, RESULT_INSIDE, NOT_FIRST, BEHIND_RESULT, TAG_INSIDE, OTHER_LETTERS,
    DOUBTFUL_SCORE,
) = range(18)  # fmt: skip
# A warning's row; `WARNING_READ` is where the move ends that a word is read as, or 0.
WARNING_GAME, WARNING_CODE, WARNING_FROM, WARNING_TO, WARNING_PLY, WARNING_READ, WARNING_ROW = range(7)

# The state of the reader. Counts are rows that are filled in the arrays of `Output`; all other places are bytes.
STATE: Final = np.dtype(
    [
        *(
            (name, np.uint64)
            for name in (
                # Where it is.
                "place", "line_start",  # the next byte, and whether a line begins there
                "range", "games_of_range",
                # How much is written.
                "games", "plies", "tags", "nags", "comments", "variations", "warnings", "starts",
                "clocks", "evaluations", "elapsed",  # plies up to the last that has a value
                # The game being read: its number, where it begins in the text and in each array.
                "game", "begun", "start", "first_ply", "first_tag", "first_nag", "first_comment", "first_variation",
                # Its grammar.
                "in_moves", "after_blank_line", "depth", "variation", "has_variations", "result",
                "last_comment",  # of the last ply, see `take_comment`
                "open_comment",  # whether a comment is not closed, also behind a fault
                "nested_comment",  # 0, or one more than the plies before the last comment that has a brace in it
                "short_times",  # how times of two parts are read, see `comments`
                "doubtful_score",  # whether one was reported
                "skips_moves",  # whether moves can no longer be checked, because a fault came before
                # Its first fault.
                "fault", "fault_start", "fault_end", "game_warnings",
                # Its result, and those on one line with it.
                "result_start", "result_end",
                "on_line_of_result",  # whether no line has begun since the result
                "after_result",  # whether the game before ended on the line of its result
                "behind_result",  # whether the game begins there
            )
        ),
        ("fault_ply", np.int64),  # plies before the fault, or -1 if it is not in the moves
    ]
)  # fmt: skip

# A game's row.
(
    BEGINS, STOPS, FIRST_PLY, FIRST_TAG, FIRST_NAG, FIRST_COMMENT, FIRST_VARIATION, START, SCORE, FAULT_CODE,
    FAULT_FROM, FAULT_TO, FAULT_PLY, OF_RANGE, MARKED, ROW,
) = range(16)  # fmt: skip
# Bits of `MARKED`: the game has a result; it ends on the line of its result; it ends where a line begins; a comment is
# not closed. So a row has 128 bytes, two lines of the cache.
HAS_RESULT, SAME_LINE, AT_LINE, OPEN_COMMENT = 1, 2, 4, 8

START_ROW: Final = 13  # a start position: ten words, two counters, and whether it is Chess960


class Output(NamedTuple):
    """The arrays that the reader fills. Places are bytes of the text."""

    games: Any  # int64, `ROW` a game
    slots: Any  # int32, `SLOTS` a game
    moves: Any  # uint16
    clocks: Any  # float32, a value a ply, as the next two
    evaluations: Any
    elapsed: Any
    tags: Any  # int32, see `tags`
    nags: Any  # int32: half-moves before, number, comments and variations of the ply before it
    comments: Any  # int32: half-moves before, where it begins and ends, variations of the ply before it
    variations: Any  # int32: half-moves before, where it begins and ends
    starts: Any  # uint64, `START_ROW` each
    warnings: Any  # int32, `WARNING_ROW` each, room for `MOST_WARNINGS` of the next game


class Scratch(NamedTuple):
    """Memory that the reader works in."""

    state: Any  # one record of `STATE`
    row: Any
    report: Any
    word: Any  # uint8: a word that is respelled
    seen: Any  # where tags of unknown names are, by their hash


def examples() -> tuple[Output, Scratch]:
    """Return examples of the arrays that the reader fills and works in."""
    numbers, rows = array_of(np.int32), array_of(np.int32, 2)
    values, words = array_of(np.float32), array_of(U64)
    filled = Output(
        *(array_of(np.int64, 2), rows, array_of(np.uint16), values, values, values),
        *(rows, rows, rows, rows, array_of(U64, 2), rows),
    )
    return filled, Scratch(np.recarray(1, STATE), words, array_of(np.int64), array_of(np.uint8), numbers)
