"""Compiled code that packs the boards of motifs into words of bits."""

from typing import TYPE_CHECKING, Any

from rookery.kernel import U64, array_of, entry

if TYPE_CHECKING:
    pass


@entry(examples=lambda: (array_of(U64, 2), U64(0), array_of(U64)))
def pack(rows: Any, shift: Any, words: Any) -> None:
    """Set one bit of each word for each row that is not empty there: bit `shift` for the first row."""
    k, n = U64(0), U64(rows.shape[0])
    while k + 4 <= n:  # four at a time: a fifth less time
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        for j in range(words.size):
            i = U64(j)
            found = (1 if a[i] else U64(0)) | (2 if b[i] else 0) | (4 if c[i] else 0) | (8 if d[i] else 0)
            words[i] |= found << (shift + k)
        k += 4
    while k < n:
        row = rows[k]
        for j in range(words.size):
            i = U64(j)
            words[i] |= (1 if row[i] else U64(0)) << (shift + k)
        k += 1
