"""Calls of the public functions with arguments of all types that users commonly pass, by subject.

What they run must be compiled in advance: see test_precompiled.py. `sample` has the positions and the games.
"""

import contextlib
import dataclasses
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from rookery.bitboards.squares import DIRECTIONS
from rookery.techniques.base import Technique

KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
_LOCKED: Final = "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1"
_DOUBTFUL: Final = "1n6/1kr1b3/r1p5/p3BpP1/PpBPP1Pp/5R1N/1P1N1K1P/1q2R3 w - - 0 31"  # Rxf5 needs a search of captures

GAMES: Final = b"""[Event "?"]
[White "Anna"]
[Annotator "Bert"]
[WhiteElo "2100"]
[WhiteRatingDiff "+5"]
[UTCDate "2025.05.01"]
[UTCTime "10:00:00"]

1. e4 {[%clk 0:03:00] best} e5 $1 (1... c5) 2. Nf3 1-0

1. e4 Ke2 *
"""


@dataclasses.dataclass
class Sample:
    """The positions and the games of all calls."""

    fens: list[str]  # of positions with a legal move
    games: bytes


sample: Final = Sample([KIWIPETE, KIWIPETE.replace(" w ", " b ")], GAMES)


def _positions() -> Any:
    from rookery.positions.positions import Positions

    return Positions.from_fens(sample.fens)


def _board() -> None:
    from rookery.board.board import Board
    from rookery.board.moves import Move
    from rookery.rules.notation.san_reader import spelled_move

    board = Board(KIWIPETE)
    move = board.parse_uci("e2a6")
    board.parse_san(board.san(move)), spelled_move("Bxa6"), board.see(move), board.fen()
    board.pseudo_legal_see(move), board.generate_pseudo_legal_moves(), board.is_pseudo_legal(Move.of(0, 63))
    Board(_DOUBTFUL).see(Move.of(21, 37))
    # What machine code of boards leaves to Python.
    word = int(move)
    Board(KIWIPETE, chess960=True).fen(shredder=True), board.san(word), board.pseudo_legal_see(word)
    board.generate_pseudo_legal_moves(from_mask=1), board.is_pseudo_legal(int(Move.of(0, 63)))


def _board_queries() -> None:
    from rookery.board.board import Board
    from rookery.board.queries import batteries, discoverers, pinned, progressive_mobility, trajectories

    board = Board(KIWIPETE)
    for colour in (True, False):
        pinned(board, colour), discoverers(board, colour), batteries(board, colour)
    progressive_mobility("rook", 0, 0), trajectories("rook", 0, 9, 0)


def _perft() -> None:
    from rookery.counting.perft import perft
    from rookery.counting.walk import as_board, statistics

    perft("start", 4)
    perft("start", 2)
    list(statistics(as_board("start"), 2))


def _text() -> None:
    positions = _positions()
    positions.to_fens(), positions.to_epds()
    list(type(positions).scan_fens(f"{KIWIPETE}\n".encode()))


def _queries() -> None:
    positions = _positions()
    for side in ("us", "them", "both"):
        positions.attacks(side)
        for piece in ("pawn", "knight", "bishop", "rook", "queen", "king"):
            positions.attacks(side, piece)
    positions.attack_maps(), positions.attack_counts()
    for query in (positions.checkers, positions.pinners, positions.discoverers, positions.king_danger):
        query()
    for line in (None, "file", "rank", "diagonal", "antidiagonal"):
        positions.pinned(line=line)
    positions.is_check(), positions.is_checkmate(), positions.is_stalemate()


def _pieces() -> None:
    positions = _positions()
    positions.pieces(), positions.king_square(), positions.material(), positions.signature()
    for piece in ("pawn", "knight", "bishop", "rook", "queen", "king"):
        positions.pieces(piece), positions.attacks_from("e4", piece), positions.forks(piece, "kq")


def _motifs() -> None:
    positions = _positions()
    positions.tags(), positions.named_mates()


