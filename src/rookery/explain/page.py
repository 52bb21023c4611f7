"""The steps as one picture, and as one HTML page that needs no other file and runs no scripts."""

import re
from html import escape
from typing import TYPE_CHECKING, Final

from rookery.arguments import printable
from rookery.bitboards import pictures
from rookery.bitboards.pictures.palette import palette
from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import square_name
from rookery.explain import drawing
from rookery.explain.multiplication import Multiplication, sharing_sentences
from rookery.explain.notes import assumption
from rookery.explain.steps import Explanation, views
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.etree import ElementTree
else:
    ElementTree = Named("xml.etree.ElementTree")

_SIDE: Final = 170  # of a board in the picture
_GAP: Final = 18
_COLUMNS: Final = 5
_LETTER: Final = 8  # the width of a letter
_TEXT: Final = 15  # the height of a line
_FONT: Final = "font-family: ui-monospace, monospace; font-size: 12px"
_LETTERS: Final = 125  # in a line of the picture
LEGEND: Final = (
    "A disc is a bit on an empty square, a ring one on an occupied square, a cross one that the step takes away, a"
    " diamond the square that it finds; what becomes an index, or is the line of a turned board, is shaded. Words that"
    " are no boards have the numbers of their bits in the cells, and turned boards the squares whose bits are there."
)


def heading(explanation: Explanation) -> str:
    """Return the question in one line.

    >>> from rookery.explain import explain
    >>> heading(explain("pext", "rook", 27, 0))
    'pext: a rook on d4'
    """
    return f"{explanation.technique.name}: a {explanation.piece} on {square_name(explanation.square)}"


def board(explanation: Explanation, drawn: drawing.Drawn, size: int) -> "ElementTree.Element":
    """Return a board of a step as a picture.

    It marks bits on empty and on occupied squares, the bits that the step removes and the square that it finds, and
    shades the places of an index. The cells have names where they are not squares.

    >>> from rookery.explain import explain
    >>> explanation = explain("rays", "rook", 0, 0x0100)
    >>> last = list(drawing.shown_steps(explanation))[-1].figure.boards[-1]
    >>> board(explanation, last, 100).findtext("desc")
    'white rook a1; bits: b1, c1, d1, e1, f1, g1, h1; bits on occupied squares: a2'
    """
    sets = {"bits": int(drawn.free), "bits on occupied squares": int(drawn.blocked)}
    if drawn.taken or drawn.found is not None:
        sets |= {
            "bits taken away": int(drawn.taken),
            "the square that is found": 0 if drawn.found is None else 1 << drawn.found,
        }
    letter = {"rook": "R", "bishop": "B", "queen": "Q"}.get(explanation.piece)
    pieces = {explanation.square: letter} if letter and drawn.shows_piece else {}
    return pictures.board_element(
        pieces,
        sets=sets,
        shaded=int(drawn.into_index),
        chosen=drawn.chosen,
        coordinates=drawn.layout == "squares",
        texts=dict(enumerate(drawn.cells)),
        size=size,
        title=f"{drawn.name} = 0x{drawn.word:016x}",
    )


def sheet(explanation: Explanation, calls: bool = False, everything: bool = False) -> str:
    """Return the formulas as one SVG picture, with a legend.

    They are those of the ideas, or of every step if `calls` is set. Only the first two rounds of a loop are drawn then,
    unless `everything` is set.

    >>> from rookery.explain import explain
    >>> picture = sheet(explain("pext", "rook", 27, 0))
    >>> picture[:4], "pext: a rook on d4" in picture
    ('<svg', True)
    """
    from xml.etree.ElementTree import Element, SubElement, tostring

    parts = [part for part in parts_of(explanation, calls, everything) if any(any(s.figure) for s in part.steps)]
    width = _GAP + _COLUMNS * (_SIDE + _GAP)
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
    SubElement(svg, "title").text = heading(explanation)
    SubElement(svg, "desc").text = f"{len(parts)} steps; attacked: {' '.join(explanation.attacks.names()) or 'nothing'}"
    paper = SubElement(svg, "rect", {"width": str(width), "fill": "#ffffff"})
    y = _lines(svg, _TEXT, [heading(explanation)], bold=True)
    y = _lines(svg, y, [LEGEND]) + _TEXT
    for part in parts:
        y = _lines(svg, y, [f"{part.number}. {part.sentence}"], bold=True) if part.sentence else y
        for shown in part.steps:
            y = _step(svg, explanation, shown, y)
    height = y + _TEXT
    paper.set("height", str(height))
    svg.attrib |= {"viewBox": f"0 0 {width} {height}", "width": str(width), "height": str(height)}
    return tostring(svg, encoding="unicode")


