"""Comparison of perft with a UCI engine, down to the first position whose moves differ, with the suspected fault.

If the counts under a move differ, the comparison goes down that move. It sends every position on the way twice: as a
FEN, and as the moves made from an earlier position.

- An engine that is wrong about the FEN generates wrong moves.
- One that is right about the FEN and wrong about the moves makes them wrongly: part of its position is not updated.
- One that is right about both, but counts something else from above, unmakes moves wrongly or trusts a bad hash entry.

A comparison never reports agreement once any counts have differed.
"""

import contextlib
import itertools
from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Final, Literal, NamedTuple

from rookery.board.board import Board
from rookery.counting.engines.named_faults import named_faults
from rookery.counting.engines.uci import Divided, Uci
from rookery.counting.walk import check_depth, divide, slices
from rookery.techniques.base import Technique

Suspect = Literal["move generation", "making moves", "unmaking moves or hash table", "state between searches", "adding"]

WHY: Final[dict[Suspect, str]] = {
    "move generation": "its count is wrong even if the position is given by its FEN alone",
    "making moves": "its count is right if the position is given by its FEN, and wrong if it makes the moves itself: "
    "look at what they leave behind (castling rights, en passant, piece lists, the hash key)",
    "unmaking moves or hash table": "each child's own count is right, from a FEN as well as after the moves: look at "
    "how moves are unmade, at the hash table, and at how counts are added up",
    "state between searches": "after 'ucinewgame', the same command gives another count: look at the hash "
    "table and at what else is kept from one search to the next",
    "adding": "its total is not the sum of its moves",
}


class Difference(NamedTuple):
    """The position where an engine and this library differ."""

    fen: str
    moves: list[str]  # made on the way there, in UCI
    missing: list[str]  # legal moves that the engine does not find
    extra: list[str]  # moves that it finds, and are not legal
    ours: int
    theirs: int
    repeated: list[str]  # moves that it finds twice
    counts: dict[str, tuple[int, int]]  # our leaves and theirs, under the moves where they differ
    suspect: Suspect
    faults: list[str]  # what the engine does wrong, where its moves show it
    commands: list[str]  # to ask the engine again


class _Place(NamedTuple):
    """A position on the way down: how it is sent to the engine, and the depth below it."""

    board: Board
    start: Board  # where `replayed` begin
    replayed: list[str]
    made: list[str]  # from the root
    depth: int


class _Comparison(NamedTuple):
    """The counts of both sides in a position."""

    place: _Place
    depth: int
    ours: dict[str, int]
    theirs: Divided

    @property
    def wrong(self) -> list[str]:
        """Return the moves that both sides have, with different counts."""
        return [m for m, n in self.ours.items() if m in self.theirs.leaves and self.theirs.leaves[m] != n]

    @property
    def same_moves(self) -> bool:
        return self.ours.keys() == self.theirs.leaves.keys() and not self.theirs.repeated

    @property
    def same(self) -> bool:
        """Return whether all counts agree, including the total."""
        return self.same_moves and not self.wrong and self.theirs.total in (None, sum(self.ours.values()))

    def difference(self, suspect: Suspect) -> Difference:
        place, theirs = self.place, self.theirs
        moves = f" moves {' '.join(place.replayed)}" if place.replayed else ""
        missing = [m for m in self.ours if m not in theirs.leaves]
        extra = [m for m in theirs.leaves if m not in self.ours]
        return Difference(
            fen=place.board.fen(en_passant="fen"),
            moves=place.made,
            missing=missing,
            extra=extra,
            ours=sum(self.ours.values()),
            theirs=sum(theirs.leaves.values()) if theirs.total is None else theirs.total,
            repeated=theirs.repeated,
            counts={m: (self.ours[m], theirs.leaves[m]) for m in self.wrong},
            suspect=suspect,
            faults=named_faults(place.start, place.replayed, missing, extra),
            commands=[f"position fen {_engine_fen(place.start)}{moves}", f"go perft {self.depth}"],
        )


def _engine_fen(board: Board) -> str:
    """Return the FEN for the engine, with the en-passant square after every double push.

    Leaving the square out where no capture is legal would hide what the engine may get wrong.
    """
    return board.fen(shredder=board.chess960, en_passant="fen")


