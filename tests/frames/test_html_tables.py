"""Tables as HTML: which rows are shown, long and hostile cells, and the rows between them."""

import numpy as np
import pytest

from rookery.frames.frame import Frame
from rookery.frames.html_tables import first_and_last, shown_text, table_html


@pytest.mark.parametrize("n", [0, 1, 9, 10])
def test_few_rows_are_all_shown(n: int) -> None:
    assert first_and_last(n) == list(range(n))


@pytest.mark.parametrize("n", [11, 12, 15, 16, 1000])
def test_of_many_rows_five_are_shown_at_each_end(n: int) -> None:
    assert first_and_last(n) == [0, 1, 2, 3, 4, n - 5, n - 4, n - 3, n - 2, n - 1]


def test_texts_are_escaped() -> None:
    assert shown_text('<a href="x">&\x1b') == "&lt;a href=&quot;x&quot;&gt;&amp;\\x1b"


def test_a_table_of_two_rows() -> None:
    assert table_html(["", "move"], [(0, ["e4"]), (1, [None])], "2 moves") == (
        "<div><table><thead><tr><th></th><th>move</th></tr></thead><tbody>"
        "<tr><th>0</th><td>e4</td></tr><tr><th>1</th><td></td></tr>"
        "</tbody></table><p>2 moves</p></div>"
    )


def test_a_table_without_heads() -> None:
    assert table_html([], [("fen", ["<"])], "") == (
        "<div><table><tbody><tr><th>fen</th><td>&lt;</td></tr></tbody></table><p></p></div>"
    )


@pytest.mark.parametrize(
    ("names", "dots"),
    [([0, 1, 2], 0), ([0, 2], 1), ([4, 995], 1), ([0, 2, 3, 9], 2), (["a", 5], 0), ([5, "a"], 0), (["a", "b"], 0)],
)
def test_dots_stand_for_rows_that_are_left_out(names: list[object], dots: int) -> None:
    html = table_html(["", "x", "y"], [(name, []) for name in names], "")
    assert html.count('<tr><td colspan="3">...</td></tr>') == dots
    assert html.count("...") == dots


@pytest.mark.parametrize(("length", "shown"), [(59, "x" * 59), (60, "x" * 60), (61, "x" * 60 + "...")])
def test_long_cells_are_cut(length: int, shown: str) -> None:
    assert f"<td>{shown}</td>" in table_html([], [(0, ["x" * length])], "")


def test_a_frame_shows_its_ends_and_its_size() -> None:
    class Squares(Frame):
        __slots__ = ("square",)
        _COLUMNS = ("square",)
        square: np.ndarray

    table = object.__new__(Squares)
    table.square = np.arange(12) ** 2
    html = table._repr_html_()
    assert [i for i in range(12) if f"<tr><th>{i}</th><td>{i * i}</td></tr>" in html] == [*range(5), *range(7, 12)]
    assert html.startswith("<div><table><thead><tr><th></th><th>square</th></tr></thead>")
    assert html.endswith("<p>12 rows</p></div>")
