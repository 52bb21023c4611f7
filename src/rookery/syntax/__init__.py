"""Expressions as text: tokens, the syntax tree, and errors that quote the text and point to a place in it.

Two languages share this front end: conditions over headers (``where=``) and queries about positions. Both are subsets
of Python's expressions with dates and times added. Texts are parsed, never run as Python.

tokens   the words and signs of an expression, and `refuse`, which raises errors
tree     from a text to Python's syntax tree
"""
