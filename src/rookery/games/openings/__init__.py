"""A tree of openings by position: counted in one pass over games, browsed, and written as tables.

growth      the compiled part: games added, trees merged
facts       what a tree counts of each game
storage     the arrays that grow
statistics  scores, ratings and dates from tallies
tree        `OpeningTree`
position    its positions and moves
page        one HTML page to browse the tree
tables      the tree as an Arrow table
books       opening books in Polyglot's format
"""
