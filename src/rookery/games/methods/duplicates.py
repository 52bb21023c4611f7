"""Games that occur several times, or that are the beginning of another game, in any number of files.

What is known of a bad game ends before its error. So it is the same only as a game with the same bytes, and neither the
beginning of another game nor a longer game that begins like another.

Games are read twice, and a third time for prefixes. The first pass keeps a hash of each game, the last one the moves
of those games whose hashes agree, and compares them. So memory is needed for 12 bytes of each game, and for the moves
of likely duplicates only.
"""

import unicodedata
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import SPLITMIX_STEP, mixed
from rookery.frames.columns import Texts
from rookery.games.game_array import GameArray
from rookery.games.game_columns import GameColumns
from rookery.games.headers.dates import DATES
from rookery.kernel import U64, Word, array_of, entry
from rookery.pgn.scan.lexing.vocabulary import RESULTS
from rookery.positions.kernels.keys import next_move_hash
from rookery.positions.layout import NUMBER_SHIFT
from rookery.positions.operands import plain
from rookery.positions.positions import Positions

Index = NDArray[np.int64]

PLAYERS: Final = ("White", "Black")
HEADERS: Final = (*PLAYERS, *DATES)  # those that games must share if headers count


class DuplicateFinder:
    """Duplicates among games that are read several times in the same order.

    `add` takes all games in batches, then `add_prefixes` if `prefixes` are wanted, then `confirm`; `groups` gives
    the result. With `headers` games must agree in players, day and result, too; `words_of` says how names are compared.
    Games of fewer than `min_plies` half-moves are never duplicates. A bad game is the duplicate only of games with the
    same bytes.
    """

    def __init__(self, *, headers: bool = False, prefixes: bool = False, min_plies: int = 1) -> None:
        self.games = 0
        self._headers, self._prefixes, self._min_plies = headers, prefixes, min_plies
        self._keys: list[NDArray[np.uint64]] = []
        self._plies: list[NDArray[np.int32]] = []
        self._read = 0  # in the current pass
        self._collected: list[tuple[Index, GameArray]] = []

    def add(self, games: GameArray) -> None:
        """Read games for the first time."""
        self._keys.append(games.moves.hash() ^ self._bases(games, self.games))
        self._plies.append(games.plies.astype(np.int32))
        self.games += len(games)

    def add_prefixes(self, games: GameArray) -> None:
        """Read games once more, to find out which of them begin like the others."""
        if not len(games):
            return
        if not self._read:
            self._prepare_prefixes()
        plies = games.columns.plies
        bases = self._bases(games, self._read)
        find_prefixes(
            plies.offsets,
            plain(plies.columns["moves"]),
            bases,
            self._table,
            self._lengths,
            self._read,
            self._longest,
            self._whole,
        )
        self._advance(len(games))

    def confirm(self, games: GameArray) -> None:
        """Read games for the last time, and keep those that are likely duplicates."""
        if not len(games):
            return
        if not self._read:
            self._wanted = self._likely()
        rows = np.flatnonzero(self._wanted[self._read : self._read + len(games)])
        if rows.size:
            self._collected.append((rows + self._read, games[rows]))
        self._advance(len(games))

    def groups(self) -> list[list[int]]:
        """Return groups of the indices of games: the game to keep comes first, which is the first or the longest."""
        if not self._collected:
            return []
        index, games = self.candidates()
        same = SameGames(games, self._headers)
        first = same.first_of_each()
        if self._prefixes:
            self._join_prefixes(same, first, index)
        members: dict[int, list[int]] = {}
        for i, kept in enumerate(first.tolist()):
            members.setdefault(kept, []).append(i)
        found = ([kept, *(i for i in group if i != kept)] for kept, group in members.items() if len(group) > 1)
        return sorted(([int(index[i]) for i in group] for group in found), key=min)

    def candidates(self) -> tuple[Index, GameArray]:
        """Return the indices of all games that `confirm` kept, and these games."""
        if len(self._collected) != 1:
            rows, parts = zip(*self._collected, strict=True)
            self._collected = [(np.concatenate(rows), type(parts[0]).concatenate(parts))]
        return self._collected[0]

    def _bases(self, games: GameArray, before: int) -> NDArray[np.uint64]:
        """Return a hash of all but the moves of each game; `before` is the number of games before these."""
        bases = start_hashes(games.columns)
        if self._headers:
            bases ^= np.array([hash(header) & 0xFFFF_FFFF_FFFF_FFFF for header in headers_of(games)], np.uint64)
        for row, digest in digests_of(games):
            bases[row] ^= mixed(U64(int(digest, 16) if digest else before + row) ^ SPLITMIX_STEP)
        return bases

    def _advance(self, n: int) -> None:
        self._read += n
        if self._read > self.games:
            raise ValueError(f"games: {self._read:,} in this pass: expected the {self.games:,} of the first one")
        if self._read == self.games:
            self._read = 0

    def _all(self) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """Return the hashes and lengths of all games, each as one array."""
        if len(self._keys) != 1:
            self._keys = [np.concatenate([*self._keys, np.zeros(0, np.uint64)])]
            self._plies = [np.concatenate([*self._plies, np.zeros(0, np.int32)])]
        return self._keys[0], self._plies[0]

    def _likely(self) -> NDArray[np.bool_]:
        """Return which games have the hash of another one, or seem to be its beginning."""
        keys, plies = self._all()
        _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        wanted: NDArray[np.bool_] = (sizes[group] > 1) & (plies >= self._min_plies)
        if self._prefixes:
            begun = self._longest[group] > 0
            wanted |= begun
            wanted[self._whole[group[begun]]] = True
        return wanted

    def _prepare_prefixes(self) -> None:
        keys, plies = self._all()
        different, first = np.unique(keys, return_index=True)
        self._lengths = np.where(plies[first] >= self._min_plies, plies[first], -1).astype(np.int64)
        self._table = np.zeros((1 << max(2 * different.size - 1, 1).bit_length(), 2), np.uint64)
        fill_table(different, self._table)
        self._longest = np.zeros(different.size, np.int64)  # half-moves of the longest game with that beginning
        self._whole = np.zeros(different.size, np.int64)  # and its index

    def _join_prefixes(self, same: "SameGames", first: Index, index: Index) -> None:
        """Let each game that is the beginning of a longer one belong to its group."""
        keys, _ = self._all()
        places = np.searchsorted(np.unique(keys), keys[index])
        row_of = {int(game): row for row, game in enumerate(index)}
        to = first.copy()
        for i in np.flatnonzero((self._longest[places] > 0) & (first == np.arange(first.size))).tolist():
            whole = row_of[int(self._whole[places[i]])]
            if same.begins(i, whole):
                to[i] = first[whole]
        first[:] = to[first]


