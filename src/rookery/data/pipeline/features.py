"""Features: columns about positions, by name or as expressions of the query language.

`ROWS` are names of what a source says about a row, `FEATURES` those of what is computed of a position. Any other name
of a column of the input, or of a header of games, is a column, too.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.bitboards.bits import mixed
from rookery.board.board import Board
from rookery.data.training.row_positions import RowPositions
from rookery.data.training.views import NO_RESULT
from rookery.frames.arrow import arrow_column, compute_module, list_column, pyarrow_module
from rookery.frames.columns import Numbers, Texts
from rookery.games.methods.duplicates import game_hashes
from rookery.games.positions.scores import NO_SCORE
from rookery.lazy_imports import modules_later
from rookery.positions.keys import legal_targets
from rookery.positions.language.block import Block
from rookery.positions.language.game_block import GameBlock
from rookery.positions.language.grammar import DATE, OF_GAME, TIME
from rookery.positions.language.headers import KINDS
from rookery.positions.language.plan import Plan
from rookery.positions.language.query import query_of
from rookery.positions.language.tokens import separated
from rookery.positions.language.vocabulary import is_header
from rookery.positions.layout import BLACK_TO_MOVE, Columns
from rookery.positions.notation import uci
from rookery.positions.notation.text import texts_of as fens_of
from rookery.positions.operands import plain
from rookery.positions.positions import Positions

if TYPE_CHECKING:
    from rookery.data.encoders import searchless, stockfish
else:  # for few columns
    searchless, stockfish = modules_later("rookery.data.encoders", "searchless stockfish")

_TOKENS: Final = "searchless_tokens"
_HEADER_TYPES: Final = {"number": "int16", DATE: "date32", TIME: "time32[s]"}
_NAMED: Final = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)(.*)", re.DOTALL)
TYPES: Final = {"set": "uint64", "condition": "bool", "text": "string", DATE: "date32", TIME: "time32[s]"}


def _word(name: str) -> Callable[[Any], Any]:
    return lambda positions: getattr(positions.columns, name)


def score_words(positions: Any) -> NDArray[np.int16]:
    """Return scores in centipawns from the side to move, as training data has them."""
    scores: NDArray[np.float32] = positions.score("us")
    return np.where(np.isnan(scores), NO_SCORE, scores).astype(np.int16)


def result_words(positions: Any) -> NDArray[np.int8]:
    """Return results from the side to move, as training data has them."""
    points = positions.result("us")
    return np.where(np.isnan(points), NO_RESULT, 2 * points - 1).astype(np.int8)


def _encoded(name: str, positions: Any) -> Any:
    """Return the inputs of a net as a column of lists."""
    positions = Positions(positions.columns)
    if name == _TOKENS:
        tokens = searchless.searchless_tokens(positions)
        return list_column(np.arange(0, tokens.size + 1, searchless.TOKENS), arrow_column(tokens.reshape(-1)))
    return getattr(stockfish, name)(positions).to_arrow()


class Known(NamedTuple):
    """A feature with a name: its Arrow type, a description, a function of `Positions`, and whether it is squares."""

    type: str
    description: str
    values: Callable[[Any], Any]
    is_set: bool = False


FEATURES: Final[dict[str, Known]] = {
    "legal_moves": Known("uint16", "number of legal moves", lambda p: p.legal_move_counts()),
    "mobility": Known(
        "uint16",
        "squares that the pieces of the side to move attack and do not occupy, summed over its pieces",
        lambda p: p.mobility().sum(axis=0, dtype=np.uint16),
    ),
    "attacks": Known("uint64", "squares that the side to move attacks", lambda p: p.attacks(), is_set=True),
    "checkers": Known("uint64", "pieces that give check to the side to move", lambda p: p.checkers(), is_set=True),
    "pins": Known(
        "uint64", "pieces of the side to move that are pinned to its king", lambda p: p.pinned(), is_set=True
    ),
    "is_check": Known("bool", "whether the side to move is in check", lambda p: p.is_check()),
    "is_mate": Known("bool", "whether the side to move is checkmated", lambda p: p.is_checkmate()),
    "is_stalemate": Known("bool", "whether the side to move is stalemated", lambda p: p.is_stalemate()),
    "tags": Known("uint64", "motifs of the side to move, a bit each (`Positions.tags`)", lambda p: p.tags()),
    "key": Known("uint64", "hash key of the position (`Positions.keys`)", lambda p: p.keys()),
    "signature": Known("string", "pieces of both sides, such as KRPvKR", lambda p: p.signature()),
    "see": Known(
        "int32",
        "the most that a capture or promotion wins in an exchange, in centipawns (`Positions.see`); 0 without one",
        lambda p: _best_exchanges(p),
    ),
    "legal_mask": Known(
        "string",
        "the legal ones of AlphaZero's 4,672 moves, a bit each, in hexadecimal: 584 bytes, the lowest bit first",
        lambda p: [mask.tobytes().hex() for mask in p.policy_mask(packed=True)],
    ),
    "material": Known("int32", "value of the pieces of the side to move: 1, 3, 3, 5, 9", lambda p: p.material()),
}
# The lists of features of Stockfish's nets, and the tokens of searchless chess, as the side to move sees them.
_LISTS: Final = {
    "halfkp": "int32",
    "halfka_v2": "int32",
    "halfka_v2_hm": "int32",
    "full_threats": "int32",
    "pawn_pairs": "int32",
    "sfnnv16": "int32",
    _TOKENS: "uint8",
}
FEATURES.update(
    (name, Known(f"list<{kind}>", f"inputs of a net: `encoders.{name}`", functools.partial(_encoded, name)))
    for name, kind in _LISTS.items()
)


# What a source says about a row. `move` and `move.uci` are one; the views of `eval`, `clock` and `result` are those of
# the language: the side to move's, unless an expression names another.
ROWS: Final[dict[str, Known]] = {
    "file": Known("string", "name of the file", lambda p: p.file),
    "number": Known("int64", "number of the game in its file, from 1", lambda p: p.number),
    "game": Known("int64", "index of the game among all that were read, from 0", lambda p: p.game),
    "ply": Known("int32", "half-moves before the position", lambda p: p.ply),
    "fen": Known("string", "the position as FEN", lambda p: fens_of(p.columns)),
    "move": Known("string", "move that was played or found best, in UCI notation", lambda p: _uci(p)),
    "move.uci": Known("string", "the same", lambda p: _uci(p)),
    "move.san": Known("string", "that move in SAN", lambda p: _san(p)),
    "clock": Known("float32", "seconds on the clock of the side to move", lambda p: p.clock("us")),
    "eval": Known("float32", "evaluation in pawns, from the side to move", lambda p: p.eval("us")),
    "result": Known("float32", "points that the side to move scored: 1, 0.5 or 0", lambda p: p.result("us")),
}


_IDENTITY: Final = 72  # bytes: nine words
# What tells rows apart, or divides them, without being a column of the result.
POSITION, KEY, GAME, PLAYER = "(position)", "(key)", "(game)", "(player)"
HIDDEN: Final[dict[str, Known]] = {
    POSITION: Known(
        f"binary[{_IDENTITY}]", "pieces, side to move, castling rights and legal en passant", lambda p: _identities(p)
    ),
    KEY: Known("uint64", "hash of the position", lambda p: mixed(p.keys())),
    GAME: Known("uint64", "hash of the first position and all moves of the game", lambda p: _game_hashes(p)),
    PLAYER: Known("string", "name of the player to move", lambda p: _players(p)),
}
PACKED: Final = "(packed)"  # the column of `rookery.data.pipeline.packed_rows`, which a stage makes
# What divides rows into train, validation and test, by its name.
DIVIDERS: Final = {"game": GAME, "date": "Date", "player": PLAYER, "position": KEY}
HASHES: Final = (GAME, KEY)

# The columns of `ScoredPositions`, as words: what `Plan.write_training` reads back.
TRAINING_ROW: Final[dict[str, Known]] = {
    **{f"word {name}": Known("uint64", "a column of positions", _word(name)) for name in Columns._fields},
    "word move": Known("uint16", "move as `Move` encodes it", lambda p: p.played_moves()),
    "word score": Known("int16", "score in centipawns", lambda p: score_words(p)),
    "word result": Known("int8", "result from the side to move", lambda p: result_words(p)),
    "word ply": Known("int32", "half-moves before the position", lambda p: p.ply),
}
_OF_STAGE: Final = {PACKED: Known("", "position, move, score, result, ply and file, as bytes", lambda p: None)}
NAMED: Final = ROWS | FEATURES | HIDDEN | TRAINING_ROW | _OF_STAGE


class Feature(NamedTuple):
    """A column of a table: its name, its Arrow type, and its expression ("" if the name is the expression).

    `needs_games` is set if the expression asks about games, whose `headers` it looks at. A column of the input that is
    copied has the type "", and an expression `of_lines` asks about columns of the input.
    """

    name: str
    type: str
    expression: str = ""
    needs_games: bool = False
    headers: tuple[str, ...] = ()
    of_lines: bool = False

    @property
    def asked(self) -> str:
        """Return the expression."""
        return self.expression or self.name


Features = str | Iterable[str] | Mapping[str, str]


def features_of(features: Features) -> tuple[Feature, ...]:
    """Return the features that an argument names, in order.

    It is a text such as ``"legal_moves, pawns=count(pawns)"``, a list of such texts, or a mapping from names to
    expressions. Each feature is a name in `FEATURES`, an expression of the query language, or ``name=EXPRESSION``.

    >>> [(feature.name, feature.type) for feature in features_of("legal_moves, pawns=count(pawns), us.king")]
    [('legal_moves', 'uint16'), ('pawns', 'int64'), ('us.king', 'uint64')]
    """
    named = named_columns(features, "features")
    if not named:
        raise ValueError(f"features: {shown(features)}: expected at least one of {', '.join(FEATURES)}")
    found: dict[str, Feature] = {}
    for name, expression in named:
        if not isinstance(name, str) or not isinstance(expression, str):
            raise TypeError(f"features: {shown({name: expression})}: expected texts")
        if name in found:
            raise ValueError(f"features: {shown(name)}: named twice")
        found[name] = _feature(name, expression)
    return tuple(found.values())


def named_columns(features: Any, label: str) -> list[tuple[str, str]]:
    """Return the names and expressions of columns, given as `features_of` takes them in an argument `label`."""
    if isinstance(features, Mapping):
        return list(features.items())
    if isinstance(features, str):
        return [_named(part) for part in separated(features, label)]
    if not isinstance(features, Iterable):
        raise TypeError(f"{label}: {shown(features)}: expected text, a list of texts or a mapping")
    named: list[tuple[str, str]] = []
    for i, one in enumerate(features):
        if not isinstance(one, str):
            raise TypeError(f"{label}[{i}]: {shown(one)}: expected text")
        named += [_named(part) for part in separated(one, label)]
    return named


def _named(part: str) -> tuple[str, str]:
    found = _NAMED.fullmatch(part)
    return (found[1], found[2].strip()) if found else (part, part)


def _feature(name: str, expression: str) -> Feature:
    if expression in FEATURES:
        known = FEATURES[expression]
        return Feature(name, known.type, "" if name == expression else expression)
    query = query_of(expression, "features")
    kind = TYPES.get(query.kind)
    if kind is None:
        # A number of a game may be missing, which only a float64 column shows.
        kind = "float64" if query.needs_games else str(query.evaluate(Positions.from_boards([Board()])).dtype)
    return Feature(name, kind, expression, query.needs_games, query.headers)


def column_of(name: str, expression: str) -> Feature:
    """Return a column of a plan: a name in `ROWS` or `FEATURES`, a header of games, or an expression.

    >>> column_of("ply", "ply").type, column_of("elo", "WhiteElo").type, column_of("day", "UTCDate").type
    ('int32', 'int16', 'date32')
    """
    if expression in HIDDEN:
        headers = ("White", "Black") if expression == PLAYER else ()
        return Feature(name, HIDDEN[expression].type, expression, expression in (GAME, PLAYER), headers)
    if expression in ROWS:
        return Feature(name, ROWS[expression].type, expression, needs_games=expression != "fen")
    if expression in TRAINING_ROW:
        return Feature(name, TRAINING_ROW[expression].type, expression, needs_games=True)
    if expression not in FEATURES and expression.isidentifier() and is_header(expression):
        kind = _HEADER_TYPES.get(KINDS.get(expression, ""), "string")
        return Feature(name, kind, expression, needs_games=True, headers=(expression,))
    return _feature(name, expression)


def check_without_games(features: Iterable[Feature]) -> None:
    """Raise a ValueError for a feature that needs games."""
    for feature in features:
        if feature.needs_games:
            raise ValueError(
                f"features: {shown(feature.expression)}: asks about games: expected questions about positions"
            )


def arrow_type(feature: Feature) -> Any:
    """Return the Arrow type of a feature's column."""
    pa, kind = pyarrow_module(), feature.type
    if kind.startswith("binary["):
        return pa.binary(int(kind[7:-1]))
    return pa.list_(pa.type_for_alias(kind[5:-1])) if kind.startswith("list<") else pa.type_for_alias(kind)


