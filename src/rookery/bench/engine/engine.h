// What the program and the perft of each technique share: a position, the attacks of pieces that do not slide, and the
// two functions of a technique.

#ifndef ENGINE_H
#define ENGINE_H

#include <stdint.h>

enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum { NO_SQUARE = 64, TABLE_BITS = 23 };  // 8 million words: 64 MB

struct position {
    uint64_t of[2][6];  // the pieces of White and of Black, by type
    int turn;           // 0 for White, 1 for Black
    int castling;       // bits: White short, White long, Black short, Black long
    int en_passant;     // the square that a pawn has just passed, or NO_SQUARE
};

struct engine {
    void (*start)(void);                                                 // fills the technique's tables
    uint64_t (*perft)(const struct position *, int depth, uint64_t *);  // touches the table at each node if there is one
};

extern uint64_t knight_attacks[64], king_attacks[64], pawn_attacks[2][64];
extern int kept_rights[64];  // the castling rights that a move from or to a square leaves

#endif
