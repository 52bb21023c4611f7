"""Games from files: PGN read as columns, every move checked, at the speed of compiled code.

A source passes through the packages in this order: `rookery.sources` opens and unpacks it, `read` cuts it into blocks,
`scan` turns each block into arrays, and `read` builds `Games` of them.

read/           `read_pgn` and `scan_pgn`: blocks of text, in parallel, into `Games`
write/          `write_pgn`
interchange/    Arrow tables and Parquet files, written and read
headers/        headers: types, names, days, columns by name, conditions
positions/      positions of games: replay, summaries, the check of moves that come from tables
kernels/        compiled code: replaying, summaries, tracks of pieces, the check of moves
search/         queries over games and files
openings/       a tree of openings by position
methods/        the methods of `Games`, by families; games that occur several times

games           `Games`
game_array      the array beneath `Games`: its columns, and its behaviour as a sequence
game_columns    all columns of an array of games, sliced, indexed and concatenated together
errors          descriptions of what is wrong with a game
views           one game as a `rookery.pgn.Game`, the first and the last games as an HTML table
"""
