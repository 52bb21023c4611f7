"""``rookery openings``: which moves games play in a position, and how these games end."""

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rookery.cli.common import check_printable, out, plain, write_file, writing
from rookery.cli.games.game_files import reading_shown, scan_of
from rookery.cli.options import (
    RowOptions,
    Sources,
    as_json_option,
    chooses_rows,
    executor_option,
    out_option,
    reads_games,
    writes_files,
)
from rookery.cli.runner import Run, bad_text
from rookery.cli.tables import Column, Row, number, present

if TYPE_CHECKING:
    from rookery.aliases import BookWeights
    from rookery.board.board import Board
    from rookery.data.index.answers import IndexedMove, IndexedPosition
    from rookery.games.games import Games
    from rookery.games.openings.position import Counted, OpeningMove, OpeningPosition
    from rookery.games.openings.tree import OpeningTree
    from rookery.games.read.options import ReadOptions

FORMATS: Final = (".parquet", ".csv", ".json", ".html", ".bin")
_FIRST: Final = 10  # hits of an index that are printed as JSON
_HEADERS: Final = ("WhiteElo", "BlackElo", "UTCDate", "Date", "ECO", "Opening")


class _FilesOrFen(Sources):
    """The type of FILES, which are the words of a position if there is an index to look it up in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the files, or a word of the position."""
        of_index = ctx is not None and isinstance(ctx.params.get("index"), Path)
        return [value] if of_index else super().convert(value, param, ctx)


@click.command("openings")
@reads_games("where", "encoding", "letters", "names", "errors", "threads", required=False, kind=_FilesOrFen())
@click.option(
    "--index",
    metavar="DIR",
    is_eager=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Look the position up in an index of 'rookery index'; FILES are then its FEN, if any.",
)
@click.option("--moves", default="", help="The moves that lead to the position, like 'e4 c5' [default: none].")
@click.option("--fen", help="The position that the moves begin from [default: the start position].")
@click.option(
    "--depth", type=click.IntRange(1), default=20, show_default=True, help="Half-moves of each game to count."
)
@click.option(
    "--min-games", type=click.IntRange(1), default=1, show_default=True, help="Leave out what fewer games play."
)
@click.option(
    "--weights",
    type=click.Choice(["games", "points"]),
    default="games",
    show_default=True,
    help="The weights of moves in a book (.bin): games, or two for a win of the player to move and one for a draw.",
)
@chooses_rows("query", "every", "from_ply", "to_ply", query="Count games with a position for which a query holds.")
@out_option(f"Write the whole tree: {', '.join(FORMATS)}.")
@executor_option
@as_json_option
@writes_files
def openings_command(
    files: list[str],
    reading: "ReadOptions",
    index: Path | None,
    moves: str,
    fen: str | None,
    depth: int,
    min_games: int,
    weights: "BookWeights",
    rows: RowOptions,
    path: Path | None,
    executor: str | None,
    as_json: bool,
) -> None:
    """Count the openings of games: the moves played in a position, their results, scores and ratings.

    A position counts all games that reach it, by any order of moves. Score and ratings are those of the player to
    move. The performance rating is the average rating of the opponents plus 400 log10(s / (1 - s)) for a score of s,
    at most 800 more or less; ratings count in games that have a result and both ratings.

    Parquet, CSV and JSON get a row for each move of the tree. HTML is one page to browse the tree, without a server.
    '-o book.bin' makes an opening book in Polyglot's format, and a FILE that ends in .bin is such a book, of which the
    moves in the position are shown.

    Files are as in 'rookery games': PGN, packed or not, or tables of games in Parquet or Arrow; '-' is standard input.
    With --query, --every, --from-ply or --to-ply, only games with such a position count.

    With --index, the counts are those of all games of the index, at any depth, and come in milliseconds.
    """
    if index is not None:
        _refuse_others("an index has all games and half-moves")
        _look_up(index, " ".join(files) or fen, moves, as_json)
        return
    if not files:
        raise click.UsageError("Missing argument 'FILES...', or --index DIR.")
    if path is not None and path.suffix not in FORMATS:
        raise ValueError(f"-o: {path.name}: expected a name that ends in {', '.join(FORMATS)}")
    from rookery.games.openings.tree import OpeningTree

    board, tree = _board(fen, moves), OpeningTree(depth, names=reading.names)
    is_book = [name.lower().endswith(".bin") for name in files]
    if any(is_book):
        if len(files) > 1:
            raise ValueError(f"FILES: {files[is_book.index(True)]}: a book is shown alone")
        _refuse_others(f"{files[0]} is a book")
        _show_book(files[0], board, as_json)
        return
    run = Run(as_json, path)
    _grow(tree, run, files, reading, rows, path, executor)
    if min_games > 1:
        tree = tree.pruned(min_games)
    position = _position(tree[board]) if board in tree else None
    if position is not None and not as_json:
        check_printable(place["opening"] for place in (position, *position["moves"]))
    if path is not None and not run.interrupted:
        _write(tree, path, board, weights)
    if position is None:
        least = f"{min_games:,} games reach" if min_games > 1 else "a game reaches"
        run.failures.append(f"{board.fen()}: expected a position that {least} within {depth} half-moves")
    document = {
        "games": tree.games,
        "bad": run.bad,
        "positions": len(tree),
        "moves": tree.move_count,
        "position": position,
    }
    run.finish(document, lambda: _show(document, run.seconds))