def computed(features: Iterable[Feature], positions: Positions) -> list[Any]:
    """Return the column of each feature for some positions, as Arrow arrays."""
    return Computation(features).columns(Block(positions, {}))


class Computation:
    """Columns that are computed together: parts that several expressions have in common are computed once."""

    def __init__(self, features: Iterable[Feature], query: str | None = None) -> None:
        """Read the expressions; `query` is a condition on positions."""
        self.features = tuple(features)
        self.query = None if query is None else Plan(query)
        self._plans: dict[str, Plan] = {}
        shared = self.query
        for feature in self.features:
            if feature.type and not feature.of_lines and feature.asked not in NAMED:
                shared = self._plans[feature.asked] = Plan(feature.asked, "features", shared)

    def chosen(self, positions: Positions, rows: NDArray[np.intp] | None = None) -> Block:
        """Return the block of those of some `rows`, by default all, for which the condition is true."""
        plan = self.query or next(iter(self._plans.values()), None)
        block = Block(positions, {}) if plan is None else plan.block(positions)
        block = block if rows is None else block.part(rows)
        if self.query is None:
            return block
        held = self.query.holds(block)
        return block if held.all() else block.part(np.flatnonzero(held))

    def columns(self, block: Block, given: Mapping[str, Any] = MappingProxyType({})) -> list[Any]:
        """Return the column of each feature for the positions of a block; `given` are those that are known."""
        return [given[f.asked] if f.asked in given else self._column(f, block) for f in self.features]

    def _column(self, feature: Feature, block: Block) -> Any:
        asked, positions = feature.asked, block.positions
        if asked in self._plans:
            plan = self._plans[asked]
            if plan.root.scope == OF_GAME:
                return _of_games(feature, plan, positions)
            return _arrow_array(feature, plan.values(block))
        return _arrow_array(feature, NAMED[asked].values(positions))