def _expressions() -> None:
    from rookery.games.read.reader import read_pgn

    positions = _positions()
    for query in (
        *("bishop_attacks(e4)", "rook_attacks(e4)", "queen_attacks(e4)", "attackers(us.king, them)"),
        *("knight_attacks(us.king)", "king_attacks(us.king)"),
        *("between(us, them)", "distance(us, them)", 'pattern("Kk")', 'like("Kk")', "passed"),
        *("possible(is_check)", "possible(move.is_check)"),
    ):
        positions.evaluate(query)
    positions.evaluate('signature == "KRvKR"')
    games = read_pgn(sample.games)
    games.positions("all").evaluate("count(piece(e2)) + repetitions")
    games.search("imbalance > 1")
    games.search("is_mate")  # in the last position of each game: the moves tell which
    games.search("white_to_move")  # every other position of each game


def _mobility() -> None:
    positions = _positions()
    positions.mobility()
    for piece in ("pawn", "knight", "bishop", "rook", "queen", "king"):
        positions.mobility(piece)
    for piece in ("bishop", "rook", "queen"):
        positions.progressive_mobility(piece, 2)


def _validity() -> None:
    positions = _positions()
    positions.is_valid(), positions.outcomes(), positions.outcomes(claim_draw=True)


def _dead() -> None:
    from rookery.positions.positions import Positions

    _positions().is_dead(), Positions.from_fens(["8/8/8/1k6/8/1K6/1B6/8 w - - 0 1", _LOCKED]).is_dead()


def _counts() -> None:
    _positions().legal_move_counts()


def _moves() -> None:
    from rookery.board.moves import CASTLING, IllegalMoveError, word_of

    positions = _positions()
    moves = positions.random_moves(np.random.default_rng(0))
    positions.legal_moves(), positions.captures(), positions.uci(moves)
    positions.parse_san(positions.san(moves))
    positions.moving_pieces(moves), positions.captured_pieces(moves), positions.see(positions.captures())
    positions.play(moves), positions.play(moves, check=False), positions.play(np.zeros_like(moves))
    with contextlib.suppress(IllegalMoveError):
        positions.play(np.full_like(moves, word_of(20, 23, kind=CASTLING)), check=False)


def _rollouts() -> None:
    for moves in (False, True):
        _positions().rollouts(np.random.default_rng(0), max_plies=4, moves=moves)


def _features() -> None:
    from rookery.positions.features.channels import CHANNELS

    positions = _positions()
    for dtype in (np.uint8, np.float32):
        positions.planes(dtype=dtype), positions.planes(list(CHANNELS), dtype=dtype)


def _policy() -> None:
    positions = _positions()
    moves = positions.random_moves(np.random.default_rng(0))
    for layout in ("alphazero", "leela"):
        positions.policy_mask(layout), positions.policy_mask(layout, packed=True)
        positions.policy_moves(positions.policy_index(moves, layout), layout)


def _keys() -> None:
    from rookery.positions.keys import legal_targets

    positions = _positions()
    positions.keys(), positions.polyglot_keys(), positions.unique(), legal_targets(positions.columns)


def _arrays() -> None:
    positions = _positions()
    type(positions).from_numpy(positions.to_numpy())


def _read_games() -> None:
    from rookery.games.read.reader import read_pgn

    read_pgn(sample.games)[0]
    read_pgn(sample.games, headers=["Annotator"], texts=True)
    read_pgn(sample.games, where='WhiteElo >= 2000 and "A" in White and White < Annotator', moves=False)
    read_pgn(sample.games, where='speed == "rapid" and EventDate < 2000-01-01 and year < 2000')
    read_pgn(sample.games).positions()
    read_pgn(sample.games).moves.hash()
    read_pgn(sample.games).duplicates(prefixes=True)


def _openings() -> None:
    from rookery.games.headers.opening_names import read_opening_names
    from rookery.games.openings.tree import OpeningTree
    from rookery.games.read.reader import read_pgn

    tree = read_pgn(sample.games).opening_tree()
    tree.merge(tree.pruned(1))
    OpeningTree().merge(tree)
    tree._storage.reserve(10_000, 10_000, 10_000)
    tree.root.play("e4"), tree.to_arrow("positions")
    names = read_opening_names(b"eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n")
    read_pgn(sample.games, names=names)["Opening"]


def _write_games() -> None:

    from rookery.games.read.reader import read_pgn
    from rookery.games.write.writer import write_pgn

    write_pgn(read_pgn(sample.games), io.BytesIO())


