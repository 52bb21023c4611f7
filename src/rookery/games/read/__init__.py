"""From text to `Games`.

blocks         streams cut into blocks of text, between games
block_arrays   the arrays of one block, filled by the compiled reader
build          `Games` from these arrays
worker         the work of one thread: blocks of text to games
schedule       blocks of files and columns, in parallel and in order
reader         `read_pgn` and `scan_pgn`
on_executor    ranges of files read by tasks on any executor, whose results are kept
"""
