"""How fast each technique is in each use: columns of ``rookery bench attacks`` and the figures of ``rookery doctor``.

loops        compiled loops that look up attacks in different ways
workloads    squares and occupancies, with the oracle's answers
columns      the uses, each a loop with a workload
measuring    all techniques and uses in turns, and what has changed since an earlier measurement
code         instructions of a look-up, read from its machine code
advice       recommendations that follow from a measurement
"""
