"""Compiled loops that look up attacks, one for each use. All return a word that depends on every answer."""

from typing import Any, Final

from rookery.bitboards.bits import SPLITMIX_STEP, reset_ls1b
from rookery.kernel import U64, Bits, Square, State, Word, entry, kernel, rotate_left, trailing_zeros
from rookery.techniques.base.protocol import attacks, prepare, toggle

PASSES: Final = 8  # over the changes: even, so that the last occupancy is the first
LINES_READ: Final = 8  # cache lines of other data that are read between two look-ups


@entry
def one_look_up(question: Any, sq: Square, state: State, t: Any) -> Word:
    """Look up the attacks from one square. The machine code shows what a look-up costs."""
    return attacks(question, sq, state, t)


@entry
def chain(word: Word, added: Word, steps: int) -> Word:
    """Rotate and add again and again. Each of the two waits for the other, so a step takes two cycles."""
    for _ in range(steps):
        word = rotate_left(word, U64(1)) + added
    return word


@entry
def change_and_look(question: Any, squares: Any, changed: Any, first: Word, zero: Word, t: Any) -> Any:
    """Change the occupancy of a square and look up the attacks from another, again and again.

    Return a word that depends on all answers and their order. `zero` is 0, which the compiler does not know: each
    look-up has to wait for the last.
    """
    state = prepare(first, t)
    total: Word = 0
    for _ in range(PASSES):
        for i in range(squares.size):
            state = toggle(state, U64(changed[i]), t)
            sq = U64(squares[i]) ^ (total & zero)
            total = rotate_left(total, U64(1)) + attacks(question, sq, state, t)
    return total


@entry
def change_and_look_freely(question: Any, squares: Any, changed: Any, first: Word, t: Any) -> Any:
    """Do the same as `change_and_look`, but no look-up waits for the one before it."""
    state = prepare(first, t)
    total: Word = 0
    for _ in range(PASSES):
        for i in range(squares.size):
            state = toggle(state, U64(changed[i]), t)
            total = rotate_left(total, U64(1)) + attacks(question, U64(squares[i]), state, t)
    return total


@kernel
def read_lines(other: Any, place: Word) -> Word:
    """Return the sum of words from `LINES_READ` cache lines of other data."""
    total: Word = 0
    last: Word = U64(other.size) - 1
    for _ in range(LINES_READ):
        place = place * SPLITMIX_STEP + 1
        total += other[(place >> 20) & last]
    return total


@entry
def look_in_busy_caches(question: Any, squares: Any, changed: Any, first: Word, other: Any, t: Any) -> Any:
    """Do the same as `change_and_look_freely`, with other data read between two look-ups."""
    state = prepare(first, t)
    total: Word = 0
    for i in range(squares.size):
        state = toggle(state, U64(changed[i]), t)
        total += read_lines(other, total ^ U64(i))
        total = rotate_left(total, U64(1)) + attacks(question, U64(squares[i]), state, t)
    return total


@entry
def look_on_boards(question: Any, squares: Any, occupied: Any, t: Any) -> Any:
    """Return the XOR of the attacks from each of a board's squares, over all boards."""
    total: Word = 0
    for i in range(occupied.size):
        state = prepare(occupied[i], t)
        for j in range(squares.shape[1]):
            total ^= attacks(question, U64(squares[i, j]), state, t)
    return total


@entry
def look_for_all_sliders(question: Any, sliders: Any, occupied: Any, t: Any) -> Any:
    """Return a word that depends on the union of the attacks of all sliders of each board."""
    total: Word = 0
    for i in range(occupied.size):
        state = prepare(occupied[i], t)
        squares = sliders[i]
        attacked: Bits = 0
        while squares:
            attacked |= attacks(question, trailing_zeros(squares), state, t)
            squares = reset_ls1b(squares)
        total = rotate_left(total, U64(1)) + attacked
    return total