views.append(sheet)


def _lines(svg: "ElementTree.Element", y: int, texts: "Iterable[str]", bold: bool = False, x: int = _GAP) -> int:
    """Write lines of text below a height, wrapped at the picture's edge; return where they end."""
    from textwrap import wrap
    from xml.etree.ElementTree import SubElement

    style = f"{_FONT}; font-weight: bold; white-space: pre" if bold else f"{_FONT}; white-space: pre"
    for text in texts:
        for line in wrap(printable(text), _LETTERS, subsequent_indent="    ", break_on_hyphens=False):
            y += _TEXT
            SubElement(svg, "text", {"x": str(x), "y": str(y), "style": style, "fill": "#222222"}).text = line
    return y


def _step(svg: "ElementTree.Element", explanation: Explanation, shown: drawing.Shown, y: int) -> int:
    """Draw a step below a height; return where it ends."""
    step, (rows, numbers, notes, multiplication) = shown.step, shown.figure
    y = _lines(svg, y, [f"{shown.number}  {' '.join(drawing.code_text(step).split())}"], bold=True)
    y = _lines(svg, y, [shown.sentence, *numbers] if shown.sentence else numbers)
    for row in rows:
        y = _formula(svg, explanation, row, y)
    y = _lines(svg, y, notes)
    if multiplication:
        y = _lines(svg, y, [*_copies(explanation, multiplication), *sharing_sentences(explanation, multiplication)])
    return y + _TEXT


