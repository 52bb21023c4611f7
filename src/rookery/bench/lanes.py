"""Arrays of positions, compared with the peers that are installed, and with one position at a time.

The positions come from random games, in a block that fits the cache. Every array is compared with the answers of the
scalar generator and its techniques, position by position. The slower python-chess and chessmg answer for a part of the
positions, and must agree. Planes and masks are related to the time it takes to fill their output with ones.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import PolicyLayout
from rookery.bench.machine import describe
from rookery.bench.perft import perft_work, scalar_perft
from rookery.bench.turns import TimedRow, TimedWork, compare_all, installed
from rookery.bitboards.leapers import table
from rookery.bitboards.squares import SQUARE_NAMES
from rookery.board.board import Board
from rookery.counting.perft import perft
from rookery.kernel import UNIVERSE, entry
from rookery.positions.features.move_lists import move_list
from rookery.positions.features.policy import move_to_index
from rookery.positions.kernels.lanes import load, position
from rookery.positions.positions import Positions
from rookery.rules.compiled import default_technique
from rookery.rules.generate import Count, generate
from rookery.rules.notation.start import START
from rookery.rules.zobrist import KEYS

PERFTS: Final = (("start", 7), ("kiwipete", 6))  # peers go one ply less
THREADED: Final = ("start", 7)
THREADS: Final = 2
HASHED: Final = ("start", 8)
HASH_MB: Final = 64  # greater tables miss the caches more often: 256 MB took 7 % longer
PERFT_ROUNDS: Final = 5  # of what takes seconds
HASHED_ROUNDS: Final = 3  # of what takes half a minute
PEERS_SHARE: Final = 256  # positions that a peer looks at, which takes tens of microseconds each
PLIES: Final = 64  # about the length of the games
BEYOND_CACHES: Final = 1 << 26  # bytes of planes or masks, so that memory is what they are written to

Answers = NDArray[Any]
_OUTPUTS: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("planes, 18 channels, uint8", "planes", {"dtype": np.uint8}),
    ("planes, 18 channels, float32", "planes", {"dtype": np.float32}),
    ("policy masks, alphazero", "policy_mask", {"layout": "alphazero"}),
    ("policy masks, alphazero, packed", "policy_mask", {"layout": "alphazero", "packed": True}),
    ("policy masks, leela", "policy_mask", {"layout": "leela"}),
    ("policy masks, leela, packed", "policy_mask", {"layout": "leela", "packed": True}),
)
_BECOMES: Final = {flag: "nbrq"[flag & 3] for flag in (4, 5, 6, 7, 12, 13, 14, 15)}  # chessmg's flags of promotions


def random_positions(n: int, seed: int = 0) -> Positions:
    """Return `n` positions of random games in no particular order. Games that have ended are left out.

    >>> random_positions(3) == random_positions(3)
    True
    """
    rng = np.random.default_rng(seed)
    games = first = Positions.from_fens([START] * (n // PLIES + 1))
    plies = [first]
    while sum(map(len, plies)) < n:
        moves = games.random_moves(rng)
        alive = np.flatnonzero(moves)
        games = games[alive].play(moves[alive]) if alive.size else first
        plies.append(games)
    played = Positions.concatenate(plies)
    return played[rng.permutation(len(played))[:n]]


@entry
def count_one_by_one(c: Any, out: Any, t: Any) -> None:
    """Count legal moves with the scalar generator, in a compiled loop."""
    for i in range(out.size):
        out[i] = generate(position(load(c, i), t), t, Count(), UNIVERSE, UNIVERSE)


# What is right.


def equal_to(expected: Any) -> Callable[[Any], bool]:
    """Return a check that an answer equals the expected one."""
    return lambda answer: bool(answer == expected)


def filled_with(expected: Answers) -> Callable[[Answers], bool]:
    """Return a check that an array holds the expected values, once or repeated. It clears the array."""

    def right(answer: Answers) -> bool:
        copies = answer.reshape(-1, *expected.shape)
        same = all(np.array_equal(part, expected) for part in copies)
        answer.fill(0)
        return same

    return right


def _full_of_ones(answer: Answers) -> bool:
    return bool((answer == 1).all())


def maps_by_technique(positions: Positions) -> NDArray[np.uint64]:
    """Return the attacks of the pieces of each kind and colour, square by square, as `Positions.attack_maps` does."""
    c, t = positions.columns, default_technique()
    queens = c.diagonals & c.orthogonals
    kinds = (c.pawns, c.knights, c.diagonals ^ queens, c.orthogonals ^ queens, queens, c.kings)
    occupied = np.bitwise_or.reduce(kinds)
    maps = np.zeros((12, len(positions)), np.uint64)
    for square in range(64):
        squares = np.full(len(positions), square, np.uint8)
        sliders = [ask(squares, occupied) for ask in (t.bishop, t.rook, t.queen)]
        for colour, side, pawn in ((0, c.white, "white pawn"), (1, ~c.white, "black pawn")):
            attacks = [table(pawn)[square], table("knight")[square], *sliders, table("king")[square]]
            for row, (pieces, attacked) in enumerate(zip(kinds, attacks, strict=True), 6 * colour):
                stands = (pieces & side) >> np.uint64(square) & np.uint64(1)
                maps[row] |= np.where(stands, attacked, np.uint64(0))
    return maps


def planes_by_board(boards: Sequence[Board], dtype: Any) -> Answers:
    """Return the 18 channels of `Positions.planes`, board by board."""
    out = np.zeros((len(boards), 18, 8, 8), dtype)
    for planes, board in zip(out, boards, strict=True):
        us, them = ("PNBRQK", "pnbrqk") if board.turn else ("pnbrqk", "PNBRQK")
        for square, piece in board.placement.marks().items():
            planes[(us + them).index(piece), square // 8, square % 8] = 1
        rights = board.fen(en_passant="fen").split()[2]
        for channel, right in enumerate(us[5] + us[4] + them[5] + them[4], 12):
            planes[channel] = right in rights
        if board.ep_square is not None:
            planes[16, board.ep_square // 8, board.ep_square % 8] = 1
        if not board.turn:
            planes[:] = planes[:, ::-1]
        clock = board.halfmove_clock
        planes[17] = clock / 100 if out.dtype == np.float32 else min(clock, 255)
    return out


def masks_by_board(boards: Sequence[Board], layout: PolicyLayout) -> NDArray[np.bool_]:
    """Return the policy masks, move by move."""
    out = np.zeros((len(boards), move_list(layout).size), np.bool_)
    for mask, board in zip(out, boards, strict=True):
        mask[[move_to_index(move, board, layout) for move in board.generate_legal_moves()]] = True
    return out


# The rows.


def _compared_with_peers(what: str, unit: str, ours: TimedWork, peers: dict[str, TimedWork]) -> Iterator[TimedRow]:
    """Yield a row for each peer that is installed, or one without a peer."""
    for peer, theirs in peers.items():
        yield TimedRow(what, unit, ours, theirs, peer)
    if not peers:
        yield TimedRow(what, unit, ours)


def count_rows(positions: Positions, boards: Sequence[Board], chess: Any) -> Iterator[TimedRow]:
    """Return the comparisons of legal move counts."""
    numbers = np.array([board.count_legal_moves() for board in boards], np.uint16)
    out, theirs, tables = np.empty_like(numbers), np.empty_like(numbers), default_technique().tables()

    def one_by_one() -> Answers:
        count_one_by_one(positions.columns, theirs, tables)
        return theirs

    right = filled_with(numbers)
    ours = TimedWork(partial(positions.legal_move_counts, out=out), len(positions), right)
    peers = {"one by one": TimedWork(one_by_one, len(positions), right)}
    if chess:
        share = [board.to_chess(chess.Board) for board in boards[:PEERS_SHARE]]
        expected = numbers[: len(share)].tolist()
        counted = TimedWork(lambda: [board.legal_moves.count() for board in share], len(share), equal_to(expected))
        peers["chess"] = counted
    yield from _compared_with_peers("legal move counts", "positions", ours, peers)


def perft_rows(chessmg: Any, long: bool) -> Iterator[TimedRow]:
    """Return the comparisons of perft over arrays of positions."""
    for name, depth in PERFTS:
        ours = perft_work(perft, name, depth)
        peers = {"one by one": perft_work(scalar_perft, name, depth - 1)}
        if chessmg:
            peers["chessmg"] = perft_work(chessmg.perft, name, depth - 1)
        for row in _compared_with_peers(f"perft {name} {depth}", "nodes", ours, peers):
            yield row._replace(their_work=f"perft {name} {depth - 1}", most_rounds=PERFT_ROUNDS)
    if not long:
        return
    if (os.cpu_count() or 1) >= THREADS:
        name, depth = THREADED
        ours, theirs = (perft_work(perft, name, depth, threads=threads) for threads in (THREADS, 1))
        what = f"perft {name} {depth}, {THREADS} threads"
        yield TimedRow(what, "nodes", ours, theirs, "one thread", most_rounds=PERFT_ROUNDS)
    name, depth = HASHED
    ours, theirs = (perft_work(perft, name, depth, hash_mb=megabytes) for megabytes in (HASH_MB, 0))
    what = f"perft {name} {depth}, {HASH_MB} MB of hash table"
    yield TimedRow(what, "nodes", ours, theirs, "no table", most_rounds=HASHED_ROUNDS)


def attack_rows(positions: Positions, boards: Sequence[Board], chess: Any) -> Iterator[TimedRow]:
    """Return the comparisons of attacked squares and attack maps."""
    maps = maps_by_technique(positions)
    both = np.bitwise_or.reduce(maps.reshape(2, 6, -1), axis=1)
    fill_both = partial(positions.attacks, "both", out=np.empty_like(both))
    fill_maps = partial(positions.attack_maps, out=np.empty_like(maps))
    peers_of_both, peers_of_maps = {}, {}
    if chess:
        share = [board.to_chess(chess.Board) for board in boards[:PEERS_SHARE]]

        def attacked(pieces: Any, board: Any) -> int:
            squares = 0
            for square in pieces:
                squares |= board.attacks_mask(square)
            return squares

        def both_sides() -> list[list[int]]:
            return [[attacked(chess.SquareSet(b.occupied_co[c]), b) for b in share] for c in chess.COLORS]

        def all_kinds() -> list[list[int]]:
            kinds = [(kind, colour) for colour in chess.COLORS for kind in chess.PIECE_TYPES]
            return [[attacked(b.pieces(*kind), b) for b in share] for kind in kinds]

        peers_of_both["chess"] = TimedWork(both_sides, len(share), equal_to(both[:, : len(share)].tolist()))
        peers_of_maps["chess"] = TimedWork(all_kinds, len(share), equal_to(maps[:, : len(share)].tolist()))
    ours = TimedWork(fill_both, len(positions), filled_with(both))
    yield from _compared_with_peers("attacked squares of both sides", "positions", ours, peers_of_both)
    ours = TimedWork(fill_maps, len(positions), filled_with(maps))
    yield from _compared_with_peers("attack maps, 12 boards", "positions", ours, peers_of_maps)


def move_rows(positions: Positions, boards: Sequence[Board], chess: Any, chessmg: Any) -> Iterator[TimedRow]:
    """Yield the rows for lists of moves."""
    lists = [board.generate_legal_moves() for board in boards]
    offsets = np.cumsum([0, *map(len, lists)])
    moves = np.array([move for listed in lists for move in listed], np.uint16)

    def right(answer: Any) -> bool:
        return np.array_equal(answer.offsets, offsets) and np.array_equal(answer.moves, moves)

    texts = [sorted(map(board.uci, listed)) for board, listed in zip(boards, lists, strict=True)][:PEERS_SHARE]
    units = sum(map(len, texts))
    peers = {}
    if chessmg:
        generators = [chessmg.ChessMoveGenerator(board.fen()) for board in boards[:PEERS_SHARE]]

        def as_texts(answer: Any) -> bool:
            return texts == [
                sorted(SQUARE_NAMES[a] + SQUARE_NAMES[b] + _BECOMES.get(flag, "") for a, b, flag in rows.tolist())
                for rows in answer
            ]

        peers["chessmg"] = TimedWork(lambda: [generator.moves() for generator in generators], units, as_texts)
    if chess:
        share = [board.to_chess(chess.Board) for board in boards[:PEERS_SHARE]]

        def of_chess(answer: Any) -> bool:
            return texts == [sorted(move.uci() for move in listed) for listed in answer]

        peers["chess"] = TimedWork(lambda: [list(board.legal_moves) for board in share], units, of_chess)
    ours = TimedWork(positions.legal_moves, moves.size, right)
    yield from _compared_with_peers("move lists", "moves", ours, peers)


def fen_rows(positions: Positions, boards: Sequence[Board], chess: Any) -> Iterator[TimedRow]:
    """Return the comparisons of reading positions from lines of FEN."""
    lines = [board.fen(en_passant="fen") for board in boards]
    text = "\n".join(lines).encode()
    peers = {}
    if chess:
        share = lines[:PEERS_SHARE]

        def written(answer: Any) -> bool:
            return share == [board.fen(en_passant="fen") for board in answer]

        peers["chess"] = TimedWork(lambda: [chess.Board(line) for line in share], len(share), written)
    ours = TimedWork(partial(Positions.from_fens, text), len(positions), equal_to(positions))
    yield from _compared_with_peers("Positions.from_fens", "lines", ours, peers)


def polyglot_words() -> list[int]:
    """Return the random words of our keys in the order of Polyglot's: black pieces first, a word for white to move."""
    kinds = [kind + 6 * black for kind in range(6) for black in (1, 0)]
    rooks = [768 + square for square in (7, 0, 63, 56)]
    order = [64 * kind + square for kind in kinds for square in range(64)]
    return [int(word) for word in KEYS[[*order, *rooks, *range(832, 841)]]]


