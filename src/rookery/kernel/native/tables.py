"""Tables and functions that many units have, in groups, so that a linker keeps one copy of each.

Numba freezes an array into each function that reads it: the look-up tables of a technique stand in hundreds of
functions. Here such a constant gets a name made of a digest of its bytes, and a group (COMDAT) of that name. A linker
keeps one group of each name; in Mach-O files, which have no groups, one weak symbol. An object file stays complete, so
it can be loaded alone, too.
"""

import hashlib
import re
from typing import Any, Final

CHECK: Final = "rookery.is_array"  # the function that checks arrays, see `arguments`
_SHARED_FUNCTION: Final = re.compile(r'^define linkonce_odr (.*@"([^"]+)"\(.*)$', re.MULTILINE)
_FEWEST: Final = 64  # bytes; smaller constants stay where they are
_CONSTANT: Final = re.compile(
    r'^@("[^"]*"|[\w.$-]+) = internal (?:local_)?(?:unnamed_addr )?constant (\[(\d+) x i8\] c"[^"]*")(, align \d+)?$',
    re.M,
)


def functions_in_groups(text: str, triple: str) -> str:
    """Put each function of a wrapper's module that all units share into a group of its own."""
    if "-apple-" in triple:
        return _SHARED_FUNCTION.sub(r"define linkonce_odr hidden \1", text)
    names = [name for _, name in _SHARED_FUNCTION.findall(text)]
    text = _SHARED_FUNCTION.sub(r'define linkonce_odr hidden \1 comdat($"\2")', text)
    return text + "".join(f'\n$"{name}" = comdat any\n' for name in names)


def in_groups(text: str) -> tuple[str, dict[str, str]]:
    """Put each table of a module of LLVM's language into a group of its own.

    Return the module and the new names of the tables by their old ones: `rename` applies them to the parsed module.
    """
    names: dict[str, str] = {}
    seen: set[str] = set()

    def replaced(match: re.Match[str]) -> str:
        old, content, size, align = match.groups(default="")
        new = f"table.{hashlib.sha256((content + align).encode()).hexdigest()[:32]}"
        if int(size) < _FEWEST or new in seen:
            return match[0]
        seen.add(new)
        names[old.strip('"')] = new
        group = "" if is_macho else f", comdat(${new})"
        return f"@{old} = linkonce_odr hidden unnamed_addr constant {content}{group}{align}"

    is_macho = re.search(r'^target triple = ".*-apple-', text, re.MULTILINE) is not None
    text = _CONSTANT.sub(replaced, text)
    if is_macho:
        return text, names
    groups = "".join(f"${name} = comdat any\n" for name in names.values())
    return f"{text}\n{groups}", names


def rename(module: Any, names: dict[str, str]) -> None:
    """Give the tables of a module their new names."""
    for old, new in names.items():
        module.get_global_variable(old).name = new
