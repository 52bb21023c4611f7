"""Any text read as games: nothing crashes, nothing is lost, nothing takes longer than it is long."""

import io

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from both_readers import read
from rookery.pgn import BadGame, Game
from thinning import examples

LONG = 1_500

MARKS = [
    *('[Event "x"]', '[White "', '"]', '"', "\\", "{", "}", "(", ")", ";", "%", "$", "$5", "!?", "1-0", "*"),
    *("1.", "1...", "e4", "Nf3", "O-O", "--", "½", " ", "\n", "\n\n", "\r", "\ufeff", "\x0b", "\x00"),
]
SEED = (
    '[Event "a"]\n[FEN "4k3/P6p/8/8/8/8/p6P/4K3 b - - 3 57"]\n[SetUp "1"]\n\n57... h5 {x ; y\nz} 58. h4! ( 58. h3 ) '
    '$3 a1=N 1-0\n\n[Event "b"]\n[White "\\"w\\""]\n\n1. e4 e5 2. Nf3 ; to the end\nNf6 3. Be2 Be7 4. O-O 1/2-1/2\n'
)


def check(text: str) -> None:
    lines = len(io.StringIO(text, newline=None).readlines())
    found = list(read(text))
    for number, game in enumerate(found, 1):
        if isinstance(game, BadGame):
            assert game.number == number
            assert 1 <= game.line <= lines
            assert "\n" not in str(game)
        else:
            assert list(read(game.write())) == [game]
            assert list(read(str(game))) == [game]
    if any(isinstance(game, BadGame) for game in found):
        with pytest.raises(ValueError, match=r"^game \d+, line \d+, "):
            list(read(text, errors="raise"))
    else:
        assert list(read(text, errors="raise")) == found


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    assume("/" not in text)  # hypothesis tries texts of this program, such as /dev/stdout, and names are refused
    check(text)


@pytest.mark.parametrize(
    "text",
    [
        *("$" + "9" * LONG, "9" * LONG + " e4", "1" * LONG + "." * LONG, "!" * LONG, "(" * LONG + ")" * LONG),
        *(" " * LONG + "{" + " " * LONG + "}", "{\n" + " " * LONG, "{" + " \n" * LONG + "}", "\n" * LONG),
        *('[A "' * LONG, '[A "x"]' * LONG, "[" + " " * LONG, '[A "' + "\\" * LONG),
        *("1. e4 {" + "a b " * LONG + "}", "; " + "} " * LONG + "\n*"),
        *("1. e4 (" + "{a} e5()" * LONG + ")", "1. e4 (" + ";x\n %" * LONG + "\n)", "1. e4" + "(d4) " * LONG),
        "1. e4 ({" + "a " * LONG + " " * LONG + "\n" * LONG + "})",
    ],
    ids=range(19),
)
def test_long_text_takes_no_longer_than_it_is(text: str) -> None:
    """Nothing is quadratic: that would take minutes."""
    check(text)


@settings(deadline=None)
@given(st.lists(st.sampled_from(MARKS) | st.text(max_size=3), max_size=60).map("".join))
def test_any_sequence_of_marks(text: str) -> None:
    check(text)


@examples(150)
@given(st.data())
def test_mutations(data: st.DataObject) -> None:
    text = SEED
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 8))
        text = text[:start] + data.draw(st.sampled_from(MARKS) | st.characters()) + text[end:]
    check(text)


@settings(deadline=None)
@given(
    st.dictionaries(st.from_regex(r"[A-Z][a-z_]{0,5}", fullmatch=True), st.text(max_size=90)),
    st.dictionaries(
        st.integers(0, 4),
        st.text(max_size=200) | st.sampled_from(MARKS) | st.lists(st.sampled_from(MARKS)).map(" ".join),
    ),
    st.dictionaries(st.integers(0, 4), st.lists(st.integers(0, 999_999_999), min_size=1)),
)
def test_what_is_written_is_read(headers: dict[str, str], comments: dict[int, str], nags: dict[int, list[int]]) -> None:
    (game,) = read("1. e4 e5 2. Nf3 Nc6", errors="raise")
    game.headers |= {name: value.replace("\n", " ").replace("\r", " ") for name, value in headers.items()}
    game.headers["Event"] = "x"
    game = Game(game.headers, game.moves, comments, nags)
    tidy = {
        ply: " ".join(filter(None, (p.strip() for p in c.replace("\r", "\n").split("\n"))))
        for ply, c in comments.items()
    }
    (again,) = read(game.write(), errors="raise")
    assert again.movetext().comments == {ply: comment for ply, comment in tidy.items() if comment}
    assert (again.headers, again.moves, again.movetext().nags) == (game.headers, game.moves, game.movetext().nags)
