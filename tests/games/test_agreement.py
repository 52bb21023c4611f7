"""One grammar: the compiled reader tells of every text what the small one tells, game by game, word for word."""

import random
from pathlib import Path

import pytest

import both_readers
import rookery
from rookery.sources.failures import NotGamesError
from thinning import slow

MARKS = [
    *('[Result "*"]', '[Result "1/2"]', '[Result "1/2-1/2"]'),
    *('[Event "x"]', '[White "', '"]', '"', "\\", "{", "}", "(", ")", ";", "%", "$", "$5", "!?", "1-0", "*"),
    *("1.", "1...", "e4", "Nf3", "O-O", "--", "½", " ", "\n", "\n\n", "\r", "\ufeff", "\x0b", "\x00", "\x1a", "\r\n"),
    *('[White "a"]', '[White "b"]', '[Other "b"]', '[Other "c"]', '[Result "1-0"]', '[Result "?"]', '[ Event"q"]'),
    *("…", "é", "\xa0", "à", "[%clk 0:01:00]", "{ [%clk 0:01:00] }", "Pe4", "g1f3", "e7e5", "1/2", "e.p.", "exd6e.p."),
    *('[FEN "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"]', '[FEN "8/8 w - -"]', '[Variant "Chess960"]', '[Variant "Atomic"]'),
    *('[SetUp "1"]', "e1g1", "e1h1", "0-0-0", "0000", "Nge2", "e8=Q", "a1N"),
    # What is read leniently.
    *("+", "=", "+/-", "#", "N", "N ", "D", "±", "e4ch", "exd6ep", "Nf3*", "e40-1", "e4+-", "o-o", "o-o-o+", "}}"),
    *("\x00", "{ a { b } c } ", "{ a { b } e4 } ", "{ a { b }", " d } ", "--*", "Nf3N", "Nf3+/-", "e4±1", "1-0\x00"),
    *('[FEN "4k3/8/8/8/8/8/8/R3K3 w KQ e6 0 1"]', '[FEN "4k3/8/8/8/8/8/8/R3K3 w Q e9 0 1"]', '\n[White "a"]\n\n'),
]
TEXTS = [
    '[Event "a"]\n[FEN "4k3/P6p/8/8/8/8/p6P/4K3 b - - 3 57"]\n[SetUp "1"]\n\n57... h5 {x ; y\nz} 58. h4! ( 58. h3 ) '
    '$3 a1=N 1-0\n\n[Event "b"]\n[White "\\"w\\""]\n\n1. e4 e5 2. Nf3 ; to the end\nNf6 3. Be2 Be7 4. O-O 1/2-1/2\n',
    "1. e4 { [%clk 0:05:00] } 1... e5 { [%clk 0:05:00] } 2. Nf3 { [%clk 0:05:01] } 2... Nc6 { [%clk 0:05:02] } 0-1\n",
    "e4 e5 Nf3\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Bg5 e6 7. f4 Be7 8. Qf3 Qc7 9. O-O-O Nbd7",
    '{ a preface }\n\n[Event "x"]\n\n1. d4 d5 2. c4 dxc4 3. e3 b5 4. a4 c6 5. axb5 cxb5 6. Qf3 (6. Nc3 (6. b3)) 1-0',
    '[FEN "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]\n\n1. O-O-O c5 2. dxc6 e.p. O-O',
    '[Variant "Chess960"]\n[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]\n\n1. f4 f5 2. O-O O-O *',
]


def agree(text: str) -> None:
    both_readers.assert_agreement(text.encode())


@pytest.mark.parametrize("text", [*TEXTS, *MARKS])
def test_texts(text: str) -> None:
    agree(text)


@pytest.mark.parametrize("step", [4, slow(1)])
def test_pairs_of_texts_and_marks(step: int) -> None:
    for i, text in enumerate(TEXTS):
        for mark in MARKS[i % step :: step]:
            agree(f"{text}{mark}")
            agree(f"{mark}\n{text}\n\n{text}")


