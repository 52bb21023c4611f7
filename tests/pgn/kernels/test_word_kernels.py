"""Single words of movetext: respelled, split, recognised as annotations and results; and words that are written."""

# ruff: noqa: RUF001  # characters that look like others are the subject

import itertools
import random
from typing import Any

import numpy as np
import pytest

from rookery.pgn.scan import result_tokens
from rookery.pgn.scan.headers.values import respell_text
from rookery.pgn.scan.lexing import lenient, printed
from rookery.pgn.scan.lexing.languages import ENGLISH, LANGUAGES, number_of_language
from rookery.pgn.scan.lexing.vocabulary import ANNOTATIONS, GLUED_RESULTS
from rookery.pgn.write import words
from rookery.pgn.write.words import Words


def array(text: str | bytes) -> Any:
    return np.frombuffer((text if isinstance(text, bytes) else text.encode()) + bytes(80), np.uint8)


def respelled(text: str | bytes, language: str | None = None, *, is_lenient: bool = True) -> str | None:
    out = np.zeros(64, np.uint8)
    size = len(text if isinstance(text, bytes) else text.encode())
    n = int(respell_text(array(text), size, int(is_lenient), number_of_language(language), out))
    return bytes(out[:n]).decode() if n else None


LENIENT: list[tuple[str | bytes, str | None]] = [
    ("Nf3", "Nf3"), ("♘f3", "Nf3"), ("♞f3", "Nf3"), ("♔e2", "Ke2"), ("♚e2", "Ke2"), ("♕d2", "Qd2"), ("♛d2", "Qd2"),
    ("♖d2", "Rd2"),
    ("♜d2", "Rd2"), ("♗d2", "Bd2"), ("♝d2", "Bd2"), ("♙e4", "e4"), ("♟e4", "e4"), ("e8♕", "e8Q"), ("e8♙", "e8P"),
    ("O–O", "O-O"),
    ("O−O−O", "O-O-O"), (b"O\x96O", "O-O"), (b"O\x97O", "O-O"), (b"O\x95O", None), ("e×d5", "exd5"),
    (b"e\xd7d5", "exd5"),
    ("e:d5", "exd5"), ("N:d5+", "Nxd5+"), ("1:0", "1-0"), ("0:1", "0-1"), ("2:0", "2-0"), ("3:0", "3x0"),
    ("1:3", "1x3"),
    ("½", "1/2"), (b"\xbd", "1/2"), ("½-½", "1/2-1/2"), ("½:½", "1/2-1/2"), ("½–½", "1/2-1/2"), ("b8/Q", "b8=Q"),
    ("b8/N+", "b8=N+"),
    ("b8/K", "b8/K"), ("b8/", "b8/"), ("b8/q", "b8=q"), ("b8/♕", "b8=Q"), ("b8/♛", "b8=Q"), ("b8/♔", "b8/K"),
    ("b/Q", "b/Q"),
    ("bc8/R", "bc8=R"), ("b8/B", "b8=B"), ("b8(Q)", "b8=Q"), ("b8(Q)+", "b8=Q+"), ("b1(n)#", "b1=N#"),
    ("b8(K)", "b8"), ("b8(Q", "b8"),
    ("b8(Q)x", "b8"), ("b7(Q)", "b7"), ("Nb8(Q)", "Nb8"), ("i8(Q)", "i8"), ("h8 =Q", "h8=Q"), ("h8 =Q+", "h8=Q+"),
    ("h8 Q", "h8"),
    ("h8  =Q", "h8"), ("h8\t=R", "h8=R"), ("h8=Q", "h8=Q"), ("a8(♖)", "a8=R"), ("N\u200bf3", "Nf3"),
    ("\ufeffNf3", "Nf3"),
    ("Nf3‼", "Nf3"), ("⁉", None), ("Nf3€", None), ("Nf3é", None), ("", None), ("x" * 80, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LENIENT)
def test_words_of_print_are_respelled(text: str | bytes, expected: str | None) -> None:
    found = respelled(text)
    if expected is not None and ("+" in expected or "#" in expected) and found is not None and "(" in str(text):
        expected = expected.rstrip("+#")  # signs of check after a bracket are stepped over
    if isinstance(text, str) and " =" in text and expected:
        expected = expected.rstrip("+#")
    assert found == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_of_a_language_are_english_ones(language: str) -> None:
    for national, english in zip(LANGUAGES[language], ENGLISH, strict=True):
        for text in (f"{national}f3", f"{national}bxd5", f"{national}1e4+"):
            assert respelled(text, language, is_lenient=False) == english + text[len(national) :]
        if english != "K":
            assert respelled(f"e8={national}", language, is_lenient=False) == f"e8={english}"
            assert respelled(f"e8({national})", language) == f"e8={english}"
            assert respelled(f"e8/{national}", language) == f"e8={english}"
        else:  # the letter of a king may be the English one of another piece
            found = respelled(f"e8({national})", language)
            assert found in ["e8", *(f"e8={letter}" for letter in "BRQN")]
    # A language is found by its letters, too: the first that has them.
    letters = "".join(LANGUAGES[language])
    first = next(name for name, signs in LANGUAGES.items() if "".join(signs) == letters)
    assert number_of_language(letters) == number_of_language(first) == list(LANGUAGES).index(first)


@pytest.mark.parametrize("text", ["♘f3", "O–O", "e×d5", "½", "Nf3‼", "N\u200bf3"])
def test_only_letters_of_languages_are_translated_strictly(text: str) -> None:
    assert respelled(text, is_lenient=False) is None
    assert respelled("e:d5", is_lenient=False) == "e:d5"
    assert respelled("b8/Q", is_lenient=False) == "b8/Q"


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("Nf3", 0),
        ("N\u200bf3", 1),
        ("Nf3‼", 1),
        ("♘f3", 4),
        ("e:d5", 4),
        ("O–O", 4),
        ("½", 4),
        ("b8/Q", 4),
        ("♘f3‼", 5),
    ],
)
def test_how_a_word_differs(text: str, how: int) -> None:
    out = np.zeros(64, np.uint8)
    found = printed.respelled(array(text), 0, len(text.encode()), 1, 0, out)
    assert found.how == how
    assert printed.respelled(array("Sf3"), 0, 3, 1, number_of_language("german"), out).how == printed.NATIONAL


