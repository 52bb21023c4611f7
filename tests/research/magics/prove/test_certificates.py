"""Certificates of what is impossible, and the checker that follows them."""

import json
import lzma
import tomllib
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from magics.prove.certificate import record
from rookery.magics import certify
from rookery.magics.certify import Refusal

pytestmark = pytest.mark.compiler  # wheels have no machine code of searches for factors

E2 = ("bishop", 12, 4)


@pytest.fixture(scope="module")
def certificate() -> bytes:
    return record(*E2)


def _tampered(certificate: bytes, old: bytes, new: bytes) -> bytes:
    text = lzma.decompress(certificate)
    assert old in text
    return lzma.compress(text.replace(old, new, 1))


def test_a_certificate(certificate: bytes) -> None:
    assert certify.certify(certificate) == ("bishop", "e2", 4, 38363, 19182)


def test_tampered_certificates_are_refused(certificate: bytes) -> None:
    text = lzma.decompress(certificate)
    body = text.index(b"\n", 30) + 1
    for refused in (
        b"",
        b"no xz file",
        certificate[:-10],
        lzma.compress(b"something else"),
        lzma.compress(certify.HEADING + b"[" * 100_000 + b"\n"),
        lzma.compress(certify.HEADING + b"[]\n"),
        lzma.compress(certify.HEADING + b"{}\n"),
        lzma.compress(text[:-2]),  # a node less
        lzma.compress(text[:-1]),
        lzma.compress(text + b"\1\0"),  # a node more
        lzma.compress(text[:body]),  # no tree
        lzma.compress(text[:body] + b"\1\0"),  # one leaf for all
        _tampered(certificate, b'"e2"', b'"d2"'),
        _tampered(certificate, b'"bits": 4', b'"bits": 5'),
        _tampered(certificate, b'"bishop"', b'"rook"'),
        _tampered(certificate, b'"order": [44, 43', b'"order": [43, 44'),
        _tampered(certificate, b'"pairs": [[', b'"pairs": [["0x0", "0x0"], ['),
        _tampered(certificate, b'"pairs": [[', b'"pairs": [7, ['),
        _tampered(certificate, b'"order": [44', b'"order": ["44"'),
        _tampered(certificate, b'"order": [44', b'"order": [444'),
        _tampered(certificate, b'"bits": 4', b'"bits": "4"'),
        _tampered(certificate, b'"bits": 4', b'"bits": 25'),
    ):
        with pytest.raises(Refusal):
            certify.certify(refused)


def _bomb(text: bytes, filling: bytes, megabytes: int = 110) -> bytes:
    """A file of some kilobytes that unpacks to 110 megabytes."""
    packer = lzma.LZMACompressor(preset=0)
    packed = [packer.compress(text), *(packer.compress(filling) for _ in range(megabytes)), packer.flush()]
    return b"".join(packed)


def test_a_bomb_is_refused_in_little_memory(certificate: bytes) -> None:
    text = lzma.decompress(certificate)
    body = text.index(b"\n", 30) + 1
    megabyte = 1 << 20
    bombs = {
        "no certificate": _bomb(b"", bytes(megabyte)),
        "a header without end": _bomb(certify.HEADING, b" " * megabyte),
        "a list without end": _bomb(certify.HEADING + b'{"pairs": [', b"[]," * (megabyte // 3)),
        "splits without end": _bomb(text[:body], bytes(megabyte)),
        "leaves without end": _bomb(text[:body], b"\1\0" * (megabyte // 2)),
        "nodes after the tree": _bomb(text, b"\1\0" * (megabyte // 2)),
    }
    for name, bomb in bombs.items():
        assert len(bomb) < 1 << 18, name
        tracemalloc.start()
        with pytest.raises(Refusal):
            certify.certify(bomb)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 100 << 20, (name, peak)


def test_limits_of_a_certificate(certificate: bytes) -> None:
    text = lzma.decompress(certificate)
    header, _, body = text[len(certify.HEADING) :].partition(b"\n")
    fields = json.loads(header)
    many = json.dumps({**fields, "pairs": fields["pairs"][:1] * 65_536}).encode()
    for refused, printed in (
        (lzma.compress(certify.HEADING + many + b"\n" + body), "65,536 pairs: expected at most 65,535"),
        (certificate + lzma.compress(b"more"), "bytes follow the end"),
        (certificate + b"\0", "bytes follow the end"),
        (lzma.compress(text, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]), "Memory usage limit"),
        (lzma.compress(text, format=lzma.FORMAT_ALONE), "no certificate"),
    ):
        with pytest.raises(Refusal, match=printed):
            certify.certify(refused)


def test_every_change_of_a_leaf_is_judged_by_itself(certificate: bytes) -> None:
    """Pairs that a leaf may have instead are those that collide there by brute force."""
    text = lzma.decompress(certificate)
    body = text.index(b"\n", 30) + 1
    random = np.random.default_rng(3)
    tokens = np.frombuffer(text[body:], "<u2").copy()
    leaves = np.flatnonzero(tokens)
    refused = 0
    for leaf in random.choice(leaves, 12):
        changed = tokens.copy()
        changed[leaf] = changed[leaf] % tokens.max() + 1
        try:
            certify.certify(lzma.compress(text[:body] + changed.tobytes(), preset=0))
        except Refusal:
            refused += 1
    assert refused > 6


def test_there_is_no_certificate_against_a_factor() -> None:
    with pytest.raises(ValueError, match="there is a factor"):
        record("bishop", 1, 4)


def test_wheels_leave_out_the_large_certificates_alone() -> None:
    folder = Path(certify.__file__).parent / "certificates"
    root = Path(__file__).resolve().parents[4]
    with (root / "pyproject.toml").open("rb") as file:
        excluded = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
    assert excluded == [f"src/rookery/magics/certificates/{name}" for name in certify.IN_SOURCES_ALONE]
    large = {file.name for file in folder.iterdir() if file.stat().st_size > 100_000}
    assert large == {*certify.IN_SOURCES_ALONE}
    assert {file.name for file in folder.iterdir()} == certify.stored_certificates().keys()


def test_stored_certificates() -> None:
    proved = [certify.certify(data)[:3] for data in certify.stored_certificates().values()]
    assert proved == [("bishop", "c1", 4), ("bishop", "d1", 4)]
