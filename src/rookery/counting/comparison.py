"""Compare perft with a UCI engine's, down to the first position whose moves differ, and say what is suspect.

Where the count under a move differs, the walk goes down that move. Every position on the way is asked for twice: by
its FEN, and as the moves made from an earlier one. An engine that is wrong about the FEN generates the wrong moves. One
that is right about the FEN and wrong about the moves does not make them rightly: of what it keeps of a position,
something is left as it was. One that is right about both, and still counts something else from above, is wrong on the
way back, or believes a hash table. Nobody agrees whose counts have differed anywhere.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, Literal, NamedTuple

from rookery.board.board import Board
from rookery.counting.uci import Divided, Uci
from rookery.counting.walk import check_depth, divide, slices
from rookery.technique import Technique

Suspect = Literal["move generation", "making moves", "unmaking moves or hash table", "state between searches", "adding"]

WHY: Final[dict[Suspect, str]] = {
    "move generation": "asked for this position by its FEN alone, it is wrong",
    "making moves": "it is right about this position given as a FEN, and wrong when it has made the moves itself: "
    "look at what they leave behind (castling rights, en passant, piece lists, the hash key)",
    "unmaking moves or hash table": "one move on it counts rightly, from a FEN as well as after the moves: look at "
    "what is taken back, at the hash table, and at how counts are added up",
    "state between searches": "asked for the same again, after 'ucinewgame', it counts otherwise: look at the hash "
    "table and at what else is kept from one search to the next",
    "adding": "its total is not the sum of its moves",
}


class Difference(NamedTuple):
    """Where an engine and this library part."""

    fen: str
    moves: list[str]  # made on the way there, in UCI
    missing: list[str]  # legal moves that the engine does not find
    extra: list[str]  # moves that it finds, and are not legal
    ours: int
    theirs: int
    repeated: list[str]  # moves that it finds twice
    counts: dict[str, tuple[int, int]]  # our leaves and theirs, under the moves where they differ
    suspect: Suspect
    commands: list[str]  # to ask the engine again


class _Place(NamedTuple):
    """A position on the way down: how it is told to the engine, and what there is below it."""

    board: Board
    start: Board  # where `replayed` begin
    replayed: list[str]
    made: list[str]  # from the root
    depth: int


class _Asked(NamedTuple):
    """What both sides count in a position."""

    place: _Place
    depth: int
    ours: dict[str, int]
    theirs: Divided

    @property
    def wrong(self) -> list[str]:
        """The moves that both know, and whose counts differ."""
        return [m for m, n in self.ours.items() if m in self.theirs.leaves and self.theirs.leaves[m] != n]

    @property
    def same_moves(self) -> bool:
        return self.ours.keys() == self.theirs.leaves.keys() and not self.theirs.repeated

    @property
    def same(self) -> bool:
        """Whether every count is the same, the total too."""
        return self.same_moves and not self.wrong and self.theirs.total in (None, sum(self.ours.values()))

    def difference(self, suspect: Suspect) -> Difference:
        place, theirs = self.place, self.theirs
        moves = f" moves {' '.join(place.replayed)}" if place.replayed else ""
        return Difference(
            fen=place.board.fen(en_passant="fen"),
            moves=place.made,
            missing=[m for m in self.ours if m not in theirs.leaves],
            extra=[m for m in theirs.leaves if m not in self.ours],
            ours=sum(self.ours.values()),
            theirs=sum(theirs.leaves.values()) if theirs.total is None else theirs.total,
            repeated=theirs.repeated,
            counts={m: (self.ours[m], theirs.leaves[m]) for m in self.wrong},
            suspect=suspect,
            commands=[f"position fen {_told(place.start)}{moves}", f"go perft {self.depth}"],
        )


def _told(board: Board) -> str:
    """Return the FEN that the engine gets: with the en-passant square after every double push.

    Leaving the square out where no capture is legal would decide for the engine what it may be wrong about.
    """
    return board.fen(shredder=board.chess960, en_passant="fen")


class _Walk:
    """One engine asked, position by position."""

    def __init__(self, engine: Uci, t: Technique | None, progress: Callable[[str], None]) -> None:
        self.engine = engine
        self.count = partial(slices, t=t)
        self.progress = progress
        self.counted: dict[tuple[str, int], dict[str, int]] = {}  # a position is asked for in several ways

    def ask(self, place: _Place, depth: int) -> _Asked:
        self.progress(f"depth {depth} after {' '.join(place.made) or 'no move'}")
        legal = [place.board.uci(move) for move in place.board.generate_legal_moves()]
        theirs = self.engine.divide(_told(place.start), depth, place.replayed, legal)
        key = _told(place.board), depth
        if key not in self.counted:
            counts = divide(place.board, depth, self.count)
            self.counted[key] = {place.board.uci(move): nodes for move, nodes in counts}
        return _Asked(place, depth, self.counted[key], theirs)

    def ask_both(self, place: _Place) -> _Asked:
        """The moves first, which are soon counted, and if they are right the whole depth."""
        asked = self.ask(place, 1)
        return asked if place.depth == 1 or not asked.same else self.ask(place, place.depth)

    def down(self, asked: _Asked, suspect: Suspect) -> Difference:
        """Go down from a position whose counts differ."""
        while asked.same_moves and asked.depth > 1 and asked.wrong:
            below = self._below(asked, suspect)
            if below is None:
                return asked.difference(self._where_all_below_is_right(asked))
            asked, suspect = below
        if asked.same_moves and not asked.wrong:
            return asked.difference("adding")
        return asked.difference(suspect)

    def _below(self, asked: _Asked, suspect: Suspect) -> tuple[_Asked, Suspect] | None:
        """The first position one move on whose counts differ, too, and what that makes suspect."""
        place = asked.place
        children: list[tuple[str, Board]] = []
        for move in asked.wrong:
            board = place.board.copy()
            board.push_uci(move)
            children.append((move, Board(_told(board), board.chess960)))
        if suspect == "move generation":
            for move, board in children:
                below = self.ask_both(_Place(board, board, [], [*place.made, move], asked.depth - 1))
                if not below.same:
                    return below, "move generation"
        for move, board in children:
            replayed = [*place.replayed, move]
            below = self.ask_both(_Place(board, place.start, replayed, [*place.made, move], asked.depth - 1))
            if not below.same:
                return below, "making moves"
        return None

    def _where_all_below_is_right(self, asked: _Asked) -> Suspect:
        self.engine.new_game()
        again = self.ask(asked.place, asked.depth)
        return "unmaking moves or hash table" if again.theirs == asked.theirs else "state between searches"


def first_difference(
    board: Board,
    depth: int,
    command: str,
    t: Technique | None = None,
    *,
    progress: Callable[[str], None] = lambda what: None,
) -> Difference | None:
    """The first position on the way down whose moves an engine sees otherwise, or None if all counts agree.

    The engine must know ``go perft N`` and answer with a line for each move. An engine that cannot be asked is a
    ValueError.
    """
    if check_depth(depth) < 1:
        raise ValueError(f"depth: {depth}: expected at least 1 to compare")
    root = Board(_told(board), board.chess960)
    with Uci(command, chess960=board.chess960) as engine:
        walk = _Walk(engine, t, progress)
        asked = walk.ask_both(_Place(root, root, [], [], depth))
        return None if asked.same else walk.down(asked, "move generation")