def test_quotes_and_backslashes_in_bad_headers() -> None:
    for value in ('a"b', "a\\\\b", 'a\\"b', "C:\\new\\", 'x\\\\\\"y', "8/\\\\8", '8/"8\\\\', "\\"):
        for name in ("FEN", "Result", "Variant", "Other"):
            agree(f'[{name} "first"]\n[{name} "{value}"]\n\n*\n\n[{name} "{value}"]\n[{name} "x"]\n\n*')


def test_unknown_headers_given_twice() -> None:
    for before in ("", '[Result "*"]\n', '[X "1"]\n[Y "2"]\n'):
        for twice in ("b", "c"):
            agree(f'{before}[Other "b"]\n[Z "z"]\n[Other "{twice}"]\n\n*\n\n{before}[Other "d"]\n\n*')
    many = "".join(f'[N{i} "{i}"]\n' for i in range(300))
    agree(many + many + "\n*")
    agree(many + many.replace('"250"', '"x"') + "\n*")


def test_a_comment_that_is_not_closed_behind_another_fault() -> None:
    agree("1. e4 Ke3 *\n{ open\n\n1. d4 d5 1-0")
    agree("1. e4 Ke3 { open\n\n1. d4 d5 1-0")
    agree("1. e4 Ke3 *\n{ open\n\n1. d4 d5 1-0 }\n\n1. c4 *")


def mutated(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.4:
        return "".join(rng.choice(MARKS) for _ in range(rng.randrange(30)))
    text = rng.choice(TEXTS)
    if kind < 0.6:
        text += rng.choice(["\n", "\n\n", "", " "]) + rng.choice(TEXTS)
    for _ in range(rng.randrange(1, 5)):
        start = rng.randrange(len(text) + 1)
        stop = start + rng.randrange(8)
        sign = chr(rng.choice([rng.randrange(1, 127), rng.randrange(0x80, 0x3000)]))
        text = text[:start] + rng.choice([rng.choice(MARKS), sign, "", text[start:stop]]) + text[stop:]
    return text


def test_mutated_texts() -> None:
    rng = random.Random(1)
    for _ in range(150):
        agree(mutated(rng))


@pytest.mark.slow
def test_many_mutated_texts() -> None:
    rng = random.Random(2)
    refused = 0
    for _ in range(100_000):
        try:
            agree(mutated(rng))
        except NotGamesError:  # a text that begins with a FEN
            refused += 1
    assert refused < 100


@pytest.mark.parametrize("word", ["--e.p.N", "--e.p.", "--N", "--e.p.1-0", "e4e.p.N", "Z0e.p.+-"])
def test_null_moves_and_annotations(word: str) -> None:
    agree(f"1. {word} e5 *")


def test_bytes_that_are_no_utf_8() -> None:
    rng = random.Random(3)
    for _ in range(400):
        data = bytearray(rng.choice(TEXTS).encode())
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(1, 256)
        text = bytes(data)
        both_readers.assert_agreement(text)


def test_bytes_of_windows_1252() -> None:
    """Quotation marks, dashes and the ellipsis, which ends a number; a no-break space; and bytes nobody defined."""
    for byte in range(0x80, 0x100):
        sign = bytes([byte])
        for text in (b"1%b e4 1%b%b. e5 *", b"1. e4%be5 *", b'[White "%bx%b"]\n\n1. e4 {%b%b} %b 1-0'):
            data = text.replace(b"%b", sign)
            assert both_readers.printed(both_readers.everything(data)) == both_readers.read_by_the_small_one(data), data
    games = both_readers.everything(b'[White "\x93M\xfcller\x94"]\n\n1\x85 e4 {\x80 5 \x96 6\x81} *')
    assert games["White"].tolist() == ["“Müller”"]
    assert games[0].movetext().comments == {1: "€ 5 \u2013 6\x81"}
    many = both_readers.everything(b'[White "' + b"\x80" * 5000 + b'"]\n\n{' + b"\x99" * 5000 + b"} *")
    assert many["White"][0] == "€" * 5000
    assert many[0].movetext().comments == {0: "™" * 5000}


def test_real_games() -> None:
    path = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
    agree(path.read_text(encoding="utf-8"))
    assert len(rookery.read_pgn(path)) == 12
