"""The default technique: the fastest for one position at a time, with its tables in the machine code."""

from rookery.bitboards.pieces import SLIDERS
from rookery.kernel import U64, Bits, Square, has_pext, kernel, once
from rookery.protocol import QUESTIONS, answer_one
from rookery.technique import Card, Kernels, NoTables, Technique
from rookery.techniques import technique


@once
def default_technique() -> Technique:
    """Return the fastest technique for one position at a time: PEXT where the CPU has it, else fancy magics.

    Its tables are frozen into the machine code: with the tables as an argument perft was a fifth slower, although the
    scalar generator alone is 5 % faster with it (AMD Zen 5).
    """
    unbound = technique("pext" if has_pext() else "magic-fancy")
    tables = unbound.tables()
    rook_attacks, bishop_attacks = unbound.kernel_of("rook"), unbound.kernel_of("bishop")

    @kernel
    def rook(sq: Square, occupied: Bits, t: NoTables) -> Bits:
        return rook_attacks(sq, occupied, tables)

    @kernel
    def bishop(sq: Square, occupied: Bits, t: NoTables) -> Bits:
        return bishop_attacks(sq, occupied, tables)

    return Technique(
        Card(
            name=unbound.name,
            summary=f"{unbound.summary}; tables bound",
            authors=unbound.authors,
            year=unbound.year,
            source=unbound.source,
            needs=unbound.needs,
            kernels=Kernels(rook=rook, bishop=bishop),
        )
    )


# For queries about a square.
answer_one.declare(
    lambda: [(QUESTIONS[slider], 0, U64(0), default_technique().tables()) for slider in SLIDERS.values()]
)
