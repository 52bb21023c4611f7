"""Training data of chess engines: positions with scores and results, read from and written to the usual formats.

samples         ScoredPositions, the columns that all formats share, and the points of view
formats         the table of formats, and which of them a file has
reading         read_training, scan_training
selection       which rows are read: queries, every n-th, limits of scores; rows by whole games
row_positions   rows as positions of games, which queries look at
stats           training_stats: counts and histograms
writing         write_training, TrainingWriter
limits          what a format cannot hold
from_games      columns of games with evaluations
views           points of view, missing results
text/           rows from text: plain, CSV, labelled lines
binary/         formats of bytes, one file for each; decoding, encoding, chains and nibbles are what they share
tasks/          files divided into ranges
"""
