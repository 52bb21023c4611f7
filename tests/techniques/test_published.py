"""The tables of all published techniques: no name of the wiki and no file of Chess_Movegen is lost."""

import rookery
from published_techniques import MOVEGEN, WIKI, Listed, movegen, wiki

# The items of the lists on the wiki's page "Sliding Piece Attacks", November 2026.
ON_THE_WIKI = """
    On an empty Board; Tinker's Approach
    Blockers and Beyond; Classical Approach; Bitfoot - A/B Bitboards; CFish - AVX2 Attacks; Exploding Bitboards
    Hyperbola Quintessence; Leorik Attacks; Obstruction Difference; Reverse Bitboards; SBAMG; Shifted Bitboards
    Subtracting a Rook from a Blocking Piece
    First Rank Attacks; Occupancy of any Line; Rotated Bitboards; Rotated Indices; Kindergarten Bitboards
    Sliding Piece Attacks in OliThink; Hashing Dictionaries; Congruent Modulo Bitboards; Magic Bitboards
    BMI2 - PEXT Bitboards; Sherwin Bitboards; SISSY Bitboards; Titboards
    The Switch Approach; SIMD Techniques; Hiding the Implementation
    Dumb7Fill; AVX2 Dumb7Fill; Kogge-Stone Algorithm; Fill by Subtraction
    Combinatorial Logic; Sequential Logic; Vector Attacks
"""
# The headers and C# classes of Chess_Movegen at commit a76800a, and those that its history removed.
IN_CHESS_MOVEGEN = """
    AVXShift.hpp BinaryNeuralNetwork.hpp Bitrotation.hpp Boblookup.hpp Boblookup_advanced.hpp Correlationmagic.hpp
    Dumb7Fill.hpp Exploading.hpp FoldingHash.hpp GaloisField.hpp Genetic8Ray.hpp GeneticObstructionDiff.hpp
    GeneticObstructionDiffV2.hpp GeneticQBB.hpp Hash_Fancy.hpp Hash_Plain.hpp Hash_Var.hpp Hyperbola.hpp
    Hyperbola_IL.hpp Hyperchess.hpp Kindergarten.hpp KindergartenSuperSissyBoard.hpp KoggeStone.hpp Leorik.hpp
    Leorik_IL.hpp ObstructionDiff.hpp ObstructionDiff_IL.hpp Pext.hpp QBB.hpp Rotated.hpp SBAMG.hpp SBAMG_IL.hpp
    Sissy.hpp SlideArithm.hpp SlideArithm_IL.hpp Spectralmagic.hpp SplitPext.hpp Switch.hpp
    PextSparse.hpp XorRookSub.hpp
    FancyMagic.cs FancyMagic_Unsafe.cs HyperbolaQsc.cs Leorik.cs ObstructionDiff.cs Pext.cs Pext_DynamicCompilation.cs
    Pext_Unsafe.cs Switch.cs Switch_Jumptable.cs
"""


def names_of(rows: tuple[Listed, ...]) -> list[str]:
    return [name for row in rows for name in row.name.split(", ")]


def test_every_item_of_the_wiki_has_a_row() -> None:
    names = names_of(WIKI)
    listed = {name.strip() for line in ON_THE_WIKI.strip().splitlines() for name in line.split(";")}
    assert len(listed) == 37
    assert listed - set(names) == set()
    assert len(names) == len(set(names))


def test_every_file_of_chess_movegen_has_a_row() -> None:
    names = names_of(MOVEGEN)
    assert sorted(names) == sorted(IN_CHESS_MOVEGEN.split())


def test_a_row_names_a_technique_or_says_why_there_is_none() -> None:
    known = {name for t in rookery.techniques() for name in (t.name, *(v.name for v in t.card.variants))}
    for row in (*WIKI, *MOVEGEN):
        assert row.ours or len(row.remark) > 30, row
        assert set(row.ours.split()) <= known, row


def test_the_tables_have_all_rows() -> None:
    for table, rows in ((wiki(), WIKI), (movegen(), MOVEGEN)):
        _, _, *lines = table.splitlines()
        assert len(lines) == len(rows)
        for line, row in zip(lines, rows, strict=True):
            assert line.startswith(f"| {row.name} | ")
            assert all(f"`{name}`" in line for name in row.ours.split())
            assert line.count("|") == 4