class SameGames:
    """Games that are compared with each other: by start and moves, by headers if these count, and bad ones by bytes."""

    def __init__(self, games: GameArray, headers: bool = False) -> None:
        self.games = games
        self._starts = _start_groups(games)
        self._others = np.zeros(len(games), np.int64)  # the same number where all but start and moves is the same
        numbers: dict[Any, int] = {}
        if headers:
            self._others[:] = [numbers.setdefault(header, len(numbers)) for header in headers_of(games)]
        for row, digest in digests_of(games):
            self._others[row] = numbers.setdefault(digest or row, len(games) + len(numbers))

    def first_of_each(self) -> Index:
        """Return for each game the index of the first one that is the same."""
        hashes = self.games.moves.hash() ^ mixed(self._starts.astype(U64) << U64(32) | self._others.astype(U64))
        _, first, group = np.unique(hashes, return_index=True, return_inverse=True)
        found: Index = first[group].astype(np.int64)
        repeated = np.flatnonzero(found != np.arange(found.size))
        doubtful = repeated[self._differ(repeated, found[repeated])]
        # Different games with one hash: each is compared with the games of its hash found so far.
        others: dict[int, list[int]] = {}
        for i in doubtful.tolist():
            known = others.setdefault(int(group[i]), [])
            equal = next((k for k in known if self.begins(i, k) and self.begins(k, i)), i)
            found[i] = equal
            if equal == i:
                known.append(i)
        return found

    def begins(self, i: int, k: int) -> bool:
        """Check whether game `i` is the beginning of game `k`, or the same."""
        ours, theirs = self.games.moves[i], self.games.moves[k]
        same = self._starts[i] == self._starts[k] and self._others[i] == self._others[k]
        return bool(same) and np.array_equal(ours, theirs[: ours.size])

    def _differ(self, a: Index, b: Index) -> NDArray[np.bool_]:
        """Return where game ``a[i]`` differs from game ``b[i]``."""
        plies, moves = self.games.plies, self.games.moves
        differ: NDArray[np.bool_] = (self._starts[a] != self._starts[b]) | (plies[a] != plies[b])
        differ |= self._others[a] != self._others[b]
        rest = np.flatnonzero(~differ)
        ours, theirs = moves[a[rest]], moves[b[rest]]
        before = np.concatenate([[0], np.cumsum(ours.moves != theirs.moves)])
        differ[rest] = before[ours.offsets[1:]] != before[ours.offsets[:-1]]
        return differ


