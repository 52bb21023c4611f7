"""The room that readers of bytes need behind a text."""

from typing import Final

PAD: Final = 128  # bytes behind a text that may be read, whatever they hold
