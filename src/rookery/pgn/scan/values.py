"""Values of headers copied out of a text, as UTF-8, and read as numbers, dates and times."""

from typing import Final

from rookery.kernel import entry_of

copy_columns: Final = entry_of("rookery.pgn.scan.copying", "copy_columns")
copy_stretches: Final = entry_of("rookery.pgn.scan.copying", "copy_stretches")
copy_values: Final = entry_of("rookery.pgn.scan.copying", "copy_values")
lines_in: Final = entry_of("rookery.pgn.scan.copying", "lines_in")
other_tags: Final = entry_of("rookery.pgn.scan.copying", "other_tags")
past_blank_lines: Final = entry_of("rookery.pgn.scan.copying", "past_blank_lines")
read_columns: Final = entry_of("rookery.pgn.scan.copying", "read_columns")
read_dates: Final = entry_of("rookery.pgn.scan.copying", "read_dates")
respell_text: Final = entry_of("rookery.pgn.scan.printed", "respell_text")
rows_named: Final = entry_of("rookery.pgn.scan.copying", "rows_named")


SPARE = 64  # bytes behind a text that are overwritten
GROWTH: Final = 3  # bytes that one byte of a text may become


# What the value of a header is.
NUMBER_KIND, SIGNED_KIND, DATE_KIND, TIME_KIND = range(4)