def _formula(svg: "ElementTree.Element", explanation: Explanation, row: tuple[drawing.Item, ...], y: int) -> int:
    """Draw boards, numbers and operators beside each other, in as many lines as they need; return where they end."""
    lines: list[list[tuple[int, drawing.Item]]] = [[]]
    x = _GAP
    for item in row:
        wide = _width(item)
        if lines[-1] and x + wide > _GAP + _COLUMNS * (_SIDE + _GAP):
            lines.append([])
            x = _GAP
        lines[-1].append((x, item))
        x += wide + _GAP // 2
    for line in lines:
        y += 5
        below = y + _TEXT * (1 + any(isinstance(item, drawing.Drawn) and bool(item.place) for _, item in line))
        for x, item in line:
            if isinstance(item, drawing.Drawn):
                _lines(svg, y, [_shortened(item.name), _shortened(item.place)], x=x)
                picture = board(explanation, item, _SIDE)
                picture.attrib.pop("xmlns", None)
                picture.attrib |= {"x": str(x), "y": str(below + 5)}
                svg.append(picture)
            else:
                name, text = ("", item) if isinstance(item, str) else item
                _lines(svg, below + _SIDE // 2 - 2 * _TEXT, [name], x=x)
                _lines(svg, below + _SIDE // 2 - _TEXT, [text], bold=not name, x=x)
        y = below + 5 + _SIDE
    return y


def _width(item: drawing.Item) -> int:
    """Return the width of an item of a formula in the picture."""
    if isinstance(item, drawing.Drawn):
        return _SIDE
    return _LETTER * max(map(len, item if isinstance(item, drawing.DrawnNumber) else [item]))


def _copies(explanation: Explanation, found: Multiplication) -> list[str]:
    """Return the copies of the factor that add up to the product, a line each, with their index bits apart."""
    width = 64 - found.shift
    named = [(f"{name:<17}", f"{word:064b}".replace("0", ".")) for name, word in found.rows(explanation)]
    return [
        "each bit adds the factor, shifted by its number",
        *(f"{name}{bits[:width]}|{bits[width:]}" for name, bits in named),
        f"{'':<17}{'index':-^{width}}|",
    ]


def _shortened(text: str, most: int = 26) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


def parts_of(explanation: Explanation, calls: bool, everything: bool) -> list[drawing.Told]:
    """Return the ideas of a look-up, or every step as a part of its own."""
    if not (calls or everything):
        return list(drawing.told_ideas(explanation))
    return [drawing.Told(shown.number, "", (shown,)) for shown in drawing.shown_steps(explanation, everything)]


def page(
    explanation: Explanation, placement: Placement | None = None, calls: bool = False, everything: bool = False
) -> str:
    """Return the steps as one HTML page: each with its line, its sentence and its formulas.

    The page runs no scripts and loads nothing. `placement` is the position named in it. The steps are grouped into
    ideas, or every one is shown if `calls` is set.

    >>> from rookery.explain import explain
    >>> explanation = explain("pext", "rook", 27, 0)
    >>> text = page(explanation)
    >>> text.count("<section"), "<script" in text
    (5, False)
    """
    t = explanation.technique
    parts = []
    for part in parts_of(explanation, calls, everything):
        heading_ = f"<h2>{part.number}. {escape(part.sentence)}</h2>" if part.sentence else ""
        steps = "".join(_step_html(explanation, shown, bool(heading_)) for shown in part.steps)
        parts.append(f'<section id="step-{part.number}">{heading_}{steps}</section>')
    where = f" in <code>{escape(placement.to_fen())}</code>" if placement else ""
    return _PAGE.format(
        palette=palette(":root"),
        title=escape(heading(explanation)),
        technique=escape(t.name),
        summary=escape(t.summary),
        authors=escape(f"{', '.join(t.authors)}, {t.year}. {t.source}"),
        question=f"What a {escape(explanation.piece)} on {square_name(explanation.square)} attacks{where};"
        f" bits by {explanation.mapping}."
        f" {escape(assumption(explanation, placement))}",
        legend=LEGEND,
        answer=f"{len(explanation.attacks)} squares: {' '.join(explanation.attacks.names()) or 'none'}",
        steps="\n".join(parts),
    )


def _step_html(explanation: Explanation, shown: drawing.Shown, is_part: bool) -> str:
    """Return a step: its line, its sentence, its formulas and its notes."""
    step, (rows, numbers, notes, multiplication) = shown.step, shown.figure
    left_out = f"<p>... {shown.left_out} more steps of this loop</p>" if shown.left_out else ""
    code = f"<code>{escape(drawing.code_text(step))}</code>"
    head = f"<h3>{code}</h3>" if is_part else f"<h2>{shown.number}. {code}</h2>"
    place = f"<p>{escape(shown.sentence)} <small>{escape(step.module)}, line {step.line}</small></p>"
    html_numbers = "".join(f"<li><code>{escape(number)}</code></li>" for number in numbers)
    formulas = "".join(f"<div>{''.join(_html_item(explanation, item) for item in row)}</div>" for row in rows)
    paragraphs = [*notes, *(sharing_sentences(explanation, multiplication) if multiplication else ())]
    html_notes = "".join(f"<p>{_with_code(note)}</p>" for note in paragraphs)
    copies = escape("\n".join(_copies(explanation, multiplication))) if multiplication else ""
    return (
        f"{left_out}{head}{place}{f'<ul>{html_numbers}</ul>' if html_numbers else ''}{formulas}"
        f"{f'<pre>{copies}</pre>' if copies else ''}{html_notes}"
    )


def _html_item(explanation: Explanation, item: drawing.Item) -> str:
    """Return a board with its caption, a number with its name, or an operator."""
    if isinstance(item, drawing.Drawn):
        return _figure(explanation, item)
    if isinstance(item, drawing.DrawnNumber):
        return f'<span class="number"><code>{escape(item.text)}</code><br><small>{escape(item.name)}</small></span>'
    return f'<span class="operator">{escape(item)}</span>'


def _with_code(text: str) -> str:
    """Return a text for the page, with code in place of backticks."""
    return re.sub("`(.+?)`", r"<code>\1</code>", escape(text))


def _figure(explanation: Explanation, drawn: drawing.Drawn) -> str:
    """Return a board with its caption."""
    from xml.etree.ElementTree import tostring

    picture = tostring(board(explanation, drawn, 170), encoding="unicode")
    name, place = escape(drawn.name), escape(drawn.place)
    words = f"<code>{name}</code> {place}<br><code>0x{drawn.word:016x}</code>"
    return f"<figure>{picture}<figcaption>{words}</figcaption></figure>"


_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
{palette}
body {{ margin: 0 auto; max-width: 70rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }}
code {{ font-family: ui-monospace, monospace; overflow-wrap: anywhere; }}
h2 {{ font-size: 1rem; margin: 0; }}
h2 code {{ white-space: pre-wrap; }}
small, figcaption {{ color: var(--ink-soft); }}
section {{ border-top: 1px solid var(--line); padding: 0.8rem 0; }}
section p {{ margin: 0.2rem 0; }}
h3 {{ font-size: 0.95rem; margin: 0.6rem 0 0; }}
section div {{ display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }}
.operator {{ font: bold 1.4rem ui-monospace, monospace; }}
.number {{ text-align: center; }}
figure {{ margin: 0.5rem 0; width: 170px; }}
figure svg {{ width: 100%; height: auto; }}
figcaption {{ font-size: 0.8rem; }}
pre {{ overflow-x: auto; }}
ul {{ margin: 0.2rem 0; padding-left: 1.2rem; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p><strong>{technique}</strong>: {summary}. {authors}</p>
<p>{question} {legend}</p>
{steps}
<p>{answer}</p>
</main>
</body>
</html>
"""
