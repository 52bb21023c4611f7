"""Kernels of the motifs.

Other modules know them by name (`rookery.kernel.entry_of`), so that a wheel imports them only to compile.
"""
