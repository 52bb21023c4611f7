"""Games as tables of other programs: Arrow, Parquet, data frames.

schema           names, metadata and version of the columns of a table
checked_moves    digests of moves that were legal when they were written, in a file's metadata
left_out         errors and warnings without a row, in a table's metadata
to_arrow         games to tables
from_arrow       tables to games
parquet          `write_parquet`, `read_parquet` and `scan_parquet`
text_columns     columns of PGN texts as sources
rows_as_games    rows of a table as games
table_files      Parquet and Arrow files as sources
"""
