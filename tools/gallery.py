"""The gallery of questions: for each its query, what the recorded search of a million positions found, and one hit."""

import functools
import json
import shlex
from pathlib import Path
from typing import Any, Final

import rookery
from rookery.bench.questions import TOPICS, GalleryQuestion
from rookery.games.search.hits import Hit, Hits

ROOT: Final = Path(__file__).resolve().parents[1]
SAMPLE: Final = ROOT / "docs" / "gallery.pgn"


def questions() -> str:
    """Return a section for each topic, and in it each question."""
    recorded = {row["query"]: row for row in _recorded()["gallery"]}
    parts = []
    for topic, asked in TOPICS.items():
        parts.append(f"## {topic}")
        parts += [_section(question, recorded.get(question.query)) for question in asked]
    return "\n\n".join(parts)


def figures() -> str:
    """Return what the recorded searches are about, and how long they took together."""
    result = _recorded()
    machine, seconds = result["machine"], [row["seconds"] for row in result["gallery"]]
    return (
        f"Hits and times are those of `{result['command']}`, which searches {result['plies']:,} positions of "
        f"{result['games']:,} games\nin a Parquet file: one core of an {machine['cpu']} ({machine['llvm_cpu']}), "
        f"{machine['date']}. All {len(seconds)} questions together take {sum(seconds):.1f} s."
    )


@functools.cache
def first_hit(question: GalleryQuestion) -> Hit:
    """Return the first hit in the sample."""
    hits = rookery.search(SAMPLE, question.query, headers=["White", "Black", "Event"], limit=1)
    assert isinstance(hits, Hits)
    hit: Hit = hits[0]
    return hit


def _recorded() -> dict[str, Any]:
    """Return the recorded ``rookery bench query``."""
    result: dict[str, Any] = json.loads((ROOT / "benchmarks" / "query.json").read_text(encoding="utf-8"))
    return result


def _section(question: GalleryQuestion, row: dict[str, Any] | None) -> str:
    hit = first_hit(question)
    found = ""
    if row is not None:  # a question that was changed since the recording has no figures
        hits = f"{row['hits']:,} hit{'' if row['hits'] == 1 else 's'}"
        found = f" A million positions: {hits} in {row['seconds']:.2f} s."
    named = hit.headers["White"] not in (None, "?")
    source = f"{hit.headers['White']} - {hit.headers['Black']}" if named else str(hit.headers["Event"])
    move = hit.numbered_move() if hit.move else "the end"
    return "\n\n".join(
        [
            f"### {question.name}",
            question.sentence,
            f"```board\n{hit.drawing()}\n```",
            f"```sh\nrookery search docs/{SAMPLE.name} {shlex.quote(question.query)}\n```",
            f"Drawn: {source}, {move}.{found}",
        ]
    )
