"""Steps of every technique beside its compiled answer, and beside the kernel itself, watched while it runs."""

import functools
import inspect
import itertools
import re
import sys
from typing import Any

import numpy as np
import pytest

import rookery
from rookery.bitboards.mappings import MAPPINGS
from rookery.explain import explain
from rookery.explain.export.program import attack_kernel
from rookery.explain.source import vocabulary
from rookery.explain.steps import Explanation
from rookery.kernel import U64, wrapping
from rookery.techniques import ALL
from rookery.techniques.base import Technique

NAMES = [t.name for t in ALL]
PIECES = ("rook", "bishop", "queen")
EDGES = (
    (0, 0), (7, 0), (56, 0), (63, 0), (27, 0),
    (0, 2**64 - 1), (63, 2**64 - 1), (35, 2**64 - 1),
    (0, 1), (63, 1 << 63), (27, 1 << 27), (28, 0x8100000000000081), (9, ~(1 << 9) & 2**64 - 1),
)  # fmt: skip


def random_cases(number: int, seed: int) -> list[tuple[int, int]]:
    rng = np.random.default_rng(seed)
    boards = rng.integers(0, 2**64, number, dtype=np.uint64)
    boards[::2] &= rng.integers(0, 2**64, len(boards[::2]), dtype=np.uint64)
    return list(zip(rng.integers(0, 64, number).tolist(), boards.tolist(), strict=True))


def assert_the_compiled_answer(technique: Technique, cases: list[tuple[int, int]]) -> None:
    squares, boards = np.array([sq for sq, _ in cases]), np.array([board for _, board in cases], np.uint64)
    mappings = itertools.cycle(MAPPINGS)
    asks = [ask for ask in technique.offers if ask not in ("ray", "fill")]
    for piece in asks:
        answers = technique.ask(piece, squares, boards).tolist()
        for (sq, board), answer in zip(cases, answers, strict=True):
            printed = explain(technique, piece, sq, board, next(mappings))
            assert printed.attacks == answer, (piece, sq, hex(board), printed.mapping)


@pytest.mark.parametrize("name", NAMES)
def test_the_last_step_is_the_compiled_answer(name: str) -> None:
    assert_the_compiled_answer(rookery.technique(name), [*EDGES, *random_cases(7, seed=len(name))])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_last_step_is_the_compiled_answer_in_many_cases(name: str) -> None:
    assert_the_compiled_answer(rookery.technique(name), random_cases(1000, seed=len(name)))


# The kernel itself, as Python runs it.


def is_own(module: str) -> bool:
    """Check whether a module is that of a technique, and not of what all share."""
    return module.startswith("rookery.techniques.") and not module.startswith("rookery.techniques.base.")


def watched(technique: Technique, piece: str, sq: int, occupied: int) -> list[tuple[str, int]]:
    """What the techniques' own functions return, in order, when Python runs the kernel."""
    returned: list[tuple[str, int]] = []

    def watch(frame: Any, event: str, argument: Any) -> Any:
        if event == "return" and is_own(frame.f_globals.get("__name__", "")):
            if isinstance(argument, tuple):  # rotated boards
                return watch
            returned.append((frame.f_code.co_name, int(argument)))
        return watch

    kernel = attack_kernel(technique, piece)
    tables = technique.tables()
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        with wrapping():
            kernel(U64(sq), U64(occupied), tables)
    finally:
        sys.settrace(before)
    return returned


@pytest.mark.parametrize("name", NAMES)
def test_each_function_returns_what_the_kernel_returns(name: str) -> None:
    technique = rookery.technique(name)
    for sq, occupied in [(27, 0x0000_4200_1801_0824), *random_cases(2, seed=3)]:
        for piece in ("rook", "bishop"):
            printed = explain(technique, piece, sq, occupied)
            stepped = [
                (step.function, step.value) for step in printed.steps if step.what == "returned" and is_own(step.module)
            ]
            assert stepped == watched(technique, piece, sq, occupied)


# What a step says.

OCCUPIED = 0x0000_0800_2000_0800


def find(printed: Explanation, variable: str) -> Any:
    return next(step for step in printed.steps if step.variable == variable and step.what == "assigned")


