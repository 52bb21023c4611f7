"""Code as a user writes it, never run: mypy reads it with all other code, and `test_user_code.py` has pyright read it.

What `assert_type` says must be so. A line with ``type: ignore`` must be an error: both checkers report a comment that
hides nothing.
"""

from typing import IO, Any, assert_type

import numpy as np
from numpy.typing import NDArray

import rookery
import rookery.compat as chess
import rookery.compat.pgn
import rookery.compat.svg
from rookery import Bitboard, Board, Games, Move, Positions, bits, pgn, sets, squares
from rookery.aliases import AnyPiece, AnySlider, Colour, Direction, EnPassant, LineName, PolicyLayout, Side, When
from rookery.games.positions.game_positions import GamePositions
from rookery.positions.features import policy
from rookery.positions.moves import Moves

Words = NDArray[np.uint64]


def attacks(many: NDArray[np.int64], boards: Words, out: Words, t: rookery.Technique) -> None:
    assert_type(rookery.rook_attacks(3, 0), Bitboard)
    assert_type(rookery.rook_attacks(np.uint8(3), Bitboard(0)), Bitboard)
    assert_type(rookery.bishop_attacks(many, boards), Words)
    assert_type(rookery.queen_attacks(3, boards), Words)
    assert_type(rookery.queen_attacks([1, 2], 0, out), Words)
    assert_type(rookery.knight_attacks(3), Bitboard)
    assert_type(rookery.king_attacks(many), Words)
    assert_type(rookery.pawn_attacks("white", 12), Bitboard)
    assert_type(rookery.pawn_attacks(rookery.BLACK, many, out=out), Words)
    assert_type(rookery.fill("north", 1, 2), Bitboard)
    assert_type(rookery.ray_attacks("east", boards, 0, technique="dumb7fill"), Words)
    assert_type(t.rook(0, 0), Bitboard)
    assert_type(t.rank(many, boards, out), Words)
    assert_type(t.ray("north", 0, boards), Words)
    assert_type(t.ask("rook", 0, 0), Bitboard)
    assert_type(t.fill("south", boards, boards), Words)
    rookery.rook_attacks("d1", 0)  # type: ignore
    rookery.rook_attacks(3)  # type: ignore
    rookery.pawn_attacks("White", 12)  # type: ignore
    rookery.fill("nort", 1, 2)  # type: ignore
    t.queen(0, None)  # type: ignore


def either(square: int | NDArray[np.int64], occupied: int | Words) -> None:
    assert_type(rookery.rook_attacks(square, occupied), Bitboard | Words)


def words(many: NDArray[np.int64], boards: Words) -> None:
    assert_type(bits.file_mask(3), int)
    assert_type(bits.flip_vertical(boards), Words)
    assert_type(sets.east_one(np.uint64(3)), np.uint64)
    assert_type(sets.step(2, boards), Words)
    assert_type(squares.square_at(3, 4), int)
    assert_type(rookery.convert_square(3, "rank-big-little", "rank-little-little"), int)
    assert_type(rookery.convert_board(boards, "rank-big-little", "rank-little-little"), Words)
    bits.file_mask("a")  # type: ignore
    sets.step("north", 1)  # type: ignore


def boards(board: Board, square: rookery.Square, colour: rookery.Color, kind: rookery.PieceType) -> None:
    assert_type(Board.from_words(board.words()), Board)
    assert_type(Board.from_words(board.words().tolist()), Board)
    squares = rookery.SquareSet(board.occupied)
    assert_type(board.attackers(colour, square, squares), Bitboard)
    assert_type(rookery.rook_attacks(square, squares), Bitboard)
    assert_type(bits.flip_vertical(squares), int)
    assert_type(board.occupied.union(squares, 5), Bitboard)
    assert_type(board.generate_legal_moves(to_mask=squares), list[Move])
    assert_type(board.pieces(kind, colour), Bitboard)
    board.turn = not board.turn
    board.castling_rights = Bitboard.of("h1")
    board.castling_rights = squares
    board.ep_square = None
    outcome = board.outcome()
    assert_type(board.can_mate("white", limit=10), bool | None)
    assert_type(board.is_dead_position(), bool | None)
    assert_type(board.find_helpmate(), list[Move] | None)
    if outcome is not None:
        assert_type(outcome.termination, rookery.Termination)
    piece = board.piece_at(square)
    if piece is not None:
        assert_type(piece.piece_type, int)
        assert_type(piece.color, bool)
    move = Move.from_word(board.move_word(Move(4, 6)), chess960=True)
    assert_type(move.to_square, int)
    assert_type(move.promotion, int | None)
    assert_type(Positions.from_boards([board]).play([move, 5]), Positions)
    board.occupied.pop()  # type: ignore
    board.pawns = 5  # type: ignore
    _ = move.is_castling  # type: ignore
    move.uci(chess960=True)  # type: ignore