class _Walk:
    """The comparison with one engine, position by position."""

    def __init__(self, engine: Uci, t: Technique | None, progress: Callable[[str], None]) -> None:
        self.engine = engine
        self.count = partial(slices, t=t)
        self.progress = progress
        self.counted: dict[tuple[str, int], dict[str, int]] = {}  # each position is compared in several ways

    def compare(self, place: _Place, depth: int) -> _Comparison:
        self.progress(f"depth {depth} after {' '.join(place.made) or 'no move'}")
        legal = [place.board.uci(move) for move in place.board.generate_legal_moves()]
        theirs = self.engine.divide(_engine_fen(place.start), depth, place.replayed, legal)
        key = _engine_fen(place.board), depth
        if key not in self.counted:
            counts = divide(place.board, depth, self.count)
            self.counted[key] = {place.board.uci(move): nodes for move, nodes in counts}
        return _Comparison(place, depth, self.counted[key], theirs)

    def compare_both(self, place: _Place) -> _Comparison:
        """Compare the moves first, which takes little time, and if they agree the whole depth."""
        compared = self.compare(place, 1)
        return compared if place.depth == 1 or not compared.same else self.compare(place, place.depth)

    def down(self, compared: _Comparison, suspect: Suspect) -> Difference:
        """Go down from a position whose counts differ."""
        while compared.same_moves and compared.depth > 1 and compared.wrong:
            below = self._below(compared, suspect)
            if below is None:
                return compared.difference(self._where_all_below_is_right(compared))
            compared, suspect = below
        if compared.same_moves and not compared.wrong:
            return compared.difference("adding")
        return compared.difference(suspect)

    def _below(self, compared: _Comparison, suspect: Suspect) -> tuple[_Comparison, Suspect] | None:
        """Return the first position one move on whose counts differ too, and the suspected fault."""
        place = compared.place
        children: list[tuple[str, Board]] = []
        for move in compared.wrong:
            board = place.board.copy()
            board.push_uci(move)
            children.append((move, Board(_engine_fen(board), board.chess960)))
        if suspect == "move generation":
            for move, board in children:
                below = self.compare_both(_Place(board, board, [], [*place.made, move], compared.depth - 1))
                if not below.same:
                    return below, "move generation"
        for move, board in children:
            replayed = [*place.replayed, move]
            below = self.compare_both(_Place(board, place.start, replayed, [*place.made, move], compared.depth - 1))
            if not below.same:
                return below, "making moves"
        return None

    def _where_all_below_is_right(self, compared: _Comparison) -> Suspect:
        self.engine.new_game()
        again = self.compare(compared.place, compared.depth)
        return "unmaking moves or hash table" if again.theirs == compared.theirs else "state between searches"


def first_difference(
    board: Board,
    depth: int,
    command: str,
    t: Technique | None = None,
    *,
    progress: Callable[[str], None] = lambda what: None,
) -> Difference | None:
    """Return the first position on the way down where an engine's moves differ, or None if all counts agree.

    The engine must support ``go perft N`` and print a line for each move. Raises ValueError if it cannot be run.
    """
    with contextlib.closing(differences([(board, depth)], command, t, progress=progress)) as found:
        return next(found)


def differences(
    positions: Sequence[tuple[Board, int]],
    command: str,
    t: Technique | None = None,
    *,
    progress: Callable[[str], None] = lambda what: None,
) -> Generator[Difference | None]:
    """Yield what `first_difference` returns for each of several boards and depths.

    One process of the engine answers for all that follow each other and are Chess960 or not.
    """
    for _, depth in positions:
        if check_depth(depth) < 1:
            raise ValueError(f"depth: {depth}: expected at least 1 to compare")
    for chess960, group in itertools.groupby(positions, key=lambda position: position[0].chess960):
        with Uci(command, chess960=chess960) as engine:
            for number, (board, depth) in enumerate(group):
                if number:
                    engine.new_game()
                root = Board(_engine_fen(board), chess960)
                walk = _Walk(engine, t, progress)
                compared = walk.compare_both(_Place(root, root, [], [], depth))
                yield None if compared.same else walk.down(compared, "move generation")
