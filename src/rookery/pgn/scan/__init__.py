"""The compiled reader of PGN: a block of text into arrays.

lexing         characters, tokens, the vocabulary, notations of books and languages, words skipped with a warning
headers        headers and the start position that they state; their values as texts, numbers and dates
output         what the reader writes: options, faults, rows of games
reporting      faults, warnings and values, noted
annotations    commands in comments, such as clocks and evaluations
engine_scores  scores that programs of engine matches write in comments
comments       comments, as values or as text
plain          moves, numbers and clocks as most files have them
lines          empty lines, escaped lines and headers
movetext       comments, glyphs, numbers and variations
result_tokens  results in movetext, and what follows them
read_moves     moves
scanner        the reader itself
block_arrays   the arrays of one block, filled by the reader
"""
