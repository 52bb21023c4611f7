"""Searches of games for positions that satisfy a query.

hits      `Hits`, a table of the positions found
counts    `HitCounts`, hits counted by the value of a header or an expression
find      the search of games in memory
sources   `search`, the search of files of any size
"""
