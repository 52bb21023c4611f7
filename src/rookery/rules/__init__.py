"""The rules of chess as kernels: positions in words, moves, legality, faults and keys.

constants         bits of moves, sizes of arrays, and the type of tables, for callers of entries
position          a position in words, how moves change it, and insufficient material
generate          legal moves, found without trying any
legality          the legality of single moves, and moves that may leave the king in check
exchange          static exchange evaluation
sliders           attacks of one piece, shields, batteries, and sliders' paths of several moves
faults            why a position is impossible
zobrist           Zobrist keys
compiled          the compiled functions behind `Board`
"""
