"""Games written as PGN.

numerals       numbers as digits, times and evaluations
header_texts   numbers, dates and times as headers
movetext       games as text, in one compiled loop
writer         `write_pgn`
"""
