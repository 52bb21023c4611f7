"""States of the explorer, as words and in links to its page; nothing here needs Sphinx."""

import re
from typing import Final, NamedTuple

from docsite.repository import address
from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import parse_square
from rookery.explain import explain
from rookery.explain.ideas import steps_of_ideas
from rookery.techniques.base import Technique

PAGE = "_static/explorer.html"
ALSO = ("factor", "bits", "calls", "panel")  # words without a default
PANELS = ("position", "steps", "turned", "magic", "comparison")  # parts that may stand alone, with the board
DEFAULTS = {"technique": "magic-fancy", "piece": "rook", "square": "d4", "mapping": "rank-little-little", "step": "1"}
FEN = "8/8/8/8/8/8/8/8"


def state_of(words: str, fen: str = FEN) -> dict[str, str]:
    """Return the state that words give, as in the explorer's address; raise ValueError if it cannot be shown."""
    given: dict[str, str] = {}
    for word in words.split():
        name, _, value = word.partition("=")
        if not value or name not in {*DEFAULTS, *ALSO}:
            raise ValueError(f"{word!r}: expected {', '.join(f'{known}=...' for known in [*DEFAULTS, *ALSO])}")
        if name in given:
            raise ValueError(f"{word!r}: {name} is given twice")
        given[name] = value
    state = {**DEFAULTS, **given}
    placement = Placement.from_fen(fen)
    if state["piece"] not in ("rook", "bishop", "queen"):
        raise ValueError(f"piece: {state['piece']!r}: expected rook, bishop or queen")
    explanation = explain(
        state["technique"], state["piece"], parse_square(state["square"]), placement.occupied, state["mapping"]
    )
    steps = len(explanation.steps)
    if not (state["step"].isdecimal() and 1 <= int(state["step"]) <= steps):
        raise ValueError(f"step: {state['step']!r}: expected 1 to {steps}")
    places = {place + 1 for places in steps_of_ideas(explanation.ideas, explanation.steps) for place in places}
    if "calls" not in state and int(state["step"]) not in places:
        shown = ", ".join(map(str, sorted(places)))
        raise ValueError(f"step: {state['step']}: the ideas show the steps {shown}; calls=1 shows every step")
    for word in ("bits", "calls"):
        if state.get(word, "1") != "1":
            raise ValueError(f"{word}: {state[word]!r}: expected 1, or nothing")
    if state.get("panel", PANELS[0]) not in PANELS:
        raise ValueError(f"panel: {state['panel']!r}: expected {', '.join(PANELS)}")
    if "factor" in state:
        _check_factor(state["factor"], explanation.technique)
    return {**state, "fen": placement.to_fen()}


def _check_factor(factor: str, t: Technique) -> None:
    if not t.name.startswith("magic-"):
        raise ValueError(f"factor: technique {t.name!r} has no magic factors to try another")
    digits = factor.removeprefix("0x")
    if digits == factor or not 1 <= len(digits) <= 16 or set(digits.lower()) - set("0123456789abcdef"):
        raise ValueError(f"factor: {factor!r}: expected a number like 0x0008001010010200")


class Embed(NamedTuple):
    """A picture in Markdown that is a link to the explorer."""

    alt: str
    picture: str  # relative to the page
    caption: str
    state: dict[str, str]


_EMBED: Final = re.compile(r'\[!\[([^\]]+)\]\((\S+) "([^"]+)"\)\]\((\S+)\)')


def embeds(text: str) -> list[Embed]:
    """Return the embeds of a page."""
    found = (Embed(alt, picture, caption, state_at(link)) for alt, picture, caption, link in _EMBED.findall(text))
    return [embed for embed in found if embed.state]


def state_at(link: str) -> dict[str, str]:
    """Return the state in a link to the explorer on the site; an empty one for other links."""
    before, _, words = link.partition("#")
    if before != address("Documentation") + PAGE:
        return {}
    given = [word.partition("=")[::2] for word in words.split("&")]
    fen = dict(given).get("fen", FEN)
    return state_of(" ".join(f"{name}={value}" for name, value in given if name != "fen"), fen)
