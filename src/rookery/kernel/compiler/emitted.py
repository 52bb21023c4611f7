"""The text of a function in LLVM's language, block by block."""

from typing import Any, NamedTuple


class Block:
    """A block of instructions. Its end is the instruction that leaves it."""

    __slots__ = ("body", "end", "label", "phis")

    def __init__(self, label: str) -> None:
        self.label = label
        self.phis: list[Any] = []
        self.body: list[str] = []
        self.end = "unreachable"


class Mark(NamedTuple):
    """A place to which a function's text can be set back."""

    blocks: int
    current: Block
    body: int


class Code:
    """The blocks of a function, in the order in which they were begun. `current` is None behind a return."""

    def __init__(self, is_checked: bool = False) -> None:
        self.blocks: list[Block] = []
        self._count = 0
        self.current: Any = None
        self.failed = self.block() if is_checked else None  # the way out at an index that is out of bounds
        self.start(self.block())

    def name(self) -> str:
        """Return a new name of a value."""
        self._count += 1
        return f"%v{self._count}"

    def value(self, instruction: str) -> str:
        """Add an instruction, and return the name of its value."""
        name = self.name()
        self.current.body.append(f"{name} = {instruction}")
        return name

    def do(self, instruction: str) -> None:
        """Add an instruction without a value."""
        self.current.body.append(instruction)

    def block(self) -> Block:
        """Return a new block, which is not yet begun."""
        self._count += 1
        return Block(f"b{self._count}")

    def start(self, block: Block) -> None:
        """Begin a block: what is added from now on stands in it."""
        self.blocks.append(block)
        self.current = block

    def jump(self, target: Block) -> None:
        """Leave the current block for another."""
        self.current.end = f"br label %{target.label}"
        self.current = None

    def split(self, condition: str, yes: Block, no: Block) -> None:
        """Leave the current block for one of two others."""
        if condition in ("true", "false"):
            self.jump(yes if condition == "true" else no)
        else:
            self.current.end = f"br i1 {condition}, label %{yes.label}, label %{no.label}"
            self.current = None

    def mark(self) -> Mark:
        """Return the place that has been reached."""
        return Mark(len(self.blocks), self.current, len(self.current.body))

    def reset(self, mark: Mark) -> None:
        """Remove what has been added since a place."""
        del self.blocks[mark.blocks :]
        self.current = mark.current
        del self.current.body[mark.body :]

    def text(self) -> str:
        """Return all blocks."""
        lines = []
        for block in self.blocks + ([self.failed] if self.failed is not None else []):
            lines.append(f"{block.label}:")
            lines += block.phis
            lines += block.body
            lines.append(block.end)
        return "\n".join(lines)
