"""Bitboards: sets of squares as 64-bit words, and what is known about squares, lines and pieces.

bits              bit tricks, bitscans, subsets, flips and rotations
checked_kernels   kernels that check their arguments when Python calls them
iteration         the squares and the subsets of a board, one by one
squares           names and numbers of squares
mappings          the eight square mappings
lines             lines and rays on the empty board
sets              steps of whole boards in eight directions
bitboard          `Bitboard`, an immutable set of squares
square_set        `SquareSet`, a mutable one
colours           white and black
pieces            pieces and their types
placement         `Placement`: twelve bitboards, one for each kind of piece of each colour
leapers           attacks of knights, kings and pawns
signatures        the types of functions that take one square or board, or arrays of them
"""
