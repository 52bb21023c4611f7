"""The functions of the language; importing a module adds its functions to the table.

written      arguments about squares that are written in the expression
light        answers about games without a replay
sets         sets of squares: pieces, attacks, lines, fills
values       numbers, truth values and texts of positions
moves        the move that was played, and legal alternatives
motifs       the motifs of the dictionary as functions
identity     pieces followed through a game
patterns     partial boards, their symmetries, similarity and echoes
sequences    what happens over several half-moves of a game
"""
