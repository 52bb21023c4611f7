"""Numba's compiler, reduced to what kernels and entries need.

All modules but `cpu` and `choice` import Numba, so they are imported only to compile.

choice       which pipeline compiles
private      what is used of Numba without a promise: every name, every pass, and the versions that were tested
plain        the pipeline for any other Numba
pipeline     the compiler classes of kernels and entries
passes       the passes that are run
untyped      bytecode translated, variables renamed: what precedes type inference
assigned     variables that are not set on every path
mixed        type inference in which numbers that meet words are words, or are rejected
operands     the types that an operation takes its operands as
known        constants, and numbers that are never negative
inference    type inference that remembers the types of operations on numbers
lowering     from Numba's intermediate representation to LLVM's: the pass
emitting     what is emitted for each statement
calls        calls of kernels, and their names
elements     elements of arrays, operations on numbers, loops over ranges
libraries    LLVM modules of kernels and entries: linked, optimised
linkable     functions as modules of LLVM, without a wrapper for Python
kinds        the types of values, and how functions in LLVM take them
words        the type of integers in compiled code
meaning      the passes that both pipelines run, and when
cpu          the CPU that entries are compiled for
"""
