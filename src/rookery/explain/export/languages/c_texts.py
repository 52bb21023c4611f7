"""The fixed texts of C and C++ exports: bit instructions, tables that source files share, and the self-check."""

from typing import Final

_LOOP = """
static inline uint64_t {name}(uint64_t x, uint64_t mask) {{
#ifdef __BMI2__
    return _{name}_u64(x, mask);
#else
    uint64_t result = 0;
    for (uint64_t one = 1; mask; one <<= 1, mask &= mask - 1) {{
        {step}
    }}
    return result;
#endif
}}
"""
_COUNT = """
static inline uint64_t {name}(uint64_t x) {{
    if (!x) {{
        return 64;
    }}
#ifdef __GNUC__
    return (uint64_t){builtin}(x);
#else
    uint64_t n = 0;
    for (; !(x & {first}); x {shift} 1) {{
        n++;
    }}
    return n;
#endif
}}
"""
INSTRUCTIONS: Final = {
    "byteswap": """
static inline uint64_t byteswap(uint64_t x) {
#ifdef __GNUC__
    return __builtin_bswap64(x);
#else
    x = ((x >> 8) & UINT64_C(0x00ff00ff00ff00ff)) | ((x & UINT64_C(0x00ff00ff00ff00ff)) << 8);
    x = ((x >> 16) & UINT64_C(0x0000ffff0000ffff)) | ((x & UINT64_C(0x0000ffff0000ffff)) << 16);
    return (x >> 32) | (x << 32);
#endif
}
""",
    "popcount": """
static inline uint64_t popcount(uint64_t x) {
    uint64_t n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}
""",
    "trailing_zeros": _COUNT.format(name="trailing_zeros", builtin="__builtin_ctzll", first="1", shift=">>="),
    "leading_zeros": _COUNT.format(
        name="leading_zeros", builtin="__builtin_clzll", first="(UINT64_C(1) << 63)", shift="<<="
    ),
    "pext": _LOOP.format(name="pext", step="result |= x & mask & (0 - mask) ? one : 0;"),
    "pdep": _LOOP.format(name="pdep", step="result |= x & one ? mask & (0 - mask) : 0;"),
}
BMI2: Final = "#ifdef __BMI2__\n#include <immintrin.h>\n#endif"

# A header's tables. Without one for all source files, each would fill its own, and read it into the caches.
SHARED: Final = """
// Tables that are filled at start-up exist once, however many source files include this header.
#ifndef ROOKERY_SHARED
#if defined(_WIN32)
#define ROOKERY_SHARED __declspec(selectany)
#elif defined(__GNUC__)
#define ROOKERY_SHARED __attribute__((weak))
#else  // each source file has its own, and must fill it
#define ROOKERY_SHARED static
#endif
#endif
"""

STATE_COMMENT: Final = (
    "// What the technique keeps of an occupancy, from move to move. Make one with prepare, change it with toggle."
)
STATE: Final = """
// Return the state of an occupancy.
@INLINE@STATE prepare(uint64_t occupied) {
    @STATE state = {@PREPARE};
    return state;
}

// Return the state after a piece is put on a square or taken from it.
@INLINE@STATE toggle(@STATE state, uint64_t sq) {
    @STATE toggled = {@TOGGLE};
    return toggled;
}
"""
ATTACKS_IN: Final = """
// Return the attacks of a @PIECE in a state.
@INLINEuint64_t @PIECE_attacks_in(uint64_t sq, @STATE state) {
    return @CALL;
}
"""

STATE_CHECK: Final = """
// Take a state to another occupancy, square by square, and compare it with one that is made anew.
@INLINEint state_is_right(@STATE *kept, uint64_t *before, uint64_t square, uint64_t occupied) {
    for (uint64_t sq = 0; sq < 64; sq++) {
        if (((*before ^ occupied) >> sq) & 1) {
            *kept = toggle(*kept, sq);
        }
    }
    *before = occupied;
    @STATE made = prepare(occupied);
    return @SAME &&
           rook_attacks_in(square, *kept) == rook_attacks(square, occupied) &&
           bishop_attacks_in(square, *kept) == bishop_attacks(square, occupied) &&
           queen_attacks_in(square, *kept) == queen_attacks(square, occupied);
}
"""
STATE_BEGINS: Final = """
    uint64_t before = 0;
    @STATE kept = prepare(before);
"""
STATE_FOLLOWS: Final = """
                    uint64_t at = square_index(rank, file);
                    if (!state_is_right(&kept, &before, at, occupied) ||
                        (!occupied && !state_is_right(&kept, &before, at, ~blockers))) {
                        printf("the state that toggle keeps is wrong: %c%c, occupied 0x%016llx\\n", (char)('a' + file),
                               (char)('1' + rank), (unsigned long long)before);
                        return 1;
                    }
"""

SELF_CHECK: Final = """
// Return 0 if every look-up is right. Print the first that is wrong.
@INLINEint self_check(@VOID) {
    unsigned long lookups = 0;
@INIT@BEGINS    for (uint64_t bishop = 0; bishop < 2; bishop++) {
        for (uint64_t rank = 0; rank < 8; rank++) {
            for (uint64_t file = 0; file < 8; file++) {
                uint64_t blockers = blocker_squares(bishop, rank, file);
                uint64_t occupied = 0;
                do {
                    if (!is_right(bishop, rank, file, blockers, occupied)) {
                        uint64_t square = square_index(rank, file);
                        printf("%s on %c%c, occupied 0x%016llx: expected 0x%016llx, got 0x%016llx, "
                               "0x%016llx with all other squares occupied, 0x%016llx for the queen\\n",
                               bishop ? "bishop" : "rook", (char)('a' + file), (char)('1' + rank),
                               (unsigned long long)occupied,
                               (unsigned long long)expected_attacks(bishop, rank, file, occupied),
                               (unsigned long long)answered_attacks(bishop, square, occupied),
                               (unsigned long long)answered_attacks(bishop, square, occupied | ~blockers),
                               (unsigned long long)queen_attacks(square, occupied));
                        return 1;
                    }
@FOLLOWS                    lookups++;
                    occupied = next_case(blockers, occupied);
                } while (occupied);
            }
        }
    }
    printf("%lu look-ups agree with ray walking\\n", lookups);
    return lookups == @LOOKUPS ? 0 : 1;
}
"""
MAIN: Final = """
#ifndef ROOKERY_NO_MAIN
int main(@VOID) {
    return @NAME();
}
#endif
"""
