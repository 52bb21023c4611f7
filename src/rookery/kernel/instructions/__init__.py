"""Instructions of the CPU as kernels: each is a Python function that compiled code replaces by instructions of LLVM.

bits      on single words
arrays    on arrays, and windows of 512 bits of a bitmap
texts     on text
nibbles   look-ups by nibbles, of many rows at once
"""
