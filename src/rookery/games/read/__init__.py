"""From text to `Games`.

game_ranges    the division of files of games into ranges
blocks         streams cut into blocks of text, between games
build          `Games` from these arrays
worker         the work of one thread: blocks of text to games
tables         tables and columns of texts, some rows at a time
side_by_side   files divided among threads, read in order
schedule       the games of all files or of a column
reader         `read_pgn` and `scan_pgn`
on_executor    ranges of files read by tasks on any executor, whose results are kept
"""
