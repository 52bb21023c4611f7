"""The query language: expressions about positions, evaluated for all positions of an array at once.

function     kinds of values, nodes of a parsed expression, and the table of functions that all modules below fill
written      arguments about squares that are written in the expression
sets         sets of squares: pieces, attacks, lines, fills
numbers      numbers, truth values and texts of positions
moves        the move that was played, and legal alternatives
motifs       the motifs of the dictionary as functions
identity     pieces followed through a game
patterns     partial boards, their symmetries, similarity and echoes
sequences    what happens over several half-moves of a game
names        every name of the language, and hints for names that are not
parser       from text to typed nodes
block        the evaluation of nodes over a block of positions, each node once
query        `Query`, a parsed expression with the statistics that order its terms
"""
