"""Numba as a compiler of functions that `translate` does not take, with three passes that make integers words.

None of rookery's own functions needs it. It allows arrays to be created, exceptions, and much of NumPy, and says what
is wrong where numbers of two kinds meet. Answers are the same; compiled code is slower and is not kept.

pipeline    the compiler class, Numba's options, and what is said where it cannot compile
words       the constants of a function as words, and variables that are not set on every path
operations  the types that operations take numbers as: those of `arithmetic`, which rejects the same mixtures
private     what is used of Numba without a promise
"""
