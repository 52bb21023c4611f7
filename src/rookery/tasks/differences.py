"""Files of other work: the difference between two descriptions of work, as messages name it."""

import os
from typing import Any, Final

from rookery.arguments import shown

_MOST_NAMED: Final = 3  # differences that a message names
_MOST_SHOWN: Final = 40  # characters of a value that a message shows


class OtherWorkError(ValueError):
    """A journal, or another file that `name` says, of other work; `difference` says in which respect."""

    def __init__(self, path: str | os.PathLike[str], difference: str, name: str = "journal") -> None:
        super().__init__(f"{name}: {path}: is of other work ({difference}): repeat that work, or remove the file")
        self.difference = difference


def with_force(error: ValueError) -> ValueError:
    """Return an error of a file of other work, or of a damaged one, that also names the option which begins anew."""
    return ValueError(f"{error}, or start anew with --force (force=True)")


def difference(found: Any, expected: Any) -> str:
    """Return in which respect two descriptions of work differ, in a few words; an empty text if they are equal.

    >>> difference({"depth": 7, "fen": "8/8"}, {"depth": 8, "fen": "8/8"})
    'depth was 7, now 8'
    """
    if not (isinstance(found, dict) and isinstance(expected, dict)):
        return "of another kind"
    names = [name for name in {**found, **expected} if found.get(name) != expected.get(name)]
    differences = []
    for name in names[:_MOST_NAMED]:
        old, new = found.get(name), expected.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            differences.append(difference(old, new))
        elif any(isinstance(value, (dict, list)) or len(str(value)) > _MOST_SHOWN for value in (old, new)):
            differences.append(f"other {name}")
        else:
            differences.append(f"{name} was {shown(old)}, now {shown(new)}")
    return ", ".join(differences)
