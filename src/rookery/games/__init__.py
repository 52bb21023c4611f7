"""Games from files: PGN read as columns, every move checked, at the speed of compiled code.

A source passes through the packages in this order: `rookery.sources` opens and unpacks it, `read` cuts it into blocks,
`scan` turns each block into arrays, and `read` builds `Games` of them.

scan/           the compiled reader: a block of text into arrays
read/           `read_pgn` and `scan_pgn`: blocks of text, in parallel, into `Games`
write/          `write_pgn`
interchange/    Arrow tables and Parquet files, written and read
kernels/        compiled code: replaying, summaries, tracks of pieces, the check of moves
openings/       a tree of openings by position
methods/        the methods of `Games`, by families

games           `Games`
array           the array beneath `Games`: its columns, and its behaviour as a sequence
game_columns    all columns of an array of games, sliced, indexed and concatenated together
headers         the types of headers, and their values as text
named_columns   columns by name, as the language of queries looks at them
where           conditions on games, in the language of queries
duplicates      games that occur several times
dates           the day a game was played, and its header in tables
errors          descriptions of what is wrong with a game
replay          positions of games, from their moves
positions       positions that know their games
check_moves     the legality of moves that come from tables
single          one game as a `rookery.pgn.Game`
html            the first and the last games as an HTML table
"""
