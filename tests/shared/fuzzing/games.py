"""PGN: damaged files, files of python-chess, packed files; and SAN."""

import bz2
import functools
import gzip
import io
import lzma
import random
import zipfile
from typing import Any, Final
from unittest import mock

import chess
import chess.pgn
import zstandard

import rookery
from both_readers import assert_agreement, everything, printed
from damaged_games import GAMES
from fuzzing import Target, answer
from fuzzing.damage import damage
from played_games import play
from rookery import Board, Games, read_pgn
from rookery.games.read import worker
from rookery.sources.failures import DamagedFileError, NotGamesError
from small_blocks import SmallBuffers

_WORDS: Final = (
    *(b"{", b"}", b"(", b")", b";", b"%", b"[", b"]", b"<", b">", b"$", b"$999", b"1-0", b"0-1 *", b"1/2-1/2", b"1/2"),
    *(b"1.", b"1...", b"9999999999.", b"O-O", b"0-0-0", b"e8=Q", b"--", b"Z0", b"e.p.", b"ch", b"+-", b"\xb1", b"!?"),
    *(
        b"{ [%clk 9:99:99] [%eval #-3] }",
        b"{[%emt",
        b"\n% escape\n",
        b'\n[Event "x"]\n',
        b'[FEN "8/8/8 w"]\n',
        b"\n\n[",
    ),
    *(b'[Variant "Chess960"]\n', b'[Variant "Atomic"]\n', b'[SetUp "1"]\n', b'[White "a\\"b"]\n', b"(((((", b")" * 99),
    *(
        "\N{WHITE CHESS KNIGHT}f3".encode(),
        b"Sf3",
        b"\n" * 2100,
        b" " * 2100,
        b"{" + b"x" * 2100 + b"}",
        b"\n1. e4 *\n",
    ),
)
_SAMPLE: Final = tuple(GAMES)
_MARKS: Final = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")


@functools.cache
def pool() -> list[bytes]:
    """Return some games, of which each is a text."""
    rng = random.Random(0)
    return [play(rng).text.encode() for _ in range(60)] + [game + b"\n\n" for game in GAMES]


def _games(rng: random.Random) -> bytes:
    return b"".join(rng.choices(pool(), k=rng.choice((1, 1, 2, 4))))


def make_pgn(rng: random.Random) -> bytes:
    """Return some games with damage."""
    return damage(rng, _games(rng), _WORDS, _SAMPLE)


def check_pgn(text: bytes) -> None:
    """Compare both readers, and blocks of all sizes."""
    try:
        games = everything(text)
    except NotGamesError:
        return
    if text[:2] not in _MARKS and text[:3] not in _MARKS:  # such a text is not UTF-8, or not all of it
        assert_agreement(text)
    assert facts_of(divided(text, texts=True, threads=1 + len(text) % 2)) == facts_of(games)
    out = io.BytesIO()
    rookery.write_pgn(games[~games.is_bad], out)
    again = everything(out.getvalue())
    assert not again.errors
    assert [str(game) for game in printed(again)] == [str(game) for game in printed(games[~games.is_bad])]


def divided(source: Any, **options: Any) -> Games:
    """Return the games of a source that is read in blocks of 2,000 bytes."""
    with mock.patch.object(worker, "Buffers", SmallBuffers):
        return read_pgn(source, **options)


def facts_of(games: Games) -> list[object]:
    """Return the games, their errors and warnings, and their last positions."""
    ends = games.positions("last").to_fens(en_passant="fen")
    return [printed(games), list(map(str, games.errors)), list(map(str, games.warnings)), ends]


# Games that python-chess writes.


def make_written(rng: random.Random) -> bytes:
    """Return games with variations, comments and glyphs as python-chess writes them."""
    columns = rng.choice((None, 80))
    return b"\n\n".join(_written(rng, columns).encode() for _ in range(rng.randrange(1, 4))) + b"\n\n"


