"""``rookery export``."""

import json
from pathlib import Path

import pytest

from command_line import run
from rookery.cli.techniques import export


def test_export_as_json(tmp_path: Path) -> None:
    document = json.loads(run("export", "rust", "--technique", "rays", "--json").stdout)
    assert (document["technique"], document["language"], document["mapping"]) == ("rays", "rust", "rank-little-little")
    assert list(document["files"]) == ["rookery_attacks.rs", "selfcheck.rs"]
    assert "fn rook_attacks" in document["files"]["rookery_attacks.rs"]
    written = json.loads(run("export", "rust", "--technique", "rays", "--json", "--out", str(tmp_path / "x")).stdout)
    assert written["files"] == document["files"]
    assert {path.name: path.read_text(encoding="utf-8") for path in Path(written["folder"]).iterdir()} == written[
        "files"
    ]
    assert export.LANGUAGES[2] == "rust"


@pytest.mark.compiler
def test_wasm_needs_no_technique_and_others_do(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    done = run("export", "wasm", "--technique", "rays", "--out", str(folder))
    names = ["rookery.mjs", "rookery.wasm", "selfcheck.mjs"]
    assert sorted(path.name for path in folder.iterdir()) == sorted(map(str, (Path(n).name for n in names)))
    assert all(name in done.stdout for name in names)
    assert (folder / "rookery.wasm").read_bytes()[:4] == b"\0asm"
    assert "already there" in run("export", "wasm", "--technique", "rays", "--out", str(folder), status=2).stderr
    document = json.loads(run("export", "wasm", "--technique", "rays", "--json").stdout)
    assert "const PACKED" in document["files"]["rookery.mjs"]
    assert "Missing option '--technique'" in run("export", "c", status=2).stderr
    assert "has no mapping" in run("export", "wasm", "--mapping", "file-big-big", status=2).stderr
