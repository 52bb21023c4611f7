"""`Board` and `Move`: one position with its history, its moves and its texts.

`board.py` lists the methods of `Board` by subject, and these files define them, as functions of a board:

setup      setting up positions, and checking them for faults
placing    the pieces: which there are, where they stand, and editing
rights     the side to move, castling rights, en passant, counters
queries    attackers, checks, pins, batteries, exchanges
listing    lists of legal and pseudo-legal moves
playing    making moves and taking them back, and what a move does
notation   moves as UCI, SAN and XBoard text
endings    checkmate, stalemate, draws and claims
text       FEN, EPD, drawings and pictures
copying    copies, comparison, keys, pickling, python-chess

and these serve them:

moves      `Move`, a word of 16 bits
rows       the row of a position, its counters and the last move, as bytes
reasons    why positions and texts are refused, in words
"""