def _grow(
    tree: "OpeningTree",
    run: Run,
    files: list[str],
    reading: "ReadOptions",
    rows: RowOptions,
    path: Path | None,
    executor: str | None,
) -> None:
    """Add the games of files that have a position which the options of rows keep.

    Tasks read the games, and one tree grows here: to merge the trees of tasks takes longer than to add their games.
    """
    names, needs_clocks = dict.fromkeys(_HEADERS), False
    keep: Callable[[Games], Games] | None = None
    if rows.choose:
        from rookery.data.pipeline.parts import games_kept
        from rookery.data.pipeline.stages import Choice, Stage
        from rookery.positions.language.query import Query

        query = Query(rows.query or "ply >= 0")
        query.plan.check_condition()
        names |= dict.fromkeys(name for name in query.headers if name != "Result")
        needs_clocks = query.plan.needs_clocks
        stage = Stage(choice=Choice(rows.query, rows.every, rows.from_ply, rows.to_ply))
        keep = functools.partial(games_kept, stage)
    scan = scan_of(run, files, reading.for_moves(names, clocks=needs_clocks), executor=executor, out=path)
    with run, reading_shown(run, scan, lambda: _line(tree)):
        for games in scan:
            tree.add(games if keep is None else keep(games))


def _board(fen: str | None, moves: str) -> "Board":
    """Return the position after moves from a position, by default the usual start position."""
    from rookery.board.board import Board

    board = Board(fen) if fen is not None else Board()
    for text in moves.split():
        if move := text.rpartition(".")[2]:
            board.push_san(move)
    return board


def _look_up(folder: Path, fen: str | None, moves: str, as_json: bool) -> None:
    """Look a position up in an index, and print its counts and its first hits."""
    import warnings

    from rookery.data.index.game_index import open_index
    from rookery.sources.failures import ChangedFileWarning

    run = Run(as_json)
    position = None
    with run:
        board = _board(fen, moves)
        with warnings.catch_warnings(record=True) as changes:
            warnings.simplefilter("always", ChangedFileWarning)
            index = open_index(folder)
        run.failures += [str(change.message) for change in changes]
        try:
            found = index.at(board)
        except KeyError:
            run.failures.append(f"{board.fen()}: expected a position that a game of the index reaches")
        else:
            names = {example.file: None for example in found.examples}
            if not as_json:
                check_printable(names)
            first = found.hits[:_FIRST]
            games = index.examples(first.game)
            hits = [{**game._asdict(), "ply": int(ply)} for game, ply in zip(games, first.ply, strict=True)]
            position = _position(found) | {"hits": found.hit_count, "first": hits}
    document = {"games": index.games, "positions": len(index), "position": position}
    run.finish(document, lambda: _show(document | {"bad": 0}, run.seconds))


def _line(tree: "OpeningTree") -> str:
    return f"{tree.games:,} games, {len(tree):,} positions"


def _position(position: "OpeningPosition | IndexedPosition") -> dict[str, Any]:
    examples = [example._asdict() for example in position.examples]
    names = _names(position)
    rows = [_move(move) for move in position.moves]
    return {"fen": position.board.fen(), **names, **_statistics(position), "examples": examples, "moves": rows}


def _names(position: Any) -> dict[str, str | None]:
    """Return the opening of a position; an index has none."""
    return {name: getattr(position, name, None) for name in ("eco", "opening")}


def _move(move: "OpeningMove | IndexedMove") -> dict[str, Any]:
    from rookery.games.openings.position import OpeningMove

    return {
        "san": move.san,
        "uci": move.move.uci(),
        **_statistics(move),
        **(_names(move.position) if isinstance(move, OpeningMove) else _names(None)),
        "example": move.example._asdict(),
    }


