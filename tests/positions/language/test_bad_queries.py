"""Texts that are hardly ever queries: each is read, or refused with a caret under the fault, and none is executed."""

import ast
import builtins
import random
import re
import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from random_queries import Allowed, any_query
from rookery import Positions, Query
from rookery.positions.language.vocabulary import ALL, ATTRIBUTES_OF_MOVE, PIECES_OF_SIDES, PUBLIC, PUBLIC_NAMES
from thinning import examples

POSITIONS = Positions.from_fens(
    ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "8/8/8/8/8/8/8/8 b - - 0 1"]
)
SIGNS = "and or not in is == != < <= > >= + - * / // % & | ^ ~ ( ) ( ) [ ] { } , . = : ; @".split()
LITERALS = (
    '"N" "kq" "e4" "mirror" "north" "KQ/kq" "[QR]?" "d1-h5" "" 0 1 -1 8 9 64 1.5 1e400 0xff 0x10000000000000000 '
    "2025-05-01 12:00:00 True False None e4 h9 `White` größe lambda if for import __import__ us.__class__"
).split()
NAMES = [
    *ALL,
    *(f"move.{name}" for name in ATTRIBUTES_OF_MOVE),
    *(f"{side}.{name}" for side in ("us", "black") for name in PIECES_OF_SIDES),
    *(parameter.name for function in PUBLIC.values() for parameter in function.parameters),
]
WORDS = [*SIGNS, *LITERALS, *NAMES]
TEXTS = any_query(Allowed(3, games=True, move=True, sequences=2))


def check(text: str) -> None:
    """A text is a query that can be evaluated, or an error points to the fault."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            query = Query(text)
            if not query.needs_games:
                assert len(query.evaluate(POSITIONS)) == 2
        except ValueError as error:
            message = str(error)
        else:
            return
    lines = message.split("\n")
    assert len(lines) == 3, message
    assert re.match("query: .*: expected .", lines[0]), message
    assert re.fullmatch(" {4,}\\^+", lines[2]), message
    assert len(lines[2]) <= max(len(lines[1]), 4) + 1, message


@examples(1000)
@given(st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from(["", " "]))
def test_random_words(words: list[str], blank: str) -> None:
    check(blank.join(words))


@examples(500)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_random_characters(text: str) -> None:
    check(text)


@examples(300)
@given(
    st.sampled_from(sorted(PUBLIC_NAMES)),
    st.lists(
        st.tuples(st.sampled_from(["", "", "", "side=", "under=", "squares="]), st.sampled_from(WORDS)), max_size=4
    ),
)
def test_functions_with_random_arguments(name: str, arguments: list[tuple[str, str]]) -> None:
    check(f"{name}({', '.join(keyword + value for keyword, value in arguments)})")


def mutated(text: str, rng: random.Random) -> str:
    """A query with a few words replaced, left out, exchanged or added."""
    words = re.findall(r"\"[^\"]*\"|[\w.]+|\W", text)
    for _ in range(rng.randrange(1, 4)):
        k = rng.randrange(len(words))
        match rng.randrange(5):
            case 0:
                words[k] = rng.choice(WORDS)
            case 1:
                words[k] = ""
            case 2:
                words.insert(k, rng.choice(WORDS))
            case 3:
                j = rng.randrange(len(words))
                words[k], words[j] = words[j], words[k]
            case 4 if words[k]:
                place = rng.randrange(len(words[k]))
                words[k] = words[k][:place] + rng.choice("aeipst_.1\"'(") + words[k][place + rng.randrange(2) :]
    return "".join(words)


def check_mutated(text: str, seed: int) -> None:
    check(mutated(text, random.Random(seed)))


SEEDS = st.integers(0, 2**32)
test_mutated_queries = examples(600)(given(TEXTS, SEEDS)(check_mutated))
test_many_mutated_queries = pytest.mark.slow(
    settings(max_examples=20_000, deadline=None)(given(TEXTS, SEEDS)(check_mutated))
)


def test_nothing_is_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    flags: list[int] = []
    real = compile

    def watched(source: Any, filename: Any, mode: str, given: int = 0, *rest: Any, **named: Any) -> Any:
        flags.append(given)
        return real(source, filename, mode, given, *rest, **named)

    def forbidden(*arguments: Any, **named: Any) -> None:
        raise AssertionError(f"executed: {arguments} {named}")

    texts = [
        "__import__('os').system('true')",
        "us.__class__.__bases__",
        "count(exec('1'))",
        "open('/etc/passwd')",
        "count(us.pawns) > eval('1')",
        "().__class__",
    ]
    monkeypatch.setattr(builtins, "compile", watched)
    monkeypatch.setattr(builtins, "eval", forbidden)
    monkeypatch.setattr(builtins, "exec", forbidden)
    monkeypatch.setattr(builtins, "open", forbidden)
    errors = []
    for text in texts:
        try:
            Query(text)
        except ValueError as error:
            errors.append(str(error))
    monkeypatch.undo()
    assert len(errors) == len(texts)
    assert set(flags) == {ast.PyCF_ONLY_AST}