def _written(rng: random.Random, columns: int | None) -> str:
    game = chess.pgn.Game()
    game.headers["Event"] = rng.choice(("?", 'the "best"', "a\\b", "Müller"))
    game.headers["Result"] = rng.choice(("1-0", "0-1", "1/2-1/2", "*"))
    kind = rng.randrange(4)
    if kind == 0:
        game.setup(chess.Board.from_chess960_pos(rng.randrange(960)))
    elif kind == 1:
        game.setup(
            chess.Board(rng.choice(("4k3/PPP4p/8/8/8/8/ppp4P/4K3 b - - 3 57", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")))
        )
    nodes: list[chess.pgn.GameNode] = [game]
    for _ in range(rng.randrange(60)):
        node = nodes[-1] if rng.random() < 0.85 else rng.choice(nodes)
        moves = [move for move in node.board().legal_moves if not node.has_variation(move)]
        if moves:
            child = node.add_variation(rng.choice(moves))
            nodes.append(child)
            if rng.random() < 0.2:
                child.comment = "".join(rng.choices("abc (1. e4); $%*\"'\\é-", k=rng.randrange(1, 30))).strip()
            if rng.random() < 0.1:
                child.nags.update(rng.choices(range(1, 140), k=rng.randrange(1, 3)))
    return str(game.accept(chess.pgn.StringExporter(columns=columns)))


def check_written(text: bytes) -> None:
    """Compare trees with python-chess, if the file is one that it would write."""
    theirs, file = [], io.StringIO(text.decode("utf-8", "replace"))
    while (game := chess.pgn.read_game(file)) is not None:
        theirs.append(game)
    if not any(
        "\n\n".join(str(g.accept(chess.pgn.StringExporter(columns=columns))) for g in theirs).encode() + b"\n\n" == text
        for columns in (None, 80)
    ) or any(game.errors for game in theirs):
        return
    games = everything(text)
    assert not games.errors
    assert not games.warnings
    assert_agreement(text)
    ours = list(rookery.pgn.read(text.decode()))
    assert len(ours) == len(games) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert _tree(one) == _tree(other)


def _tree(root: Any) -> list[object]:
    found: list[object] = []
    stack = [root]
    while stack:
        node = stack.pop()
        move = getattr(node, "move", None)
        board = node.board()
        uci = None if move is None else board.fen()
        found.append((uci, node.comment.strip(), sorted(node.nags), len(node.variations)))
        stack.extend(node.variations)
    return found


# Packed files.


def _zip(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("games.pgn", data)
    return out.getvalue()


_PACKERS: Final = (
    lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data),
    lambda data: gzip.compress(data, mtime=0),
    bz2.compress,
    lzma.compress,
    _zip,
)


def make_packed(rng: random.Random) -> bytes:
    """Return a packed file of games with damage to the file, or to the games."""
    parts = [rng.choice(_PACKERS)(_games(rng)) for _ in range(rng.choice((1, 1, 2)))]
    return damage(rng, b"".join(parts), (), parts)


def check_packed(data: bytes) -> None:
    """Read all games, or those before the damage and its place."""
    try:
        games = read_pgn(data)
    except (NotGamesError, DamagedFileError):
        return
    assert games.errors or not games.is_bad.any()
    assert facts_of(divided(data)) == facts_of(games)
    raised = answer(read_pgn, data, errors="raise", expected=(DamagedFileError, ValueError))
    assert (raised is None) == bool(games.errors)


# SAN.

_FENS: Final = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1n2k3/P1P5/8/3pP3/8/8/PP3PPP/R3K2R w KQ d6 0 1",
    "4k3/P7/8/8/1N3N2/8/1N6/R3K2R w KQ - 0 1",
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
)
_SANS: Final = (
    b"e4",
    b"Nf3",
    b"O-O",
    b"O-O-O",
    b"exd6",
    b"Nbd3",
    b"R1a3",
    b"Qh4e1",
    b"a8=Q+",
    b"axb8=N#",
    b"--",
    b"Kxe2!?",
)


def make_san(rng: random.Random) -> bytes:
    """Return a FEN and a move, most often damaged."""
    fen = rng.choice(_FENS)
    if rng.random() < 0.5:
        board = chess.Board(fen, chess960=True)
        move = rng.choice(list(board.legal_moves))
        san = rng.choice((board.san, board.lan, board.uci))(move).encode()
    else:
        parts = (["", *"NBRQKPnk"], ["", *"abcdefgh"], ["", *"12345678"], ["", "x", "-", ":"], chess.SQUARE_NAMES)
        endings = (["", "=Q", "N", "=r", "=K", "=", "(Q)"], ["", "+", "#", "++", "!", "!?", "+!"])
        san = "".join(rng.choice(part) for part in (*parts, *endings)).encode()
    return fen.encode() + b"\n" + (damage(rng, san, _SANS, _SANS) if rng.random() < 0.6 else san)


def check_san(data: bytes) -> None:
    """Compare the readers of SAN with each other, and with python-chess."""
    fen, _, rest = data.partition(b"\n")
    text = rest.decode("utf-8", "replace")
    if fen.decode() not in _FENS:
        return
    board = Board(fen.decode())
    theirs = chess.Board(board.fen(en_passant="fen"), chess960=board.chess960)
    before = board.words().tobytes()
    move = answer(board.parse_san, text, says="SAN ")
    assert board.words().tobytes() == before
    bare = text[:40].rstrip("!?").rstrip("+#")  # longer texts are no moves
    bare = bare[1:] if bare[:1] == "P" and bare[1:2] in "abcdefgh" else bare  # python-chess does not read "Pe4"
    expected = answer(theirs.parse_san, bare)
    if move is None:  # python-chess reads "a1a2" as the move of any piece
        assert expected is None or bare[:2] in chess.SQUARE_NAMES
    elif move:
        assert expected is not None
        assert board.uci(move) == expected.uci()
        assert board.parse_san(board.san(move)) == move
    words = answer(rookery.Positions.from_boards([board]).parse_san, [text])
    assert (words is None) == (move is None)
    assert move is None or int(words[0]) == board.move_word(move)


TARGETS: Final = (
    Target("pgn", make_pgn, check_pgn),
    Target("pgn-of-python-chess", make_written, check_written),
    Target("packed-pgn", make_packed, check_packed),
    Target("san", make_san, check_san),
)
