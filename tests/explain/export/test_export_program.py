"""What exported code fills at start-up."""

import pytest

import rookery
from rookery.explain.export.program import filled_line, module


@pytest.mark.parametrize("name", ["rotated-hyatt", "rotated-heinz-64", "congruent-modulo"])
def test_tables_of_lines_are_filled_and_not_written_out(name: str) -> None:
    """None that is longer than the tables of a ray is left as a text."""
    tables = module(rookery.technique(name)).tables
    filled = {table: values.fillers for table, values in tables.items() if values.fillers}
    lines = {"file", "diagonal", "antidiagonal"} | ({"rank"} if name.startswith("rotated") else set())
    assert filled == {f"{line.upper()}_TABLE": [f"fill_{line}_slots"] for line in lines}
    assert max(values.values.size for table, values in tables.items() if table not in filled) <= 512


def test_a_table_that_holds_something_else_is_written_out() -> None:
    """Numbers of sets are no attacks."""
    dense = rookery.technique("congruent-modulo-dense")
    assert filled_line(dense, "file") is None
    assert filled_line(rookery.technique("rotated-hyatt"), "file") == "file"
    assert filled_line(rookery.technique("rotated-hyatt"), "l45") is None
