"""Searches of games for positions that satisfy a query.

hits      `Hits`, a table of the positions found
counts    `HitCounts`, hits counted by the value of a header or an expression
find      the search of games in memory
files     the search of files, batch by batch as they are read
ranges    the search of files on an executor, a range of a file per task
sources   `search`, the search of files of any size, in either way
"""
