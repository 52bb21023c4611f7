"""Numba as a compiler of functions that `translate` does not take: its own passes, in which integers are words.

None of rookery's own functions needs it. It allows arrays to be created, exceptions, and much of NumPy, and says what
is wrong where numbers of two kinds meet. Answers are the same; compiled code is slower and is not kept.

choice      Numba's options, and what is said where it cannot compile
private     what is used of Numba without a promise
pipeline    the compiler class, and when our passes run
words       the type of integers in compiled code
mixed       type inference in which numbers that meet words are words, or are rejected
operands    the types that an operation takes its operands as
known       constants, and numbers that are never negative
assigned    variables that are not set on every path
"""
