"""Instructions that read and write text, beside their portable twins."""

import numpy as np
import pytest

from rookery.kernel import U64, copy_64, entry, where_byte, word_at, write_word
from rookery.kernel.instructions.texts import (
    copy_64_portable,
    where_byte_portable,
    word_at_portable,
    write_word_portable,
)


@entry
def compiled(text: object, places: object, byte: object, out: object, room: object) -> None:
    for i in range(places.size):  # type: ignore[attr-defined]
        place = places[i]  # type: ignore[index]
        out[i, 0] = word_at(text, place)  # type: ignore[index]
        out[i, 1] = where_byte(text, place, byte)  # type: ignore[index]
        out[i, 2] = copy_64(text, place, room, place)  # type: ignore[index]


@pytest.mark.parametrize("byte", [0, 10, 125, 255])
def test_compiled_and_portable_agree(byte: int) -> None:
    rng = np.random.default_rng(byte)
    text = rng.choice(np.array([0, 10, 65, 125, 255], np.uint8), 300)
    places = np.arange(230, dtype=np.uint64)
    out, room, expected = np.zeros((230, 3), np.uint64), np.zeros(300, np.uint8), np.zeros(300, np.uint8)
    compiled(text, places, U64(byte), out, room)
    for i in range(230):
        place = U64(i)
        assert (
            int(out[i, 0]) == int(word_at_portable(text, place)) == int.from_bytes(text[i : i + 8].tobytes(), "little")
        )
        where = sum(1 << k for k in range(64) if text[i + k] == byte)
        assert int(out[i, 1]) == int(where_byte_portable(text, place, U64(byte))) == where
        high = sum(1 << k for k in range(64) if text[i + k] >= 128)
        assert int(out[i, 2]) == int(copy_64_portable(text, place, expected, place)) == high
    assert np.array_equal(room, expected)
    assert np.array_equal(room[:293], text[:293])


@entry
def written(words: object, places: object, out: object) -> None:
    for i in range(places.size):  # type: ignore[attr-defined]
        write_word(out, places[i], words[i])  # type: ignore[index]


def test_words_are_written_at_any_place() -> None:
    rng = np.random.default_rng(1)
    words, places = rng.integers(0, 1 << 64, 50, np.uint64), rng.integers(0, 90, 50).astype(np.uint64)
    out, portable, expected = np.zeros(98, np.uint8), np.zeros(98, np.uint8), bytearray(98)
    written(words, places, out)
    for word, place in zip(words, places, strict=True):
        write_word_portable(portable, place, word)
        expected[place : place + U64(8)] = int(word).to_bytes(8, "little")
    assert out.tobytes() == portable.tobytes() == bytes(expected)
