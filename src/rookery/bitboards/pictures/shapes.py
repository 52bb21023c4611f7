"""The pieces, drawn for this project, in a box of 100 by 100.

A piece is an outline, filled in its colour, and fine lines over it. All stand on the same foot.
"""

from typing import Final, NamedTuple

_FOOT: Final = "M25 89V83Q25 78 31 78H69Q75 78 75 83V89Z"


class Shape(NamedTuple):
    """Paths: what is filled, and the lines on it; dots are circles, as centre and radius."""

    outline: str
    lines: str = ""
    dots: tuple[tuple[float, float, float], ...] = ()
    balls: tuple[tuple[float, float, float], ...] = ()  # filled like the outline


SHAPES: Final[dict[str, Shape]] = {
    "p": Shape(
        outline="M50 27A12.5 12.5 0 0 1 57.5 49.5H62V55H57C58 65 62 72 69 78H31C38 72 42 65 43 55H38V49.5H42.5"
        f"A12.5 12.5 0 0 1 50 27Z {_FOOT}",
        lines="M43 55H57",
    ),
    "n": Shape(
        outline="M33 78C31 64 44 59 46 48C40 54 34 53 30 57C27 60 22 58 21 54C20 50 23 46 26 42C29 37 29 31 35 26"
        f"L34 15L43 22C63 20 76 36 74 61L72 78Z {_FOOT}",
        lines="M53 26C65 33 69 48 66 72M46 48C48 44 49 41 49 38",
        dots=((38, 34, 2.6), (26, 52, 1.8)),
    ),
    "b": Shape(
        outline="M47 23.5A5.5 5.5 0 1 1 53 23.5C66 31 71 42 66 53C64 57 61 59 58 60H62V66H57C58 71 62 75 67 78H33"
        f"C38 75 42 71 43 66H38V60H42C39 59 36 57 34 53C29 42 34 31 47 23.5Z {_FOOT}",
        lines="M50 34V50M42.5 42H57.5M43 66H57",
    ),
    "r": Shape(
        outline=f"M28 20H38V28H45V20H55V28H62V20H72V36L64 43V68L71 78H29L36 68V43L28 36Z {_FOOT}",
        lines="M36 43H64M36 68H64",
    ),
    "q": Shape(
        outline=f"M22 33L35 54L36 25L46 51L50 21L54 51L64 25L65 54L78 33L69 65L71 78H29L31 65Z {_FOOT}",
        lines="M31 65Q50 59 69 65",
        balls=((22, 31, 4.5), (36, 23, 4.5), (50, 18.5, 4.5), (64, 23, 4.5), (78, 31, 4.5)),
    ),
    "k": Shape(
        outline="M47 27V22H42V16H47V11H53V16H58V22H53V27L54 33C59 27 72 26 76 36C80 47 70 55 68 65L70 78H30L32 65"
        f"C30 55 20 47 24 36C28 26 41 27 46 33Z {_FOOT}",
        lines="M32 65Q50 59 68 65M50 38V59",
    ),
}
