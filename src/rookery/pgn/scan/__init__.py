"""The compiled reader of PGN: a block of text into arrays.

words         the vocabulary: results, annotations, values of headers
characters    classes of bytes: blanks, ends of words, UTF-8
output        what the reader writes: options, faults, rows of games
tags          headers, and their names
headers       headers of a game, and the start position that they state
tokens        single words of movetext
annotations   commands in comments, such as clocks and evaluations
comments      comments, as values or as text
plain         moves, numbers and clocks as most files have them
lines         empty lines, escaped lines and headers
movetext      comments, glyphs, numbers, variations, results and moves
lenient       words that are skipped with a warning
printed       words as books and other languages write them, respelled
languages     the letters of national languages
scanner       the reader itself
block_arrays  the arrays of one block, filled by the reader
splitting     variations split into tokens; `split_tokens` calls it
skim          headers alone, for conditions
values        values of headers, as texts, numbers and dates
"""
