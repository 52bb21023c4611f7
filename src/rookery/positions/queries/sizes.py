"""The sizes of blocks that queries work through."""

from typing import Final

BLOCK: Final = 64  # positions whose marks share a word
