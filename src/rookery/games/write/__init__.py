"""Games written as PGN, and files of games written as Parquet.

numerals       numbers as digits, times and evaluations
header_texts   numbers, dates and times as headers
movetext       games as text, in one compiled loop
writer         `write_pgn`
from_files     `pgn_to_parquet`, which reads files on any executor and writes one of Parquet
"""