def suites() -> None:
    for count in rookery.perft_suite("suite.epd", 3, threads=2):
        assert_type(count.nodes, int)
    rookery.perft_suite("suite.epd", "3")  # type: ignore


def books(board: Board) -> None:
    book = rookery.read_book("book.bin")
    assert_type(book, rookery.Book)
    assert_type(book.find(board).move, Move)
    assert_type(book[book.weight > 1], rookery.Book)
    assert_type(board.polyglot_key, int)
    assert_type(rookery.OpeningTree().to_book(weights="points", min_games=2), rookery.Book)
    rookery.OpeningTree().to_book(weights="wins")  # type: ignore


def opening_names(board: Board) -> None:
    names = rookery.read_opening_names(["a.tsv", "b.tsv"])
    assert_type(names, rookery.OpeningNames)
    found = names.find(board)
    assert found is None or assert_type(found.eco, str)
    assert_type(rookery.read_pgn("games.pgn", names=names).with_opening_names("names.tsv"), Games)
    rookery.OpeningTree(names=names).root.play(board)  # type: ignore


def positions(p: Positions, mask: NDArray[np.bool_], rng: np.random.Generator) -> None:
    assert_type(p[0], Board)
    assert_type(p[1:3], Positions)
    assert_type(p[mask], Positions)
    assert_type(p.can_mate("them").tolist(), Any)
    assert_type(p.is_dead(limit=0, threads=2).tolist(), Any)
    assert_type(p.legal_moves(), Moves)
    assert_type(p.legal_moves()[0], NDArray[np.uint16])
    assert_type(p.legal_moves()[1:3], Moves)
    assert_type(p.legal_moves()[mask], Moves)
    assert_type(p.attacks("white", "queen"), Words)
    assert_type(p.attacks("white", rookery.QUEEN), Words)
    assert_type(p.attacks("both"), Words)
    assert_type(p.pinned(rookery.WHITE, "file"), Words)
    assert_type(p.unique(), Positions)
    assert_type(p.unique(return_index=True), tuple[Positions, NDArray[np.int64]])
    different, inverse, counts = p.unique(return_inverse=True, return_counts=True)
    assert_type(different, Positions)
    assert_type(inverse, NDArray[np.int64])
    assert_type(counts, NDArray[np.int64])
    assert_type(p.play(p.random_moves(rng)), Positions)
    assert_type(p.to_fens(en_passant="xfen"), list[str])
    assert_type(Positions.from_fens(["8/8/8/8/8/4k3/4p3/4K3 w - -"], errors="skip"), Positions)
    assert_type(p.policy_index([Move.of(12, 28)], "leela"), NDArray[np.int32])
    assert_type(policy.index_to_move(877, p[0]), Move)
    p.attacks("White")  # type: ignore
    p.attacks("us", "Queen")  # type: ignore
    p.checkers("both")  # type: ignore
    p.pinned("column")  # type: ignore
    p.policy_mask("lc0")  # type: ignore
    p.to_fens(en_passant="always")  # type: ignore
    p.random_moves(None)  # type: ignore
    Positions.from_fens([], errors="ignore")  # type: ignore


def games(g: Games) -> None:
    assert_type(g[0], pgn.Game)
    assert_type(g[:5], Games)
    assert_type(g["White"], NDArray[Any])
    assert_type(g[g.plies > 20], Games)
    strong = (g["WhiteElo"] >= 2000).filled(False)
    assert_type(g[strong], Games)
    assert_type(g.positions(), GamePositions)
    assert_type(g.positions()[1:3], GamePositions)
    assert_type(g.positions("last")[0], Board)
    assert_type(g.moves[0], NDArray[np.uint16])
    assert_type(rookery.read_pgn("games.pgn", errors="skip", encoding="cp1251"), Games)
    assert_type(rookery.read_pgn("games.pgn").unique(headers=True, prefixes=True, min_plies=0), Games)
    assert_type(rookery.read_parquet("games.parquet", where="plies > 40"), Games)
    assert_type(g.summaries().most("queen", "white"), NDArray[np.uint8])
    assert_type(g.summaries().pawn_squares("black"), NDArray[np.uint64])
    g.summaries().least("queen", "us")  # type: ignore
    for game in pgn.read("1. e4 *", errors="raise"):
        assert_type(game, pgn.Game)
    for found in pgn.read("1. e4 *"):
        assert_type(found, pgn.Game | pgn.BadGame)
    rookery.read_pgn("games.pgn", errors="ignore")  # type: ignore
    rookery.search("games.pgn", "is_mate", encoding=1251)  # type: ignore
    g.positions("first")  # type: ignore
    pgn.read("1. e4 *", errors="keep")  # type: ignore


