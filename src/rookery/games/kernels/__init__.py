"""Kernels of games: replaying, summaries, tracks of pieces and the check of moves.

Other modules know them by name (`rookery.kernel.entry_of`), so that a wheel imports them only to compile.
"""
