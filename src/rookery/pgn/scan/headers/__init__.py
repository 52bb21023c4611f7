"""Headers, and the start position that they state.

headings  lines taken apart, and names known
of_game   the headers of a game
skim      headers alone, for conditions; `skimming` is its compiled code
values    entries that copy values as texts (`copying`) and read numbers and dates (`reading`)
"""
