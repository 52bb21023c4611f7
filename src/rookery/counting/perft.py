"""Perft: the number of leaves of the tree of legal moves. `walk` and `workers` count them."""

from typing import TYPE_CHECKING, Any, Final

from rookery.arguments import check_threads, shown
from rookery.board.board import Board
from rookery.counting.walk import as_board, check_depth, on_lanes, slices
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    from rookery.tasks import interface
    from rookery.techniques.base import calls
else:
    interface, calls = Named("rookery.tasks.interface"), Named("rookery.techniques.base.calls")

_MOST_MEGABYTES: Final = 1 << 20


def perft(
    board_or_fen: Board | str,
    depth: int,
    *,
    technique: "str | calls.Technique | None" = None,
    threads: int = 1,
    hash_mb: int = 0,
    executor: "interface.Executor | str | None" = None,
) -> int:
    """Return the number of leaves of the tree of legal moves `depth` plies deep.

    The position is a `Board`, a FEN (Chess960 is recognised) or a name: ``start``, ``kiwipete``, ``position3`` to
    ``position6``. The last plies are counted many positions at once, in `threads` threads. A hash table of `hash_mb`
    megabytes stores positions that occur again; it changes only the time. With `technique` the scalar generator counts,
    in one thread and without a table, and uses the technique for the attacks of sliders.

    With `executor`, anything with the interface of ``concurrent.futures.Executor`` or a text such as ``processes:8``
    (see `rookery.tasks.open_executor`), its workers count parts of the tree, each with a hash table of its own.

    >>> perft("start", 4)
    197281
    >>> perft("kiwipete", 3, technique="kogge-stone")
    97862
    >>> perft("kiwipete", 4, threads=2, hash_mb=1)
    4085603
    """
    board, depth = as_board(board_or_fen), check_depth(depth)
    check_threads(threads)
    check_megabytes(hash_mb)
    if technique is not None:
        if threads != 1 or hash_mb or executor is not None:
            raise ValueError(
                f"technique: {shown(technique)} selects the scalar generator, which has one thread and no hash table: "
                f"leave threads, hash_mb and executor out"
            )
        from rookery.techniques import technique as technique_of

        return sum(slices(board, depth, technique_of(technique)))
    if threads == 1 and not hash_mb and executor is None:
        return sum(on_lanes(board, depth))
    from rookery.counting.workers import counting

    nodes = 0
    for progress in counting(board, depth, threads=threads, hash_mb=hash_mb, executor=executor):
        nodes = progress.nodes
    return nodes


def check_megabytes(megabytes: Any) -> int:
    """Return a valid size of a hash table; raise ValueError for others."""
    if not isinstance(megabytes, int) or isinstance(megabytes, bool) or not 0 <= megabytes <= _MOST_MEGABYTES:
        raise ValueError(f"hash_mb: {shown(megabytes)}: expected an int from 0 to {_MOST_MEGABYTES}")
    return megabytes