# Words that annotate, and results glued to moves.


@pytest.mark.parametrize("word", ANNOTATIONS)
def test_words_that_annotate(word: str) -> None:
    for signs in ("",) if word.endswith("+") else ("", "+", "#", "++", "+#"):
        text = word + signs
        assert lenient.is_annotation(array(text), len(text.encode()))
    coded = word.encode()
    for other in (b"e" + coded, coded + b"5"):
        assert bool(lenient.is_annotation(array(other), len(other))) == (other.decode() in ANNOTATIONS)


@pytest.mark.parametrize("word", ["e4", "Nf3", "x", "1-0", "1/2", "*", "good", "epp", "TNN", "mates"])
def test_other_words_do_not_annotate(word: str) -> None:
    assert not lenient.is_annotation(array(word), len(word))
    assert lenient.is_annotation(array("++"), 2)


@pytest.mark.parametrize("move", ["e4", "Nf3", "O-O", "exd8=Q"])
@pytest.mark.parametrize("after", [*GLUED_RESULTS, "+-", "ep", "e.p", "N", "∓", "+", "#", "mate+", "ch"])
def test_a_word_is_split_before_what_may_follow_a_move(move: str, after: str) -> None:
    word = (move + after).encode()
    place = lenient.split_before(array(word), 0, len(word), len(word))
    places = [
        n
        for n in range(2, len(word))
        for rest in (word[n:].decode("utf-8", "replace"),)
        if rest in GLUED_RESULTS or rest.rstrip("+#") in ("", *ANNOTATIONS)
    ]
    assert place == (max(places) if places else 0)
    assert len(move) in places


@pytest.mark.parametrize("word", ["e4x", "e4e5", "abcdefgh", "e", "e4good"])
def test_other_words_are_not_split(word: str) -> None:
    assert lenient.split_before(array(word), 0, len(word), len(word)) == 0


