"""Games from files: PGN read as columns, every move checked, at the speed of compiled code.

Games as data

columns         numbers, texts and lists, as columns
dates           the day a game was played, and its header in tables
game_columns    all columns of an array of games, sliced, indexed and concatenated together
array           the array beneath `Games`: its columns, and its behaviour as a sequence
methods/        the methods of `Games`, by families
games           `Games`
replay          positions of games, from their moves
positions       positions that know their games
single          one game as a `rookery.pgn.Game`
html            the first and the last games as an HTML table
check_moves     legality of moves that come from tables
interchange/    Arrow tables and Parquet files, written and read
write/          `write_pgn`

Reading

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
failures        errors of files that are damaged, or are not games
formats         what a file is, by its first bytes
unpack          packed files and other encodings, piece by piece
prefetch        the next pieces, unpacked by a thread
zips            zip archives, from front to back
sources         paths, patterns, bytes and open files, as streams of text or tables
cuts            streams cut into blocks, between games
where/          conditions over headers
skim            headers alone, for these
worker          a block of text to games, in one thread
schedule        blocks of files and columns, side by side and in order
reader          `read_pgn` and `scan_pgn`
"""
