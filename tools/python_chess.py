"""What became of each public name of python-chess's board and moves: the tables of docs/coming-from-python-chess.md.

``tests/board/test_python_chess_names.py`` walks both libraries' classes: no name may be missing, and every
entry must be true.
"""

import inspect
from typing import Any, Final, Literal, NamedTuple

from rookery.board.board import Board
from rookery.board.moves import Move


class Name(NamedTuple):
    """One name of python-chess.

    `there` means the same here, `stricter` that it refuses what python-chess accepts, `otherwise` that it is `called`
    another way here, `never` that it will not come.
    """

    how: Literal["there", "stricter", "otherwise", "never"]
    note: str = ""
    called: str = ""  # in code, if otherwise; it begins with a name of the class, or of the library
    without: tuple[str, ...] = ()  # parameters of theirs that are not taken here


def there(note: str = "", *, without: tuple[str, ...] = ()) -> Name:
    """Return a name that means the same here."""
    return Name("there", note, without=without)


def stricter(note: str) -> Name:
    """Return a name that means the same here, but is refused where python-chess would answer."""
    return Name("stricter", note)


def otherwise(called: str, note: str = "") -> Name:
    """Return a name that exists here under another name, or in another form."""
    return Name("otherwise", note, called)


def never(note: str) -> Name:
    """Not here."""
    return Name("never", note)


_VARIANTS = never("chess and Chess960 are the only variants")
_TABLEBASES = never("`chess.syzygy` reads endgame tables: use it with `Board.to_chess`")
_PIECES = there('a letter, `"Q"` or `"q"`, that has `piece_type`, `color` and `symbol()`, too')
_KIND = there('takes letters, too: `"q"` for `QUEEN`')
_LIST = there("a list")
_LEGAL = "of an illegal move it raises `IllegalMoveError`"

BOARD: Final[dict[str, Name]] = {
    "aliases": _VARIANTS,
    "apply_mirror": otherwise("mirror()", "a new board; no board is turned in place"),
    "apply_transform": never("what a transformation makes need not be chess: pawns move one way"),
    "attackers": there(),
    "attackers_mask": otherwise("attackers(...)", "a `Bitboard` is an int"),
    "attacks": there(),
    "attacks_mask": otherwise("attacks(...)", "a `Bitboard` is an int"),
    "bishops": there("read only"),
    "board_fen": there(without=("promoted",)),
    "can_claim_draw": there(),
    "can_claim_fifty_moves": there(),
    "can_claim_threefold_repetition": there(),
    "captures_compulsory": _VARIANTS,
    "castling_rights": stricter("always clean; assigning rights without their king and rook raises"),
    "castling_shredder_fen": otherwise("fen(shredder=True)", "the third field"),
    "castling_xfen": otherwise("fen()", "the third field"),
    "checkers": there(),
    "checkers_mask": otherwise("checkers()", "a `Bitboard` is an int"),
    "chess960": there(),
    "chess960_pos": there(),
    "clean_castling_rights": otherwise("castling_rights", "they are always clean"),
    "clear": there(),
    "clear_board": otherwise("set_piece_map({})"),
    "clear_stack": there(),
    "color_at": there(),
    "connected_kings": _VARIANTS,
    "copy": there(),
    "empty": there(),
    "ep_square": stricter("assigning a square that no pawn has jumped over raises"),
    "epd": there(without=("promoted",)),
    "fen": there(without=("promoted",)),
    "find_move": there(),
    "from_chess960_pos": there(),
    "from_epd": stricter("an opcode that comes twice and a quote that is not closed raise"),
    "fullmove_number": stricter("takes an int from 1 to 999,999,999"),
    "generate_castling_moves": _LIST,
    "generate_legal_captures": _LIST,
    "generate_legal_ep": _LIST,
    "generate_legal_moves": _LIST,
    "generate_pseudo_legal_captures": _LIST,
    "generate_pseudo_legal_ep": _LIST,
    "generate_pseudo_legal_moves": _LIST,
    "gives_check": stricter(_LEGAL),
    "halfmove_clock": stricter("takes an int from 0 to 999,999,999"),
    "has_castling_rights": there(),
    "has_chess960_castling_rights": there(),
    "has_insufficient_material": there(),
    "has_kingside_castling_rights": there(),
    "has_legal_en_passant": there(),
    "has_pseudo_legal_en_passant": otherwise('fen(en_passant="xfen")', "the fourth field names such a square"),
    "has_queenside_castling_rights": there(),
    "is_attacked_by": there(),
    "is_capture": there(),
    "is_castling": there(),
    "is_check": there(),
    "is_checkmate": there(),
    "is_en_passant": there(),
    "is_fifty_moves": there(),
    "is_fivefold_repetition": there(),
    "is_game_over": there(),
    "is_insufficient_material": there(),
    "is_into_check": stricter("False for a move that is not pseudo-legal"),
    "is_irreversible": stricter(_LEGAL),
    "is_kingside_castling": there(),
    "is_legal": there(),
    "is_pinned": stricter("False where no piece of this colour stands; there, an empty square may be pinned"),
    "is_pseudo_legal": there(),
    "is_queenside_castling": there(),
    "is_repetition": there(),
    "is_seventyfive_moves": there(),
    "is_stalemate": stricter("False for a side without a king"),
    "is_valid": stricter("sees checks that no last move can have given, such as by two knights"),
    "is_variant_draw": _VARIANTS,
    "is_variant_end": _VARIANTS,
    "is_variant_loss": _VARIANTS,
    "is_variant_win": _VARIANTS,
    "is_zeroing": there(),
    "king": there(),
    "kings": there("read only"),
    "knights": there("read only"),
    "lan": stricter(_LEGAL),
    "legal_moves": there('takes UCI text, too: `"e2e4" in board.legal_moves`'),
    "mirror": there(),
    "move_stack": there("a fresh list: to change it changes no board"),
    "occupied": there("read only"),
    "occupied_co": otherwise("pieces_of(colour)"),
    "one_king": _VARIANTS,
    "outcome": there(),
    "parse_san": stricter("`a1a2` is a pawn's move, not that of any piece"),
    "parse_uci": stricter(
        "no promotion behind castling, as in `e1g1q`; takes the king's target on any board of Chess960"
    ),
    "parse_xboard": there(),
    "pawnless_tbw_magic": _TABLEBASES,
    "pawnless_tbw_suffix": _TABLEBASES,
    "pawnless_tbz_magic": _TABLEBASES,
    "pawnless_tbz_suffix": _TABLEBASES,
    "pawns": there("read only"),
    "peek": there(),
    "piece_at": _PIECES,
    "piece_map": there("pieces are letters"),
    "piece_type_at": there("`kind_at` answers the letter"),
    "pieces": _KIND,
    "pieces_mask": otherwise("pieces(...)", "a `Bitboard` is an int"),
    "pin": stricter("all squares where no piece of this colour stands"),
    "pin_mask": otherwise("pin(...)", "a `Bitboard` is an int"),
    "ply": there(),
    "pop": there(),
    "promoted": never("no piece remembers that it was a pawn: Crazyhouse asks for that"),
    "pseudo_legal_moves": there("takes moves, not UCI text"),
    "push": stricter("an illegal move raises `IllegalMoveError`; so does the null move while in check"),
    "push_san": there(),
    "push_uci": there(),
    "push_xboard": there(),
    "queens": there("read only"),
    "remove_piece_at": there(),
    "reset": there(),
    "reset_board": otherwise("reset()"),
    "result": there(),
    "rooks": there("read only"),
    "root": there(),
    "san": stricter(f"{_LEGAL}, and of the null move in check"),
    "san_and_push": there(),
    "set_board_fen": there("castling rights that no longer can be are lost"),
    "set_castling_fen": stricter("rights without their king and rook raise"),
    "set_chess960_pos": there(),
    "set_epd": stricter("an impossible position raises"),
    "set_fen": stricter("an impossible position raises; `Board.unchecked` takes any"),
    "set_piece_at": Name("there", "castling rights that no longer can be are lost", without=("promoted",)),
    "set_piece_map": there("castling rights that no longer can be are lost"),
    "shredder_fen": there(without=("promoted",)),
    "starting_fen": there(),
    "status": otherwise("status()", "a list of `Fault`, each with its reason; empty if all is well"),
    "tbw_magic": _TABLEBASES,
    "tbw_suffix": _TABLEBASES,
    "tbz_magic": _TABLEBASES,
    "tbz_suffix": _TABLEBASES,
    "transform": never("what a transformation makes need not be chess: pawns move one way"),
    "turn": there(),
    "uci": there(),
    "uci_variant": _VARIANTS,
    "unicode": there(),
    "variation_san": there(),
    "was_into_check": otherwise("status()", "tells it of a board that is `unchecked`; no other has such a position"),
    "xboard": there(),
    "xboard_variant": _VARIANTS,
}

