"""Dead positions and helpmates: whether any sequence of legal moves ends in checkmate by a side.

space     what a search and a proof keep in arrays, and the answers
packing   a position in five words
freedom   a proof that a side cannot mate, from where pieces can ever go
playout   the first try: moves that tend to lead to mate, chosen by weights and noise
search    the search for a helpmate, which proves that there is none if it has seen all positions
kernels   what Python calls: one position, or arrays of them
"""
