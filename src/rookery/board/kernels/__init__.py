"""The kernels behind the native methods of `Board`, each with the kinds of its arguments and of its result.

They work on rows (see `rookery.board.rows`). Rules of chess are in `rookery.rules`, readers and writers of texts in
`rookery.rules.notation`; what is here connects them with rows. Python bodies call the kernels through `compiled()`.

    compiled  the kernels as machine code, for Python
    words     moves as words, and the word of a legal move
    moves     lists of moves, their number, checks, making moves
    single    questions about one move
    pieces    pieces, castling rights and counters
    attacks   attacks, pins and exchanges
    sameness  keys, equality and repetitions
    ends      how games end
    fen       positions as text, and drawings
    text      moves as text
    setup     mirrored and edited positions, and faults
    objects   boards and moves as objects: made, copied, compared, taken back
"""
