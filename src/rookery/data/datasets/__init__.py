"""Datasets for training: games and training data as shards of rows, and batches of planes made while reading.

making         make_dataset: tasks, journal, manifest
options        the options of a dataset, checked
inputs         files as parts that workers read
rows           a position in 32 bytes, with its move, score, result and ply
parts          the first tasks: rows of a part of the inputs, sorted by shard
shards         the second tasks: rows of a shard, deduplicated and ordered
manifest       what is in a dataset and how it was made
batches        rows as the arrays that a network takes
reading        open_dataset: batches of NumPy and JAX arrays
torch_batches  batches of PyTorch tensors
"""
