"""Blocks of text: where they may be cut, and how their buffers are used again."""

import itertools
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from rookery.frames.columns import Texts
from rookery.games.read import blocks
from rookery.games.read.blocks import BLOCK, Block, Buffers
from rookery.games.read.game_ranges import between_games
from rookery.pgn.scan.output import PAD

GAME = b'[Event "a"]\n\n1. e4 1-0'
NEXT = b'[Event "b"]\n\n1. d4 *\n'


def array(text: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(text, np.uint8)


@pytest.mark.parametrize("result", [b"1-0", b"0-1", b"1/2-1/2", b"*", b"1/2"])
@pytest.mark.parametrize("lines", [b"\n\n", b"\n\n\n", b"\r\n\r\n", b"\r\n\r\n\r\n"])
def test_text_is_cut_before_a_game_that_follows_a_result(result: bytes, lines: bytes) -> None:
    before = b'[Event "a"]\n\n1. e4 ' + result + lines
    assert blocks.safe_cut(array(before + NEXT), len(before + NEXT)) == len(before)
    assert between_games(before + NEXT) == len(before)


@pytest.mark.parametrize(
    "before",
    [
        GAME + b"\n",
        GAME + b"\n\n\n\n",
        GAME + b" \n\n",
        GAME + b" ; won 1-0\n\n",
        b"1. e4 e51-0\n\n",
        b"1. e4 e5\n\n",
        b"1. e4 {1-0\n\n",
        b"",
    ],
)
def test_text_is_not_cut_elsewhere(before: bytes) -> None:
    assert blocks.safe_cut(array(before + NEXT), len(before + NEXT)) == 0


def test_the_last_cut_before_the_end_is_taken() -> None:
    text = (GAME + b"\n\n") * 3
    size = len(GAME) + 2
    for stop, expected in (
        (len(text), 2 * size),
        (2 * size + len(b"[Event "), 2 * size),
        (2 * size + len(b"[Event"), size),
        (size, 0),
    ):
        assert blocks.safe_cut(array(text), stop) == expected
    broken = text + b"1. e4\n\n" + NEXT  # the last game has no result before it
    assert blocks.safe_cut(array(broken), len(broken)) == 2 * size


@pytest.mark.parametrize("before", [1, (1 << 16) - 60, (1 << 16) - 1, 1 << 16, 200_000])
def test_cuts_of_long_texts_count_from_their_beginning(before: int) -> None:
    text = b"x" * before + b" 1-0\n\n" + NEXT
    assert blocks.safe_cut(array(text), len(text)) == before + 6
    far = text + b"y" * (1 << 16)  # what is looked at ends before the cut
    assert blocks.safe_cut(array(far), len(far)) == 0


@pytest.mark.parametrize(
    ("text", "is_result"),
    [
        (b"1. e4 1-0", True),
        (b"1-0", True),
        (b"1. e4 e5} 1-0", True),
        (b"1. e4 {a}1-0", True),
        (b"1. e4 1/2-1/2 \r\n\n", True),
        (b"1. e4 * {a comment} ; and more\n", True),
        (b"1. e4 * ; the end of the text", True),
        (b"1. e4 0-1 {" + b"long " * 100 + b"}\n", True),
        (b"1. e4 0-1 {" + b"long " * 300 + b"}\n", False),
        (b"1. e4 e5", False),
        (b"1. e4 e51-0", False),
        (b"x" * 50 + b"1-0" + b" " * 29, False),
        (b"1. e4 1-0 {open", False),
        (b"1. e4 1-0 e5", False),
        (b"", False),
    ],
)
def test_a_result_is_the_last_word(text: bytes, is_result: bool) -> None:
    assert blocks.ends_with_result(array(text + b"1-0 e4"), len(text)) == is_result


@pytest.mark.parametrize("line", [b"\n\n", b"\r\n\r\n", b"\r\r", b"\n \t\n \t", b"\n\r\n"])
@pytest.mark.parametrize("tag", [b'[Event "b"]', b"[Event\t", b'[Event"b"]'])
def test_a_game_begins_at_its_event(line: bytes, tag: bytes) -> None:
    text = b"1. e4 {open" + line + tag + b"\n\n[Event "
    for final in (True, False):
        assert blocks.next_game(array(text), len(text), final) == (11 + len(line), True)


def test_the_search_for_the_next_game_goes_on_before_the_end() -> None:
    text = b"x" * 1000
    assert blocks.next_game(array(text), 1000, True) == (1000, False)
    assert blocks.next_game(array(text), 1000, False) == (744, False)
    assert blocks.next_game(array(text), 256, False) == (0, False)
    assert blocks.next_game(array(b"\r" * 4), 4, False) == (0, False)
    text = b"x" * 743 + b"\r" + b"x" * 256
    assert blocks.next_game(array(text), 1000, False) == (743, False)
    assert blocks.next_game(array(b"\n[Event \n\n[Even"), 15, False) == (0, False)


def test_words_are_whole_up_to_the_last_blank() -> None:
    assert blocks.whole_words(array(b"1. e4 e5"), 8) == 5
    assert blocks.whole_words(array(b"1. e4 e5 d4"), 8) == 5
    assert blocks.whole_words(array(b"1. e4 "), 6) == 5
    assert blocks.whole_words(array(b"e4"), 2) == 2
    long = bytearray(b"x" * 300)
    long[172] = 32
    assert blocks.whole_words(array(bytes(long)), 300) == 172
    assert blocks.whole_words(array(bytes(long) + b"x"), 301) == 301  # no move is that long


@pytest.mark.parametrize("lengths", [[4, 4, 4, 25, 0, 3], [10, 10, 1], [11], [0, 0, 0], []])
def test_blocks_of_texts_hold_whole_texts(lengths: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 10)
    texts = [chr(97 + i) * n for i, n in enumerate(lengths)]
    found: list[str] = []
    for block, ranges in blocks.blocks_of_texts(Texts.of(["skipped", *texts]).cut(1, len(texts) + 1), Buffers()):
        assert block.row == len(found)
        assert block.stop == sum(map(len, texts[len(found) : len(found) + len(ranges)]))
        assert block.stop <= 10 or len(ranges) == 1
        assert ranges[:, 2].tolist() == [1] * len(ranges)
        found += [block.text[a:b].tobytes().decode() for a, b, _ in ranges.tolist()]
        if len(found) < len(texts):  # the next text would not fit
            assert block.stop + len(texts[len(found)]) > 10
    assert found == texts


def test_buffers_are_used_again() -> None:
    buffers = Buffers()
    buffers._kept.clear()
    first = buffers.block()
    assert first.text.size == BLOCK + PAD
    buffers.give_back(first)
    assert buffers.block(BLOCK).text is first.text
    larger = buffers.block(BLOCK + 1)
    assert larger.text.size == BLOCK + 1 + PAD
    buffers.give_back(larger)
    assert buffers.block().text is not larger.text
    given = [buffers.block() for _ in range(3)]
    for block in given:
        buffers.give_back(block)
    buffers.keep()
    assert len(Buffers._kept) == 2
    again = Buffers().block()
    assert any(again.text is block.text for block in given)
    Buffers._kept.clear()


def test_the_rest_of_a_block_begins_another() -> None:
    buffers = Buffers()
    block = buffers.block()
    block.text[:9] = array(b"abcdefghi")
    block.stop = 7
    rest = buffers.rest(block, 3)
    assert (rest.stop, rest.text[:4].tobytes(), rest.text.size) == (4, b"defg", BLOCK + PAD)
    large = Block(np.zeros(BLOCK + PAD, np.uint8))
    large.stop = BLOCK
    assert buffers.rest(large, 0).text.size == 2 * BLOCK + PAD


def test_a_block_is_filled_up_to_its_padding() -> None:
    block = Block(np.zeros(10 + PAD, np.uint8))
    pieces = iter([b"abc", b"defg", b"hij", b"rest"])

    def fill(view: memoryview) -> int:
        piece = next(pieces)
        view[: len(piece)] = piece
        return len(piece)

    assert not block.fill(fill)
    assert (block.stop, block.text[:10].tobytes()) == (10, b"abcdefghij")
    block = Block(np.zeros(10 + PAD, np.uint8))
    sizes = iter([4, 0])
    assert block.fill(lambda view: next(sizes))
    assert block.stop == 4


@pytest.mark.parametrize("threads", [0, 1, 2, 3])
def test_results_come_in_order_and_few_pieces_are_taken_ahead(threads: int) -> None:
    taken, names, most = 0, set(), 0

    def pieces() -> Iterator[int]:
        nonlocal taken
        while taken < 40:
            taken += 1
            yield taken

    def work(piece: int) -> int:
        names.add(threading.current_thread().name)
        return piece * piece

    results = blocks.in_order(work, pieces(), threads)
    for done, result in enumerate(itertools.islice(results, 30), 1):
        assert result == done * done
        most = max(most, taken - done)
    results.close()  # type: ignore[attr-defined]  # a generator
    assert most == (threads + blocks.AHEAD if threads > 1 else 0)
    assert (threading.current_thread().name in names) == (threads <= 1)
    assert len(names) <= max(threads, 1)
