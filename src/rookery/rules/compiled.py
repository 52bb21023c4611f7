"""The default technique: the fastest for one position at a time, with its tables in the machine code."""

from rookery.bitboards.pieces import SLIDERS
from rookery.kernel import U64, Bits, Square, has_pext, kernel_made_by, once
from rookery.rules.constants import DefaultTables, default_tables
from rookery.techniques import technique
from rookery.techniques.base import Card, Kernel, Kernels, Technique
from rookery.techniques.base.protocol import QUESTIONS, answer_one


@once
def default_technique() -> Technique:
    """Return the fastest technique for one position at a time: PEXT where the CPU has it, else fancy magics.

    Its tables are frozen into the machine code: with the tables as an argument perft was a fifth slower, although the
    scalar generator alone is 5 % faster with it (AMD Zen 5). They are built for compilation alone.
    """
    unbound = technique("pext" if has_pext() else "magic-fancy")

    def bound(slider: str) -> Kernel:
        @kernel_made_by
        def made() -> Kernel:
            attacks, tables = unbound.kernel_of(slider), unbound.tables()

            def slider_attacks(sq: Square, occupied: Bits, t: DefaultTables) -> Bits:
                return attacks(sq, occupied, tables)

            return slider_attacks

        return made

    return Technique(
        Card(
            name=unbound.name,
            summary=f"{unbound.summary}; tables bound",
            authors=unbound.authors,
            year=unbound.year,
            source=unbound.source,
            needs=unbound.needs,
            tables=default_tables,
            own_class=DefaultTables,
            kernels=Kernels(rook=bound("rook"), bishop=bound("bishop")),
        )
    )


# For queries about a square.
answer_one.declare(
    lambda: [(QUESTIONS[slider], 0, U64(0), default_technique().tables()) for slider in SLIDERS.values()]
)
