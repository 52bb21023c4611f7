"""``rookery export``."""

import json
from pathlib import Path

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
