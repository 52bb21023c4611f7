"""Compiled code for the motifs of pawn structure."""

from typing import Any

from rookery.bitboards import sets
from rookery.bitboards.bits import A_FILE, RANK_1, RANK_2, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7, RANK_8
from rookery.kernel import U64, UNIVERSE, Bits, array_of, byteswap, entry, kernel, popcount, tuple_of
from rookery.positions.kernels.lanes import View, black_mask, load, turned, view_of
from rookery.positions.layout import SIDES, empty_columns
from rookery.positions.motifs.boards import PawnBoards
from rookery.positions.queries.attacks import Planes, add_three, add_two, sided
from rookery.positions.queries.fills import nort, slides, sout

QUEENSIDE = A_FILE | A_FILE << 1 | A_FILE << 2 | A_FILE << 3
D_FILE = A_FILE << 3


@kernel
def front_spans(pawns: Bits) -> Bits:
    """Return all squares in front of pawns that move up the board."""
    return nort(slides(UNIVERSE), pawns)


@kernel
def rear_spans(pawns: Bits) -> Bits:
    """Return all squares behind pawns that move up the board, which are in front of those that move down."""
    return sout(slides(UNIVERSE), pawns)


@kernel
def file_fill(b: Bits) -> Bits:
    """Return the whole files of a set of squares."""
    return b | front_spans(b) | rear_spans(b)


@kernel
def file_byte(b: Bits) -> Bits:
    """Return the files of a set of squares as a file byte."""
    return (b | rear_spans(b)) & RANK_1


@kernel
def files_of(byte: Bits) -> Bits:
    """Return the whole files of a file byte."""
    return byte | front_spans(byte)


@kernel
def sideways(b: Bits) -> Bits:
    """Return the neighbours of squares on their ranks."""
    return sets.east_one(b) | sets.west_one(b)


@kernel
def passed_pawns(own: Bits, other: Bits) -> Bits:
    """Return the pawns without a pawn of the opponent in front of them on their file or a neighbouring one."""
    ahead = rear_spans(other)
    return own & ~(ahead | sideways(ahead))


@kernel
def opposing_passed_pawns(own: Bits, other: Bits) -> Bits:
    """Return the opponent's passed pawns, which move down the board."""
    ahead = front_spans(own)
    return other & ~(ahead | sideways(ahead))


@kernel
def count_behind(pawns: Bits) -> Planes:
    """Count, for each square, the pawns on its file from the first rank up to the square."""
    a = add_two(pawns, pawns << 8)
    b = add_two(a.bit, a.bit << 16)
    c = add_three(a.carry, a.carry << 16, b.carry)
    d = add_two(b.bit, b.bit << 32)
    e = add_three(c.bit, c.bit << 32, d.carry)
    f = add_three(c.carry, c.carry << 32, e.carry)
    return Planes(d.bit, e.bit, f.bit, f.carry, 0)


@kernel
def count_ahead(pawns: Bits) -> Planes:
    """Count, for each square, the pawns in front of it on its file."""
    n = count_behind(byteswap(pawns))
    return Planes(
        byteswap(n.ones) >> 8, byteswap(n.twos) >> 8, byteswap(n.fours) >> 8, byteswap(n.eights) >> 8, n.sixteens
    )


@kernel
def on_neighbouring_files(n: Planes) -> Planes:
    """Add the numbers of the two neighbours of each square; the numbers are at most eight."""
    ones = add_two(sets.east_one(n.ones), sets.west_one(n.ones))
    twos = add_three(sets.east_one(n.twos), sets.west_one(n.twos), ones.carry)
    fours = add_three(sets.east_one(n.fours), sets.west_one(n.fours), twos.carry)
    eights = add_three(sets.east_one(n.eights), sets.west_one(n.eights), fours.carry)
    return Planes(ones.bit, twos.bit, fours.bit, eights.bit, eights.carry)


@kernel
def _digit(a: Bits, b: Bits, lower: Bits) -> Bits:
    """Compare one more binary digit: return where ``a > b``, or where they are equal and `lower` is set."""
    return (a & ~b) | (~(a ^ b) & lower)


@kernel
def at_least(a: Planes, b: Planes) -> Bits:
    """Return the squares whose number in `a` is at least that in `b`."""
    ge = _digit(a.twos, b.twos, _digit(a.ones, b.ones, UNIVERSE))
    ge = _digit(a.eights, b.eights, _digit(a.fours, b.fours, ge))
    return _digit(a.sixteens, b.sixteens, ge)


@kernel
def candidates(own: Bits, other: Bits) -> Bits:
    """Return the candidate passed pawns."""
    helpers = on_neighbouring_files(count_behind(own))
    sentries = on_neighbouring_files(count_ahead(other))
    free = own & ~(rear_spans(own | other) | passed_pawns(own, other))
    return free & at_least(helpers, sentries)


@kernel
def outside(passed: Bits, pawns: Bits, other: Bits) -> Bits:
    """Return the passed pawns that are alone on the first or last file with pawns, next to a file without pawns."""
    files = file_byte(pawns)
    first = files & -files
    beyond = files >> 1
    beyond |= beyond >> 1
    beyond |= beyond >> 2
    beyond |= beyond >> 4
    last = files & ~beyond
    single = passed & ~(front_spans(pawns) | rear_spans(pawns))
    single = single if other else U64(0)
    return single & files_of((first & ~(files >> 1)) | (last & ~(files << 1)))


