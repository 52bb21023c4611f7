// A small move generator in C, to measure techniques in: perft with pseudo-legal moves, made on copies of the board, of
// which those that leave the king attacked do not count. It is benchmark code, no engine. The published totals of perft
// prove it, with each technique, whenever it runs.
//
// A source file for one technique defines three macros, includes the technique's header, and then this file:
//
//     OWN(name)        a name of the technique's export
//     KEEPS_A_STATE    1 if the technique has prepare and toggle, else 0
//     ENGINE           the name of the structure that it defines

#include "engine.h"

#if KEEPS_A_STATE
typedef OWN(state) State;
#define PREPARE(occupied) OWN(prepare)(occupied)
#define TOGGLE(state, sq) OWN(toggle)(state, sq)
#define ROOK_ATTACKS(sq, state) OWN(rook_attacks_in)(sq, state)
#define BISHOP_ATTACKS(sq, state) OWN(bishop_attacks_in)(sq, state)
#define QUEEN_ATTACKS(sq, state) OWN(queen_attacks_in)(sq, state)
#else
typedef uint64_t State;
#define PREPARE(occupied) (occupied)
#define TOGGLE(state, sq) ((state) ^ (UINT64_C(1) << (sq)))
#define ROOK_ATTACKS(sq, state) OWN(rook_attacks)(sq, state)
#define BISHOP_ATTACKS(sq, state) OWN(bishop_attacks)(sq, state)
#define QUEEN_ATTACKS(sq, state) OWN(queen_attacks)(sq, state)
#endif

typedef struct {
    struct position position;
    uint64_t by[2];  // all pieces of White and of Black
    State state;     // of all pieces
} Board;

static uint64_t count(const Board *board, int depth, uint64_t *table);

static inline uint64_t lowest(uint64_t squares) {
    return (uint64_t)__builtin_ctzll(squares);
}

static inline int is_attacked(const Board *board, uint64_t sq, int by) {
    const uint64_t *of = board->position.of[by];
    return (knight_attacks[sq] & of[KNIGHT]) || (pawn_attacks[!by][sq] & of[PAWN]) || (king_attacks[sq] & of[KING]) ||
           (BISHOP_ATTACKS(sq, board->state) & (of[BISHOP] | of[QUEEN])) ||
           (ROOK_ATTACKS(sq, board->state) & (of[ROOK] | of[QUEEN]));
}

// Put a piece on an empty square, or take it away.
static inline void flip(Board *board, int side, int piece, uint64_t sq) {
    uint64_t bit = UINT64_C(1) << sq;
    board->position.of[side][piece] ^= bit;
    board->by[side] ^= bit;
    board->state = TOGGLE(board->state, sq);
}

// Read and write the place of a position in a large table, as an engine does in its hash table.
static inline void touch(uint64_t *table, const Board *board) {
    uint64_t mixed = board->by[0] * UINT64_C(0x9e3779b97f4a7c15) ^ board->by[1] * UINT64_C(0xc2b2ae3d27d4eb4f);
    table[((mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9)) >> (64 - TABLE_BITS)]++;
}

// Make a move on a copy of the board and return the leaves below it: 0 if it leaves the king attacked.
static inline uint64_t leaves(
    const Board *board, int piece, int becomes, uint64_t from, uint64_t to, int depth, uint64_t *table) {
    int us = board->position.turn, them = !us;
    Board next = *board;
    uint64_t arrival = UINT64_C(1) << to;
    next.position.turn = them;
    next.position.castling &= kept_rights[from] & kept_rights[to];
    next.position.en_passant = NO_SQUARE;
    if (board->by[them] & arrival) {
        int taken = PAWN;
        while (!(board->position.of[them][taken] & arrival)) {
            taken++;
        }
        flip(&next, them, taken, to);
    }
    flip(&next, us, piece, from);
    flip(&next, us, becomes, to);
    if (piece == PAWN) {
        if (to == (uint64_t)board->position.en_passant) {
            flip(&next, them, PAWN, to ^ 8);
        } else if ((from ^ to) == 16) {
            next.position.en_passant = (int)((from + to) / 2);
        }
    } else if (piece == KING) {
        if (to == from + 2) {
            flip(&next, us, ROOK, from + 3);
            flip(&next, us, ROOK, from + 1);
        } else if (from == to + 2) {
            flip(&next, us, ROOK, from - 4);
            flip(&next, us, ROOK, from - 1);
        }
    }
    if (is_attacked(&next, lowest(next.position.of[us][KING]), them)) {
        return 0;
    }
    if (table) {
        touch(table, &next);
    }
    return depth == 1 ? 1 : count(&next, depth - 1, table);
}

