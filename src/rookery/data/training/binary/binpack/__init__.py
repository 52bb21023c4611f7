"""Stockfish's binpack: chains of positions, each the one before it after a move, in about 2.5 bytes a position.

    file      blocks one after the other: the letters BINP, the number of bytes that follow (4 bytes, the lowest
              first), and chains
    chain     a stem of 32 bytes, the number of half-moves that follow it (2 bytes), and these
    stem      position (24 bytes), move (2), score (2), number of plies and result (2), half-move clock (2); numbers of
              2 bytes have the highest byte first
    position  the occupied squares as a board (8 bytes, rank 8 first), and 4 bits for each piece in the order of the
              squares, the lower half of a byte first: 2 * (pawn 0 to king 5), plus 1 for black; 12 is a pawn that has
              just jumped, 13 and 14 are a white and a black rook that may castle, 15 is a black king with black to move
    move      kind, source, target, promotion: 2, 6, 6 and 2 bits, the first highest; castling goes to the rook's square
    number    the highest bit, its sign, is moved below the lowest, and a negative number's other bits are inverted

A half-move is the index of the piece among the pieces of its side, the index of its move among its pseudo-legal targets
(castling comes last), and the change of the score, seen from the side to move of the first position of both. Each index
takes no more bits than the number of choices needs. The change takes four bits at a time, the lowest first, each behind
a bit that says whether more follow. A half-move begins where the last one ends, within a byte; a chain ends with a
whole one.

The format was designed by Tomasz Sobczyk for Stockfish's training tools in 2020. This is written from its description:
https://github.com/official-stockfish/Stockfish/blob/tools/docs/binpack.md
https://github.com/Sopel97/chess_pos_db/blob/master/docs/bcgn/variable_length.md
"""
