"""How a game tree grows from the movetext that a reader keeps: moves, and variations as text."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.pgn.faults import move_of
from rookery.pgn.scan.lexing.split_tokens import (
    BRACKET,
    COMMENT,
    GLYPH,
    LINE_COMMENT,
    MOVE,
    NUMBER,
    RESULT,
    Token,
)
from rookery.pgn.tree.nodes import ChildNode, GameNode
from rookery.pgn.tree.remarks import Bracketed, Remark, arranged, merged, noted, unusual
from rookery.pgn.write.variations import joined, normal, one_line, tokens_of

SUFFIXES: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}


class Movetext(NamedTuple):
    """The moves of a game's main line, with annotations by the number of half-moves that precede them.

    A variation is the text between its brackets, with the variations that it has in turn; several blanks, or a line
    break, are one blank. Its moves are not checked. `order` has the remarks on a move where their order is not the
    usual one: glyphs, one comment, variations (see `rookery.pgn.tree.remarks`).

    >>> from rookery.pgn import read_game
    >>> read_game("1. e4! {best} (1.d4 d5) *").movetext()
    Movetext(moves=[Move('e2e4')], comments={1: 'best'}, nags={1: [1]}, variations={1: ['1.d4 d5']}, order={})
    """

    moves: list[Move]
    comments: dict[int, str]
    nags: dict[int, list[int]]
    variations: dict[int, list[str]]
    order: dict[int, list[Remark]] = {}  # noqa: RUF012  # never changed


def movetext_of(
    moves: list[Move],
    nags: Iterable[tuple[int, int, int]],
    comments: Iterable[tuple[int, str, int]],
    variations: Iterable[tuple[int, str]],
) -> Movetext:
    """Return movetext, given its remarks as rows of a ply, a value and how many others of the ply precede it.

    For a glyph, these are comments and variations, for a comment variations.
    """
    found = Movetext(moves, {}, {}, {}, {})
    glyphs: dict[int, list[tuple[int, int]]] = {}
    texts: dict[int, list[tuple[str, int]]] = {}
    for ply, nag, after in nags:
        glyphs.setdefault(ply, []).append((nag, after))
        found.nags.setdefault(ply, []).append(nag)
    for ply, comment, after in comments:
        if line := one_line(comment):
            texts.setdefault(ply, []).append((line, after))
            found.comments[ply] = f"{found.comments[ply]} {line}" if ply in found.comments else line
    for ply, text in variations:
        found.variations.setdefault(ply, []).append(normal(text))
    for ply in dict.fromkeys((*glyphs, *texts)):
        of_ply = glyphs.get(ply, []), texts.get(ply, [])
        if any(after for rows in of_ply for _, after in rows):
            order = merged(*of_ply, len(found.variations.get(ply, ())))
            if order is not None:
                found.order[ply] = order
    return found


def _nag_of(text: str) -> int:
    """Return the number of ``$5`` or ``!?``."""
    return SUFFIXES.get(text) or int(text[1:])


def grow(movetext: Movetext, start: Callable[[], Board]) -> GameNode:
    """Return the root of a tree for the movetext of a game. Variations that cannot be read stay text.

    `start` makes the position before the first move; it is called if there are variations to be read.
    """
    moves, comments, nags, variations, _ = movetext
    board = start() if variations else None
    root = GameNode()
    root.comment, root.starting_comment = comments.get(0, ""), ""
    root.nags = set(nags.get(0, ()))
    root.unread = list(variations.get(0, ()))
    root.variations = []
    root.order = _order_at(movetext, 0, [[Bracketed.TEXT]] * len(root.unread))
    node = root
    for ply, move in enumerate(moves, 1):
        child = ChildNode(node, move, comment=comments.get(ply, ""), nags=nags.get(ply, ()))
        node.variations.append(child)
        added = []
        if board is not None:
            added = [_read_variation(child, board.copy(stack=False), text) for text in variations.get(ply, ())]
            board.push(move)
        child.order = _order_at(movetext, ply, added)
        node = child
    return root


def _order_at(movetext: Movetext, ply: int, added: list[list[Bracketed]]) -> list[Remark] | None:
    """Return the order of the remarks on a move, or None for the usual one, in which glyphs are sorted.

    `added` is what each variation became.
    """
    nags, comment = movetext.nags.get(ply, []), movetext.comments.get(ply, "")
    if len(nags) + len(added) < 2 and ply not in movetext.order:
        return None
    order: list[Remark] = []
    kinds = iter(added)
    for remark in arranged(movetext.order.get(ply), nags, comment, len(added)):
        order += next(kinds) if isinstance(remark, Bracketed) else [remark]
    return order if nags != sorted(set(nags)) else unusual(order)


class _Open:
    """A variation being read: the move that it replaces, and the last node of it so far."""

    def __init__(self, instead_of: ChildNode, board: Board, start: int, place: int | None = None) -> None:
        self.instead_of = instead_of
        self.place = place  # among the remarks on that move
        self.board = board
        self.start = start  # its first token
        self.siblings = len(instead_of.parent.variations)
        self.starting_comment = ""
        self.node: ChildNode | None = None

    def take(self, token: Token) -> None:
        """Read a token; a ValueError if the variation cannot be read as moves."""
        kind, text = token.kind, token.text
        if kind == MOVE:
            move = move_of(self.board, text)
            parent = self.node or self.instead_of.parent
            self.node = ChildNode(parent, move, starting_comment=self.starting_comment)
            self.starting_comment = ""
            parent.variations.append(self.node)
            self.board.push(move)
        elif kind in (COMMENT, LINE_COMMENT, RESULT):  # a result inside a variation is a remark
            comment = one_line(text)
            if self.node is None:
                self.starting_comment = " ".join(filter(None, (self.starting_comment, comment)))
            else:
                self.node.comment = " ".join(filter(None, (self.node.comment, comment)))
                self.node.order = noted(self.node.order, comment) if comment else self.node.order
        elif kind == GLYPH and self.node is not None:
            self.node.nags.add(_nag_of(text))
            self.node.order = noted(self.node.order, _nag_of(text))
        elif kind != NUMBER:
            raise ValueError("a variation: expected moves")

    def inner(self, start: int) -> "_Open":
        """Return the variation that begins behind the last move."""
        if self.node is None:
            raise ValueError("a variation: expected a move before its first variation")
        board = self.board.copy(stack=1)
        board.pop()
        if self.node.parent is self.instead_of.parent:  # on the first move: one more variation of that before
            return _Open(self.node, board, start)
        self.node.order = noted(self.node.order, Bracketed.MOVES)
        return _Open(self.node, board, start, len(self.node.order) - 1)

    def give_up(self, text: str) -> None:
        """Keep the variation as text, and none of its moves."""
        del self.instead_of.parent.variations[self.siblings :]
        self.instead_of.unread.append(text)
        if self.place is None:
            self.instead_of.order = noted(self.instead_of.order, Bracketed.TEXT)
        elif self.instead_of.order:
            self.instead_of.order[self.place] = Bracketed.TEXT


def _read_variation(instead_of: ChildNode, before: Board, text: str) -> list[Bracketed]:
    """Add the nodes of a variation, given as text, and return what was added: moves, texts that cannot be read.

    `before` is the position that it begins from. A variation of its first move is one more of the move before.
    """
    siblings, unread = len(instead_of.parent.variations), len(instead_of.unread)
    _grow_variation(instead_of, before, text)
    added = [Bracketed.MOVES] * (len(instead_of.parent.variations) - siblings)
    return added + [Bracketed.TEXT] * (len(instead_of.unread) - unread)


def _grow_variation(instead_of: ChildNode, before: Board, text: str) -> None:
    """Add the nodes of a variation. Without recursion: variations nest as deep as the text allows."""
    found = tokens_of(text)
    if not _is_balanced(found):
        instead_of.unread.append(text)
        return
    found.append(Token(BRACKET, ")", spaced=False))
    opened = [_Open(instead_of, before, 0)]
    depth = 0  # of brackets in a variation that cannot be read, its own included
    for i, token in enumerate(found):
        variation = opened[-1]
        is_bracket = token.kind == BRACKET
        is_end = is_bracket and token.text == ")"
        if depth:
            depth += (-1 if is_end else 1) * is_bracket
        elif not is_end:
            try:
                if is_bracket:
                    opened.append(variation.inner(i + 1))
                else:
                    variation.take(token)
            except ValueError:
                depth = 2 if is_bracket else 1
            continue
        elif variation.node is not None:
            opened.pop()
            continue
        if is_end and not depth:
            opened.pop()
            variation.give_up(joined(found[variation.start : i]))


def _is_balanced(found: list[Token]) -> bool:
    depth = 0
    for token in found:
        if token.kind == BRACKET:
            depth += 1 if token.text == "(" else -1
            if depth < 0:
                return False
    return depth == 0
