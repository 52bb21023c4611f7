"""Sources of games: paths, patterns, bytes and open files, packed or not.

formats     formats of files, by their first bytes
unpack      packed files and other encodings, piece by piece
prefetch    the next pieces, unpacked by a thread
zips        zip archives, read from front to back
streams     all sources as streams of text or tables
failures    errors of files that are damaged, or hold no games
"""
