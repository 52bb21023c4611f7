"""Machine code on disk, loaded without Numba.

cache          one file for each function and the types it was compiled for
dependencies   the source files that machine code was made from
trust          which files are read: those that nobody else can have written
type_keys      the types of an entry's arguments
"""