@kernel
def unstoppable(v: View, passed: Bits, delay: Bits) -> Bits:
    """Return the passed pawns that win the race against a lone king: the rule of the square.

    `delay` is the universe if the opponent is to move.
    """
    near = v.kings & v.them
    near |= sets.king_moves(near) & delay
    near |= sets.king_moves(near)
    free = rear_spans(RANK_8 & ~near) & RANK_7
    near |= sets.king_moves(near)
    free |= rear_spans(RANK_8 & ~near) & RANK_6
    near |= sets.king_moves(near)
    free |= rear_spans(RANK_8 & ~near) & RANK_5
    near |= sets.king_moves(near)
    free |= rear_spans(RANK_8 & ~near) & RANK_4
    near |= sets.king_moves(near)
    free |= rear_spans(RANK_8 & ~near) & (RANK_3 | RANK_2)
    free &= passed & ~rear_spans(v.us | v.them)
    return U64(0) if v.them & ~(v.pawns | v.kings) else free


@kernel
def hanging_pair(own: Bits, other: Bits, doubled: Bits) -> Bits:
    """Return the hanging pawns: two alone, side by side, on half-open files."""
    files, closed = file_byte(own), file_byte(other)
    pairs = files & (files >> 1) & ~(files << 1) & ~(files >> 2) & ~closed & ~(closed >> 1)
    left = own & sets.west_one(own & ~doubled) & ~doubled & files_of(pairs)
    return left | sets.east_one(left)


@kernel
def first_of_islands(own: Bits) -> Bits:
    """Return the rearmost pawn on the first file of each pawn island."""
    files = file_byte(own)
    return own & ~front_spans(own) & files_of(files & ~(files << 1))


@kernel
def majority(own: Bits, other: Bits) -> Bits:
    """Return the pawns on each wing where there are more of them than of the opponent's pawns."""
    queenside = UNIVERSE if popcount(own & QUEENSIDE) > popcount(other & QUEENSIDE) else U64(0)
    kingside = UNIVERSE if popcount(own & ~QUEENSIDE) > popcount(other & ~QUEENSIDE) else U64(0)
    return own & ((queenside & QUEENSIDE) | (kingside & ~QUEENSIDE))


@entry(examples=lambda: (empty_columns(1), SIDES["us"], tuple_of(PawnBoards, array_of(U64))))
def pawn_structure(c: Any, side: Any, out: PawnBoards) -> None:
    """Write the motifs of pawn structure."""
    for k in range(out.passed.size):
        i = U64(k)
        p = load(c, i)
        black = sided(p, side).black
        v = view_of(p, black)
        own, other = v.pawns & v.us, v.pawns & v.them
        attacked, attacking = sets.white_pawn_any_attacks(own), sets.black_pawn_any_attacks(own)
        sentries = sets.black_pawn_any_attacks(other)
        ahead, behind = front_spans(own), rear_spans(own)
        reach, files, closed = sideways(ahead), own | ahead | behind, file_fill(other)
        passed = passed_pawns(own, other)
        doubled = own & (ahead | behind)
        isolated = own & ~sideways(files)

        out.passed[i] = turned(passed, black)
        out.protected_passed[i] = turned(passed & attacked, black)
        beside = passed | sets.nort_one(passed) | sets.sout_one(passed)
        out.connected_passed[i] = turned(passed & sideways(beside), black)
        out.outside_passed[i] = turned(outside(passed, v.pawns, other), black)
        out.candidate[i] = turned(candidates(own, other), black)
        out.unstoppable[i] = turned(unstoppable(v, passed, black_mask(p) ^ black), black)
        out.isolated[i] = turned(isolated, black)
        out.isolated_queen_pawn[i] = turned(isolated & D_FILE, black)
        out.doubled[i] = turned(doubled, black)
        out.tripled[i] = turned(own & file_fill(own & front_spans(own & ahead)), black)
        out.backward[i] = turned(own & sets.sout_one(sentries & ~reach), black)
        out.hanging_pawns[i] = turned(hanging_pair(own, other, doubled), black)
        out.phalanx[i] = turned(own & sideways(own), black)
        out.chain[i] = turned(own & (attacked | attacking), black)
        out.chain_base[i] = turned(own & attacking & ~attacked, black)
        out.islands[i] = turned(first_of_islands(own), black)
        out.rammed[i] = turned(own & sets.sout_one(other), black)
        out.lever[i] = turned(own & sentries, black)
        out.majority[i] = turned(majority(own, other), black)
        steps = sets.sout_one(~(v.us | v.them)) | sets.black_pawn_any_attacks(v.them & ~v.kings)
        out.promotable[i] = turned(own & RANK_7 & steps, black)
        out.holes[i] = turned((RANK_3 | RANK_4) & ~(reach | own), black)
        out.open_files[i] = ~(files | closed)
        out.half_open_files[i] = closed & ~files
        out.front_span[i] = turned(ahead, black)
