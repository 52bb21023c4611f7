"""The parts of a CUDA export that are the same for every technique."""

from typing import Final

THREADS: Final = 256  # of a block
BLOCKS_AT_MOST: Final = 16_384  # of a launch; 4 million threads are more than any device runs at once

# The text is written for nvcc. These definitions make it C++, so that any compiler can prove it.
PRELUDE: Final = """
#ifdef __CUDACC__
#include <cuda_runtime.h>
#define ROOKERY_LAUNCH(kernel, blocks, threads, stream, arguments) \\
    kernel<<<(blocks), (threads), 0, (stream)>>> arguments
#elif !defined(ROOKERY_LAUNCH)
// A C++ compiler other than nvcc: device code becomes host code, and a launch runs one thread after another.
#define __global__ inline
#define __device__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define ROOKERY_LAUNCH(kernel, blocks, threads, stream, arguments) \\
    for (gridDim.x = (blocks), blockDim.x = (threads), blockIdx.x = 0, (void)(stream); blockIdx.x < gridDim.x; \\
         blockIdx.x++) \\
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) \\
            kernel arguments
struct rookery_index {
    unsigned int x;
};
inline rookery_index gridDim, blockDim, blockIdx, threadIdx;
enum cudaError_t { cudaSuccess };
typedef void *cudaStream_t;
inline cudaError_t cudaGetLastError() {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() {
    return cudaSuccess;
}
inline const char *cudaGetErrorString(cudaError_t) {
    return "no error";
}
#endif
@INTRINSICS

// The memory of tables that fit in 64 KB together. Global memory is up to 67 times as fast as constant memory where the
// threads of a warp read different elements. Compile with -DROOKERY_TABLE=__constant__ to try constant memory.
#ifndef ROOKERY_TABLE
#define ROOKERY_TABLE __device__
#endif
"""

# What another compiler has in place of each intrinsic, as NVIDIA's documentation defines it. Several exports may be in
# one program, so each is defined once.
INTRINSIC: Final = """
#if !defined(__CUDACC__) && !defined(ROOKERY{name})
#define ROOKERY{name}
{text}
#endif
"""
INTRINSICS: Final = {
    "__brevll": """
inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long reversed = 0;
    for (int i = 0; i < 64; i++) {
        reversed |= ((x >> i) & 1) << (63 - i);
    }
    return reversed;
}
""",
    "__popcll": """
inline int __popcll(unsigned long long x) {
    int n = 0;
    for (; x; x &= x - 1) {
        n++;
    }
    return n;
}
""",
    "__clzll": """
inline int __clzll(long long x) {
    int n = 0;
    for (unsigned long long bit = 1ull << 63; bit && !((unsigned long long)x & bit); bit >>= 1) {
        n++;
    }
    return n;
}
""",
    "__byte_perm": """
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    unsigned long long bytes = ((unsigned long long)y << 32) | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++) {
        result |= (unsigned int)((bytes >> (8 * ((selector >> (4 * i)) & 7))) & 0xff) << (8 * i);
    }
    return result;
}
""",
    "__ldg": """
template <typename T> inline T __ldg(const T *address) {
    return *address;
}
""",
}

_BY_MASK = """
static __device__ __forceinline__ uint64_t {name}(uint64_t x, uint64_t mask) {{
    uint64_t result = 0;
    for (uint64_t one = 1; mask; one <<= 1, mask &= mask - 1) {{
        {step}
    }}
    return result;
}}
"""

INSTRUCTIONS: Final = {
    "byteswap": """
static __device__ __forceinline__ uint64_t byteswap(uint64_t x) {
    uint32_t low = __byte_perm((uint32_t)x, 0, 0x0123), high = __byte_perm((uint32_t)(x >> 32), 0, 0x0123);
    return ((uint64_t)low << 32) | high;
}
""",
    "popcount": """
static __device__ __forceinline__ uint64_t popcount(uint64_t x) {
    return (uint64_t)__popcll(x);
}
""",
    # __ffsll would need a branch for an empty board, and compiles to the same two instructions.
    "trailing_zeros": """
static __device__ __forceinline__ uint64_t trailing_zeros(uint64_t x) {
    return (uint64_t)__clzll((long long)__brevll(x));
}
""",
    "leading_zeros": """
static __device__ __forceinline__ uint64_t leading_zeros(uint64_t x) {
    return (uint64_t)__clzll((long long)x);
}
""",
    "pext": _BY_MASK.format(name="pext", step="result |= x & mask & (0 - mask) ? one : 0;"),
    "pdep": _BY_MASK.format(name="pdep", step="result |= x & one ? mask & (0 - mask) : 0;"),
}

KERNEL: Final = """
// A kernel over arrays of `count` elements: attacks[i] becomes the attacks of a @PIECE on squares[i], where occupied[i]
// holds all pieces. Squares are 0 to 63. The grid may have any size.
static __global__ void @PIECE_attacks_kernel(
    const uint8_t *__restrict__ squares, const uint64_t *__restrict__ occupied, uint64_t *__restrict__ attacks,
    uint64_t count) {
    uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        attacks[i] = @PIECE_attacks(squares[i], occupied[i]);
    }
}
"""

BLOCKS: Final = f"""
// Return the number of blocks of {THREADS} threads for a number of elements.
static inline unsigned int blocks_for(uint64_t count) {{
    uint64_t blocks = count / {THREADS} + (count % {THREADS} != 0);
    return (unsigned int)(blocks < {BLOCKS_AT_MOST} ? blocks : {BLOCKS_AT_MOST});
}}
"""

