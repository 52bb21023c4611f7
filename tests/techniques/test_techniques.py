"""Every technique, judged by the oracle on every case there is; and the registry that holds them."""

import copy
import importlib
import pickle
import pkgutil
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rookery
from rookery import verify
from rookery.rules.compiled import default_technique
from rookery.techniques import ALL, techniques
from rookery.techniques.base import Needs, Technique

U64 = np.uint64

NAMES = """
    rays
    classical classical-branchless classical-generalized classical-generalized-branchless classical-zero-count
    classical-one-run classical-sherwin
    dumb7fill kogge-stone exploding hyperbola hyperbola-bitreverse
    obstruction-difference obstruction-difference-short sbamg slide-arithmetic qbb
    first-rank-256 first-rank-64 titboards dictionary
    rotated-hyatt rotated-heinz rotated-hyatt-64 rotated-heinz-64 rotated-compact
    kindergarten kindergarten-split congruent-modulo congruent-modulo-dense sherwin sherwin-bytes sissy
    magic-plain magic-fancy magic-shared magic-reduced magic-fixed-shift magic-index16 magic-byte
    magic-folded-2 magic-folded-4 magic-folded-8 magic-black
    pext pext-pdep16 split-pext pext-line-pdep ray-space
""".split()
LINES = ("rank", "file", "diagonal", "antidiagonal")
ROTATED = ("rotated-hyatt", "rotated-heinz", "rotated-hyatt-64", "rotated-heinz-64", "rotated-compact")
RAY_TECHNIQUES = (
    "rays",
    "classical",
    "classical-branchless",
    "classical-generalized",
    "classical-generalized-branchless",
    "classical-zero-count",
    "dumb7fill",
    "kogge-stone",
)
FILL_TECHNIQUES = ("dumb7fill", "kogge-stone")
PIECES_ONLY = (
    "classical-one-run",
    "classical-sherwin",
    "exploding",
    "sherwin",
    "sherwin-bytes",
    "sissy",
    "pext",
    "pext-pdep16",
    "ray-space",
)

# Squares of a ray's subsets: every one of a rook's (2**14 per square) and a bishop's, four times over.
CASES = {"rook": 4 * 1_048_576, "bishop": 4 * 71_168, "queen": 4 * 1_048_576}


def test_the_proof(technique: Technique) -> None:
    results = [run() for _, run in verify.checks(technique)]
    assert [r.first for r in results if r.mismatches] == []
    cases = {r.check: r.cases for r in results}
    assert {piece: cases[piece] for piece in CASES} == CASES
    offers = {"fills" if offer == "fill" else offer for offer in technique.offers if offer != "ray"}
    rays = set(rookery.DIRECTIONS) if "ray" in technique.offers else set()
    assert set(cases) == offers | rays | {"one by one", "toggling"}


def test_the_registry_is_complete_and_in_teaching_order() -> None:
    assert [t.name for t in rookery.techniques()] == NAMES
    assert all(rookery.technique(name).name == name for name in NAMES)


def test_no_technique_is_left_out_of_the_registry() -> None:
    found = []
    package = importlib.import_module("rookery.techniques")  # the name `rookery.techniques` is the function
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_") and not module.ispkg:
            contents = vars(importlib.import_module(f"rookery.techniques.{module.name}")).values()
            records = [value for value in contents if isinstance(value, Technique)]
            assert records, f"{module.name} holds no technique"
            found += records
    assert set(found) == set(ALL)
    assert len(set(NAMES)) == len(ALL)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("kogge stone", "'kogge-stone'"),
        ("magic", "'magic-plain'"),
        ("hyperbolla", "'hyperbola'"),
        ("fancy", "'magic-fancy'"),
    ],
)
def test_an_unknown_name_lists_near_matches(name: str, meant: str) -> None:
    with pytest.raises(ValueError, match=name) as error:
        rookery.technique(name)
    assert meant in str(error.value)


def test_a_name_like_no_other_lists_all() -> None:
    with pytest.raises(ValueError, match="kindergarten"):
        rookery.technique("zzzzzz")
    with pytest.raises(TypeError, match="expected a name"):
        rookery.technique(7)  # type: ignore[arg-type]


def test_offers() -> None:
    for t in ALL:
        assert t.offers[:3] == ("rook", "bishop", "queen")
        assert (set(LINES) <= set(t.offers)) == (t.name not in PIECES_ONLY and not t.name.startswith("magic")), t
        assert ("ray" in t.offers) == (t.name in RAY_TECHNIQUES), t
        assert ("fill" in t.offers) == (t.name in FILL_TECHNIQUES), t