def names(
    colour: Colour,
    direction: Direction,
    en_passant: EnPassant,
    layout: PolicyLayout,
    line: LineName,
    piece: AnyPiece,
    side: Side,
    slider: AnySlider,
    when: When,
    p: Positions,
    g: Games,
) -> None:
    assert_type(p.attacks(side, piece), Words)
    assert_type(p.pinned(colour, line), Words)
    assert_type(p.policy_mask(layout), NDArray[Any])
    assert_type(p.progressive_mobility(slider), Words)
    assert_type(p[0].fen(en_passant=en_passant), str)
    assert_type(rookery.fill(direction, 1, 2), Bitboard)
    assert_type(g.positions(when), GamePositions)


def puzzles(positions: Positions, frame: Any) -> None:
    themes = rookery.tag_puzzles(frame["FEN"], ["e2e4 e7e5"], errors="mark", threads=2)
    assert_type(themes, rookery.PuzzleThemes)
    assert_type(themes.bits, Words)
    assert_type(themes[0], tuple[str, ...])
    assert_type(themes.has("fork"), NDArray[np.bool_])
    assert_type(themes.texts(), list[str])
    rookery.tag_puzzles(positions, ["e2e4 e7e5"])
    rookery.tag_puzzles(positions, [1])  # type: ignore
    rookery.tag_puzzles(positions, ["e2e4 e7e5"], errors="skip")  # type: ignore


def training_data(games: Games) -> None:
    rows = rookery.ScoredPositions.from_games(games)
    assert_type(rows.positions, Positions)
    assert_type(rows.white_scores, NDArray[np.int16])
    assert_type(rows[rows.has_score], rookery.ScoredPositions)
    assert_type(rookery.write_training(rows, "rows.binpack", no_result="draw").dropped, dict[str, int])
    assert_type(rookery.read_training("rows.binpack.zst"), rookery.ScoredPositions)
    with rookery.scan_training("rows.vf") as scan, rookery.TrainingWriter("rows.bullet") as writer:
        for batch in scan:
            assert_type(writer.append(batch), int)
    assert_type(rookery.read_training("rows.vf", query="abs(score) < 400", every=2), rookery.ScoredPositions)
    assert_type(rows.where("ply > 16"), rookery.ScoredPositions)
    assert_type(rookery.training_stats(rows).scores, dict[int, int])
    rookery.write_training(rows, "rows.binpack", no_result="win")  # type: ignore
    rookery.read_training(5)  # type: ignore


def inputs_of_nets(positions: Positions, rows: rookery.ScoredPositions) -> None:
    assert_type(positions.see(positions.captures()), NDArray[np.int32])
    assert_type(rookery.encoders.concepts(positions, "see, legal_mask"), dict[str, NDArray[Any]])
    assert_type(rookery.encoders.leela_records(rows, 7, 3), NDArray[np.void])
    rookery.encoders.encode("maia2_planes", positions, "torch", threads=2)
    for _ in rookery.encoders.encode_blocks(rookery.encoders.halfkp, [positions], "torch-bag"):
        pass
    assert_type(rookery.encoders.scores_of_chances([0.5]), NDArray[np.int16])
    rookery.encoders.leela_records(rows, 7, 6)  # type: ignore
    columns = {"elo": "elo(us)"}
    made = rookery.make_dataset("games.pgn", "d", unique=True, targets="mean", history=7, columns=columns)
    assert_type(made.rows, dict[str, int])
    dataset = rookery.open_dataset("d", planes="leela", history=7)
    assert_type(dataset.dropped, dict[str, int])
    for batch in dataset:
        assert_type(batch.columns, dict[str, Any])
    dataset.load_state_dict(dataset.state_dict())
    rookery.make_dataset("games.pgn", "d", where="ECO == 'C60'", names="names.tsv")
    rookery.make_dataset("games.pgn", "d", targets="median")  # type: ignore


