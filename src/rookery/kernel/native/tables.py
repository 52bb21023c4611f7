"""Tables and functions that many units have, in groups, so that a linker keeps one copy of each.

An array is a constant of each function that reads it: the look-up tables of a technique stand in hundreds of functions.
Here such a constant gets a name made of a digest of its bytes, and a group (COMDAT) of that name. A kernel gets a name
made of a digest of its text: a native function and the entry that its Python body calls are two wrappers around one
kernel. A linker keeps one group of each name; in Mach-O files, which have no groups, one weak symbol. An object file
stays complete, so it can be loaded alone, too.
"""

import hashlib
import re
from typing import Any, Final

_SHARED_VARIABLE: Final = re.compile(r'^(@"([^"]+)" = linkonce_odr) (global .*)$', re.MULTILINE)
_SHARED_FUNCTION: Final = re.compile(r'^define linkonce_odr (.*@"([^"]+)"\(.*)$', re.MULTILINE)
_FEWEST: Final = 64  # bytes; smaller constants stay where they are
_CONSTANT: Final = re.compile(
    r'^@("[^"]*"|[\w.$-]+) = internal (?:local_)?(?:unnamed_addr )?constant (\[(\d+) x i8\] c"[^"]*")(, align \d+)?$',
    re.M,
)


def functions_in_groups(text: str, triple: str) -> str:
    """Put each function and variable of a wrapper's module that all units share into a group of its own."""
    if "-apple-" in triple:
        text = _SHARED_VARIABLE.sub(r"\1 hidden \3", text)
        return _SHARED_FUNCTION.sub(r"define linkonce_odr hidden \1", text)
    names = [found[1] for pattern in (_SHARED_FUNCTION, _SHARED_VARIABLE) for found in pattern.findall(text)]
    text = _SHARED_VARIABLE.sub(r'\1 hidden \3, comdat($"\2")', text)
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

    is_macho = _is_macho(text)
    text = _CONSTANT.sub(replaced, text)
    if is_macho:
        return text, names
    groups = "".join(f"${name} = comdat any\n" for name in names.values())
    return f"{text}\n{groups}", names


def _is_macho(text: str) -> bool:
    return re.search(r'^target triple = ".*-apple-', text, re.MULTILINE) is not None


def kernel_in_group(text: str, symbol: str) -> tuple[str, dict[str, str]]:
    """Put a kernel, with the functions that it calls, into a group of its own. `symbol` is the kernel's name.

    Return the module and the new name of the kernel by its old one, for `rename`.
    """
    quoted = f"@{symbol}(", f'@"{symbol}"('
    anonymous = text.replace(quoted[0], "@kernel(").replace(quoted[1], "@kernel(")
    new = f"kernel.{hashlib.sha256(anonymous.encode()).hexdigest()[:32]}"
    group = "" if _is_macho(text) else f" comdat(${new})"
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if line.startswith("define "):
            if quoted[0] in line or quoted[1] in line:
                line = line.replace("define ", "define linkonce_odr hidden ", 1)
            lines[i] = f"{line.removesuffix(' {')}{group} {{"
    return "\n".join([*lines, f"${new} = comdat any" if group else "", ""]), {symbol: new}


def rename(module: Any, names: dict[str, str]) -> None:
    """Give tables and functions of a module their new names. Tables that nothing reads may have been removed."""
    for value in [*module.functions, *module.global_variables]:
        if value.name in names:
            value.name = names[value.name]
