"""Docstrings become reStructuredText that says the same."""

from docsite.docstrings import as_rst


def test_a_list_of_terms() -> None:
    text = "    m, n      the line `sq` stands on\n    o - 2r    borrows; and\n              goes on"
    assert as_rst(text) == (
        ".. rst-class:: terms\n\n``m, n``\n    the line `sq` stands on\n``o - 2r``\n    borrows; and goes on\n"
    )


def test_a_list_of_terms_may_stand_at_the_margin_and_have_a_long_term() -> None:
    text = "moves    flat\nclocks, evals, emts\n         a value per ply"
    assert as_rst(text) == ".. rst-class:: terms\n\n``moves``\n    flat\n``clocks, evals, emts``\n    a value per ply\n"
    assert as_rst("Two spaces.  They stay\nin a paragraph.") == "Two spaces.  They stay\nin a paragraph.\n"


def test_what_is_indented_and_no_list_of_terms_is_literal() -> None:
    assert (
        as_rst("Like this:\n\n    a drawing\n    of two lines")
        == "Like this:\n\n::\n\n    a drawing\n    of two lines\n"
    )


def test_examples_stay_as_they_are() -> None:
    text = ">>> 2 ** 3 * int('1')\n8\n>>> x_ | y"
    assert as_rst(text) == f"{text}\n"


def test_marks_of_restructuredtext_are_escaped_outside_code() -> None:
    assert as_rst("a * b | c_ and ``d * e_`` \\ f_g") == "a \\* b \\| c\\_ and ``d * e_`` \\\\ f_g\n"


def test_names_are_left_to_sphinx_and_other_code_is_literal() -> None:
    assert as_rst("`Board.push` of `rookery show\nrays` by ``x``") == "`Board.push` of ``rookery show rays`` by ``x``\n"
    assert as_rst("see `rays`, `x-y`", {"rays": ":doc:`rays`"}.get) == "see :doc:`rays`, ``x-y``\n"
