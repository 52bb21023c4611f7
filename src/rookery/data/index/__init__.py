"""An index of the positions of games: which games reach a position, and what they play there, in milliseconds.

rows            the rows of games: key, game, ply and move, divided by the first bits of their keys
making          `index_games`: the tasks that make an index, add games to it, and merge its parts
buckets         the second half of the work: the rows of a range of keys are sorted, counted and written
aggregates      what is counted for each position and move, as arrays and as columns of a table
tally_kernels   the compiled loop that counts
catalogue       the files of an index, and the games that it was made of
game_index      `open_index`: positions are looked up
answers         the answer to a look-up: counts, moves and the first hits
"""
