"""Searches for programs with one table look-up, whose contents may be anything.

contents       whether a table exists that makes a program right in every case, and what it contains
state          the arrays of the search
sets           the search: sets of values before the look-up, and every operation on what it returns
judging        whether a table makes a program right on the cases
sequences      the second search: every sequence of operations, the look-up being one of them
judging_again  whether a table makes a program right on the cases, decided in another way
"""