static uint64_t pawn_moves(const Board *board, int depth, uint64_t *table) {
    int us = board->position.turn;
    uint64_t empty = ~(board->by[0] | board->by[1]), total = 0;
    uint64_t targets = board->by[!us];
    if (board->position.en_passant != NO_SQUARE) {
        targets |= UINT64_C(1) << board->position.en_passant;
    }
    for (uint64_t rest = board->position.of[us][PAWN]; rest; rest &= rest - 1) {
        uint64_t from = lowest(rest);
        uint64_t step = us ? UINT64_C(1) << (from - 8) : UINT64_C(1) << (from + 8);
        uint64_t squares = (pawn_attacks[us][from] & targets) | (step & empty);
        if ((step & empty) && from / 8 == (us ? 6 : 1)) {
            squares |= (us ? step >> 8 : step << 8) & empty;
        }
        for (; squares; squares &= squares - 1) {
            uint64_t to = lowest(squares);
            if (to / 8 == 0 || to / 8 == 7) {
                for (int becomes = KNIGHT; becomes <= QUEEN; becomes++) {
                    total += leaves(board, PAWN, becomes, from, to, depth, table);
                }
            } else {
                total += leaves(board, PAWN, PAWN, from, to, depth, table);
            }
        }
    }
    return total;
}

static uint64_t castling_moves(const Board *board, int depth, uint64_t *table) {
    int us = board->position.turn;
    int rights = board->position.castling >> (2 * us) & 3;
    uint64_t king = us ? 60 : 4, occupied = board->by[0] | board->by[1], total = 0;
    if (!rights || is_attacked(board, king, !us)) {
        return 0;
    }
    if ((rights & 1) && !(occupied >> (king + 1) & 3) && !is_attacked(board, king + 1, !us)) {
        total += leaves(board, KING, KING, king, king + 2, depth, table);
    }
    if ((rights & 2) && !(occupied >> (king - 3) & 7) && !is_attacked(board, king - 1, !us)) {
        total += leaves(board, KING, KING, king, king - 2, depth, table);
    }
    return total;
}

static uint64_t count(const Board *board, int depth, uint64_t *table) {
    int us = board->position.turn;
    uint64_t total = pawn_moves(board, depth, table) + castling_moves(board, depth, table);
    for (int piece = KNIGHT; piece <= KING; piece++) {
        for (uint64_t rest = board->position.of[us][piece]; rest; rest &= rest - 1) {
            uint64_t from = lowest(rest), squares;
            switch (piece) {
            case KNIGHT:
                squares = knight_attacks[from];
                break;
            case BISHOP:
                squares = BISHOP_ATTACKS(from, board->state);
                break;
            case ROOK:
                squares = ROOK_ATTACKS(from, board->state);
                break;
            case QUEEN:
                squares = QUEEN_ATTACKS(from, board->state);
                break;
            default:
                squares = king_attacks[from];
            }
            for (squares &= ~board->by[us]; squares; squares &= squares - 1) {
                total += leaves(board, piece, piece, from, lowest(squares), depth, table);
            }
        }
    }
    return total;
}

static uint64_t perft(const struct position *position, int depth, uint64_t *table) {
    Board board = {.position = *position, .by = {0, 0}};
    for (int side = 0; side < 2; side++) {
        for (int piece = PAWN; piece <= KING; piece++) {
            board.by[side] |= position->of[side][piece];
        }
    }
    board.state = PREPARE(board.by[0] | board.by[1]);
    return count(&board, depth, table);
}

static void start(void) {
    OWN(init_attacks)();
}

const struct engine ENGINE = {start, perft};
