"""Annotations inside comments, in square brackets: clocks, evaluations, arrows and coloured squares.

`rookery.pgn.scan.annotations` reads the same clocks and evaluations by compiled code; the tests compare the two.
"""

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from rookery.arguments import is_number, iterator, shown
from rookery.bitboards.squares import SQUARE_NAMES, check_square, parse_square
from rookery.kernel import entry_of
from rookery.lazy_imports import Named, compile_later, modules_later
from rookery.pgn.time_control import SHORTEST_IN_HOURS, time_control

if TYPE_CHECKING:
    from rookery.pgn import time_control_at as compiled
else:
    (compiled,) = modules_later("rookery.pgn", "time_control_at")


if TYPE_CHECKING:
    from rookery.bitboards import pictures
else:
    pictures = Named("rookery.bitboards.pictures")

_read_score: Final = entry_of("rookery.pgn.scan.engine_scores", "read_score")
_MOVER, _WHITE = 1, 2  # whose view a score is from, as `read_score` writes it
_PAD: Final = 64  # bytes behind a text
_TOO_MANY_HOURS: Final = 10  # on a clock
MATE: Final = 1000.0  # a mate in n moves is 1000 - n pawns, or n - 1000 for black
_LEAST_MATE: Final = MATE / 2
_NUMBER: Final = r"[0-9]{1,15}(?:[.,][0-9]{0,15})?"
_TIME: Final = rf"(?:(?:({_NUMBER})\s*:\s*)?({_NUMBER})\s*:\s*)?({_NUMBER})"
_TIMES: Final = {name: compile_later(rf"\[%{name}\s+{_TIME}\s*\]") for name in ("clk", "emt")}
# A comma after a whole number of pawns is a decimal mark; after a mate it begins the depth.
_MATE: Final = r"#\s*([-+]?)\s*([0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})"
_PAWNS: Final = rf"([-+]?)\s*({_NUMBER}|\.[0-9]{{1,15}})"
_EVALUATION: Final = compile_later(rf"\[%eval\s+(?:{_MATE}|{_PAWNS})\s*(?:,\s*([0-9]{{1,9}})\s*)?\]")
_ARROW: Final = r"[GRYB][a-h][1-8](?:[a-h][1-8])?"
_ARROWS: Final = compile_later(rf"\[%(?:cal|csl)\s+({_ARROW}(?:,\s*{_ARROW})*)\s*\]")
_INKS: Final = {"G": "green", "R": "red", "Y": "orange", "B": "blue"}
_LETTERS: Final = {ink: letter for letter, ink in _INKS.items()}


def seconds(comment: str, name: str) -> float | None:
    """Return the seconds of ``[%clk 0:05:00]``, or None if there is no such annotation; `name` is ``clk`` or ``emt``.

    Two parts are minutes and seconds; see `ShortTimes`.

    >>> seconds("[%clk 1:00:00.5] good", "clk"), seconds("[%clk 1 : 59,5]", "clk"), seconds("good", "clk")
    (3600.5, 119.5, None)
    """
    found = _TIMES[name].search(comment)
    if not found:
        return None
    hours, minutes, rest = (float((part or "0").replace(",", ".")) for part in found.groups())
    return round(hours * 3600 + minutes * 60 + rest, 9)


def short_time(comment: str, name: str) -> str:
    """Return the text of a time that may be hours and minutes, or minutes and seconds; "" if there is none.

    >>> short_time("[%clk 1:59]", "clk"), short_time("[%clk 59:30]", "clk")
    ('1:59', '')
    """
    text = _time_of(comment, name)
    parts = [part.strip() for part in text.split(":")]
    if len(parts) != 2 or not all(map(str.isdigit, parts)):
        return ""
    return text if int(parts[0]) < _TOO_MANY_HOURS and int(parts[1]) < 60 else ""


def _time_of(comment: str, name: str) -> str:
    found = _TIMES[name].search(comment)
    return "" if found is None else found[0][found[0].index("%") + 4 : -1].strip()


