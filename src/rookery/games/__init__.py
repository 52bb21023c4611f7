"""Games from files: PGN read as columns, every move checked, at the speed of compiled code.

signs           what bytes of PGN are: blanks, ends of words, UTF-8
tags            headers found, and known by their names
output          what the compiled reader writes: options, faults, rows of games
headers         headers taken in, and the start position that they say
tokens          single words of movetext
remarks         what programs write in comments
comments        comments taken in: as values, or as text
plain           moves, numbers and clocks as most files have them
scan            the compiled reader: a block of text into arrays
blocks          its arrays, and what it wrote there
values          values of headers, as texts, numbers and dates
build           what was found in a block, as `Games`
errors          what is wrong with a game, in words
columns         headers as typed columns
games           `Games`
replay          positions of games, from their moves
single          one game as a `rookery.pgn.Game`
dates           the day a game was played, and its header in tables
positions       positions that know their games
failures        errors of files that are damaged, or are not games
formats         what a file is, by its first bytes
unpack          packed files and other encodings, piece by piece
prefetch        the next pieces, unpacked by a thread
zips            zip archives, from front to back
sources         paths, patterns, bytes and open files, as streams of text or tables
table_files     Parquet and Arrow files, some rows at a time
tables          columns of texts
cuts            streams cut into blocks, between games
where           conditions over headers
skim            headers alone, for these
worker          a block of text to games, in one thread
schedule        blocks of files and columns, side by side and in order
reader          `read_pgn` and `scan_pgn`
arrow           `Games` as Arrow tables, and back
stored          whether moves that come from there are legal
parquet         `write_parquet`, `read_parquet` and `scan_parquet`
numerals        numbers as text: digits, times, evaluations
movetext        games as text again, in one compiled loop
header_texts    numbers, dates and times as headers have them
writer          `write_pgn`
"""
