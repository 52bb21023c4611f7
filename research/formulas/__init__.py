"""Searches for the shortest formulas of sliding attacks.

A program is a sequence of operations on 64-bit words. Each operation may use every value before it, so programs are
graphs with shared values, not trees.

operations    the operations of CPUs, and their compiled forms
programs      programs: evaluation with NumPy, and formulas as text
questions     what is searched for: inputs, operations and the expected answer
published     the shortest published programs
cases         the cases on which programs are compared, and the complete cases of the proof
state         the arrays of the search
value_sets    the search: every set of values once, identified by what they are on the cases
sequences     a second search of another design: every sequence of operations
deepening     one operation more at a time, until a program is right in every case
confirmation  the second search on the same cases
tables        the same searches for programs with one table look-up
ledger        the recorded answers
"""
