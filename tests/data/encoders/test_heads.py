"""The heads on the page about inputs of nets: they run, and have the order of the layout that they are for."""

import re
from pathlib import Path
from typing import Any

import pytest

from corpus import corpus
from rookery import Positions
from rookery.positions.features.move_lists import move_list

torch: Any = pytest.importorskip("torch", reason="needs the extra torch")
PAGE = (Path(__file__).parents[3] / "docs/inputs-of-nets.md").read_text()
HEADS = {
    name: block
    for names, block in re.findall(r"```text\n# ([^\n:]+)[^\n]*\n(moves.*?|squares.*?)```", PAGE, re.DOTALL)
    for name in names.split(", ")
}


def test_every_layout_has_a_head_of_four_lines() -> None:
    assert set(HEADS) == {
        "alphazero",
        "gym-chess",
        "lczero",
        "pgx",
        "openspiel",
        "leela",
        "uci",
        "maia2",
        "pawn",
        "maia3",
    }
    assert all(len(block.strip().splitlines()) == 4 for block in HEADS.values())


@pytest.mark.parametrize("layout", HEADS)
def test_a_head_runs(layout: Any) -> None:
    positions = Positions.from_boards([board for board in corpus(60) if board.is_valid() and not board.chess960][:8])
    moves = positions.random_moves(1)
    names = {
        "torch": torch,
        "body": torch.randn(len(positions), 256, 8, 8),
        "legal": torch.from_numpy(positions.policy_mask(layout)),
        "policy": torch.from_numpy(positions.policy_index(moves, layout)).long(),
        "moves": move_list(layout).size,
    }
    exec(HEADS[layout], names)  # the code of our page
    assert torch.isfinite(names["loss"])


@pytest.mark.parametrize("layout", ["alphazero", "gym-chess", "lczero", "pgx", "openspiel"])
def test_a_head_of_kinds_has_the_order_of_its_layout(layout: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each plane of the convolution has one kind of move, and each square of it the moves from that square."""
    monkeypatch.setattr(torch.nn, "Conv2d", lambda *sizes: lambda body: body)
    names = {
        "torch": torch,
        "body": torch.arange(73 * 64, dtype=torch.float64).reshape(1, 73, 8, 8),
        "legal": torch.ones(1, move_list(layout).size, dtype=torch.bool),
        "policy": torch.zeros(1, dtype=torch.long),
    }
    lines = HEADS[layout].strip().splitlines()
    if layout == "openspiel":
        lines[1] = "castling = torch.zeros(1, 2)"
    exec("\n".join(lines), names)
    values = names["logits"][0].long().tolist()
    kinds: dict[int, set[tuple[int, int, str]]] = {}
    for text, value in zip(move_list(layout).texts[: 73 * 64], values, strict=False):
        if text:
            from_file, from_rank, to_file, to_rank = (ord(a) - ord(b) for a, b in zip(text[:4], "a1a1", strict=True))
            assert value % 64 == 8 * from_rank + from_file
            kinds.setdefault(value // 64, set()).add((to_file - from_file, to_rank - from_rank, text[4:]))
    assert len(kinds) == 73
    assert all(len(kind) == 1 for kind in kinds.values())
