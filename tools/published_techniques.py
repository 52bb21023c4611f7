"""The tables of docs/techniques.md with every technique that the wiki and Chess_Movegen list, and what it is here."""

from typing import Final, NamedTuple

from rookery.techniques import technique


class Listed(NamedTuple):
    """A technique as a source lists it: its name there, our techniques or variants, and a remark."""

    name: str
    ours: str  # names, separated by blanks; empty where there is none, and the remark says why
    remark: str = ""


# The lists of the chessprogramming wiki's page "Sliding Piece Attacks", in its order, and pages that it refers to.
WIKI: Final = (
    Listed(
        "On an empty Board", "", "the attacks without blockers, on which the others build: `rookery.bitboards.lines`"
    ),
    Listed("Tinker's Approach", "tinker"),
    Listed("Blockers and Beyond", "blockers-and-beyond"),
    Listed(
        "Classical Approach",
        "classical classical-branchless classical-generalized classical-generalized-branchless classical-zero-count "
        "classical-one-run classical-sherwin",
    ),
    Listed("Bitfoot - A/B Bitboards", "a-b-bitboards", "the wiki's form lacks negative rays without a blocker"),
    Listed("CFish - AVX2 Attacks", "cfish-avx2"),
    Listed("Exploding Bitboards", "exploding"),
    Listed("Hyperbola Quintessence", "hyperbola hyperbola-bitreverse"),
    Listed("Leorik Attacks", "leorik"),
    Listed("Obstruction Difference", "obstruction-difference obstruction-difference-short"),
    Listed("QBBEngine", "qbb"),
    Listed("Reverse Bitboards", "reverse-bitboards"),
    Listed("SBAMG", "sbamg"),
    Listed("Shifted Bitboards", "shifted-bitboards"),
    Listed("Subtracting a Rook from a Blocking Piece", "hyperbola", "the subtraction `o ^ (o - 2r)` for one direction"),
    Listed("First Rank Attacks", "first-rank-256 first-rank-64"),
    Listed("Occupancy of any Line", "first-rank-64", "how to bring a line to the first rank, the first half of it"),
    Listed("Rotated Bitboards", "rotated-hyatt rotated-hyatt-64 rotated-heinz rotated-heinz-64 rotated-compact"),
    Listed("Rotated Indices", "rotated-indices"),
    Listed("Kindergarten Bitboards", "kindergarten"),
    Listed("Sliding Piece Attacks in OliThink", "kindergarten-split"),
    Listed("Hashing Dictionaries", "dictionary"),
    Listed("Congruent Modulo Bitboards", "congruent-modulo congruent-modulo-dense"),
    Listed(
        "Magic Bitboards",
        "magic-plain magic-fancy magic-shared magic-reduced magic-fixed-shift magic-index16 magic-byte magic-black",
    ),
    Listed("BMI2 - PEXT Bitboards", "pext pext-pdep16"),
    Listed("Sherwin Bitboards", "sherwin sherwin-bytes"),
    Listed("SISSY Bitboards", "sissy"),
    Listed("Titboards", "titboards"),
    Listed("The Switch Approach", "switch"),
    Listed("SIMD Techniques", "sse2-movemask"),
    Listed("Hiding the Implementation", "", "how a C++ program calls any technique; here, all are a `Technique`"),
    Listed("Dumb7Fill", "dumb7fill"),
    Listed("AVX2 Dumb7Fill", "avx-shift"),
    Listed("Kogge-Stone Algorithm", "kogge-stone"),
    Listed("Fill by Subtraction", "fill-by-subtraction", "one direction of eight"),
    Listed("Combinatorial Logic", "", "circuits of gates for hardware, not a formula of words"),
    Listed("Sequential Logic", "", "a circuit that takes a clock cycle per step, as `dumb7fill` takes an instruction"),
    Listed("Vector Attacks", "", "tests on a mailbox whether one square attacks another; it has no attack sets"),
)
# Chess_Movegen's files, and those that its history removed.
MOVEGEN: Final = (
    Listed("AVXShift.hpp", "avx-shift"),
    Listed(
        "BinaryNeuralNetwork.hpp",
        "",
        "`pext-pdep16` with trained networks in place of its entries. They answer right in every case, but their "
        "28 KiB of weights have no free licence, and a rook takes up to 448 neurons",
    ),
    Listed("Bitrotation.hpp", "bitrotation"),
    Listed("Boblookup.hpp", "classical-sherwin"),
    Listed("Boblookup_advanced.hpp", "classical-zero-count", "all eight rays of a queen in one run"),
    Listed(
        "Correlationmagic.hpp",
        "magic-black",
        "rows of `magic-plain`; one stored factor, shifted by the square, serves two rooks or eight bishops",
    ),
    Listed("Dumb7Fill.hpp", "dumb7fill"),
    Listed("Exploading.hpp", "exploding"),
    Listed("FoldingHash.hpp", "folding-hash"),
    Listed("GaloisField.hpp", "galois-field"),
    Listed("Genetic8Ray.hpp", "genetic-8-ray"),
    Listed("GeneticObstructionDiff.hpp", "obstruction-difference-short"),
    Listed(
        "GeneticObstructionDiffV2.hpp", "obstruction-difference-short", "bit 0 is part of the masks and the occupancy"
    ),
    Listed("GeneticQBB.hpp", "genetic-qbb", "wrong on empty squares, as QBB's published form"),
    Listed("Hash_Fancy.hpp", "magic-black", "88,507 entries"),
    Listed("Hash_Plain.hpp", "magic-plain"),
    Listed("Hash_Var.hpp", "magic-reduced", "93,376 entries; it is called fancy magic there"),
    Listed("Hyperbola.hpp, Hyperbola_IL.hpp", "hyperbola", "with tables, and without"),
    Listed("Hyperchess.hpp", "hypercube"),
    Listed("Kindergarten.hpp", "kindergarten-split", "130 KiB of tables"),
    Listed("KindergartenSuperSissyBoard.hpp", "kindergarten-split"),
    Listed("KoggeStone.hpp", "kogge-stone"),
    Listed("Leorik.hpp, Leorik_IL.hpp", "leorik", "with tables, and without"),
    Listed("ObstructionDiff.hpp, ObstructionDiff_IL.hpp", "obstruction-difference", "with tables, and without"),
    Listed("Pext.hpp", "pext", "also emulated, as `pext` is here on CPUs without BMI2"),
    Listed("PextSparse.hpp", "split-pext", "removed; the same tables in one array"),
    Listed("QBB.hpp", "qbb"),
    Listed("Rotated.hpp", "rotated-compact", "14 KiB; tables of its own expand a line's byte, instead of a mask"),
    Listed("SBAMG.hpp, SBAMG_IL.hpp", "sbamg", "with tables, and without"),
    Listed("Sissy.hpp", "sissy"),
    Listed("SlideArithm.hpp, SlideArithm_IL.hpp", "slide-arithmetic", "with tables, and without"),
    Listed("Spectralmagic.hpp", "spectral-magic", "18 bits of index, 2.1 MiB"),
    Listed("SplitPext.hpp", "split-pext"),
    Listed("Switch.hpp, Switch.cs, Switch_Jumptable.cs", "tinker", "a program wrote the tests of each square as code"),
    Listed("XorRookSub.hpp", "bitrotation", "removed; an earlier name of it"),
    Listed("FancyMagic.cs, FancyMagic_Unsafe.cs", "magic-black", "C#"),
    Listed("HyperbolaQsc.cs", "hyperbola", "C#"),
    Listed("Leorik.cs", "leorik", "C#"),
    Listed("ObstructionDiff.cs", "obstruction-difference", "C#"),
    Listed(
        "Pext.cs, Pext_Unsafe.cs, Pext_DynamicCompilation.cs", "pext", "C#, the last with a function for each square"
    ),
)


def _table(heading: str, rows: tuple[Listed, ...]) -> str:
    lines = [f"| {heading} | here | note |", "|---|---|---|"]
    for row in rows:
        names = row.ours.split()
        for name in names:
            technique(name)  # an unknown name is an error
        lines.append(f"| {row.name} | {', '.join(f'`{name}`' for name in names) or 'not included'} | {row.remark} |")
    return "\n".join(lines)


def wiki() -> str:
    """Return the table of the techniques that the chessprogramming wiki lists."""
    return _table("chessprogramming wiki", WIKI)


def movegen() -> str:
    """Return the table of the techniques in Chess_Movegen."""
    return _table("Chess_Movegen", MOVEGEN)
