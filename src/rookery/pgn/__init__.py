r"""PGN: read and write games as text, one at a time.

`read` yields a `Game` for each good game, and for each bad one a `BadGame` that locates and explains the fault. A game
has headers and a tree of moves with comments, annotation glyphs (NAGs) and variations; the tree is built on first use.
`read_game` reads the next game of an open file.

>>> from rookery.pgn import BadGame, read
>>> for game in read('[White "Anna"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3! 1-0\n\n[White "Bert"]\n\n1. e4 e6 2. Kd3 *'):
...     print(game if isinstance(game, BadGame) else repr(game))
<Game: Anna - ?, 3 half-moves, 1-0>
game 2, line 7, move 2.: SAN move: 'Kd3' is not legal in 'rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'

Annotations like ``+/-`` or the ``ch`` of ``Qxf7ch`` are skipped and listed in `Game.warnings` (see
`rookery.pgn.faults`). With ``strict=True`` each of them is an error.

A game ends with its result (comments up to the next empty line still belong to it), before the next header, or, if the
result is missing, at an empty line followed by ``1.``. A line ``[Event ...]`` after an empty line always starts a game,
so an unclosed comment spoils one game and not the rest of the file.

`rookery.read_pgn` reads the same games into columns, with the same compiled code (`rookery.pgn.scan`). The functions
here also accept lines as they arrive, for example from a socket, and return each game when its end is known.
"""

from typing import TYPE_CHECKING

from rookery.lazy_imports import import_later

if TYPE_CHECKING:
    from rookery.pgn.faults import GameWarning
    from rookery.pgn.headers import ROSTER, Headers
    from rookery.pgn.reader import (
        NAG_BLUNDER,
        NAG_BRILLIANT_MOVE,
        NAG_DUBIOUS_MOVE,
        NAG_GOOD_MOVE,
        NAG_MISTAKE,
        NAG_SPECULATIVE_MOVE,
        Source,
        read,
        read_game,
        read_headers,
        skip_game,
    )
    from rookery.pgn.scanned import BadGame
    from rookery.pgn.tree.builder import GameBuilder
    from rookery.pgn.tree.game import Game
    from rookery.pgn.tree.growth import SUFFIXES, Movetext
    from rookery.pgn.tree.nodes import ChildNode, GameNode
    from rookery.pgn.tree.visits import Mainline
    from rookery.pgn.write.visitors import SKIP, BaseVisitor, FileExporter, StringExporter
    from rookery.results import RESULTS
else:  # type checkers must still report names that do not exist
    __getattr__ = import_later(
        __name__,
        {
            "rookery.pgn.tree.builder": "GameBuilder",
            "rookery.pgn.scanned": "BadGame",
            "rookery.pgn.tree.game": "Game",
            "rookery.pgn.tree.growth": "SUFFIXES Movetext",
            "rookery.pgn.headers": "ROSTER Headers",
            "rookery.pgn.faults": "GameWarning",
            "rookery.pgn.reader": (
                "NAG_BLUNDER NAG_BRILLIANT_MOVE NAG_DUBIOUS_MOVE NAG_GOOD_MOVE NAG_MISTAKE "
                "NAG_SPECULATIVE_MOVE Source read read_game read_headers skip_game"
            ),
            "rookery.results": "RESULTS",
            "rookery.pgn.tree.nodes": "ChildNode GameNode",
            "rookery.pgn.tree.visits": "Mainline",
            "rookery.pgn.write.visitors": "SKIP BaseVisitor FileExporter StringExporter",
        },
    )

__all__ = [
    "NAG_BLUNDER",
    "NAG_BRILLIANT_MOVE",
    "NAG_DUBIOUS_MOVE",
    "NAG_GOOD_MOVE",
    "NAG_MISTAKE",
    "NAG_SPECULATIVE_MOVE",
    "RESULTS",
    "ROSTER",
    "SKIP",
    "SUFFIXES",
    "BadGame",
    "BaseVisitor",
    "ChildNode",
    "FileExporter",
    "Game",
    "GameBuilder",
    "GameNode",
    "GameWarning",
    "Headers",
    "Mainline",
    "Movetext",
    "Source",
    "StringExporter",
    "read",
    "read_game",
    "read_headers",
    "skip_game",
]