def _of_games(feature: Feature, plan: Plan, positions: Any) -> Any:
    """Return a value of the game of each position, computed once for each game; a header has its own type."""
    games, n, index = positions._games_as_columns()
    table = GameBlock(games, n)
    try:
        values = games.column(feature.asked) if feature.asked in feature.headers else table.value(plan.root)
    except KeyError as error:
        raise ValueError(f"features: {error.args[0]}") from None
    if np.ndim(values) == 0 and not isinstance(values, (Numbers, Texts)):
        values = np.full(n, values)
    return arrow_column(values).cast(arrow_type(feature)).take(pyarrow_module().array(index))


def values_of(expressions: Sequence[str], positions: Positions, threads: int = 1) -> list[Any]:
    """Return the values of features by their names or expressions, as arrays."""
    texts = {text for text in expressions if text not in FEATURES}
    found = positions.select(*texts, threads=threads) if texts else {}
    return [found[text] if text in found else FEATURES[text].values(positions) for text in expressions]


def is_set(feature: Feature) -> bool:
    """Return whether a feature is a set of squares."""
    known = FEATURES.get(feature.asked)
    return known.is_set if known else query_of(feature.asked, "features").kind == "set"


def _best_exchanges(positions: Positions) -> Any:
    """Return the highest static exchange evaluation of the captures and promotions of each position."""
    moves = positions.captures()
    best = np.zeros(len(positions), np.int32)
    has = np.flatnonzero(np.diff(moves.offsets))
    if has.size:
        best[has] = np.maximum.reduceat(positions.see(moves), moves.offsets[has])
    return best