def _write_trees() -> None:
    from rookery.pgn import read_game
    from rookery.pgn.annotations import match_values

    str(read_game(io.StringIO("1. e4 {best} e5 (1... c5) *")))
    match_values("+0.35/12 0.45s", white_moved=True)


def _stored_games() -> None:
    from rookery.games.positions.check_moves import illegal_move
    from rookery.games.read.reader import read_pgn

    games = read_pgn(sample.games)
    illegal_move(games.columns), games.summaries()


def _index() -> None:
    import tempfile

    from rookery.data.index.making import index_games
    from rookery.rules.notation.start import START

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.pgn")
        path.write_bytes(sample.games)
        index_games(path, Path(folder, "index")).at(START)


def _puzzles() -> None:
    from rookery.data.puzzles import tag_puzzles

    tag_puzzles(["6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1"], ["g8h8 a1a8"])


def _plans() -> None:
    from rookery.data.plans.plan import scan
    from rookery.games.read.reader import read_pgn

    scan(read_pgn(sample.games)).select("fen", "move").collect()


def _training() -> None:

    from rookery.data.training.formats import FORMATS
    from rookery.data.training.reading import read_training
    from rookery.data.training.samples import ScoredPositions
    from rookery.data.training.stats import training_stats
    from rookery.data.training.writing import write_training

    positions = _positions()
    moves = positions.legal_moves()
    first = moves.moves[moves.offsets[:-1]]
    signs = [1, -1] * (len(positions) // 2) + [1] * (len(positions) % 2)
    rows = ScoredPositions(positions, moves=first, scores=signs, results=signs)
    training_stats(rows)
    for found in FORMATS:
        if found.writing is not None:
            file = io.BytesIO()
            write_training(rows, file, found.name)
            if found.read is not None:
                read_training(file.getvalue(), found.name)


def _encoders() -> None:
    from rookery import encoders

    positions = _positions()
    encoders.halfkp(positions), encoders.halfka_v2(positions), encoders.sfnnv16(positions)
    encoders.searchless_tokens(positions), encoders.maia2_planes(positions), encoders.concepts(positions, "see")


def _datasets() -> None:
    from rookery.data.datasets.rows import packed, scored
    from rookery.data.training.samples import ScoredPositions

    scored(packed(ScoredPositions(_positions())))


def _leapers() -> None:
    from rookery.bitboards.leapers import knight_attacks

    knight_attacks(np.zeros(2, np.uint8)), knight_attacks(np.zeros(2, np.int64))


def ask(t: Technique) -> None:
    """Ask a technique all that it offers."""
    rows = len(sample.fens)
    squares, words = (
        np.arange(rows, dtype=np.uint8) % 64,
        np.random.default_rng(1).integers(0, 1 << 64, rows, np.uint64),
    )
    for question in t.offers:
        if question == "fill":
            for direction in DIRECTIONS[:1]:
                t.fill(direction, words, words)
                t.ray_attacks(direction, words, words)
        elif question == "ray":
            t.ray(DIRECTIONS[0], 0, 0)
            t.ray(DIRECTIONS[0], squares, words)
        else:
            t.ask(question, 0, 0)
            t.ask(question, squares, words)
            t.ask(question, squares.astype(np.int64), words)


CALLS: Final[dict[str, Callable[[], None]]] = {
    "Board": _board,
    "games: reading": _read_games,
    "perft": _perft,
    "Positions: text": _text,
    "pgn: writing": _write_trees,
    "index": _index,
    "plans": _plans,
    "puzzles": _puzzles,
    "encoders": _encoders,
    "training data": _training,
    "Positions: motifs": _motifs,
    "Positions: moves": _moves,
    "Positions: queries": _queries,
    "Positions: planes": _features,
    "Positions: pieces": _pieces,
    "Positions: policy": _policy,
    "Positions: rollouts": _rollouts,
    "Positions: mobility": _mobility,
    "Positions: counts": _counts,
    "Positions: validity, outcomes": _validity,
    "Positions: keys": _keys,
    "Positions: dead": _dead,
    "Positions: columns": _arrays,
    "datasets": _datasets,
    "Board: pins and batteries": _board_queries,
    "Positions: expressions": _expressions,
    "games: writing": _write_games,
    "games: openings": _openings,
    "games: moves of tables": _stored_games,
    "knights and kings": _leapers,
}