def _statistics(counted: "Counted") -> dict[str, Any]:
    days = {"first_played": counted.first_played, "last_played": counted.last_played}
    return {
        "games": counted.games,
        "white_wins": counted.white_wins,
        "draws": counted.draws,
        "black_wins": counted.black_wins,
        "score": counted.score,
        "average_rating": counted.average_rating,
        "performance": counted.performance,
        **{name: str(day) if day is not None else None for name, day in days.items()},
    }


def _show(document: dict[str, Any], seconds: float) -> None:
    games = f"{document['games']:,} games{bad_text(document['bad'])}"
    out.print(f"{games}, {document['positions']:,} positions, {seconds:.2f} s")
    position = document["position"]
    if position is None:
        return
    name = " ".join(filter(None, (position["eco"], position["opening"])))
    score = "" if position["score"] is None else f", {_percent(position['score'])} for the player to move"
    out.print(plain(position["fen"]))
    out.print(plain(f"{position['games']:,} games{score}{f'; most often {name}' if name else ''}"))
    if position["moves"]:
        present(position["moves"], _columns(position["games"]))


def _columns(games: int) -> list[Column]:
    return [
        Column("move", "{san}"),
        number("games", "{games:,}"),
        number("share", lambda row: _percent(row["games"] / games)),
        number("score", lambda row: _percent(row["score"])),
        number("white", "{white_wins:,}"),
        number("draws", "{draws:,}"),
        number("black", "{black_wins:,}"),
        number("performance", lambda row: _rounded(row, "performance")),
        number("rating", lambda row: _rounded(row, "average_rating")),
        Column("last played", lambda row: row["last_played"] or ""),
        Column("most often", lambda row: " ".join(filter(None, (row["eco"], row["opening"])))),
    ]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _rounded(row: Row, name: str) -> str:
    return "" if row[name] is None else f"{row[name]:,.0f}"


def _refuse_others(reason: str) -> None:
    """Refuse options that were given and are for files of games only."""
    context = click.get_current_context()
    for param in context.command.params:
        name = param.name or ""
        is_given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if is_given and name not in ("index", "files", "fen", "moves", "as_json"):
            raise click.UsageError(f"{param.opts[0]}: is for files of games: {reason}")


def _show_book(name: str, board: "Board", as_json: bool) -> None:
    """Show the moves of a book in a position."""
    from rookery.games.openings.books import read_book

    book = read_book(name)
    found = book.find_all(board, minimum_weight=0)
    total = sum(entry.weight for entry in found)
    rows = [
        {"san": board.san(entry.move), "uci": board.uci(entry.move), "weight": entry.weight, "learn": entry.learn}
        for entry in sorted(found, key=lambda entry: -entry.weight)
    ]
    columns = [
        Column("move", "{san}"),
        number("weight", "{weight:,}"),
        number("share", lambda row: _percent(row["weight"] / total if total else None)),
    ]
    if not as_json:
        out.print(plain(f"{len(book):,} entries\n{board.fen()}"))
    present(rows, columns, as_json, {"entries": len(book), "fen": board.fen(), "moves": rows})
    if not found:
        raise click.ClickException(f"{name}: {board.fen()}: the book has no move for this position")


def _write(tree: "OpeningTree", path: Path, board: Any, weights: "BookWeights") -> None:
    """Write the tree in the format that the name of the file says."""
    match path.suffix:
        case ".html":
            if board not in tree:
                raise click.ClickException(f"-o: {board.fen()}: no game reaches the position that the page begins with")
            write_file("-o", path, tree.to_html(board))
        case ".parquet":
            with writing("-o", path):
                tree.to_parquet(path)
        case ".bin":
            with writing("-o", path):
                tree.to_book(weights=weights).write(path)
        case ".json":
            rows = [_with_texts(row) for row in tree.to_arrow().to_pylist()]
            write_file("-o", path, json.dumps(rows, indent=1) + "\n")
        case _:
            _write_csv(tree, path)


def _with_texts(row: dict[str, Any]) -> dict[str, Any]:
    return row | {name: str(row[name]) if row[name] else None for name in ("first_played", "last_played")}


def _write_csv(tree: "OpeningTree", path: Path) -> None:
    import io

    from rookery.sources.csv_text import Writer

    table, file = tree.to_arrow(), io.BytesIO()
    writer = Writer(file)
    writer.row(table.column_names)
    writer.rows(zip(*(column.to_pylist() for column in table.columns), strict=True))
    write_file("-o", path, file.getvalue())
