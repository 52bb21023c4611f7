"""The trees of expressions: the order of tokens, places in the text, and random texts, which are never executed."""

import ast
import builtins
import re
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.positions.language.tree import DEEPEST, LONGEST, LONGEST_CHAIN, Parsed
from thinning import examples


def parsed(text: str) -> Parsed:
    return Parsed(text, "query", "a value")


@pytest.mark.parametrize(
    "text",
    [
        "us.pawns",
        "count(us.pawns & ~them.pieces) >= 3",
        "not a and (b or c) in [d, e]",
        "a not in (1,)",
        "a is not None",
        "f(a, b, depth=3) < -x + +y",
        "f()",
        "like('x', at=(1, 2),) == {3, 4}",
        "1 <= a.b.c(d).e < 5",
        "True",
        "()",
        "  a\n or\n b ",
        "file('a') ^ rank(7) | e4",
    ],
)
def test_the_tree_is_pythons(text: str) -> None:
    """Numbers and texts are names in our tree; all else is as Python reads it."""

    class Literals(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            is_word = node.value in (None, True, False) and not isinstance(node.value, (int, float))
            is_word = is_word or isinstance(node.value, bool)
            return node if is_word else ast.Name("LITERAL", ast.Load())

        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.Name("LITERAL", ast.Load()) if set(node.id) == {"_"} else node

    ours = Literals().visit(parsed(text).tree)
    theirs = Literals().visit(ast.parse(f"({text})", mode="eval").body)
    assert ast.dump(ours) == ast.dump(theirs)


def test_tokens_of_nodes() -> None:
    it = parsed("count( us.größe , at='d-file') > 2025-05-01 and `Time Control` == 12:00:00")
    first, second = it.tree.values
    call = first.left
    assert it.token(call.func).text == "count"
    assert it.token(call.args[0]).text == "größe"
    assert it.token(call.args[0].value).text == "us"
    assert it.token(call.keywords[0]).text == "at"
    assert it.token(call.keywords[0].value) == ("text", "'d-file'", 21, 29)
    assert it.token(first.comparators[0]).kind == "date"
    assert it.token(second.left).text == "`Time Control`"
    assert it.token(second.comparators[0]).kind == "time"
    assert it.source(call) == "count( us.größe , at='d-file')"


@pytest.mark.parametrize("text", ["a & b", "((a)) & (b)", "(a) & (((b)))", "f(a) & [b]", "'&' & '('"])
def test_operators_of_nodes(text: str) -> None:
    it = parsed(text)
    assert it.operator(it.tree.left, it.tree.right).start == text.rindex(" & ") + 1


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (0, 1), "the expression ends: expected a value"),
        ("   ", (0, 1), "the expression ends: expected a value"),
        ("a +", (3, 1), "the expression ends: expected a value"),
        ("a + * b", (4, 1), "*: expected a value"),
        ("a b", (2, 1), "b: expected an operator, such as 'and' or '=='"),
        ("a 'b'", (2, 3), "'b': expected an operator"),
        ("'a' 'b'", (4, 3), "'b': expected an operator"),
        ("a = b", (2, 1), "=: expected '=='"),
        ("a && b", (2, 2), "&&: expected 'and'"),
        ("a || b", (2, 2), "||: expected 'or'"),
        ("!a", (0, 1), "!: expected 'not'"),
        ("a <> b", (2, 2), "<>: expected '!='"),
        ("a AND b", (2, 3), "AND: expected 'and' in lower case"),
        ("Not a", (0, 3), "Not: expected 'not' in lower case"),
        ("(a", (0, 1), "(: expected ')' that closes this bracket"),
        ("f([a)", (4, 1), "): expected ']'"),
        ("a)", (1, 1), "): expected an operator"),
        ("a) + (b", (1, 1), "): expected an operator"),
        ("(a b)", (3, 1), "b: expected ',' or ')'"),
        ("a, b", (1, 1), ",: expected an operator"),
        ("(,)", (1, 1), ",: expected a value"),
        ("f(a,,b)", (4, 1), ",: expected a value"),
        ("a.", (2, 1), "the expression ends: expected a name after '.'"),
        ("a.'b'", (2, 3), "'b': expected a name after '.'"),
        ("a.(b)", (2, 1), "(: expected a name after '.'"),
        ("a.-b", (2, 1), "-: expected a name after '.'"),
        ("a.None", (2, 4), "None: expected a name after '.'"),
        ("a.`b`", (2, 3), "`b`: expected a name after '.'"),
        ("a[0]", (1, 1), "[: expected an operator"),
        ("a(b)(c)", (4, 1), "(: expected an operator"),
        ("5(a)", (1, 1), "(: expected an operator"),
        ("a ** b", (3, 1), "*: expected a value"),
        ("a << b", (3, 1), "<: expected a value"),
        ("f(*a)", (2, 1), "*: expected a value"),
        ("f(a=1, b)", (8, 1), "): expected arguments with a name after all others"),
        ("f('x'=1)", (5, 1), "=: expected '=='"),
        ("f(`x`=1)", (5, 1), "=: expected '=='"),
        ("f(None=1)", (6, 1), "=: expected '=='"),
        ("f(a.b=1)", (5, 1), "=: expected '=='"),
        ("f((a)=1)", (5, 1), "=: expected '=='"),
        ("(a=1)", (2, 1), "=: expected '=='"),
        ("[a=1]", (2, 1), "=: expected '=='"),
        ("f(a=)", (4, 1), "): expected a value"),
        ("a if b else c", (2, 2), "if: expected an operator"),
        ("lambda: a", (6, 1), ":: expected a name"),
        ("lambda", (0, 6), "lambda: expected a value"),
        ("[a for b in c]", (3, 3), "for: expected ',' or ']'"),
        ("{a: b}", (2, 1), ":: expected a name"),
        ("(a := b)", (3, 1), ":: expected a name"),
        ("await a", (0, 5), "await: expected a value"),
        ("a == not b", (5, 3), "not: expected a value"),
        ("a not b", (2, 3), "not: expected an operator"),
        ("a is not in b", (9, 2), "in: expected a value"),
    ],
)  # fmt: skip
def test_the_order_of_tokens(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(ValueError, match="^query: .*" + re.escape(message)) as caught:
        parsed(text)
    _, quoted, caret = str(caught.value).split("\n")
    assert quoted == "    " + text
    assert (caret.index("^") - 4, caret.count("^")) == place


def test_limits() -> None:
    parsed("(" * DEEPEST + "a" + ")" * DEEPEST)
    parsed("-" * DEEPEST + "a")
    parsed("a" + " + a" * LONGEST_CHAIN)
    parsed("a" + " or a" * 1_000)
    parsed("a" + " < a" * 1_000)
    for text in (
        "(" * (DEEPEST + 1) + "a" + ")" * (DEEPEST + 1),
        "-" * (DEEPEST + 1) + "a",
        "not " * (DEEPEST + 1) + "a",
        "a" + " + a" * (LONGEST_CHAIN + 1),
        "a" + " + a" * 2_000,
        "a" + "*a" * 4_999,
        "a" + ".a" * 4_000,
        "-(" * 25 + "a" + "+a" * 90 + ")" * 25,
        "a" + ".b()" * 2_000,
    ):
        with pytest.raises(ValueError, match=r"^query: nested too deep: expected at most .*\n.*\n +\^+$"):
            parsed(text)
    with pytest.raises(ValueError, match=r"^query: 10,001 characters: expected at most 10,000$"):
        parsed("a" * (LONGEST + 1))
    with pytest.raises(ValueError, match="lone surrogates"):
        parsed("'\ud800'")


WORDS = [
    *("a us.pawns e4 größe `b c` 'text' \"x\" 5 0xff 1.5 2025-05-01 12:00:00 None True count f".split(" ")),
    *("and or not in is == != < <= > >= + - * / // % & | ^ ~ ( ) [ ] { } , . = ( ) lambda if for await yield".split()),
]


def check_any(text: str) -> None:
    """Check that a text is a tree or an error with a caret below the text."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            it = parsed(text)
        except ValueError as error:
            lines = str(error).split("\n")
            assert lines[0].startswith("query: ")
            assert len(lines) == 3
            assert set(lines[2].strip()) == {"^"}
            assert len(lines[2]) <= max(len(lines[1]), 4) + 1
            return
    for node in ast.walk(it.tree):
        if isinstance(node, (ast.Name, ast.Attribute, ast.keyword)):
            assert it.token(node).kind != "sign"
        if isinstance(node, ast.BinOp):
            assert it.operator(node.left, node.right).kind == "sign"
        if isinstance(node, ast.expr):
            start, end = it.span(node)
            assert 0 <= start < end <= len(text)


@examples(1500)
@given(st.lists(st.sampled_from(WORDS), max_size=14), st.sampled_from(["", " "]))
def test_random_tokens(words: list[str], blank: str) -> None:
    check_any(blank.join(words))


@examples(500)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_random_characters(text: str) -> None:
    check_any(text)


@examples(500)
@given(st.text(st.sampled_from("ab()[]{}.,=<>!&|~^+-*/%'\"`\\ 0123:\n\t#@;$?"), max_size=25))
def test_random_signs(text: str) -> None:
    check_any(text)


def test_nothing_is_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python compiles a text to its tree alone; no code of it runs."""
    flags: list[int] = []
    real = compile

    def watched(source: Any, filename: Any, mode: str, given: int = 0, *rest: Any, **named: Any) -> Any:
        flags.append(given)
        return real(source, filename, mode, given, *rest, **named)

    def forbidden(*arguments: Any, **named: Any) -> None:
        raise AssertionError(f"executed: {arguments} {named}")

    monkeypatch.setattr(builtins, "compile", watched)
    monkeypatch.setattr(builtins, "eval", forbidden)
    monkeypatch.setattr(builtins, "exec", forbidden)
    it = parsed("__import__('os').system('true') and count(us.pawns) > 5")
    monkeypatch.undo()
    assert isinstance(it.tree, ast.BoolOp)
    assert flags == [ast.PyCF_ONLY_AST]