def _uci(positions: Any) -> Any:
    """Return the moves that were played in UCI notation, null where there is none."""
    return arrow_column(uci.column_of(plain(positions.played_moves()), positions.chess960))


def _san(positions: Any) -> Any:
    """Return the moves that were played in SAN, null where there is none."""
    pa = pyarrow_module()
    words = positions.played_moves()
    is_move = words != 0
    rows = np.flatnonzero(is_move)
    texts = arrow_column(positions[rows].san(words[rows]))
    return texts.take(pa.array(np.cumsum(is_move) - 1, mask=~is_move))


def _identities(positions: Any) -> Any:
    """Return the words of each position that tell it apart from others, as bytes."""
    pa, c = pyarrow_module(), positions.columns
    turn = c.state & np.uint64(BLACK_TO_MOVE)
    words = np.stack([*c[:7], legal_targets(c), turn], axis=1)
    return pa.Array.from_buffers(pa.binary(_IDENTITY), len(positions), [None, pa.py_buffer(words)])


def _game_hashes(positions: Any) -> NDArray[np.uint64]:
    """Return a hash of each position's game: equal games in other files have the same."""
    if isinstance(positions, RowPositions):
        return positions.game_hashes()
    game, games = positions._with_games()
    hashes: NDArray[np.uint64] = game_hashes(games)[game]
    return hashes


def _players(positions: Any) -> Any:
    """Return the name of the player who is to move, null where the game does not state it."""
    games, _, index = positions._games_as_columns()
    pa = pyarrow_module()
    names = [arrow_column(games.column(name)).cast(pa.string()).take(pa.array(index)) for name in ("White", "Black")]
    return compute_module().if_else(pa.array(positions.turn), *names)


def _arrow_array(feature: Feature, values: Any) -> Any:
    """Return the values of a feature, in which NaN becomes null: SQL counts and compares NaN as a number."""
    if feature.type.startswith("list<"):
        return values
    if feature.type != "string" and not feature.type.startswith("binary"):
        kind = "?" if feature.type == "bool" else feature.type
        values = np.ascontiguousarray(values).astype(kind, copy=False)
    return arrow_column(values)
