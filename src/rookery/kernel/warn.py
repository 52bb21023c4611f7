"""Warnings of one line, each once per process."""

import warnings
from typing import Final

_subjects: Final[set[str]] = set()


def warn_once(subject: str, message: str) -> None:
    """Issue a RuntimeWarning, unless this process has issued one about the same subject."""
    if subject not in _subjects:
        _subjects.add(subject)
        # No file and no line: what the user wrote is not the cause, and Python would print the line below the message.
        warnings.warn_explicit(message, RuntimeWarning, "rookery", 0)


def has_warned(subject: str) -> bool:
    """Check whether this process has issued a warning about a subject."""
    return subject in _subjects