def plans() -> None:
    plan = rookery.scan("games.pgn").select("fen", "ply", "eval")
    assert_type(plan.unique(n="count", score="mean(eval)").shuffle(1, memory="1GB"), rookery.Plan)
    assert_type(plan.sort("ply", "eval", descending=[True, False]).head(10), rookery.Plan)
    assert_type(plan.group_by("ply", tens="ply // 10").agg("count", best="max(eval)"), rookery.Plan)
    assert_type(plan.split(0.8, 0.1, 0.1, by="player"), rookery.Plan)
    plan.sort(5)  # type: ignore
    assert_type(plan.sample(100, seed=1), rookery.Plan)
    made = plan.unique().split(0.9, 0.1).write_dataset("d", history=2, targets="mean", planes=["checkers"], policy=None)
    assert_type(made.rows, dict[str, int])
    plan.write_dataset("d", value="score")  # type: ignore
    plan.shuffle(memory=None)  # type: ignore


def code_written_for_python_chess(handle: IO[str]) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1", chess960=False)
    board.turn = chess.BLACK
    board.castling_rights |= chess.BB_A1
    board.ep_square = None
    assert_type(board.castling_rights & chess.BB_RANK_1, Bitboard)
    assert_type(board.attacks(chess.H1), chess.SquareSet)
    assert_type(board.attacks_mask(chess.H1), Bitboard)
    assert_type(board.status() & chess.STATUS_NO_BLACK_KING, chess.Status)
    assert_type(board.occupied_co[chess.WHITE], Bitboard)
    assert_type(chess.flip_vertical(chess.BB_FILES[3]), Bitboard)
    assert_type(chess.popcount(board.attacks(chess.H1)), int)
    assert_type(chess.pgn.read_game(handle), chess.pgn.Game | None)
    assert_type(chess.pgn.read_game(handle, Visitor=chess.pgn.BoardBuilder), chess.Board | None)
    assert_type(chess.pgn.Game().board(), chess.Board)
    assert_type(chess.svg.board(board, arrows=[chess.svg.Arrow(1, 2, color="red"), (3, 4)]), str)
    assert_type(rookery.Board().to_chess(), Any)
    chess.svg.Arrow(1, 2, color="pink")  # type: ignore
    board.turn = "red"  # type: ignore
    chess.pgn.read_game(handle, Visitor=5)  # type: ignore


def code_about_an_index(board: rookery.Board) -> None:
    index = rookery.index_games(["games.pgn"], "index", where="ECO == 'C60'", names="names.tsv", merge=True, threads=2)
    assert_type(index, rookery.GameIndex)
    position = rookery.open_index("index").at(board, limit=10)
    assert_type(position, rookery.IndexedPosition)
    assert_type(position.moves, list[rookery.IndexedMove])
    assert_type(position.play("e4 e5"), rookery.IndexedPosition)
    assert_type(position["e4"].position.score, float | None)
    assert_type(position.hits.game, NDArray[np.int64])
    assert_type(index.read_games(position.hits.game), Games)
    assert_type(rookery.scan("index").at(board), rookery.IndexedPosition)
    tree = Games.concatenate([]).opening_tree()
    assert_type(tree.root["e4"], rookery.OpeningMove)
    assert_type(tree.root.play("e4"), rookery.OpeningPosition)
    index.at(5)  # type: ignore


def code_about_exchanges(board: rookery.Board) -> None:
    move = board.parse_san("e4")
    assert_type(board.see(move), int)
    assert_type(board.pseudo_legal_see(move), int)
    board.pseudo_legal_see("e4")  # type: ignore


def sinks_of_plans(games: Games, rows: rookery.ScoredPositions) -> None:
    plan = rookery.scan(["a.pgn.zst", games], where="WhiteElo > 2000", encoding="cp1251")
    assert_type(plan.where("BlackElo > 2000"), rookery.Plan)
    assert_type(plan.positions("is_check", every=2, from_ply=8, to_ply=80, sample=0.5, seed=1), rookery.Plan)
    chosen = plan.select("fen", "move.san", spent="clock(us) - next(clock(them))")
    assert_type(chosen.explain(run=True, executor="threads:2"), str)
    assert_type(chosen.write_parquet("a.parquet", threads=2, force=True).rows, int)
    assert_type(chosen.write("a.csv", errors="a.jsonl").failures, tuple[str, ...])
    assert_type(rookery.scan(rows).write_training("a.binpack", no_result="draw").written, int)
    skipping = rookery.scan("a.pgn", bad="skip").write_training(
        "a.vf", no_score="zero", skip=5, every=2, limit_score=2000
    )
    assert_type(skipping.lost, tuple[str, ...])
    assert_type(rookery.scan(rows).stats(score_bin=50, ply_bin=5, threads=2).scores, dict[int, int])
    assert_type([batch.num_rows for batch in chosen.batches(1000)], list[Any])
    plan.positions(every="2")  # type: ignore
    plan.select(3)  # type: ignore
