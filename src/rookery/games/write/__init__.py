"""Games written as PGN, and files of games written as Parquet.

header_texts   numbers, dates and times as headers
movetext       games as text, in one compiled loop; `rookery.pgn.write` knows how each word is written
writer         `write_pgn`
from_files     `pgn_to_parquet`, which reads files on any executor and writes one of Parquet
"""
