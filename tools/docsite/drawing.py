"""Charts as SVG by matplotlib, in grey with markers and hatches, for light pages and for dark ones."""

import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator
from matplotlib.transforms import Bbox

# What is drawn and what lies behind bars, on a page of each kind; the page itself shows through.
THEMES: Final = {"light": ("#1a1a1a", "#c8c8c8"), "dark": ("#e4e4e4", "#5a5a5a")}
MOST_TIMES: Final = 40  # by which the longest bar of a chart may exceed the shortest
WIDTH: Final = 8.2  # inches; a page's text is 52 em wide

Draw = Callable[[Figure, str, str], None]  # a figure, the colour of lines and letters, that of surfaces


def svg(height: float, theme: str, draw: Draw) -> str:
    """Return a chart. Equal numbers give equal text: it has no date, and its parts are named with a fixed salt."""
    ink, surface = THEMES[theme]
    settings: Any = {
        "svg.hashsalt": "rookery",
        "font.size": 9.5,
        "hatch.color": ink,
        "hatch.linewidth": 0.7,
        "text.color": ink,
        "axes.edgecolor": ink,
        "axes.labelcolor": ink,
        "xtick.color": ink,
        "ytick.color": ink,
        "axes.facecolor": "none",
        "legend.frameon": False,
    }
    with matplotlib.rc_context(settings):
        figure = Figure((WIDTH, height), layout="constrained")
        FigureCanvasAgg(figure)  # measures letters
        draw(figure, ink, surface)
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return out.getvalue()


class Bar(NamedTuple):
    """A bar: what it is of, how long it is, and what is written at its end."""

    name: str
    length: float
    text: str


def bars(axis: str, sides: Sequence[tuple[str, Sequence[Bar]]]) -> Draw:
    """Draw bars in groups, one for each side: solid for the first side, hatched for the second.

    Bars begin at 0. If the shortest would hardly be visible, all become points on a logarithmic axis, where the length
    of a bar means nothing.
    """
    lengths = [bar.length for _, own in sides for bar in own]
    is_linear = max(lengths) <= MOST_TIMES * min(lengths)

    def draw(figure: Figure, ink: str, surface: str) -> None:
        axes = figure.subplots()
        names = [bar.name for bar in sides[0][1]]
        room = 0.8 / len(sides)
        for i, (side, own) in enumerate(sides):
            places = [y + (i - (len(sides) - 1) / 2) * room for y in range(len(own))]
            style: dict[str, Any] = {"label": side, "edgecolor": ink, "facecolor": ink if i == 0 else surface}
            values = [bar.length for bar in own]
            if is_linear:
                axes.barh(places, values, height=room, hatch="" if i == 0 else "////", **style)
            else:
                axes.scatter(values, places, marker="os"[i], s=30, **style)
            for y, bar in zip(places, own, strict=True):
                axes.annotate(
                    bar.text,
                    (bar.length, y),
                    (4 if is_linear else 7, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=8.5,
                )
        axes.set_yticks(range(len(names)), names)
        axes.set_xscale("linear" if is_linear else "log")
        axes.set_xlabel(axis if is_linear else f"{axis}, on a logarithmic axis")
        axes.invert_yaxis()
        axes.margins(x=0.2)
        _plain(axes, ink, (1,))
        if len(sides) > 1:
            figure.legend(loc="outside upper right", ncols=len(sides))

    return draw


class Point(NamedTuple):
    """A point: its name, its family, where it is."""

    name: str
    family: str
    x: float
    y: float


def points(axes_names: tuple[str, str], markers: dict[str, str], drawn: Sequence[Point], left: float) -> Draw:
    """Draw labelled points, with a marker for each family, on two logarithmic axes.

    Points without x are drawn at `left`, and the axis has numbers from four times that on.
    """

    def draw(figure: Figure, ink: str, surface: str) -> None:
        axes = figure.subplots()
        for family, marker in markers.items():
            own = [p for p in drawn if p.family == family]
            xs = [p.x or left for p in own]
            axes.scatter(xs, [p.y for p in own], marker=marker, s=36, label=family, facecolor=surface, edgecolor=ink)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(axes_names[0])
        axes.set_ylabel(axes_names[1])
        axes.margins(x=0.16, y=0.06)
        _plain(axes, ink, (1, 2, 5))
        axes.xaxis.set_major_locator(LogLocator(10, (1,)))
        numbers = [x for x in axes.get_xticks() if 4 * left <= x <= axes.get_xlim()[1]]
        axes.set_xticks([left, *numbers], ["none", *(f"{x:,.0f}" for x in numbers)])
        figure.legend(loc="outside upper center", ncols=4)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        _label(figure, axes, [(p.name, (p.x or left, p.y)) for p in drawn], ink)

    return draw


def _plain(axes: Any, ink: str, steps: tuple[int, ...]) -> None:
    """Numbers as people write them, no frame but the two axes, and thin lines to compare along."""
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            axis.set_major_locator(LogLocator(10, steps))
            axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
            axis.set_minor_formatter(lambda _value, _: "")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", color=ink, alpha=0.2, linewidth=0.5)
    axes.set_axisbelow(True)


def _label(figure: Figure, axes: Any, named: Sequence[tuple[str, tuple[float, float]]], ink: str) -> None:
    """Write each name next to its point, where it covers no point and no other name; a line leads to distant names."""
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]  # that of Agg
    scale = figure.dpi / 72
    dots = [axes.transData.transform(at) for _, at in named]
    taken = [Bbox.from_extents(x - 4 * scale, y - 4 * scale, x + 4 * scale, y + 4 * scale) for x, y in dots]
    for name, at in named:
        for dx, dy in _places():
            side = "left" if dx > 0 else "right" if dx < 0 else "center"
            note = axes.annotate(
                name,
                at,
                (dx, dy),
                textcoords="offset points",
                ha=side,
                va="center",
                fontsize=7.5,
                arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": ink} if dx**2 + dy**2 > 150 else None,
            )
            box = note.get_window_extent(renderer) if dx**2 + dy**2 <= 150 else _text_box(note, renderer)
            if not any(box.overlaps(other) for other in taken) and _inside(box, axes.bbox):
                taken.append(box)
                break
            note.remove()
        else:
            raise ValueError(f"chart: no room for the name {name!r}")


def _text_box(note: Any, renderer: Any) -> Bbox:
    """Where the letters of a note are, without its line."""
    note.update_positions(renderer)
    return Bbox.from_bounds(*matplotlib.text.Text.get_window_extent(note, renderer).bounds)


def _inside(box: Bbox, frame: Bbox) -> bool:
    return bool(box.x0 > frame.x0 and box.x1 < frame.x1 and box.y0 > frame.y0 and box.y1 < frame.y1)


def _places() -> Iterable[tuple[float, float]]:
    """Where a name may stand from its point, in points of print, the nearest first."""
    yield from ((7, 0), (-7, 0), (0, 9), (0, -9), (7, 7), (7, -7), (-7, 7), (-7, -7))
    for far in range(14, 90, 8):
        yield from ((far, 0), (far, far / 2), (far, -far / 2), (-far, 0), (-far, far / 2), (-far, -far / 2))
        yield from ((far / 2, far), (far / 2, -far), (-far / 2, far), (-far / 2, -far))
