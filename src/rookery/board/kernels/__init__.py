"""The kernels behind the native methods of `Board`, each with the kinds of its arguments and of its result.

They work on rows (see `rookery.board.rows`). Rules of chess are in `rookery.rules`, readers and writers of texts in
`rookery.notation`; what is here connects them with rows. Python bodies call the kernels through `compiled()`.

    compiled  the kernels as machine code, for Python
    words     moves as words, and the word of a legal move
    moves     lists of moves, their number, checks, making moves
"""
