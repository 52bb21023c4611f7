"""Chess puzzles and their themes: forks, pins, mates by name and the like, as Lichess tags them.

>>> from rookery.data.puzzles import tag_puzzles
>>> themes = tag_puzzles(["6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1"], ["g8h8 a1a8"])
>>> themes.texts()
['backRankMate endgame mate mateIn1 oneMove rookEndgame']

    themes      names of themes, and sets of them in a word
    lines       moves read, checked and made
    nodes       the positions of puzzles, as the kernels read them
    safety      hanging, badly placed, trapped and pinned pieces
    single      themes of one move
    sequences   themes of a move and the moves before it
    whole       themes of the puzzle as a whole
    tagger      the loop over puzzles
    tagging     `tag_puzzles`
    files       files of puzzles
"""

from rookery.data.puzzles.tagging import BadPuzzle, PuzzleThemes, tag_puzzles
from rookery.data.puzzles.themes import THEMES

__all__ = ["THEMES", "BadPuzzle", "PuzzleThemes", "tag_puzzles"]
