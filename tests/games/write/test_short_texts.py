"""Short games in the form in which they are written: reading and writing them changes nothing."""

import io

import pytest

from rookery import read_pgn, write_pgn

TEXTS = [
    "*",
    "1. e4 e5 2. Nf3 *",
    "1. e4 { good } 1... e5 *",
    "{ first } 1. e4 *",
    "{ only } *",
    "1. e4 { one } { two } 1... e5 1-0",
    "1. e4 $1 e5 $2 $14 *",
    "$5 1. e4 *",
    "1. e4 ( 1. d4 d5 ) 1... e5 *",
    "( 1. d4 ) 1. e4 *",
    "1. e4 e5 { x } 2. d4 ( 2. Nf3 ) 2... d5 0-1",
    "1. e4 { [%eval 0.25] [%clk 0:03:00] } 1... e5 *",
    "1. e4 { [%eval #3] } 1... e5 { [%eval #-2] } *",
    "1. e4 { [%emt 0:00:07] } 1... e5 *",
    "1. e4 { [%clk 0:00:01] text } 1... e5 { [%clk 1:00:00.5] } 2. Nf3 *",
    "1. e4 { +0.35/12 0.5s } *",
    "1. e4 { a } $1 { b } 1... e5 *",
    "1. e4 ( 1. d4 ) { after } ( 1. c4 ) 1... e5 *",
    "1. e4 { a } ( 1. d4 ) $2 1... e5 *",
    "1. e4 ( 1. d4 ) ( 1. c4 ) { c } $3 { d } 1... e5 *",
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 { castled } 5. d3 O-O 1/2-1/2",
]


def written(*texts: str, threads: int = 1) -> str:
    out = io.BytesIO()
    assert write_pgn(read_pgn("\n\n".join(texts).encode()), out, threads=threads) == len(texts)
    return out.getvalue().decode()


@pytest.mark.parametrize("text", TEXTS)
def test_movetext_stays(text: str) -> None:
    assert written(text) == f'[Result "{text.split()[-1]}"]\n\n{text}\n\n'


@pytest.mark.parametrize("start", range(0, len(TEXTS), 3))
def test_games_follow_each_other(start: int) -> None:
    texts = [f'[Round "{k}"]\n[Result "{text.split()[-1]}"]\n\n{text}' for k, text in enumerate(TEXTS)]
    chosen = texts[start:] + texts[:start]
    assert written(*chosen[:6], threads=2) == "".join(f"{text}\n\n" for text in chosen[:6])


@pytest.mark.parametrize(
    "headers",
    [
        '[Event "a"]\n[Site "b"]\n[Date "2024.02.29"]\n[Round "1"]\n[White "c"]\n[Black "d"]\n[Result "*"]\n',
        '[White "A \\"quoted\\" name with a \\\\"]\n[Result "*"]\n',
        '[Result "*"]\n[UTCDate "1970.01.01"]\n[UTCTime "23:59:58"]\n[WhiteElo "2100"]\n[BlackRatingDiff "-7"]\n',
        '[Result "*"]\n[WhiteRatingDiff "+12"]\n[Annotator "me"]\n[Odd_1 "x"]\n',
        '[Result "*"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"]\n[SetUp "1"]\n',
    ],
)
def test_headers_stay(headers: str) -> None:
    body = "7... Kd7 8. e4 *" if "FEN" in headers else "1. e4 *"
    assert written(f"{headers}\n{body}") == f"{headers}\n{body}\n\n"


def test_null_moves_stay() -> None:
    assert written("1. e4 -- 2. d4 -- { passed } 3. c4 *") == '[Result "*"]\n\n1. e4 -- 2. d4 -- { passed } 3. c4 *\n\n'


@pytest.mark.parametrize("name", ["White", "Odd"])
def test_there_is_room_for_values_of_escaped_signs(name: str) -> None:
    value = '\\"' * 400 + "\\\\" * 400
    headers = f'[Result "*"]\n[{name} "{value}"]' if name == "Odd" else f'[{name} "{value}"]\n[Result "*"]'
    assert written(f"{headers}\n\n*") == f"{headers}\n\n*\n\n"
