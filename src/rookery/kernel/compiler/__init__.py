"""The compiler of kernels and entries: from their syntax trees to LLVM's language.

It needs llvmlite, and nothing of Numba. What it does not translate, such as arrays that are created, Numba compiles
with the pipeline of `plain`.

source       functions as syntax trees, and what the names in them stand for
kinds        the types of values, and how functions in LLVM take them as arguments
values       values while a function is translated
emitted      the text of a function, block by block
translate    statements
expressions  expressions
flow         variables where paths meet, and loops
arithmetic   operations on numbers: words, signed numbers, floats
arrays       elements, parts and attributes of arrays
callees      calls of functions of Python and NumPy, and of classes
unit         an entry and its kernels as one module; calls of kernels and instructions
linkable     the module, optimised
cpu          the CPU that entries are compiled for
plain        Numba's own passes, in which integers are words
"""
