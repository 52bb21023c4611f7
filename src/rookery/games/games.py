"""Games: an array of games, as columns."""

from rookery.games.methods.comparison import ComparisonMethods
from rookery.games.methods.openings import OpeningMethods
from rookery.games.methods.reports import ReportMethods
from rookery.games.methods.search import SearchMethods
from rookery.games.methods.tables import TableMethods


class Games(TableMethods, SearchMethods, OpeningMethods, ComparisonMethods, ReportMethods):
    r"""An array of games, stored as columns.

    headers     by name: `Numbers` (int16, dates, times) or `Texts`, one value for each game, which may be missing
    moves       `Moves`: flat uint16 and int64 offsets; a bad game has the moves before its first fault
    clocks, evals, emts
                float32, one value for each ply, flat like the moves: seconds left (``[%clk]``), pawns (``[%eval]``, or
                the score of an engine match; a mate in n is 1000 - n, or n - 1000), seconds taken (``[%emt]``); NaN for
                missing values
    scores      uint8: 0 not over (``*``), 1 white won, 2 black won, 3 drawn
    starts      `Positions`, one for each game
    errors      what is wrong with bad games, a `GameError` each
    warnings    what was skipped in games, a `GameError` each
    tags        `Lists` of ``name`` and ``value``: headers that no column can reproduce, or None
    comments, nags, variations
                `Lists` with the number of half-moves before each, or None; see `rookery.read_pgn`
    texts       the PGN of each game byte for byte as in its source, an array of bytes, or None
    files, numbers
                the name of each game's file, and the number of the game in it, from 1: they identify it in all tables
    rows        int64: the row of a column of texts that each game is from, or None

    `len`, an index (a `rookery.pgn.Game`), slices (views), boolean masks and arrays of indices (copies) work as on an
    array; ``games["WhiteElo"]`` is a column.

    >>> games = read_pgn(b'[White "Anna"]\n[WhiteElo "2100"]\n\n1. e4 e5 2. Nf3 1-0\n\n1. d4 d5 *')
    >>> len(games)
    2
    >>> games[0].moves
    [Move('e2e4'), Move('e7e5'), Move('g1f3')]
    >>> games["WhiteElo"].tolist()
    [2100, None]
    """

    __slots__ = ()