MOVE: Final[dict[str, Name]] = {
    "drop": never("Crazyhouse is not played here"),
    "from_square": there(),
    "from_uci": there(),
    "null": there(),
    "promotion": there(),
    "to_square": there(),
    "uci": there(),
    "xboard": there("`Board.xboard` writes castling"),
}

_HOW: Final = {"there": "the same", "stricter": "stricter", "otherwise": "otherwise", "never": "will not come"}


def _table(heading: str, names: dict[str, Name]) -> str:
    counts = {how: sum(name.how == how for name in names.values()) for how in _HOW}
    return (
        f"Of {len(names)} names {counts['there']} are the same here, {counts['stricter']} stricter, "
        f"{counts['otherwise']} called otherwise, and {counts['never']} will not come.\n\n{rows(heading, names)}"
    )


def rows(heading: str, names: dict[str, Name]) -> str:
    """Return a table of names, with their counterparts here."""
    table = [f"| `{heading}` | here | note |", "|---|---|---|"]
    for name, entry in names.items():
        here = f"`{_escaped(entry.called)}`" if entry.called else _HOW[entry.how]
        notes = [entry.note] if entry.note else []
        if entry.without:
            notes.append(f"without `{', '.join(entry.without)}`")
        table.append(f"| `{name}` | {here} | {'; '.join(notes)} |")
    return "\n".join(table)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _first_sentence(member: Any) -> str:
    text = " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())
    sentence = text.split(". ")[0].rstrip(".")
    return _escaped(sentence)


def _only_here(ours: type, names: dict[str, Name]) -> str:
    members = [
        f"| `{name}` | {_first_sentence(inspect.getattr_static(ours, name))} |"
        for name in sorted(only_here(ours, names))
    ]
    return "\n".join([f"| `{ours.__name__}` | |", "|---|---|", *members])


def only_here(ours: type, names: dict[str, Name]) -> list[str]:
    """Return the public names of a class that python-chess does not have, without those of an int for `Move`."""
    return [name for name in dir(ours) if name[0] != "_" and name not in names and not hasattr(int, name)]


def board() -> str:
    """Return the names of ``chess.Board``."""
    return _table("chess.Board", BOARD)


def move() -> str:
    """Return the names of ``chess.Move``."""
    return _table("chess.Move", MOVE)


def board_only() -> str:
    """Return the names that only this library's board has."""
    return _only_here(Board, BOARD)


def move_only() -> str:
    """Return the names that only this library's moves have."""
    return _only_here(Move, MOVE)
