"""From a text to Python's syntax tree, with an error at the first token that is out of place.

Dates, times, numbers, texts and names in backticks are replaced by names of the same length before Python's parser sees
them, so that places in the tree are places in the text. `Parsed.token` returns the token that such a name stands for.
"""

import ast
import keyword
import re
from typing import Any, Final, NamedTuple, Never

from rookery.positions.language.tokens import Token, refuse, tokens_of

LONGEST: Final = 10_000  # characters of an expression
DEEPEST: Final = 30  # nested brackets and signs
LONGEST_CHAIN: Final = 100  # operators whose operand is the result of the one before
_LITERALS: Final = ("date", "time", "number", "text")
_UNARY: Final = ("-", "+", "~", "not")
_BINARY: Final = (
    *("==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "//", "%", "&", "|", "^"),
    *("and", "or", "in", "is"),
)
_WRITE: Final = {"=": "==", "&&": "and", "||": "or", "!": "not", "<>": "!="}
_WORDS: Final = ("and", "or", "not", "in", "is", "None", "True", "False")
_SHIFT: Final = 1  # of places in the tree: Python parses the text within brackets, where leading blanks are allowed
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


class Span(NamedTuple):
    """A part of an expression's text."""

    start: int
    end: int


class Parsed:
    """An expression: its text and its syntax tree.

    >>> parsed = Parsed('count(us.pawns) >= 5 and played > 2025-05-01', "query", "a value")
    >>> type(parsed.tree).__name__
    'BoolOp'
    >>> parsed.token(parsed.tree.values[1].comparators[0]).text
    '2025-05-01'
    """

    def __init__(self, text: str, label: str, operand: str, noun: str = "expression") -> None:
        """Parse a text; a fault in it is a ValueError.

        `label` is the name of the argument that holds the text, `operand` describes the values of the language, and
        `noun` is what the language calls a whole text. All three appear in messages.
        """
        self.text, self.label, self._operand, self._noun = text, label, operand, noun
        if len(text) > LONGEST:
            raise ValueError(f"{label}: {len(text):,} characters: expected at most {LONGEST:,}")
        surrogate = re.search("[\ud800-\udfff]", text)
        if surrogate:
            refuse(text, label, Span(*surrogate.span()), "text without lone surrogates")
        self._tokens = list(tokens_of(text, label))
        self._check_order()
        self._by_start = {token.start: token for token in self._tokens}
        try:
            self.tree: Any = ast.parse(f"({self._plain_source()})", mode="eval").body
        except SyntaxError as error:
            at = (error.offset or 1) - 1 - _SHIFT
            expected = "arguments with a name after all others" if "follows keyword" in str(error) else operand
            self.refuse(next((t for t in self._tokens if t.end > at), self._tokens[-1]), expected)
        except (MemoryError, RecursionError, ValueError):
            self._refuse_chain(Span(0, len(text)))
        self._check_depth()

    def refuse(self, part: Any, expected: str, found: str | None = None) -> Never:
        """Raise an error that quotes the text and points to a node of the tree, a token or a span."""
        span = self.span(part) if isinstance(part, ast.AST) else part
        refuse(self.text, self.label, span, expected, found)

    @staticmethod
    def span(node: Any) -> Span:
        """Return where a node stands in the text."""
        return Span(node.col_offset - _SHIFT, node.end_col_offset - _SHIFT)

    def source(self, node: Any) -> str:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def token(self, node: ast.AST) -> Token:
        """Return the token that a node begins with, such as a literal; of an attribute, the name after the dot.

        >>> parsed = Parsed("White.lower() == 'anna'", "query", "a value")
        >>> parsed.token(parsed.tree.left.func).text
        'lower'
        """
        if isinstance(node, ast.Attribute):
            end = self.span(node).end
            return next(token for token in self._tokens if token.end == end)
        return self._by_start[self.span(node).start]

    def operator(self, left: ast.expr, right: ast.expr) -> Token:
        """Return the first word or sign between two operands that is not a bracket.

        >>> parsed = Parsed("(us.pawns) | them.pawns", "query", "a value")
        >>> parsed.operator(parsed.tree.left, parsed.tree.right).start
        11
        """
        between = Span(self.span(left).end, self.span(right).start)
        brackets = (*_CLOSING, *_CLOSING.values())
        return next(t for t in self._tokens if between.start <= t.start < between.end and t.text not in brackets)

    def _plain_source(self) -> str:
        """Return the text with each literal replaced by underscores and each blank by a space: it is ASCII."""
        characters = [" "] * len(self.text)
        for token in self._tokens[:-1]:
            plain = token.kind not in _LITERALS and token.text.isascii() and token.text[0] != "`"
            characters[token.start : token.end] = token.text if plain else "_" * len(token.text)
        return "".join(characters)

    def _check_depth(self) -> None:
        """Refuse a tree that code which calls itself for each part could not walk."""
        parts: list[tuple[ast.AST, int]] = [(self.tree, 0)]
        while parts:
            node, depth = parts.pop()
            if depth > LONGEST_CHAIN:
                self._refuse_chain(node)
            parts += [(part, depth + isinstance(part, ast.expr)) for part in ast.iter_child_nodes(node)]

    def _refuse_chain(self, part: Any) -> Never:
        self.refuse(part, f"at most {LONGEST_CHAIN} operators in a row", "nested too deep")

    # The order of tokens: values and operators alternate, and brackets match. Python's own messages point to the
    # beginning of the longest prefix that it understands, which is often far from the fault.

    def _check_order(self) -> None:
        brackets: list[Token] = []
        calls: set[Token] = set()  # brackets of a function's arguments
        before_value, signs = True, 0
        tokens = self._tokens
        for i, token in enumerate(tokens):
            text, last = token.text if token.kind in ("name", "sign") else "", tokens[i - 1].text if i else ""
            if before_value and last == ".":
                self._check_attribute(token)
                before_value = False
            elif before_value:
                if text in _CLOSING.values() and brackets and last in (*_CLOSING, ","):
                    before_value = self._close(brackets, token)
                elif text in _UNARY:
                    signs += 1
                    if signs > DEEPEST:
                        self.refuse(token, f"at most {DEEPEST} levels", "nested too deep")
                elif text in _CLOSING:
                    self._open(brackets, token)
                    signs = 0
                else:
                    self._check_value(token)
                    before_value, signs = False, 0
            elif text in _CLOSING.values():
                self._close(brackets, token)
            elif text == "(" and tokens[i - 1].kind == "name":
                self._open(brackets, token)
                calls.add(token)
                before_value = True
            elif text == "not" and tokens[i + 1].text == "in":
                continue
            elif (
                text == "."
                or (text == "=" and brackets and brackets[-1] in calls and self._is_keyword(i))
                or text in _BINARY
                or (text == "," and brackets)
            ):
                before_value = True
            elif token.kind == "end" and not brackets:
                return
            elif token.kind == "end":
                self.refuse(brackets[-1], f"'{_CLOSING[brackets[-1].text]}' that closes this bracket")
            else:
                expected = "an operator, such as 'and' or '=='"
                if last.lower() in _WORDS and last not in _WORDS:
                    token = tokens[i - 1]
                self.refuse_token(token, f"',' or '{_CLOSING[brackets[-1].text]}'" if brackets else expected)

    def _is_keyword(self, i: int) -> bool:
        """Check whether a ``=`` within a function's brackets follows the name of an argument."""
        before, name = self._tokens[i - 2 : i]
        is_name = name.kind == "name" and name.text[0] != "`" and not keyword.iskeyword(name.text)
        return is_name and before.text in ("(", ",")

    def _open(self, brackets: list[Token], token: Token) -> None:
        brackets.append(token)
        if len(brackets) > DEEPEST:
            self.refuse(token, f"at most {DEEPEST} levels", "nested too deep")

    def _close(self, brackets: list[Token], token: Token) -> bool:
        if not brackets:
            self.refuse_token(token, "an operator, such as 'and' or '=='")
        if token.text != _CLOSING[brackets[-1].text]:
            self.refuse(token, f"'{_CLOSING[brackets[-1].text]}'")
        brackets.pop()
        return False

    def _check_attribute(self, token: Token) -> None:
        if token.kind != "name" or token.text[0] == "`" or keyword.iskeyword(token.text):
            self.refuse_token(token, "a name after '.'")

    def _check_value(self, token: Token) -> None:
        if token.kind not in (*_LITERALS, "name"):
            self.refuse_token(token, self._operand)
        if token.kind == "name" and token.text not in ("None", "True", "False") and keyword.iskeyword(token.text):
            self.refuse_token(token, self._operand)

    def refuse_token(self, token: Token, expected: str) -> Never:
        """Raise an error for a token that is out of place, with a hint for what other languages would accept."""
        following = self.text[token.end : token.end + 1]
        if token.text == "=" and following in ("<", ">") and following:
            expected = f"'{following}='"
        elif token.text == "[":
            expected = f"{expected}; arguments are written in (...)"
        elif token.text in _WRITE and token.kind == "sign":
            expected = f"'{_WRITE[token.text]}'"
        elif token.text.lower() in _WORDS and token.text not in _WORDS:
            expected = f"'{token.text.lower()}' in lower case"
        self.refuse(token, expected, f"the {self._noun} ends" if token.kind == "end" else None)
