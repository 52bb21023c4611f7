"""Training data of chess engines: positions with scores and results, read from and written to the usual formats.

samples         ScoredPositions, the columns that all formats share, and the points of view
formats         the table of formats, and which of them a file has
reading         read_training, scan_training
writing         write_training, TrainingWriter
limits          what a format cannot hold
chains          whether a row follows the one before it by a move
nibbles         the pieces of a position in four bits each
from_games      columns of games with evaluations
views           points of view, missing values, mates
text_rows       rows from text; tables reads CSV and lines of FEN and score
decoding        the loop that reads bytes
tasks/          files divided into ranges, and tasks that read them
binpack/        Stockfish's binpack
viriformat ...  one file for each other format
"""