def test_a_step_knows_its_line_its_value_and_its_sentence() -> None:
    printed = explain("hyperbola", "rook", 27, 0x0000_0800_0800_0800)
    step = find(printed, "r")
    lines, first = inspect.getsourcelines(sys.modules["rookery.techniques.hyperbola"])
    assert lines[step.line - 1 - first].strip() == step.code == "r = bit(sq)"
    assert step.value == 1 << 27
    assert step.kind == "board"
    assert step.sentence == vocabulary("rookery.techniques.hyperbola")["r"] == "the slider's own bit"


@pytest.mark.parametrize("name", NAMES)
def test_every_line_stands_in_the_source(name: str) -> None:
    for step in explain(name, "queen", 35, 0x00FF_0042_1800_FF00).steps:
        assert step.code
        first = step.code.splitlines()[0].strip()
        assert lines_of(step.module)[step.line - 1].strip().startswith(first) or step.what in ("given", "called")


@functools.cache
def lines_of(module: str) -> list[str]:
    return inspect.getsource(sys.modules[module]).splitlines()


def test_the_index_bits_of_a_product_are_marked() -> None:
    printed = explain("magic-fancy", "rook", 27, 0x0000_0800_2000_0800)
    product = next(part for step in printed.steps for part in step.parts if part.text == "o * magic")
    assert product.marked == 2**64 - 2**54  # ten bits for a rook on d4
    index = next(step for step in printed.steps if step.variable == "hash_index" and step.what == "returned")
    assert index.value == (product.value & product.marked) >> 54
    assert index.kind == "number"


def test_a_board_that_becomes_a_number_is_shown() -> None:
    """By a scan, or by a mask of the lowest bits, which are marked."""
    scanned = find(explain("classical", "rook", 27, OCCUPIED), "s")
    assert [(part.text, part.kind) for part in scanned.parts] == [("blocker", "board")]
    printed = explain("rotated-hyatt", "rook", 27, OCCUPIED)
    masked = next(step for step in printed.steps if step.code == "return line & _BYTE")
    assert [(part.text, part.marked) for part in masked.parts] == [("line", 255), ("BYTE", 0)]


def test_a_step_knows_what_its_variable_held_before() -> None:
    printed = explain("classical", "rook", 27, OCCUPIED)
    first, cut = [step for step in printed.steps if step.variable == "attacks"][:2]
    assert first.previous is None
    assert cut.previous == first.value


def test_a_place_in_a_table_is_no_board() -> None:
    texts = {part.text for step in explain("rotated-hyatt", "rook", 27, OCCUPIED).steps for part in step.parts}
    assert "sq * 256" not in texts


def test_the_table_entry_says_where_it_stood() -> None:
    printed = explain("magic-fancy", "bishop", 0, 0)
    entry = printed.steps[-1].parts[-1]
    assert (entry.table, entry.value, entry.slots) == ("attacks", printed.steps[-1].value, 107_648)
    assert int(rookery.technique("magic-fancy").tables().attacks[entry.slot]) == entry.value


