"""The rules of chess as kernels: positions in words, moves, legality, faults and keys.

position          a position in words, and how moves change it
generate          legal moves, found without trying any
legality          the legality of single moves
pseudo_legal      moves that may leave the king in check
exchange          static exchange evaluation
sliders           shields, batteries, and sliders' paths of several moves
faults            why a position is impossible
material          insufficient material
zobrist           Zobrist keys
start_positions   the 960 start positions of Chess960
compiled          the compiled functions behind `Board`
"""