class ShortTimes:
    """How a game's times of two parts are read: as hours and minutes, or as minutes and seconds.

    The first clock of two parts decides for the game. It is of hours and minutes if that is nearer to the time that the
    header TimeControl states. Without a time control, times of two parts are minutes and seconds, and `take` returns
    the first that may be something else, unless clocks of three parts came before.

    >>> times = ShortTimes("7200+30")
    >>> times.take("[%clk 1:59]")
    ''
    >>> times.seconds("[%clk 1:59]", "clk")
    7140.0
    """

    def __init__(self, control: str) -> None:
        self._control = time_control(control)
        self._has_clocks = self._is_decided = self._is_doubted = False
        self.are_hours = False

    def take(self, comment: str) -> str:
        """Take the next comment of the game, and return a time in it that nobody can tell, or an empty text."""
        known = not math.isnan(self._control.base)
        clock, value = short_time(comment, "clk"), seconds(comment, "clk")
        text = clock
        if not clock and _time_of(comment, "clk").count(":") == 1:
            self._is_decided = True  # they are minutes and seconds
        if clock and not self._is_decided:
            self._is_decided = known or self._has_clocks
            if known:
                assert value is not None
                self.are_hours = bool(compiled.are_hours_and_minutes(self._control, value))
        if not clock:
            text = short_time(comment, "emt")
            known = known and self._control.base < SHORTEST_IN_HOURS
        self._has_clocks |= value is not None
        if not text or known or self._is_decided or self._is_doubted:
            return ""
        self._is_doubted = True
        self._is_decided = bool(clock)
        return text

    def seconds(self, comment: str, name: str) -> float | None:
        """Return the seconds of a time in a comment of the game, as the function `seconds` does."""
        value = seconds(comment, name)
        return 60 * value if value is not None and self.are_hours and short_time(comment, name) else value


def with_seconds(comment: str, name: str, value: float | None) -> str:
    """Return the comment with another time in it, or without one.

    >>> with_seconds("good [%clk 0:05:00]", "clk", 7.25), with_seconds("good [%clk 0:05:00]", "clk", None)
    ('good [%clk 0:00:07.25]', 'good')
    """
    if value is None:
        return _replaced(_TIMES[name], comment, "")
    if not _is_real(value):
        raise TypeError(f"seconds: {shown(value)}: expected a number of seconds, or None")
    thousandths = round(max(value, 0) * 1000)
    whole, rest = divmod(thousandths, 1000)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}" + f".{rest:03}".rstrip("0").rstrip(".")
    return _replaced(_TIMES[name], comment, f"[%{name} {text}]")


def evaluation(comment: str) -> tuple[float | None, int | None]:
    """Return the pawns of ``[%eval 0.35,20]``, and the depth; each is None if it is not there.

    >>> evaluation("[%eval 0.35,20]"), evaluation("[%eval #-3]"), evaluation("good")
    ((0.35, 20), (-997.0, None), (None, None))
    >>> evaluation("[%eval 0,35]"), evaluation("[%eval 0,35,20]"), evaluation("[%eval # 3]")
    ((0.35, None), (0.35, 20), (997.0, None))
    """
    found = _EVALUATION.search(comment)
    if not found:
        return None, None
    sign_of_mate, mate, sign, pawns, depth = found.groups()
    value = float((mate or pawns).replace(",", "."))
    sign = sign_of_mate or sign
    if mate:
        value = max(MATE - value, _LEAST_MATE)
    return -value if sign == "-" else value, int(depth) if depth else None


class MatchValues(NamedTuple):
    """The values in a comment of an engine match: pawns from White's view, seconds taken and left; None where unknown.

    The program that wrote the comment decides what it means: see `rookery.pgn.scan.engine_scores`.
    """

    pawns: float | None
    emt: float | None
    clk: float | None


def match_values(comment: str, *, white_moved: bool) -> MatchValues:
    """Return what a program of engine matches wrote into a comment.

    >>> match_values("-0.21/11 0.31s", white_moved=False)
    MatchValues(pawns=0.21, emt=0.31, clk=None)
    >>> match_values("d=24, mt=8000, tl=90500, wv=0.19,", white_moved=False)
    MatchValues(pawns=0.19, emt=8.0, clk=90.5)
    >>> match_values("+0.35", white_moved=True)
    MatchValues(pawns=None, emt=None, clk=None)
    """
    data = comment.encode("utf-8", "surrogatepass")
    out = np.zeros(4)
    _read_score(np.frombuffer(bytearray(data + bytes(_PAD)), np.uint8), len(data), out)
    pawns, view, *times = out.tolist()
    emt, clk = (None if math.isnan(time) else time for time in times)
    if view not in (_MOVER, _WHITE):
        return MatchValues(None, emt, clk)
    return MatchValues(pawns if view == _WHITE or white_moved else 0.0 - pawns, emt, clk)