def test_a_mapping_changes_the_words_and_not_the_answer() -> None:
    answers = {explain("obstruction-difference", "queen", 3, 0x1234_5678_9ABC_DEF0, m).attacks for m in MAPPINGS}
    words = {explain("obstruction-difference", "queen", 3, 0x1234_5678_9ABC_DEF0, m).steps[-1].value for m in MAPPINGS}
    assert len(answers) == 1
    assert len(words) == len(MAPPINGS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("magic-fanci", "rook", 0, 0), "did you mean 'magic-fancy'"),
        (("magic-fancy", "rank", 0, 0), "piece: 'rank': expected one of rook, bishop, queen"),
        (("magic-fancy", "knight", 0, 0), "piece: 'knight'"),
        (("rays", "rook", 64, 0), "square: 64 is off the board"),
        (("rays", "rook", 0, -1), "occupied: -1"),
        (("rays", "rook", 0, 0, "sideways"), "mapping: 'sideways': expected one of rank-little-little"),
    ],
)
def test_impossible_requests(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        explain(*arguments)


@pytest.mark.parametrize("name", NAMES)
def test_every_step_has_its_sentence(name: str) -> None:
    technique = rookery.technique(name)
    for sq, occupied in [*EDGES[::4], *random_cases(2, seed=8)]:
        for piece in PIECES:
            for step in explain(technique, piece, sq, occupied).steps:
                assert step.sentence, (step.module, step.line, step.code)
                assert not re.search(r"[`\n]|^#", step.sentence)


def kinds_of(name: str, piece: str = "rook") -> dict[str, Any]:
    printed = explain(name, piece, 27, OCCUPIED)
    return {part.text: part.kind for step in printed.steps for part in step.parts} | {
        step.variable: step.kind for step in printed.steps if step.what in ("assigned", "returned")
    }


def test_what_is_declared_a_number_is_no_board() -> None:
    """Offsets, factors and the packed record of `pext` are wide, and no squares."""
    gathered = kinds_of("pext")
    assert [gathered[name] for name in ("mask", "offset", "records[at + OFFSETS]")] == ["board", "number", "number"]
    black = kinds_of("magic-black", "bishop")
    assert [black[name] for name in ("offset", "fill", "magic")] == ["number", "board", "number"]
    shifted = kinds_of("kindergarten")
    assert shifted["a_file_index"] == shifted["a_file_index(occupied, file_)"] == "number"
    assert shifted["(occupied >> file) & A_FILE"] == "board"


def test_a_board_that_is_shifted_far_is_a_board() -> None:
    """Obstruction difference shifts the highest bit down to the nearest blocker: a square, not a number."""
    printed = explain("obstruction-difference", "rook", 27, 1 << 3)
    shifted = [step for step in printed.steps if step.code == "nearest = MSB >> leading_zeros(low)"]
    assert [(step.kind, step.value) for step in shifted] == [("board", 1), ("board", 1 << 3)]


def test_a_bit_reversal_is_one_operation() -> None:
    """It is one instruction where there is one; its portable form has dozens of operators."""
    swapped, reversed_ = (explain(name, "file", 27, 0) for name in ("hyperbola", "hyperbola-bitreverse"))
    assert swapped.operations == reversed_.operations < 20


def test_a_formula_shows_every_operand() -> None:
    step = explain("kogge-stone", "rook", 27, OCCUPIED).steps[7]
    assert step.code == "g = g | (p & rotate_left(g, r << 1))"
    texts = [[i if isinstance(i, str) else step.parts[i].text if i >= 0 else "g" for i in row] for row in step.rows]
    assert texts[1:] == [
        ["p", "&", "rotate_left(g, r << 1)", "=", "p & rotate_left(g, r << 1)"],
        ["g", "|", "p & rotate_left(g, r << 1)", "=", "g"],
    ]
    for row in step.rows[1:]:
        left, operator, right, _, result = row
        a, b = step.parts[left].value, step.parts[right].value  # type: ignore[index]
        answer = step.value if result == -1 else step.parts[result].value  # type: ignore[index]
        assert answer == (a & b if operator == "&" else a | b)


def test_what_is_declared_a_square_is_one() -> None:
    found = find(explain("rotated-hyatt", "rook", 27, OCCUPIED), "sq_")
    assert (found.value, found.kind, found.parts[-1].text) == (11, "square", "rest")


@pytest.mark.parametrize("name", NAMES)
def test_how_a_place_in_a_table_is_counted_is_no_board(name: str) -> None:
    for piece in PIECES:
        for step in explain(name, piece, 27, OCCUPIED).steps:
            for part in step.parts:
                counted = re.fullmatch(r"\(*(?:sq|256|384|448) [*+] .*", part.text)
                assert not (counted and part.kind == "board"), (step.code, part)


@pytest.mark.parametrize("name", NAMES)
def test_a_sentence_needs_no_neighbour(name: str) -> None:
    for piece in PIECES:
        for step in explain(name, piece, 27, OCCUPIED).steps:
            assert not re.match(r"(the same|one more|also|and|to the \w+$|those)\b", step.sentence, re.IGNORECASE), step


@pytest.mark.parametrize("name", NAMES)
def test_no_line_stands_for_two_assignments(name: str) -> None:
    for piece in PIECES:
        steps = explain(name, piece, 27, OCCUPIED).steps
        for before, step in itertools.pairwise(steps):
            if step.what == before.what == "assigned" and step.depth == before.depth:
                assert (step.module, step.line) != (before.module, before.line), step.code
