"""Answers about positions of games without a replay: their material, and the pieces of their moves.

`rookery.games.positions.later_positions` knows these without boards. For all other positions they are computed from the
boards.
"""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64
from rookery.lazy_imports import compile_later
from rookery.positions.language.block import Block
from rookery.positions.language.grammar import Node
from rookery.positions.queries import questions
from rookery.positions.queries.questions import DIGIT, KINDS, MOST, SIDE_BITS

_SIGNATURE: Final = compile_later(r"(K*)(Q*)(R*)(B*)(N*)(P*)v(K*)(Q*)(R*)(B*)(N*)(P*)")
_SECOND: Final = ("black", "them")  # sides in the upper half of a word of material


def mailbox_of(block: Block) -> Any:
    """Return the mailbox of a block whose boards would be more work, or None."""
    positions = block.positions
    return positions.mailbox if getattr(positions, "is_light", False) else None


def pieces_of_moves(block: Block, which: str) -> Any:
    """Return the type of the piece that each move moves ("moving") or captures ("captured"): uint8, 0 for none."""
    mailbox = mailbox_of(block)
    if mailbox is not None:
        return getattr(mailbox, which)
    return getattr(block.positions, f"{which}_pieces")(block.moves)


def _by_turn(block: Block, words: Any) -> Any:
    """Return material with ours in the lower half of each word."""
    if "material by turn" not in block.shared:
        block.shared["material by turn"] = np.where(block.positions.turn, words, questions.swapped(words))
    return block.shared["material by turn"]


def _words(block: Block, side: str) -> Any:
    """Return the material of each position, uint64, with White's or ours in the lower half; None without a mailbox."""
    mailbox = mailbox_of(block)
    if mailbox is None:
        return None
    return _by_turn(block, mailbox.material) if side in ("us", "them") else mailbox.material


def _shift(kind: int, side: str) -> int:
    return DIGIT * (kind - 1) + (SIDE_BITS if side in _SECOND else 0)


def count_of(block: Block, kind: int, side: str) -> Any:
    """Return the number of a side's pieces of a kind, or None without a mailbox."""
    words = _words(block, side)
    return None if words is None else (words >> U64(_shift(kind, side)) & U64(MOST)).view(np.int64)


def has_any(block: Block, kind: int, side: str) -> Any:
    """Check whether a side has a piece of a kind; return None without a mailbox."""
    words = _words(block, side)
    return None if words is None else (words & U64(MOST << _shift(kind, side))) != 0


def weighed(block: Block, ours: tuple[int, ...], theirs: tuple[int, ...], side: str) -> Any:
    """Return the sum of a side's pieces and of its opponent's, each times its weight; kings weigh nothing."""
    words = _words(block, side)
    if words is None:
        other = {"us": "them", "them": "us", "white": "black", "black": "white"}[side]
        sums = [block.positions.material(who, w) for who, w in ((side, ours), (other, theirs)) if any(w)]
        return sum(total.astype(np.int64) for total in sums)
    first, second = (theirs, ours) if side in _SECOND else (ours, theirs)
    weights = np.array([*first, *[0] * (KINDS - len(first)), *second, *[0] * (KINDS - len(second))], np.int64)
    out = np.empty(block.n, np.int64)
    questions.weigh(np.ascontiguousarray(words), weights.view(U64), out)
    return out


def has_material(block: Block, word: int) -> Any:
    """Check whether the material is that of a word."""
    words = _words(block, "white")
    if words is None:
        words = np.empty(block.n, U64)
        questions.words(block.columns, words)
    return words == U64(word)


def is_signature(text: str) -> bool:
    """Check whether a text is written as signatures are: White's pieces, then Black's, each in the order KQRBNP.

    >>> is_signature("KRPvKR"), is_signature("KRPKR"), is_signature("KPRvKR")
    (True, False, False)
    """
    return _SIGNATURE.fullmatch(text) is not None


def word_of_signature(text: str) -> int | None:
    """Return the material that a signature such as "KRPvKR" describes; None if no position has that signature.

    >>> word_of_signature("KvK") == 1 << 25 | 1 << 55
    True
    """
    found = _SIGNATURE.fullmatch(text)
    if found is None:
        return None
    numbers = [len(group) for group in found.groups()]
    if max(numbers) >= MOST:
        return None
    white, black = numbers[:KINDS][::-1], numbers[KINDS:][::-1]
    return sum(n << DIGIT * k for k, n in enumerate([*white, *black]))


PIECE_LETTERS: Final = ("", "P", "N", "B", "R", "Q", "K")  # by piece type; none for no move


def lighter(name: str, args: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Return a function and its arguments, replaced by a function that needs no boards if there is one."""
    match name, args:
        case "count", (Node() as squares,) if squares.function.name == "pieces of a side":
            return "number of pieces", squares.args
        case "text ==", (Node() as a, Node() as b):
            texts = {node.function.name: node for node in (a, b)}
            if texts.keys() == {"signature", "text"}:
                word = word_of_signature(texts["text"].args[0])
                return ("constant", (False,)) if word is None else ("signature is", (word,))
            for move, which in (("move.piece", "moving"), ("move.captured", "captured")):
                if texts.keys() == {move, "text"}:
                    letter = texts["text"].args[0]
                    is_kind = letter in PIECE_LETTERS
                    return (
                        ("piece of the move is", (which, PIECE_LETTERS.index(letter)))
                        if is_kind
                        else ("constant", (False,))
                    )
    return name, args
