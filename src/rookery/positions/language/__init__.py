"""The language of queries: expressions about positions and games, evaluated for all rows of a table at once.

No other room parses expressions. Texts are parsed, never run as Python.

tokens       the words and signs of an expression, and `refuse`, which raises errors that point to them
tree         from a text to Python's syntax tree
grammar      kinds of values, nodes of a parsed expression, and the table of functions
functions/   the functions, by subject
vocabulary   every name of the language, and hints for names that are not
parser       from text to typed nodes
block        the evaluation of nodes over a block of positions, each node once
plan, query  a parsed expression with the statistics that order its terms
"""
