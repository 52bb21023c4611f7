"""Blocks of the reader that hold a few games, so that most games go on in the next block."""

import numpy as np

from rookery.games.read.blocks import Block, Buffers
from rookery.pgn.scan.output import PAD


class SmallBuffers(Buffers):
    """Blocks of 2,000 bytes, so that games go on in the next."""

    def block(self, size: int = 2000) -> Block:
        return Block(np.empty(max(size, 2000) + PAD, np.uint8))

    def rest(self, block: Block, place: int) -> Block:
        left = block.text[place : block.stop]
        following = self.block(2 * left.size)
        following.text[: left.size] = left
        following.stop = left.size
        return following

    def give_back(self, block: Block) -> None:
        pass
