"""Visits of game trees: what a visitor is shown, in the order of the text, and lines as sequences."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeAlias, TypeVar

from rookery.board.board import Board
from rookery.pgn.headers import result_of
from rookery.pgn.tree.remarks import Bracketed, Remark, arranged
from rookery.pgn.write.visitors import SKIP, BaseVisitor, StringExporter

_Result = TypeVar("_Result")
_Item = TypeVar("_Item")
_Node: TypeAlias = Any  # a `GameNode`, whose module imports this one


class Mainline(Generic[_Item]):
    """The nodes or the moves of a line: iterable both ways, counted, and written by ``str``.

    >>> from rookery.pgn import read_game
    >>> moves = read_game("1. e4 e5 *").mainline_moves()
    >>> bool(moves), len(moves), next(reversed(moves))
    (True, 2, Move('e7e5'))
    """

    __slots__ = ("_item_of", "_start")

    def __init__(self, start: _Node, item_of: Callable[[_Node], _Item]) -> None:
        self._start = start
        self._item_of = item_of

    def __iter__(self) -> Iterator[_Item]:
        node = self._start
        while node.variations:
            node = node.variations[0]
            yield self._item_of(node)

    def __reversed__(self) -> Iterator[_Item]:
        node = self._start.end()
        while node is not self._start:
            yield self._item_of(node)
            node = node.parent

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return bool(self._start.variations)

    def __str__(self) -> str:
        exporter = StringExporter(columns=None)
        board = self._start.board()
        for move in self._start.mainline_moves():
            exporter.visit_move(board, move)
            board.push(move)
        return exporter.result()

    def __repr__(self) -> str:
        return f"<Mainline: {self}>"


# Visits. Lines are followed without recursion: a game has hundreds of moves, and variations nest as deep.


def visit_game(root: _Node, headers: dict[str, str], board: Board, visitor: BaseVisitor[_Result]) -> _Result:
    """Show a visitor headers, all that follows a node, and the result; return the visitor's result."""
    if visitor.begin_game() is not SKIP:
        if visitor.begin_headers() is not SKIP:
            for name, value in headers.items():
                visitor.visit_header(name, value)
        if visitor.end_headers() is not SKIP:
            visit_moves(root, board, visitor)
            visitor.visit_result(result_of(headers))
    visitor.end_game()
    return visitor.result()


def visit_moves(root: _Node, board: Board, visitor: BaseVisitor[Any]) -> None:
    """Show a visitor all that follows a node; `board` is its position, and is played on."""
    visitor.visit_board(board)
    if root.parent is None:
        texts = iter(root.unread)
        for remark in remarks_on(root, 0):
            if isinstance(remark, Bracketed):
                visitor.visit_unread(next(texts))
            else:
                visit_remark(remark, visitor)
    if root.variations:
        visit_line(root.variations[0], board, visitor, siblings=True)


def remarks_on(node: _Node, others: int) -> list[Remark]:
    """Return the remarks on a node, and on its siblings if there are `others`, in the order of the text."""
    return arranged(node.order, sorted(node.nags), node.comment, others, len(node.unread))


def visit_remark(remark: int | str, visitor: BaseVisitor[Any]) -> None:
    """Show a visitor a glyph or a comment."""
    if isinstance(remark, str):
        visitor.visit_comment(remark)
    else:
        visitor.visit_nag(remark)


def visit_line(first: _Node, board: Board, visitor: BaseVisitor[Any], *, siblings: bool = False) -> None:
    """Show a visitor a node and all behind it. `board` is the position before it, and is played on."""
    ahead: list[tuple[str, Any, Board | None]] = [("main" if siblings else "side", first, board)]
    while ahead:
        what, node, board = ahead.pop()  # type: ignore[assignment]  # nodes have boards
        if what == "end":
            visitor.end_variation()
        elif what == "unread":
            visitor.visit_unread(node)
        elif what == "remark":
            visit_remark(node, visitor)
        elif what == "variation":
            if visitor.begin_variation() is SKIP:
                visitor.end_variation()
            else:
                ahead += [("end", None, None), ("side", node, board)]
        else:
            others = node.parent.variations[1:] if what == "main" else []
            sides = iter([("variation", other, board.copy()) for other in others])
            if node.starting_comment:
                visitor.visit_comment(node.starting_comment)
            visitor.visit_move(board, node.move)
            board.push(node.move)
            visitor.visit_board(board)
            if node.variations:
                ahead.append(("main", node.variations[0], board))
            if not (others or node.comment or node.nags or node.unread):
                continue
            texts = iter([("unread", text, None) for text in node.unread])
            steps: list[tuple[str, Any, Board | None]] = []
            for remark in remarks_on(node, len(others)):
                if isinstance(remark, Bracketed):
                    steps.append(next(sides) if remark is Bracketed.MOVES else next(texts))
                else:
                    steps.append(("remark", remark, None))
            ahead += reversed(steps)


def are_same(a: _Node, b: _Node) -> bool:
    """Return whether two nodes have the same remarks, and the same tree behind them."""
    left = [(a, b)]
    while left:
        a, b = left.pop()
        if (a.comment, a.starting_comment, a.nags, a.unread) != (b.comment, b.starting_comment, b.nags, b.unread):
            return False
        if [node.move for node in a.variations] != [node.move for node in b.variations]:
            return False
        left += zip(a.variations, b.variations, strict=True)
    return True
