"""`Board` and `Move`: one position with its history, its moves and its texts.

`Board` inherits from one class for each family of methods:

moves          `Move`, a word of 16 bits
rows           the row of a position, its counters and the last move, as bytes
record         the data of a board: its row, and the rows before it
view           read-only queries, and text output
setup          setting up and editing positions
status         descriptions of a position's faults
play           legal moves, and making and taking back moves
pseudo_legal   pseudo-legal moves
endings        checkmate, stalemate, draws and claims
queries        attackers, pins, batteries, exchanges
notation       moves as UCI, SAN and XBoard text, and positions as EPD
board          `Board` itself

and these serve them:

legal_moves    the sequence that `Board.legal_moves` returns
san            standard and long algebraic notation of single moves
fen_faults     all faults of a FEN, where the compiled reader stops at the first
"""
