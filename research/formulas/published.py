"""The shortest published programs for the questions, as text; `Program.parse` reads them."""

from typing import Final

_NEAREST: Final = "b = a | 1; c = lzcnt(b); d = 2**63 >> c"

RAY_WITH_SLIDER: Final = "a = r << 1; b = with_r - a; with_r ^ b"
RAY: Final = "a = up - r; up ^ a"
RAY_UNMASKED: Final = "o = occ & m; a = o - r; b = o ^ a; b & m"


def hyperbola(reverse: str, *, stored: bool = True) -> str:
    """Return the hyperbola with ``byteswap`` or ``bitreverse``, of masked blockers and with an answer to be masked.

    Unless `stored`, the slider is reversed, too.
    """
    text = _masked_line(reverse, "")
    return text if stored else f"r_reversed = bitreverse(r); {text}"


def hyperbola_of(lines: tuple[str, ...], reverse: str, *, stored: bool = True) -> str:
    """Return the hyperbola of lines, given by their masks. The answers are masked and joined.

    Unless `stored`, the slider is reversed once for all lines.
    """
    steps = [] if stored else ["r_reversed = bitreverse(r)"]
    for i, mask in enumerate(lines):
        steps.append(f"o{i} = occ & {mask}; {_masked_line(reverse, str(i))}; f{i} = e{i} & {mask}")
    whole = "f0"
    for i in range(1, len(lines)):
        steps.append(f"g{i} = {whole} | f{i}")
        whole = f"g{i}"
    return "; ".join(steps)


def _masked_line(reverse: str, i: str) -> str:
    r = "r_swapped" if reverse == "byteswap" else "r_reversed"
    first = f"a{i} = o{i} - r; b{i} = {reverse}(o{i}); c{i} = b{i} - {r}"
    return f"{first}; d{i} = {reverse}(c{i}); e{i} = a{i} ^ d{i}"


OBSTRUCTION_HALVES: Final = f"{_NEAREST.replace('a |', 'low |')}; e = up - d; up ^ e"
OBSTRUCTION: Final = f"a = o & below; {_NEAREST}; u = ~below & o; e = u - d; u ^ e"
OBSTRUCTION_UNMASKED: Final = f"a = occ & m_low; {_NEAREST}; u = occ & m_up; e = u - d; f = u ^ e; f & m"
SLIDE_ARITHMETIC_HALVES: Final = "b = low | 1; c = lzcnt(b); d = (2**63 - 1) >> c; e = blsmsk(up); d ^ e"
OBSTRUCTION_LANES_HALVES: Final = "c = lzcnt(low); d = lane_sar(2**63, c); e = up + d; up ^ e"
OBSTRUCTION_LANES_UNMASKED: Final = (
    "a = occ & m_low; c = lzcnt(a); d = lane_sar(2**63, c); u = occ & m_up; e = u + d; f = u ^ e; f & m"
)

OBSTRUCTION_TABLE_HALVES: Final = "c = lzcnt(low); d = T[c]; e = up - d; up ^ e"
OBSTRUCTION_TABLE: Final = "a = o & below; c = lzcnt(a); d = T[c]; u = ~below & o; e = u - d; u ^ e"
PRODUCT_WORDS: Final = "a = o * gather; i = a >> 58; T[i]"
PRODUCT_WORDS_UNMASKED: Final = f"o = occ & m; {PRODUCT_WORDS}"
PRODUCT_BYTES: Final = "a = o * gather; i = a >> 58; t = T[i]; t * spread"
PRODUCT_BYTES_UNMASKED: Final = "o = occ & m; a = o * gather; i = a >> 58; t = T[i]; b = t * spread; b & m"
PEXT_WORDS: Final = "i = pext(occ, inner); T[i]"
PEXT_BYTES: Final = "i = pext(occ, inner); t = T[i]; pdep(t, m)"