@pytest.mark.parametrize(
    ("word", "stop", "results", "follows"),
    [
        ("ep", 2, 0, 1), ("ep+", 2, 0, 1), ("=+", 1, 0, 1), ("-+", 1, 0, 1), ("+", 0, 0, 1), ("x", 1, 1, 0),
        ("1-0", 3, 1, 1),
        ("1-0", 3, 0, 0), ("1-0+", 3, 1, 0), ("*", 1, 1, 1), ("1/2-1/2", 7, 1, 1), ("1/2-1/2", 7, 0, 0),
        ("x+", 1, 1, 0),
    ],
)  # fmt: skip
def test_check_signs_may_follow_an_annotation_and_not_a_result(
    word: str, stop: int, results: int, follows: int
) -> None:
    assert lenient._check_signs(array(word), 0, len(word)) == stop
    assert lenient._may_follow(array(word), 0, stop, len(word), results) == follows


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("of it} Nf3", 6), ("of it}} Nf3", 7), ("of it }", 7), ("}", 1), ("of it", 0), ("of 1 it}", 0),
        ("of * it}", 0), ("of [ it}", 0),
        ("of { it}", 0), ("of ( it}", 0), ("of ) it}", 0), ("of ; it}", 0), ("of @ it}", 0), ("of\nit}", 6),
        ("of\n\nit}", 0),
        ("of\n \nit}", 0), ("of\n%x1\nit}", 10), ("of\r\nit}", 7), ("of\n", 0), ("a -- b}", 0), ("a O-O b}", 0),
        ("a o-o b}", 0),
        ("a-b}", 4), ("o-x}", 4), ("of\n\ufeffit}", 9),
    ],
)  # fmt: skip
def test_the_rest_of_a_comment_ends_at_a_stray_brace(text: str, length: int) -> None:
    assert lenient._rest_of_comment(array(text), 0, len(text.encode())) == length


# Results with blanks around their dash.


@pytest.mark.parametrize(
    ("first", "rest", "length"),
    [
        ("1", " - 0", 4), ("0", " - 1", 4), ("1/2", " - 1/2", 6), ("½", " - ½", 5), ("1", "  –  0 ", 8),
        ("1", "-0", 0), ("1", " - 1", 0),
        ("0", " - 0", 0), ("1/2", " - 0", 0), ("1/2", " - ½", 5), ("½", " - 1/2", 6), ("1", " - 0x", 0),
        ("1", " 0", 0), ("1", " -", 0),
        ("1", " ", 0), ("1", "", 0), ("1", " - 0{", 4), ("1", " -0", 3), ("1", " - ", 0), ("1/2", " - 1/3", 0),
        ("1", " - 1/2", 0),
    ],
)  # fmt: skip
def test_results_with_blanks(first: str, rest: str, length: int) -> None:
    text = (first + rest).encode()
    half, stop = len(first.encode()), len(text)
    found = result_tokens.spaced_result(array(text), 0, half, stop, 1)
    assert found == (half + length if length else 0)


def test_a_result_that_may_go_on_is_cut() -> None:
    text = b"1 - 0 and more text"
    assert result_tokens.spaced_result(array(text), 0, 1, 10, 0) == result_tokens.CUT
    assert result_tokens.spaced_result(array(text), 0, 1, 17, 0) == result_tokens.CUT
    assert result_tokens.spaced_result(array(text), 0, 1, 18, 0) == 5


# Words that are written.

MOVES = "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4 c5 Nb3 Qxd1 Rxd1 Bg4 f3 Be6".split()


def filled(tokens: list[str], width: int) -> str:
    """The words in lines that are as long as they may be."""
    lines = [tokens[0]]
    for token in tokens[1:]:
        fits = not width or len(lines[-1]) + 1 + len(token.partition("\n")[0]) <= width
        if fits:
            lines[-1] += f" {token}"
        else:
            lines.append(token)
    return "\n".join(lines)


@pytest.mark.parametrize("width", [0, 5, 10, 11, 12, 13, 14, 15, 16, 20, 40, 79, 80])
def test_lines_are_broken_at_the_last_blank_that_fits(width: int) -> None:
    rng = random.Random(width)
    for _ in range(4):
        made, tokens, comment_before = Words(), [], True
        for i, move in enumerate(MOVES):
            number = i // 2 + 1
            if i % 2 == 0:
                tokens.append(f"{number}.")
            elif comment_before:
                tokens.append(f"{number}...")
            tokens.append(move)
            made.add(words.MOVE, move, number=2 * number + i % 2)
            comment_before = rng.random() < 0.3
            if comment_before:
                text = "".join(rng.choices("aé♔z", k=rng.randint(1, 12)))
                made.add(words.COMMENT, text)
                tokens.append(f"{{{text}}}")
            elif rng.random() < 0.3:
                made.add(words.NAG, number=i)
                tokens.append(f"${i}")
        made.add(words.RESULT, "1-0")
        tokens.append("1-0")
        assert made.text(width) == filled(tokens, width)


