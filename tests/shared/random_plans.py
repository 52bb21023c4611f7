"""Strategies of hypothesis for plans over games: conditions, queries, columns and verbs that need all rows."""

from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from random_queries import Allowed, queries, refused
from rookery import Plan

WHERES: Final = (
    "WhiteElo >= 1500",
    'Result == "1-0"',
    'ECO != "C46" and BlackElo < 2000',
    "plies > 30",
    "year == 2025",
)
OF_GAMES: Final = (
    "not WhiteElo >= 1500",
    "elo(white) - elo(black) > 50 or Round is None",
    'White.startswith(("A", "B")) or not "a" in Black.lower()',
    'header("ECO") >= "C" and not Opening.endswith("Gambit")',
    "UTCDate >= 2020-01-01 and not UTCTime < 12:00:00",
    "date is None or year // 10 == 202",
    'speed in ("blitz", "rapid") or base > increment * 30',
    "white_pawn_squares & e4 and not black_pawn_squares & e5",
    "(WhiteElo > 1500) != (plies % 2 == 1)",
    'Annotator is None or Annotator == "x"',
    "not (WhiteElo > BlackElo and TimeControl is not None) and plies > 10",
    'final_signature < "KQ" or count(black_pawn_squares) > 12',
    '"Q" in promotions or WhiteRatingDiff > 0',
)
NAMES: Final = tuple(
    "fen key move move.san clock eval result White WhiteElo BlackElo ECO UTCDate speed legal_moves".split()
)
CONDITIONS: Final = queries("truth", Allowed(2, games=True, move=True, sequences=1)).filter(lambda q: not refused(q))
VALUES: Final = st.sampled_from(("truth", "number", "number")).flatmap(
    lambda kind: queries(kind, Allowed(1, games=True, move=True)).filter(lambda q: not refused(q))
)
AGGREGATES: Final = ("count", "games", "min(ply)", "max(number)", "sum(ply)")
BY: Final = ("ply // 10", "is_check", "WhiteElo", "count(occupied)", "UTCDate", "material", "clock")


class Verb(NamedTuple):
    """A call of a method of plans."""

    name: str
    args: tuple[Any, ...] = ()
    options: dict[str, Any] = {}  # noqa: RUF012  # nobody changes it

    def __call__(self, plan: Plan) -> Plan:
        if self.name == "group_by":
            by, aggregates = self.args
            return plan.group_by(by, **self.options).agg(*aggregates)
        made: Plan = getattr(plan, self.name)(*self.args, **self.options)
        return made


def done(plan: Plan, *verbs: Verb) -> Plan:
    """Return a plan with further verbs."""
    for verb in verbs:
        plan = verb(plan)
    return plan


wheres = st.sampled_from((*WHERES, *OF_GAMES)).map(lambda text: Verb("where", (text,)))
seeds = st.integers(0, 3)


@st.composite
def choices(draw: st.DrawFn) -> Verb:
    """Return a verb that chooses positions."""
    options: dict[str, Any] = {}
    if draw(st.booleans()):
        options |= {"every": draw(st.integers(1, 4)), "from_ply": draw(st.integers(0, 9))}
        options |= {"to_ply": draw(st.none() | st.integers(0, 60))}
    if draw(st.booleans()):
        options |= {"sample": draw(st.sampled_from([0.0, 0.3, 0.7, 1.0])), "seed": draw(seeds)}
    return Verb("positions", (draw(st.none() | CONDITIONS),), options)


@st.composite
def selections(draw: st.DrawFn) -> Verb:
    """Return a verb that selects columns: ``number``, ``ply``, others, and expressions."""
    names = draw(st.lists(st.sampled_from(NAMES), max_size=4, unique=True))
    expressions = {f"x{i}": text for i, text in enumerate(draw(st.lists(VALUES, max_size=2)))}
    return Verb("select", ("number", "ply", *names), expressions)


@st.composite
def exchanges(draw: st.DrawFn) -> Verb:
    """Return a verb that needs all rows, and keeps their columns."""
    name = draw(st.sampled_from(("sort", "shuffle", "sample", "split", "unique", "head")))
    memory = {"memory": draw(st.sampled_from(["1MB", "512MB"]))}
    if name == "sort":
        by = draw(st.lists(st.sampled_from(("number", "ply", *BY)), min_size=1, max_size=2, unique=True))
        return Verb(name, tuple(by), {"descending": draw(st.booleans()), **memory})
    if name == "shuffle":
        return Verb(name, (draw(seeds),), memory)
    if name == "sample":
        return Verb(name, (draw(st.integers(1, 99)),), {"seed": draw(seeds)})
    if name == "head":
        return Verb(name, (draw(st.integers(0, 99)),))
    if name == "unique":
        return Verb(name, tuple(draw(st.lists(st.sampled_from(BY), max_size=1))), memory)
    by = draw(st.sampled_from(("game", "date", "player", "position", "ply // 10")))
    return Verb(name, (0.5, 0.3, 0.2), {"by": by, "column": f"part{draw(st.integers(0, 10**6))}"})


groups = st.builds(
    lambda by, aggregates: Verb("group_by", (by, aggregates)),
    st.sampled_from(BY),
    st.lists(st.sampled_from(AGGREGATES), min_size=1, max_size=3, unique=True),
)


@st.composite
def rows_of_games(draw: st.DrawFn) -> list[Verb]:
    """Return verbs that say which positions and which columns: in the order in which they run."""
    return [*draw(st.lists(wheres, max_size=2)), *draw(st.lists(choices(), max_size=1)), draw(selections())]


@st.composite
def any_plan(draw: st.DrawFn) -> list[Verb]:
    """Return the verbs of a whole plan."""
    verbs = [*draw(rows_of_games()), *draw(st.lists(exchanges(), max_size=3, unique_by=lambda verb: verb.name))]
    return [*verbs, *draw(st.lists(groups, max_size=1))]