def test_what_is_not_offered_is_a_clear_error() -> None:
    t = rookery.technique("pext")
    with pytest.raises(ValueError, match="'pext' has no answer for a rank"):
        t.rank(0, 0)
    with pytest.raises(ValueError, match="'pext' has no answer for a ray"):
        t.ray("north", np.arange(3), 0)
    with pytest.raises(ValueError, match="'pext' has no set-wise fill"):
        t.fill("north", 0, 0)
    with pytest.raises(ValueError, match=r"direction: 'nort': expected one of north, northeast"):
        rookery.technique("rays").ray("nort", 0, 0)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="mover: 'knight'"):
        t.ask("knight", 0, 0)


def test_cards(technique: Technique) -> None:
    assert technique.authors
    assert all(technique.authors)
    assert 1967 <= technique.year <= 2026
    assert technique.source
    assert technique.summary
    assert str(technique.needs)
    assert repr(technique) == f"<technique {technique.name}>"


def test_tables_are_counted_and_read_only(technique: Technique) -> None:
    tables = technique.tables()
    assert technique.table_bytes == sum(table.nbytes for table in tables)
    for table in tables:
        assert not table.flags.writeable
    assert technique.tables() is tables


def test_a_technique_stands_in_the_module_it_names(technique: Technique) -> None:
    assert any(value is technique for value in vars(importlib.import_module(technique.module)).values())


def test_tables_have_a_class_of_the_techniques_own_which_the_next_process_finds() -> None:
    for t in (*ALL, default_technique()):
        own = type(t.tables())
        assert own is t.tables_class
        assert getattr(importlib.import_module(t.module), own.__qualname__) is own
        assert pickle.loads(pickle.dumps(own)) is own
    assert len({t.tables_class.__name__ for t in (*ALL, default_technique())}) == len(ALL) + 1


def test_tables_of_the_same_fields_are_declared_once() -> None:
    declared: set[Any] = {t.tables_class.__base__ for t in ALL}
    assert len({kind._fields for kind in declared}) == len(declared) < len(ALL)


def test_a_technique_must_answer_for_both_pieces() -> None:
    card = rookery.technique("pext").card
    with pytest.raises(TypeError, match=r"^technique 'half': expected kernels for the rook and the bishop"):
        Technique(replace(card, name="half", kernels=card.kernels._replace(bishop=None)))


def test_what_builds_tables_says_their_class() -> None:
    def tables() -> Any:
        return ()

    card = replace(rookery.technique("pext").card, name="untold", tables=tables)
    with pytest.raises(TypeError, match=r"'untold': .*tables must be annotated to return a NamedTuple"):
        Technique(card)


# Sizes that the literature gives, of the tables that hold attacks.
SIZES: dict[str, dict[str, int]] = {
    "classical": {"rays": 8 * 64 * 8},
    "classical-zero-count": {"rays": 8 * 65 * 8},
    "hyperbola": {"first_rank": 512},
    "first-rank-256": {"first_rank": 2048},
    "first-rank-64": {"first_rank": 512},
    "rotated-hyatt": {"rank": 131_072, "file": 131_072, "diagonal": 131_072, "antidiagonal": 131_072},
    "rotated-heinz": {"rank": 131_072, "file": 131_072, "diagonal": 131_072, "antidiagonal": 131_072},
    "rotated-hyatt-64": {"rank": 32_768, "file": 32_768, "diagonal": 32_768, "antidiagonal": 32_768},
    "rotated-heinz-64": {"rank": 32_768, "file": 32_768, "diagonal": 32_768, "antidiagonal": 32_768},
    "rotated-compact": {"fill_up": 4096, "a_file": 4096},
    "kindergarten": {"fill_up": 4096, "a_file": 4096},
    "congruent-modulo": {"file": 258 * 512, "diagonal": 514 * 512, "antidiagonal": 257 * 512},
    "sherwin": {"rook_rows": 524_288, "bishop_rows": 49_152, "rook_attacks": 819_200, "bishop_attacks": 41_984},
    "magic-plain": {"rook": 2_097_152, "bishop": 262_144},
    "magic-fancy": {"attacks": 107_648 * 8},
    "magic-shared": {"attacks": 294_912 * 8},
    "magic-reduced": {"attacks": (88_064 - 3 * 512 - 1024 + 4_800) * 8},
    "magic-index16": {"numbers": 107_648 * 2},
    "magic-byte": {"numbers": 107_648, "sets": 6_328 * 8},
    "magic-folded-2": {"attacks": 39_264 * 8},
    "magic-folded-4": {"attacks": 19_120 * 8},
    "magic-folded-8": {"attacks": 10_656 * 8},
    "pext": {"attacks": 107_648 * 8},
    "pext-pdep16": {"entries": 107_648 * 2},
}


@pytest.mark.parametrize("name", SIZES)
def test_table_sizes(name: str) -> None:
    tables = rookery.technique(name).tables()._asdict()
    assert {field: tables[field].nbytes for field in SIZES[name]} == SIZES[name]


