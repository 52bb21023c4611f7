"""Values of headers copied out of a text, as UTF-8, and read as numbers, dates and times."""

from typing import Final

from rookery.kernel import entry_of

copy_columns: Final = entry_of("rookery.pgn.scan.headers.copying", "copy_columns")
copy_stretches: Final = entry_of("rookery.pgn.scan.headers.copying", "copy_stretches")
copy_values: Final = entry_of("rookery.pgn.scan.headers.copying", "copy_values")
lines_in: Final = entry_of("rookery.pgn.scan.headers.copying", "lines_in")
other_tags: Final = entry_of("rookery.pgn.scan.headers.copying", "other_tags")
past_blank_lines: Final = entry_of("rookery.pgn.scan.headers.copying", "past_blank_lines")
read_columns: Final = entry_of("rookery.pgn.scan.headers.reading", "read_columns")
read_dates: Final = entry_of("rookery.pgn.scan.headers.reading", "read_dates")
respell_text: Final = entry_of("rookery.pgn.scan.lexing.printed", "respell_text")
rows_named: Final = entry_of("rookery.pgn.scan.headers.copying", "rows_named")

SPARE = 64  # bytes behind a text that are overwritten
GROWTH: Final = 3  # bytes that one byte of a text may become
# What the value of a header is.
NUMBER_KIND, SIGNED_KIND, DATE_KIND, TIME_KIND = range(4)
