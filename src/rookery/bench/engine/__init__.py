"""Perft in C with exported techniques: how fast each is in an engine that a C compiler has compiled.

    perft.h      the move generator, compiled once for each technique; engine.h has what all share
    main.c       the program that runs one of them after another
    building     the compiler, and the program that it makes
    measuring    all techniques in turns, with every count checked

rookery compiles the techniques for Python, and other programs are compiled by other compilers, which inline, unroll and
choose instructions differently. So the figures of one say little about the other.
"""
