"""The start position of chess, for code that reads no FEN."""

from typing import Final

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# The ten words of `rookery.rules.position.Position` for it. Boards that begin there, as most do, wait for no reader to
# be compiled or loaded.
START_POSITION: Final = (
    *(0x00FF_0000_0000_FF00, 0x4200_0000_0000_0042, 0x2C00_0000_0000_002C, 0x8900_0000_0000_0089),
    *(0x1000_0000_0000_0010, 0x0000_0000_0000_FFFF, 0xFFFF_0000_0000_0000, 0x8100_0000_0000_0081),
    *(0, 0),
)
