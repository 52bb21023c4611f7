"""PGN written: the one room that knows how headers, moves, glyphs, comments, variations and lines are written.

words         words of PGN, gathered and written as one text
text_kernels  compiled code that writes each word, and breaks lines; `rookery.games.write` calls it for columns
numerals      numbers as digits, times and evaluations
variations    comments and variations in their normal form
visitors      visitors of game trees, also those that write text
"""
