"""Game trees.

game      a game: headers, and the root of its tree
nodes     nodes, with their moves and variations (`placed`: where a node is)
remarks   glyphs, comments and variations in the order of the text
growth    trees made of movetext
visits    what visitors are shown; lines as sequences
builder   a visitor that builds a tree
"""
