"""Group the steps of a look-up into a few ideas, each with a sentence from the kernel's own comments.

The groups are found in the code, before it runs: the program is walked as it would run, and a function is followed
once, however often it is called. Steps that only pass an answer on, or only count, are left to the list of all calls.
"""

from typing import Final, NamedTuple

from rookery.explain.export import ir
from rookery.explain.noting import ENTRY
from rookery.explain.run import Step
from rookery.explain.sites import Site

MOST: Final = 6  # ideas of a technique, with the question and the answer


class Idea(NamedTuple):
    """Steps that belong together: the sites that record them, and one sentence that says why they are done.

    The sentence is that of the last site. `sentences` are those of the other sites, empty where one is repeated. If a
    site is in a loop (`repeats`), its last step counts, otherwise its first.
    """

    sites: tuple[int, ...]
    sentence: str
    sentences: tuple[str, ...]
    repeats: bool = False


class _Found(NamedTuple):
    """A site that is worth showing, with the function it is in and how often this function is called."""

    site: int
    function: str
    looped: bool


def ideas_of(watched: ir.Program, sites: list[Site], entry: str) -> tuple[Idea, ...]:
    """Return the ideas of a look-up: the question, two to four groups of steps, and the answer."""
    first = watched.functions[f"{ENTRY}{entry}"].body[0]
    assert isinstance(first, ir.Note)
    walk = _Walk(watched, sites)
    walk.function(entry)
    groups = _grouped(walk, sites)
    if walk.found and (not groups or sites[groups[-1][-1].site].what != "returned"):
        groups.append([walk.found[-1]])  # the answer is only passed on
    module = sites[walk.found[-1].site].module if walk.found else ""
    asked = "The question: which squares does the piece attack, with these squares occupied?"
    question = Idea((first.site,), asked, ("",))
    return question, *(_idea(group, sites, walk) for group in _few(groups, MOST - 1, sites, module))


class _Walk:
    """The walk through a program: each function once, in the order in which its steps run."""

    def __init__(self, watched: ir.Program, sites: list[Site]) -> None:
        self.watched = watched
        self.sites = sites
        self.found: list[_Found] = []
        self.calls: dict[str, int] = {}

    def function(self, name: str) -> None:
        """Walk through a function, unless this has been done."""
        self.calls[name] = self.calls.get(name, 0) + 1
        if self.calls[name] == 1 and name in self.watched.functions:
            self.block(self.watched.functions[name].body, name, looped=False)

    def block(self, body: ir.Block, name: str, looped: bool) -> None:
        """Walk through the statements of a block."""
        for s in body:
            match s:
                case ir.Note(site, _) if self.sites[site].what in ("assigned", "returned"):
                    self.found.append(_Found(site, name, looped))
                case ir.Assign(value=value) | ir.Return(value=value):
                    self.expression(value)
                case ir.If(truth, yes, no):
                    self.expression(truth)
                    self.block(yes, name, looped)
                    self.block(no, name, looped)
                case ir.While(_, inner) | ir.For(_, _, inner):
                    self.block(inner, name, looped=True)

    def expression(self, e: ir.Expression) -> None:
        """Walk through the functions that an expression calls."""
        for child in ir.children(e):
            self.expression(child)
        if isinstance(e, ir.Call) and e.function in self.watched.functions:
            self.function(e.function)


def _shows(site: Site) -> bool:
    """Check whether a step shows more than a number or an answer that is passed on."""
    reads = any(term.table and term.at == site.own for term in site.terms)
    is_board = site.kind == "board" and (reads or site.what == "assigned")
    has_comment = site.what == "returned" and not site.sentence.startswith(("Return", "Look up"))
    return any("=" in row for row in site.rows) or is_board or has_comment


def _line(site: Site) -> tuple[str, int]:
    return site.module, site.line


def _grouped(walk: _Walk, sites: list[Site]) -> list[list[_Found]]:
    """Return the sites in groups: a site that shows little goes with the next one of its function, or nowhere."""
    groups: list[list[_Found]] = []
    waiting: list[_Found] = []
    for found in walk.found:
        waiting = [other for other in waiting if other.function == found.function]
        site = sites[found.site]
        if _shows(site):
            last = groups[-1][-1] if groups else None
            is_loop = last and found.looped and last.looped and last.function == found.function
            if last and (is_loop or _line(sites[last.site]) == _line(site)):
                groups[-1] += [*waiting, found]
            else:
                groups.append([*waiting, found])
            waiting = []
        elif site.what == "assigned":
            waiting.append(found)
    return groups


def _few(groups: list[list[_Found]], most: int, sites: list[Site], module: str) -> list[list[_Found]]:
    """Return at most so many groups: neighbours within a function are joined, the smallest first."""
    groups = [list(group) for group in groups]
    while len(groups) > most:

        def cost(i: int) -> tuple[bool, bool, int]:
            here, following = groups[i][-1], groups[i + 1][0]
            apart = here.function != following.function
            own = sites[following.site].module == module
            return apart, own and apart, sum(len(sites[f.site].rows) for f in (*groups[i], *groups[i + 1]))

        best = min(range(len(groups) - 2), key=cost) if len(groups) > 2 else 0
        groups[best : best + 2] = [[*groups[best], *groups[best + 1]]]
    return groups


def _idea(group: list[_Found], sites: list[Site], walk: _Walk) -> Idea:
    """Return a group with its sentences, each once."""
    why = _sentence(sites[group[-1].site])
    been = {why}
    sentences = []
    for found in group:
        text = _sentence(sites[found.site])
        sentences.append("" if text in been else text)
        been.add(text)
    looped = any(found.looped for found in group)
    times = max(walk.calls.get(found.function, 1) for found in group)
    if looped:
        why += " A loop repeats this; its last round is shown."
    elif times > 1:
        why += f" This is done {times} times, for one direction or line after the other; the first time is shown."
    return Idea(tuple(found.site for found in group), why, tuple(sentences), looped)


def _sentence(site: Site) -> str:
    """Return the sentence of a site, as one that stands alone."""
    text = site.sentence.strip().removeprefix("Return ").rstrip(".")
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def steps_of_ideas(ideas: tuple[Idea, ...], steps: tuple[Step, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the places of each idea's steps among all, which are none where a branch is not taken.

    >>> from rookery.explain import explain
    >>> steps_of_ideas(explain("magic-fancy", "rook", 27, 0).ideas, explain("magic-fancy", "rook", 27, 0).steps)
    ((0,), (5,), (6,), (7,), (9,))
    """
    found = []
    start = 0
    for idea in ideas:
        places = []
        for site in idea.sites:
            first = next((i for i in range(start, len(steps)) if steps[i].site == site), None)
            if first is not None:
                places.append(_last_round(steps, first) if idea.repeats else first)
        found.append(tuple(sorted(places)))
        start = max([start, *(place + 1 for place in places)])
    return tuple(found)


def _last_round(steps: tuple[Step, ...], first: int) -> int:
    """Return the place of the last step at the same site before its function returns."""
    last = first
    for i in range(first, len(steps)):
        if steps[i].site == steps[first].site:
            last = i
        if steps[i].what == "returned" and steps[i].depth == steps[first].depth:
            break
    return last