def with_evaluation(comment: str, pawns: float | None, depth: int | None) -> str:
    """Return the comment with another evaluation in it, or without one.

    >>> with_evaluation("good", -0.8, None), with_evaluation("[%eval 0.10]", 999, 5)
    ('good [%eval -0.80]', '[%eval #1,5]')
    """
    if pawns is None:
        return _replaced(_EVALUATION, comment, "")
    if not _is_real(pawns) or abs(pawns) > MATE:
        raise ValueError(f"pawns: {shown(pawns)}: expected a number from -1000 to 1000, or None")
    if depth is not None and (not is_number(depth) or depth < 0):
        raise ValueError(f"depth: {shown(depth)}: expected an int of at least 0, or None")
    text = f"{pawns:.2f}"
    if abs(pawns) >= _LEAST_MATE:
        text = f"#{'-' if pawns < 0 else ''}{round(MATE - abs(pawns))}"
    return _replaced(_EVALUATION, comment, f"[%eval {text}{'' if depth is None else f',{depth}'}]")


def arrows(comment: str) -> "list[pictures.Arrow]":
    """Return the arrows of ``[%cal Ge2e4]``, and the squares of ``[%csl Re5]`` as arrows that end where they begin.

    >>> arrows("[%csl Ya1] [%cal Ge2e4]")
    [Arrow(tail=0, head=0, colour='orange'), Arrow(tail=12, head=28, colour='green')]
    """
    from rookery.bitboards.pictures import Arrow

    found = []
    for group in _ARROWS.findall(comment):
        for text in re.split(r",\s*", group):
            tail = parse_square(text[1:3])
            found.append(Arrow(tail, parse_square(text[3:5]) if text[3:] else tail, _INKS[text[0]]))  # type: ignore[arg-type]
    return found


def with_arrows(comment: str, wanted: "pictures.Arrows") -> str:
    """Return the comment with these arrows in front, in place of those that it has.

    >>> with_arrows("good [%cal Ge2e4]", [(0, 0, "red"), (11, 27)])
    '[%csl Ra1][%cal Gd2d4] good'
    """
    squares, lines = [], []
    for arrow in iterator("arrows", wanted, "an iterable of arrows"):
        try:
            tail, head, *ink = arrow
        except (TypeError, ValueError):
            raise TypeError(f"arrows: {shown(arrow)}: expected two squares, and a colour if any") from None
        colour = ink[0] if ink else "green"
        if not isinstance(colour, str) or colour not in _LETTERS:
            raise ValueError(f"arrows: colour {shown(colour)}: expected one of {', '.join(_LETTERS)}")
        names = SQUARE_NAMES[check_square(tail, "arrows")], SQUARE_NAMES[check_square(head, "arrows")]
        if tail == head:
            squares.append(_LETTERS[colour] + names[0])
        else:
            lines.append(_LETTERS[colour] + "".join(names))
    text = f"[%csl {','.join(squares)}]" if squares else ""
    text += f"[%cal {','.join(lines)}]" if lines else ""
    rest = _tidy(_ARROWS.sub(" ", comment)) if _ARROWS.search(comment) else comment
    return " ".join(filter(None, (text, rest)))


def _replaced(pattern: re.Pattern[str], comment: str, text: str) -> str:
    """Return the comment with the first annotation of a kind replaced, or with the text behind what it says."""
    if pattern.search(comment):
        replaced = pattern.sub(lambda _: text, comment, count=1)
        return replaced if text else _tidy(replaced)
    return " ".join(filter(None, (comment, text)))


def _tidy(comment: str) -> str:
    """Return a comment without the blanks that a removed annotation leaves."""
    return " ".join(comment.split())


def _is_real(value: object) -> bool:
    return is_number(value) or (isinstance(value, float) and math.isfinite(value))