def test_one_index_bit_less_saves_448_bishop_slots_and_16896_of_the_rook() -> None:
    tables = rookery.technique("magic-reduced").tables()
    bishops_start_from = int(tables.bishop[3])
    assert bishops_start_from == 102_400 - 14_336 - 3 * 512 - 1024 == 85_504
    assert tables.attacks.size - bishops_start_from == 5_248 - 448 == 4_800


def test_sherwins_stop_bits_take_four_and_a_half_kilobytes_a_piece() -> None:
    assert rookery.technique("classical-sherwin").table_bytes == 2 * 4608


def test_dense_tables_are_a_sixth_of_the_sparse() -> None:
    sparse, dense = (rookery.technique(name).table_bytes for name in ("congruent-modulo", "congruent-modulo-dense"))
    assert 6 * dense < sparse


def test_needs_read_well() -> None:
    assert str(Needs.NOTHING) == "nothing"
    assert str(rookery.technique("classical").needs) == "scan forward, scan reverse"


# The state between moves.


@pytest.mark.parametrize("name", ROTATED)
def test_rotated_techniques_keep_four_boards(name: str) -> None:
    t = rookery.technique(name)
    state = t.prepare(0x1234_5678_9ABC_DEF0)
    assert state._fields == ("plain", "r90", "l45", "r45")
    assert {len(board) for board in state} == {len(state.plain)}
    assert len(set(state)) == 4
    assert t.queen(27, state) == t.queen(27, 0x1234_5678_9ABC_DEF0)
    emptied = state
    for square in state.plain:
        emptied = t.toggle(emptied, square)
    assert emptied == t.prepare(0)


def test_other_techniques_keep_the_occupancy_itself() -> None:
    for t in ALL:
        if t.name not in ROTATED:
            assert t.prepare(5) == 5
            assert t.toggle(5, 1) == 7


def test_mask_tables_and_arithmetic_keep_the_same_pieces() -> None:
    """Hyatt's boards and Gillgasch's hold the same squares in other places, except the first."""
    hyatt, heinz = (
        rookery.technique(name).prepare(0xFF00_1234_0000_00FF) for name in ("rotated-hyatt", "rotated-heinz")
    )
    assert hyatt.plain == heinz.plain
    assert hyatt.l45 != heinz.l45
    assert len(hyatt.l45) == len(heinz.l45)


@pytest.mark.parametrize("bad", [-1, 64, 2**70])
def test_toggle_checks_its_square(bad: int) -> None:
    with pytest.raises(ValueError, match="off the board"):
        rookery.technique("rotated-hyatt").toggle(rookery.technique("rotated-hyatt").prepare(0), bad)


# An outside check: the published sum of another program's harness.


def test_the_sum_of_chess_movegens_harness() -> None:
    """Daniel Infuehr's Chess_Movegen XORs the queens of 12 random squares over random occupancies.

    Its xorshift begins 123456789, 362436069, 521288629; after 2,000 positions the XOR is 0xe94b57081311a561.
    """
    x, y, z = 123456789, 362436069, 521288629
    mask = 0xFFFF_FFFF

    def rand32() -> int:
        nonlocal x, y, z
        x ^= x << 16 & mask
        x ^= x >> 5
        x ^= x << 1 & mask
        x, y, z = y, z, z ^ x ^ y
        return z

    def rand64() -> int:
        high = rand32()
        return high << 32 | rand32()

    positions: list[tuple[list[int], int]] = []
    for _ in range(2000):
        occupied = rand64() & rand64()
        positions.append(([rand32() % 64 for _ in range(12)], occupied))
    assert positions[0] == ([52, 31, 36, 22, 51, 30, 43, 55, 48, 27, 21, 3], 0x160180D307182834)
    squares = np.array([s for s, _ in positions])
    boards = np.array([[o] for _, o in positions], U64)
    for t in ALL:
        assert np.bitwise_xor.reduce(t.queen(squares, boards), axis=None) == 0xE94B57081311A561, t


@pytest.mark.parametrize("name", ["rook_attacks", "bishop_attacks", "queen_attacks"])
def test_the_best_default_answers_like_the_oracle(name: str) -> None:
    ask: Any = getattr(rookery, name)
    for square, occupied in [(0, 0), (27, 0x1234_5678_9ABC_DEF0), (63, 2**64 - 1)]:
        assert ask(square, occupied) == verify.oracle(name.removesuffix("_attacks"), square, occupied)


def test_a_technique_is_pickled_by_its_name_and_no_copy_of_it_is_another() -> None:
    for t in techniques():
        assert pickle.loads(pickle.dumps(t)) is t
        assert copy.deepcopy(t) is copy.copy(t) is t
    with pytest.raises(pickle.PicklingError, match="is not part of rookery"):
        pickle.dumps(default_technique())
