"""Kernels of arrays of positions: columns read and written, moves, keys, outcomes, rollouts and different positions.

Other modules know them by name (`rookery.kernel.entry_of`), so that a wheel imports them only to compile.
"""
