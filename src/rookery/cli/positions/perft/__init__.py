"""``rookery perft``.

command    the command and its options
suites     files of positions with their counts
counts     plain counts, with progress
tables     counts by move, kind of move and technique; comparison with an engine
"""

from rookery.cli.positions.perft.command import perft

__all__ = ["perft"]
