"""The recording of the README: it is what the command prints today, and its drawing shows it in any theme."""

import re
from xml.etree import ElementTree as ET

import search_recording


def steady(lines: list[str]) -> list[str]:
    return [re.sub(r"[\d.]+ s, [\d.]+ M plies/s$", "N", line) for line in lines]


def test_the_command_prints_the_record() -> None:
    assert steady(search_recording.run()) == steady(search_recording.recorded())


def test_the_drawing_has_the_command_and_every_line() -> None:
    texts = [text.text or "" for text in ET.fromstring(search_recording.svg()).iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [
        f'$ rookery search {search_recording.GAMES} "{search_recording.QUERY}"',
        *search_recording.recorded(),
    ]
    assert max(map(len, texts)) <= search_recording.COLUMNS


def test_the_drawing_follows_the_theme_and_may_stand_still() -> None:
    drawn = search_recording.svg()
    assert "prefers-color-scheme: dark" in drawn
    assert "prefers-reduced-motion: reduce" in drawn
    assert not re.findall(r'(?:fill|stroke)="#', drawn)
