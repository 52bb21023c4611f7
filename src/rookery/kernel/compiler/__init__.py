"""Numba's compiler, reduced to what kernels and entries need.

pipeline     the compiler classes of kernels and entries
passes       the passes that are run
inference    type inference that remembers the types of operations on numbers
lowering     from Numba's intermediate representation to LLVM's
calls        calls of inlined kernels, and their names
elements     elements of arrays, operations on words
libraries    LLVM modules of kernels and entries: linked, optimised
words        the type of integers in compiled code
"""