def key_rows(positions: Positions, boards: Sequence[Board], chess: Any) -> Iterator[TimedRow]:
    """Zobrist keys. python-chess hashes with our words; they say that white is to move, ours that black is."""
    keys = np.array([board.key for board in boards], np.uint64)
    peers = {}
    if chess:
        from chess.polyglot import ZobristHasher

        words, share = polyglot_words(), [board.to_chess(chess.Board) for board in boards[:PEERS_SHARE]]
        for board in share:
            board.ep_square = board.ep_square if board.has_legal_en_passant() else None
        hasher = ZobristHasher(words)
        expected = [key ^ words[-1] for key in keys[: len(share)].tolist()]
        peers["chess"] = TimedWork(lambda: [hasher(board) for board in share], len(share), equal_to(expected))
    ours = TimedWork(partial(positions.keys, out=np.empty_like(keys)), len(positions), filled_with(keys))
    yield from _compared_with_peers("Zobrist keys", "positions", ours, peers)


def output_rows(positions: Positions, boards: Sequence[Board]) -> Iterator[TimedRow]:
    """Yield the rows for planes and policy masks, compared with filling the same arrays."""
    for what, method, options in _OUTPUTS:
        if method == "planes":
            expected = planes_by_board(boards, options["dtype"])
        else:
            expected = masks_by_board(boards, cast(PolicyLayout, options["layout"]))
            if "packed" in options:
                expected = np.packbits(expected, axis=1, bitorder="little")
        many = Positions.concatenate([positions] * -(-BEYOND_CACHES // expected.nbytes))
        out = np.empty((len(many), *expected.shape[1:]), expected.dtype)
        other = np.empty_like(out)

        def fill(other: Answers = other) -> Answers:
            other.fill(1)
            return other

        ours = TimedWork(partial(getattr(many, method), **options, out=out), len(many), filled_with(expected))
        theirs = TimedWork(fill, len(many), _full_of_ones)
        yield TimedRow(what, "positions", ours, theirs, "fill", ratio_of="time")


def rows(positions: int = 4096, *, quick: bool = False) -> Iterator[TimedRow]:
    """Return all comparisons with the peers that are installed. `quick` leaves out threads and the hash table."""
    if positions < 1:
        raise ValueError(f"positions: {positions}: expected at least 1")
    chess, chessmg = installed("chess"), installed("chessmg")
    block = random_positions(positions)
    boards = list(block)
    yield from count_rows(block, boards, chess)
    yield from perft_rows(chessmg, not quick)
    yield from attack_rows(block, boards, chess)
    yield from move_rows(block, boards, chess, chessmg)
    yield from fen_rows(block, boards, chess)
    yield from key_rows(block, boards, chess)
    yield from output_rows(block, boards)


def measure(
    *,
    positions: int = 4096,
    rounds: int = 15,
    quick: bool = False,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time all rows; `progress` is called with each."""
    progress("playing random games")
    return {
        "benchmark": "lanes",
        "command": "rookery bench lanes",
        "machine": describe(),
        "technique": default_technique().name,
        "positions": positions,
        "rounds": rounds,
        "rows": compare_all(rows(positions, quick=quick), rounds, progress),
    }
