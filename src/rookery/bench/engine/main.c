// The program that runs perft with one technique after another. It reads requests from standard input, one a line:
//
//     ENGINE COLD DEPTH TIMES TURN CASTLING EN_PASSANT and twelve words: the pieces of White, then those of Black
//
// ENGINE counts from 0. It answers each with a line: the leaves of one count, and the seconds of CPU and of the clock that
// TIMES counts took. `engines.h`, which is written for each build, names the techniques.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine.h"

#define ENGINE(name) extern const struct engine name;
#include "engines.h"
#undef ENGINE

#define ENGINE(name) &name,
static const struct engine *const engines[] = {
#include "engines.h"
};
#undef ENGINE

enum { ENGINES = sizeof engines / sizeof engines[0] };

uint64_t knight_attacks[64], king_attacks[64], pawn_attacks[2][64];
int kept_rights[64];

static uint64_t steps(int square, const int (*deltas)[2], int number) {
    uint64_t reached = 0;
    for (int i = 0; i < number; i++) {
        int file = square % 8 + deltas[i][0], rank = square / 8 + deltas[i][1];
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            reached |= UINT64_C(1) << (8 * rank + file);
        }
    }
    return reached;
}

static void fill_tables(void) {
    static const int knight[][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int king[][2] = {{1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}};
    static const int pawn[2][2][2] = {{{-1, 1}, {1, 1}}, {{-1, -1}, {1, -1}}};
    for (int square = 0; square < 64; square++) {
        knight_attacks[square] = steps(square, knight, 8);
        king_attacks[square] = steps(square, king, 8);
        pawn_attacks[0][square] = steps(square, pawn[0], 2);
        pawn_attacks[1][square] = steps(square, pawn[1], 2);
        kept_rights[square] = 15;
    }
    kept_rights[0] = 15 & ~2, kept_rights[4] = 15 & ~3, kept_rights[7] = 15 & ~1;
    kept_rights[56] = 15 & ~8, kept_rights[60] = 15 & ~12, kept_rights[63] = 15 & ~4;
}

static double clock_seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(void) {
    uint64_t *table = calloc((size_t)1 << TABLE_BITS, sizeof *table);
    unsigned engine, cold, times;
    int depth;
    struct position position;
    if (!table) {
        fputs("no memory for a table of 64 MB\n", stderr);
        return 1;
    }
    fill_tables();
    for (engine = 0; engine < ENGINES; engine++) {
        engines[engine]->start();
    }
    for (size_t i = 0; i < (size_t)1 << TABLE_BITS; i += 512) {
        table[i] = 1;  // so that the system has given every page
    }
    while (scanf("%u %u %d %u %d %d %d", &engine, &cold, &depth, &times, &position.turn, &position.castling,
                 &position.en_passant) == 7) {
        for (int i = 0; i < 12; i++) {
            if (scanf("%" SCNx64, &position.of[i / 6][i % 6]) != 1) {
                return 1;
            }
        }
        if (engine >= ENGINES || depth < 1) {
            return 1;
        }
        uint64_t leaves = 0;
        clock_t before = clock();
        double started = clock_seconds();
        for (unsigned i = 0; i < times; i++) {
            leaves = engines[engine]->perft(&position, depth, cold ? table : NULL);
        }
        double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
        printf("%" PRIu64 " %.9f %.9f\n", leaves, seconds, clock_seconds() - started);
        fflush(stdout);
    }
    free(table);
    return 0;
}
