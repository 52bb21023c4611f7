"""Datasets for training: the rows of a plan as shards, and batches of planes made while reading.

making         make_dataset: a plan with the usual steps
writing        the sink of a plan that writes a dataset: job, manifest
options        the options of a dataset, checked
own_columns    columns of a plan that are stored beside the rows
rows           a position in 32 bytes, with its move, score, result and ply
shards         the tasks that write shards
manifest       what is in a dataset and how it was made
batches        rows as the arrays that a network takes
opening        open_dataset: what to read, checked
reading        batches of NumPy and JAX arrays, epochs, states
stored_rows    shards that are mapped into memory
mixing         the order of rows in an epoch
torch_batches  batches of PyTorch tensors
"""