def _start_groups(games: GameArray) -> Index:
    """Return a number for each game, the same for games from the same position."""
    places = games.columns.starts.places
    if not (places >= 0).any():
        return np.zeros(len(games), np.int64)
    _, groups = games.columns.starts.positions().unique(return_inverse=True, counters=True)
    return groups


def game_hashes(games: GameArray) -> NDArray[np.uint64]:
    """Return a hash of each game: of its first position and all its moves."""
    hashes: NDArray[np.uint64] = mixed(games.moves.hash() ^ start_hashes(games.columns))
    return hashes


def start_hashes(columns: GameColumns) -> NDArray[np.uint64]:
    """Return a hash of the position from which each game begins, with its counters."""
    starts = Positions(columns.starts.all_positions)
    counters = starts.halfmove_clock | starts.fullmove_number << U64(NUMBER_SHIFT)
    hashes: NDArray[np.uint64] = mixed(starts.keys() ^ mixed(counters + U64(SPLITMIX_STEP)))
    return hashes[columns.starts.places + 1]


def digests_of(games: GameArray) -> list[tuple[int, str]]:
    """Return the row of each bad game, and the digest of its bytes, or "" if it is not known."""
    return list({row: error.digest for row, error in games.columns.errors.of_rows}.items())


def headers_of(games: GameArray) -> Iterator[tuple[Any, ...]]:
    """Yield what the headers of each game say about players, day and result, in a form that can be compared.

    Of a day that is not complete, the year, the month or the day that is known counts.
    """
    headers = games.headers
    columns = [column for name in PLAYERS if isinstance(column := headers.get(name), Texts)]
    if missing := [name for name in PLAYERS if not isinstance(headers.get(name), Texts)]:
        raise ValueError(f"headers: {missing[0]}: not read: expected columns White and Black, and UTCDate or Date")
    if not any(name in headers for name in DATES):
        raise ValueError("headers: UTCDate and Date: not read: expected one of them, or both")
    players = [map(words_of, (name or "" for name in column)) for column in columns]
    results = [RESULTS[score] for score in games.scores.tolist()]
    return zip(*players, games.columns.dates.tolist(), results, strict=True)


def words_of(name: str) -> str:
    """Return a name as it is compared: its words in alphabetical order, without case, accents and punctuation.

    >>> words_of("Réti, Richard") == words_of("RICHARD RETI")
    True
    """
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    return " ".join(sorted("".join(c if c.isalnum() else " " for c in plain.casefold()).split()))


@entry(examples=lambda: (array_of(U64), array_of(U64, 2)))
def fill_table(keys: Any, table: Any) -> None:
    """Write each key, and its index from 1 on, to a free row of a hash table."""
    mask = U64(table.shape[0]) - 1
    for i in range(keys.size):
        slot = mixed(keys[i]) & mask
        while table[slot, 1]:
            slot = (slot + 1) & mask
        table[slot, 0] = keys[i]
        table[slot, 1] = U64(i) + 1


@entry(
    examples=lambda: (
        array_of(np.int64),
        array_of(np.uint16),
        array_of(U64),
        array_of(U64, 2),
        array_of(np.int64),
        0,
        array_of(np.int64),
        array_of(np.int64),
    )
)
def find_prefixes(
    offsets: Any, moves: Any, bases: Any, table: Any, lengths: Any, before: Any, longest: Any, whole: Any
) -> None:
    """Look up the prefixes of games in a table of hashes of whole games.

    For each hash that is found, note the longest game with that beginning, and its number from `before` on.
    """
    mask = U64(table.shape[0]) - 1
    for i in range(bases.size):
        plies = offsets[i + 1] - offsets[i]
        value: Word = SPLITMIX_STEP
        for j in range(plies):
            key = value ^ bases[i]
            slot = mixed(key) & mask
            while table[slot, 1] and table[slot, 0] != key:
                slot = (slot + 1) & mask
            if table[slot, 1]:
                k = table[slot, 1] - U64(1)
                if lengths[k] == j and plies > longest[k]:
                    longest[k] = plies
                    whole[k] = before + i
            value = next_move_hash(value, U64(moves[offsets[i] + j]))