class Annotated:
    """Something with a comment, and what the comment says in square brackets."""

    __slots__ = ("comment",)

    comment: str

    def _match_values(self) -> MatchValues:
        """Return what a program of engine matches wrote, which needs to know who has moved; here nothing."""
        return MatchValues(None, None, None)

    def _time(self, name: str) -> float | None:
        """Return the seconds that ``[%clk ...]`` or ``[%emt ...]`` states, or a program of engine matches wrote."""
        stated = seconds(self.comment, name)
        if stated is not None or not self.comment:
            return stated
        values = self._match_values()
        return values.clk if name == "clk" else values.emt

    def clock(self) -> float | None:
        """Return the seconds that are left to the player who moved, as ``[%clk 0:05:00]`` in the comment says; or None.

        Two parts are hours and minutes if the time control of the game says so, and else minutes and seconds.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 {[%clk 0:05:00]} *").end().clock()
        300.0
        >>> read_game('[TimeControl "7200+30"] 1. e4 {[%clk 1:59]} *').end().clock()
        7140.0
        """
        return self._time("clk")

    def set_clock(self, seconds: float | None) -> None:
        """Write the seconds that are left into the comment; None removes them. Less than 0 is written as 0.

        >>> from rookery.pgn import Game
        >>> game = Game()
        >>> game.set_clock(90.5)
        >>> game.comment
        '[%clk 0:01:30.5]'
        """
        self.comment = with_seconds(self.comment, "clk", seconds)

    def emt(self) -> float | None:
        """Return the seconds that the move took, as ``[%emt 0:00:07]`` in the comment says; or None.

        Times of engine matches, such as ``+0.35/12 0.45s``, are read, too.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 {[%emt 0:00:07]} *").end().emt()
        7.0
        >>> read_game("1. e4 {+0.35/12 0.45s} *").end().emt()
        0.45
        """
        return self._time("emt")

    def set_emt(self, seconds: float | None) -> None:
        """Write the seconds that the move took into the comment; None removes them. Less than 0 is written as 0.

        >>> from rookery.pgn import Game
        >>> game = Game()
        >>> game.set_emt(7)
        >>> game.comment
        '[%emt 0:00:07]'
        """
        self.comment = with_seconds(self.comment, "emt", seconds)

    def eval(self) -> float | None:
        """Return the evaluation in pawns, as ``[%eval 0.35]`` in the comment says, or None; above 0 if white is better.

        A mate in n moves is 1000 - n, or n - 1000 for black, as in the column ``evals`` of `rookery.Games`. Scores of
        engine matches, such as ``+0.35/12 0.45s``, are read, too.

        >>> from rookery.pgn import read_game
        >>> [node.eval() for node in read_game("1. e4 {[%eval 0.35]} e5 {[%eval #-3,20]} *").mainline()]
        [0.35, -997.0]
        >>> [node.eval() for node in read_game("1. e4 {+0.35/12 0.45s} e5 {-0.21/11 0.31s} *").mainline()]
        [0.35, 0.21]
        """
        pawns = evaluation(self.comment)[0]
        return self._match_values().pawns if pawns is None and self.comment else pawns

    def eval_depth(self) -> int | None:
        """Return the depth of the evaluation, as ``[%eval 0.35,20]`` in the comment says; or None.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 {[%eval 0.35,20]} *").end().eval_depth()
        20
        """
        return evaluation(self.comment)[1]

    def set_eval(self, pawns: float | None, depth: int | None = None) -> None:
        """Write an evaluation into the comment, as `eval` returns it; None removes it.

        >>> from rookery.pgn import Game
        >>> game = Game()
        >>> game.set_eval(0.35, depth=20)
        >>> game.comment
        '[%eval 0.35,20]'
        """
        self.comment = with_evaluation(self.comment, pawns, depth)

    def arrows(self) -> "list[pictures.Arrow]":
        """Return the arrows and squares of ``[%cal Ge2e4]`` and ``[%csl Re5]`` in the comment, for `Board.svg`.

        The arrow of a coloured square begins and ends there.

        >>> from rookery.pgn import read_game
        >>> read_game("1. e4 {[%csl Re5][%cal Ge2e4]} *").end().arrows()
        [Arrow(tail=36, head=36, colour='red'), Arrow(tail=12, head=28, colour='green')]
        """
        return arrows(self.comment)

    def set_arrows(self, arrows: "pictures.Arrows") -> None:
        """Write arrows into the comment, in place of those that it has.

        >>> from rookery.pgn import Game
        >>> game = Game()
        >>> game.set_arrows([(12, 28), (36, 36, "red")])
        >>> game.comment
        '[%csl Re5][%cal Ge2e4]'
        """
        self.comment = with_arrows(self.comment, arrows)