def test_a_variation_is_broken_outside_its_comments() -> None:
    made = Words()
    made.add(words.MOVE, "e4", number=2)
    made.add(words.VARIATION, "1. d4 {a b c d} d5 ;e f\n2. c4")
    made.add(words.MOVE, "e5", number=3)
    assert made.text(0) == "1. e4 (1. d4 {a b c d} d5 ;e f\n2. c4) 1... e5"
    assert made.text(12) == "1. e4 (1. d4\n{a b c d}\nd5 ;e f\n2. c4) 1...\ne5"
    for text in ("1. d4  d5", "1. d4 %x", "1. d4 [x", "1. d4 ;x\ny", "1. d4 \x1a", "1. d4 \ufeffx", "1. d4 \u00a0x"):
        made = Words()
        made.add(words.VARIATION, text)
        assert made.text(7).startswith("(1.\nd4"), text
        assert "\n" not in made.text(7)[5:].partition("x")[0].partition(";")[0]


@pytest.mark.parametrize("spaced", [False, True])
def test_blanks_inside_braces_and_brackets(spaced: bool) -> None:
    made = Words()
    for kind, text, number in (
        (words.MOVE, "e4", 2), (words.OPEN, "", 0), (words.MOVE, "d4", 2), (words.COMMENT, "good", 0),
        (words.MOVE, "d5", 3),
        (words.CLOSE, "", 0), (words.MOVE, "e5", 3), (words.RESULT, "*", 0),
    ):  # fmt: skip
        made.add(kind, text, number=number)
    expected = "1. e4 (1. d4 {good} 1... d5) 1... e5 *"
    if spaced:
        expected = "1. e4 ( 1. d4 { good } 1... d5 ) 1... e5 *"
    assert made.text(79, spaced=spaced) == expected


def test_a_comment_with_a_brace_goes_to_the_end_of_its_line() -> None:
    made = Words()
    for kind, text, number in ((words.MOVE, "e4", 2), (words.COMMENT, "a}b\nc", 0), (words.MOVE, "e5", 3)):
        made.add(kind, text, number=number)
    assert made.text(79) == "1. e4 ;a}b\n;c\n1... e5"
    assert made.text(79, spaced=True) == "1. e4 ; a}b\n;c\n1... e5"
    made = Words()
    made.add(words.COMMENT, "a\nb")
    assert made.text(79) == "{a\nb}"


def test_headers_are_lines_of_their_own() -> None:
    made = Words()
    made.add_header("White", 'An"na\\')
    made.add_header("Black", "Be\nrt\r")
    made.add(words.MOVE, "e4", number=2)
    assert made.text(7) == '[White "An\\"na\\\\"]\n[Black "Be rt "]\n\n1. e4'
    assert Words().text(79) == ""
    only = Words()
    only.add_header("A", "")
    assert only.text(79) == '[A ""]\n'


@pytest.mark.parametrize(
    ("number", "text"), [(2, "1. e4"), (3, "1... e4"), (20, "10. e4"), (201, "100... e4"), (2000, "1000. e4")]
)
def test_numbers_of_moves(number: int, text: str) -> None:
    made = Words()
    made.add(words.MOVE, "e4", number=number)
    assert made.text(79) == text
    made.add(words.MOVE, "e5", number=number + 1)
    following = f"{(number + 1) // 2}. e5" if number % 2 else "e5"
    assert made.text(79) == f"{text} {following}"


def test_all_pairs_of_words_have_one_blank_between_them() -> None:
    kinds = {words.MOVE: "e4", words.NAG: "", words.COMMENT: "c", words.VARIATION: "1. d4", words.RESULT: "*"}
    shown = {words.MOVE: "1. e4", words.NAG: "$7", words.COMMENT: "{c}", words.VARIATION: "(1. d4)", words.RESULT: "*"}
    for first, second in itertools.product(kinds, repeat=2):
        made = Words()
        for kind in (first, second):
            made.add(kind, kinds[kind], number=7 if kind == words.NAG else 2)
        assert made.text(0) == f"{shown[first]} {shown[second]}"