LAUNCHER: Final = f"""
// Start the kernel for @PIECEs on a stream, and return the error of the launch. The pointers are to memory that the
// device can access; `attacks` overlaps neither of the others.
static inline cudaError_t launch_@PIECE_attacks(
    const uint8_t *squares, const uint64_t *occupied, uint64_t *attacks, uint64_t count,
    cudaStream_t stream = nullptr) {{
    if (count == 0) {{
        return cudaSuccess;
    }}
    ROOKERY_LAUNCH(@PIECE_attacks_kernel, blocks_for(count), {THREADS}, stream, (squares, occupied, attacks, count));
    return cudaGetLastError();
}}
"""

# For techniques with a state: the toggles between the two occupancies of a case reach all 64 squares.
STATES_KERNEL: Final = """
// Take the state of an occupancy to that of another, square by square: right[i] becomes 1 if it is the one made anew.
static __global__ void states_kernel(
    const uint8_t *squares, const uint64_t *from, const uint64_t *to, uint64_t *right, uint64_t count) {
    uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        State kept = prepare(from[i]);
        for (uint64_t sq = 0; sq < 64; sq++) {
            if (((from[i] ^ to[i]) >> sq) & 1) {
                kept = toggle(kept, sq);
            }
        }
        State made = prepare(to[i]);
        right[i] = @SAME && rook_attacks_in(squares[i], kept) == rook_attacks(squares[i], to[i]) &&
                   bishop_attacks_in(squares[i], kept) == bishop_attacks(squares[i], to[i]) &&
                   queen_attacks_in(squares[i], kept) == queen_attacks(squares[i], to[i]);
    }
}
__managed__ uint64_t right_states[4096];  // the most cases that a square has
"""
STATES_LAUNCH: Final = """
                ROOKERY_LAUNCH(states_kernel, 3, 32, nullptr, (squares, occupied, crowded, right_states, count));
                if (failed(cudaGetLastError()) || failed(cudaDeviceSynchronize())) {
                    return 2;
                }
"""
STATES_WRONG: Final = """
                    if (!right_states[i]) {
                        printf("the state that toggle keeps is wrong: %c%c, occupied 0x%016llx\\n", (char)('a' + file),
                               (char)('1' + rank), (unsigned long long)crowded[i]);
                        return 1;
                    }
"""

# The cases of a square are one batch. A launch with few threads makes each thread take several elements.
SELF_CHECK: Final = """
constexpr uint64_t CASES = 4096;  // the most that a square has
__managed__ uint8_t squares[CASES];
__managed__ uint64_t occupied[CASES], crowded[CASES], alone[CASES], among[CASES], queens[CASES];

int failed(cudaError_t error) {
    if (error != cudaSuccess) {
        printf("CUDA: %s\\n", cudaGetErrorString(error));
    }
    return error != cudaSuccess;
}

// Compute the attacks of the first cases, alone, with all other squares occupied, and of the queen.
int failed_launches(uint64_t bishop, uint64_t count) {
    if (failed(bishop ? launch_bishop_attacks(squares, occupied, alone, count)
                      : launch_rook_attacks(squares, occupied, alone, count))) {
        return 1;
    }
    if (bishop) {
        ROOKERY_LAUNCH(bishop_attacks_kernel, 3, 32, nullptr, (squares, crowded, among, count));
    } else {
        ROOKERY_LAUNCH(rook_attacks_kernel, 3, 32, nullptr, (squares, crowded, among, count));
    }
    return failed(cudaGetLastError()) || failed(launch_queen_attacks(squares, occupied, queens, count)) ||
           failed(cudaDeviceSynchronize());
}
}  // namespace

// Return 0 if every look-up is right. Print the first that is wrong.
@INLINEint self_check() {
    unsigned long lookups = 0;
    if (failed(init_attacks()) || failed(cudaDeviceSynchronize())) {
        return 2;
    }
    for (uint64_t bishop = 0; bishop < 2; bishop++) {
        for (uint64_t rank = 0; rank < 8; rank++) {
            for (uint64_t file = 0; file < 8; file++) {
                uint64_t blockers = blocker_squares(bishop, rank, file);
                uint64_t count = 0, subset = 0;
                do {
                    squares[count] = (uint8_t)square_index(rank, file);
                    occupied[count] = subset;
                    crowded[count] = subset | ~blockers;
                    count++;
                    subset = next_case(blockers, subset);
                } while (subset);
                if (failed_launches(bishop, count)) {
                    return 2;
                }
@LAUNCH                for (uint64_t i = 0; i < count; i++) {
                    uint64_t expected = expected_attacks(bishop, rank, file, occupied[i]);
                    uint64_t queen = expected | expected_attacks(1 - bishop, rank, file, occupied[i]);
                    if (alone[i] != expected || among[i] != expected || queens[i] != queen) {
                        printf("%s on %c%c, occupied 0x%016llx: expected 0x%016llx, got 0x%016llx, "
                               "0x%016llx with all other squares occupied, 0x%016llx for the queen\\n",
                               bishop ? "bishop" : "rook", (char)('a' + file), (char)('1' + rank),
                               (unsigned long long)occupied[i], (unsigned long long)expected,
                               (unsigned long long)alone[i], (unsigned long long)among[i],
                               (unsigned long long)queens[i]);
                        return 1;
                    }
@WRONG                    lookups++;
                }
            }
        }
    }
    printf("%lu look-ups agree with ray walking\\n", lookups);
    return lookups == @LOOKUPS ? 0 : 1;
}
"""
