"""The letters that national languages use for kings, queens, rooks, bishops and knights."""

from typing import Any, Final

import numpy as np

from rookery.arguments import shown

ENGLISH: Final = ("K", "Q", "R", "B", "N")
LANGUAGES: Final = {
    "english": ENGLISH,
    "czech": ("K", "D", "V", "S", "J"),
    "danish": ("K", "D", "T", "L", "S"),
    "dutch": ("K", "D", "T", "L", "P"),
    "finnish": ("K", "D", "T", "L", "R"),
    "french": ("R", "D", "T", "F", "C"),
    "german": ("K", "D", "T", "L", "S"),
    "hungarian": ("K", "V", "B", "F", "H"),
    "icelandic": ("K", "D", "H", "B", "R"),
    "italian": ("R", "D", "T", "A", "C"),
    "norwegian": ("K", "D", "T", "L", "S"),
    "polish": ("K", "H", "W", "G", "S"),
    "portuguese": ("R", "D", "T", "B", "C"),
    "romanian": ("R", "D", "T", "N", "C"),
    "russian": ("Кр", "Ф", "Л", "С", "К"),  # noqa: RUF001  # Cyrillic
    "spanish": ("R", "D", "T", "A", "C"),
    "swedish": ("K", "D", "T", "L", "S"),
    "turkish": ("Ş", "V", "K", "F", "A"),
}


# In the order in which a word is tried that English letters do not explain.
GUESSED: Final = (
    "german",
    "french",
    "spanish",
    "dutch",
    "russian",
    "polish",
    "hungarian",
    "italian",
    "portuguese",
    "czech",
)


def number_of_language(letters: str | None) -> int:
    """Return the number of a language, given by its name or its five letters; 0 for English and None.

    >>> number_of_language("german") == number_of_language("KDTLS")
    False
    >>> number_of_language("english")
    0
    """
    if letters is None:
        return 0
    for number, (name, signs) in enumerate(LANGUAGES.items()):
        if isinstance(letters, str) and letters in (name, "".join(signs)):
            return number
    raise ValueError(f"letters: {shown(letters)}: expected one of {', '.join(LANGUAGES)}")


def _table() -> tuple[Any, Any]:
    """Return a row for each letter of each language, the longest first: language, length, English letter; and bytes."""
    rows, codes = [], []
    for number, signs in enumerate(LANGUAGES.values()):
        for sign, english in sorted(zip(signs, ENGLISH, strict=True), key=lambda pair: -len(pair[0])):
            code = sign.encode()
            rows.append((number, len(code), ord(english)))
            codes.append(int.from_bytes(code, "little"))
    return np.array(rows, np.uint64), np.array(codes, np.uint64)


LETTERS, LETTER_CODES = _table()
