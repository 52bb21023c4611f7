"""A game of PGN as HTML, for notebooks: its last position, its headers and its moves."""

from typing import Any

from rookery.frames.html_tables import shown_text


def game_html(game: Any) -> str:
    """Return the HTML of a `pgn.Game`. Nothing in it is interpreted: headers and comments are escaped.

    >>> from rookery.pgn.tree.game import Game
    >>> text = game_html(Game({"White": "<b>Anna"}))
    >>> "<td>&lt;b&gt;Anna</td>" in text
    True
    >>> "<svg" in text
    True
    """
    rows = "".join(
        f"<tr><th>{shown_text(name)}</th><td>{shown_text(value)}</td></tr>"
        for name, value in game.headers.items()
        if value not in ("?", "????.??.??")
    )
    try:
        picture = game.end().board().svg()
        moves = shown_text(" ".join(str(game).rpartition("\n\n")[2].split()))
    except ValueError as error:  # a game that was made by hand may have an illegal move
        picture, moves = "", shown_text(f"{game!r}: {error}")
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 1em">'
        f'<div>{picture}</div><div style="max-width: 40em"><table>{rows}</table><p>{moves}</p></div></div>'
    )
