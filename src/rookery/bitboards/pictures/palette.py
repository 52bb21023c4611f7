"""The colours of figures, of the explorer and of pages of steps, for light and for dark pages.

Each is a CSS variable: `--ink` writes, `--light` and `--dark` are squares, `--copy-0` to `--copy-9` are the colours of
blockers and operands, which keep theirs wherever they appear. `--attacked` marks squares of a set, `--good` and `--bad`
what agrees and what does not. Boards are light on dark pages, too, so that black pieces are black.
"""

from typing import Final

_LIGHT: Final = (
    "--ink: #1d1d1f; --ink-soft: #66625a; --paper: #fdfcf9; --panel: #f4f0e6; --line: #cfc8b8; --light: #f2ebdc; "
    "--dark: #dccfb6; "
    "--attacked: #35322c; "
    "--accent: #0067a5; --good: #00795b; --bad: #b3001b; --carried: #3b3b40; --on-copy: #ffffff; --seen: #9cc4de; "
    "--piece-edge: #0c0b0a; "
    "--copy-0: #0067a5; --copy-1: #b3001b; --copy-2: #00795b; --copy-3: #a14700; --copy-4: #8a3c86; "
    "--copy-5: #5a6b00; --copy-6: #00767f; --copy-7: #5b4bc4; --copy-8: #b0306f; --copy-9: #6d5136;"
)
_DARK: Final = (
    "--ink: #ececea; --ink-soft: #b3b1ab; --paper: #1b1b1d; --panel: #26262a; --line: #55555c; --light: #4a4740; "
    "--dark: #37342e; "
    "--attacked: #dcd8cc; "
    "--accent: #7cc0ee; --good: #63d0ae; --bad: #ff8f9d; --carried: #e2e2e8; --on-copy: #111113; --seen: #3f6580; "
    "--piece-edge: #d5d0c4; "
    "--copy-0: #6cb9f0; --copy-1: #ff8f9d; --copy-2: #55d0a5; --copy-3: #f5a55c; --copy-4: #e29be0; "
    "--copy-5: #c3d455; --copy-6: #5cd3dd; --copy-7: #b0a5ff; --copy-8: #ff9bcb; --copy-9: #d8b48c;"
)
_BOARD: Final = _LIGHT.replace("--light: #f2ebdc", "--light: #e6dfd0").replace("--dark: #dccfb6", "--dark: #cdc0a6")


def palette(light: str, dark: str = "", auto: str = "", boards: str = ".board") -> str:
    """Return a style sheet that gives an element the colours of the reader's theme.

    The arguments are selectors of the element: on any page, on a page that is switched to dark, and on one that follows
    the system, by default any page; and of the boards in it.

    >>> palette("svg")[:21]
    'svg { --ink: #1d1d1f;'
    """
    rules = [f"{light} {{ {_LIGHT} }}"]
    if dark:
        rules.append(f"{dark} {{ {_DARK} }} {dark} :is({boards}) {{ {_BOARD} }}")
    there = auto or light
    rules.append(
        f"@media (prefers-color-scheme: dark) {{ {there} {{ {_DARK} }} {there} :is({boards}) {{ {_BOARD} }} }}"
    )
    return " ".join(rules)
