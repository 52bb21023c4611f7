// One technique on a device: the self-check of its export, then its speed. `cuda_device.py` compiles this file once for
// each technique, next to the export as rookery_attacks.cuh. Any C++ compiler can compile it, too, for a dry run.
//
// Usage: PROGRAM THREADS SECONDS. It prints the self-check's line, then one line of JSON. Each measurement runs a kernel
// with more and more rounds until it takes SECONDS, then three times.

#define ROOKERY_SELFCHECK
#define ROOKERY_NO_MAIN
#include "rookery_attacks.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace rookery;

namespace measured {

// A random word follows from the one before by three shifts (Marsaglia's xorshift, 13, 7, 17).
static __device__ __forceinline__ uint64_t next_word(uint64_t word) {
    word ^= word << 13;
    word ^= word >> 7;
    return word ^ (word << 17);
}

// The first word of a thread, which is never 0: the factor is odd, and there are fewer than 2**64 threads.
static __device__ __forceinline__ uint64_t first_word(uint64_t thread) {
    return (thread + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

// A kernel in which each thread repeats an expression over random words, and stores the XOR of its values.
#define ROOKERY_MEASURED(name, expression)                                             \
    static __global__ void name(uint64_t *out, uint64_t rounds) {                      \
        uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;             \
        uint64_t word = first_word(thread), result = 0;                                \
        for (uint64_t round = 0; round < rounds; round++) {                            \
            word = next_word(word);                                                    \
            uint64_t occupied = word & ((word << 32) | (word >> 32));                      \
            result ^= (expression);                                                    \
        }                                                                              \
        out[thread] = result;                                                          \
    }

#ifndef ROOKERY_HAS_FILLS
// The square of the lowest bit of a set that is not empty.
static __device__ __forceinline__ uint64_t lowest_square(uint64_t set) {
#ifdef __CUDACC__
    return (uint64_t)__ffsll((long long)set) - 1;
#else
    uint64_t square = 0;
    for (; !(set & 1); set >>= 1) {
        square++;
    }
    return square;
#endif
}

// The attacks of all rooks (or bishops) of a set, one after another.
static __device__ __forceinline__ uint64_t rooks_attacks(uint64_t sliders, uint64_t occupied) {
    uint64_t attacks = 0;
    for (; sliders; sliders &= sliders - 1) {
        attacks |= rook_attacks(lowest_square(sliders), occupied);
    }
    return attacks;
}
static __device__ __forceinline__ uint64_t bishops_attacks(uint64_t sliders, uint64_t occupied) {
    uint64_t attacks = 0;
    for (; sliders; sliders &= sliders - 1) {
        attacks |= bishop_attacks(lowest_square(sliders), occupied);
    }
    return attacks;
}
#endif

// The rooks, bishops and queens of one side: four pieces of each kind of line on average.
static __device__ __forceinline__ uint64_t sliders_attacks(uint64_t word, uint64_t occupied) {
    return rooks_attacks(occupied & (word << 9) & (word >> 20), occupied) |
           bishops_attacks(occupied & (word << 21) & (word >> 12), occupied);
}

ROOKERY_MEASURED(nothing, occupied + (word >> 58))
ROOKERY_MEASURED(scattered, queen_attacks(word >> 58, occupied))
ROOKERY_MEASURED(same_square, queen_attacks(round & 63, occupied))
ROOKERY_MEASURED(sets, sliders_attacks(word, occupied))

const unsigned int BLOCK = 256;
uint64_t threads;
double seconds_wanted;
uint64_t *out;

void stop(const char *what, cudaError_t error) {
    std::printf("CUDA: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(2);
}

void wait() {
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) {
        error = cudaDeviceSynchronize();
    }
    if (error != cudaSuccess) {
        stop("kernel", error);
    }
}

typedef void (*Kernel)(uint64_t *, uint64_t);

double timed(Kernel kernel, uint64_t rounds) {
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ROOKERY_LAUNCH(kernel, (unsigned int)(threads / BLOCK), BLOCK, nullptr, (out, rounds));
    wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Return the XOR of the results of so many threads.
uint64_t xor_of(uint64_t count) {
    uint64_t result = 0;
    for (uint64_t i = 0; i < count; i++) {
        result ^= out[i];
    }
    return result;
}

void measure(const char *name, Kernel kernel) {
    timed(kernel, 16);
    uint64_t small = xor_of(BLOCK), all = xor_of(threads);
    uint64_t rounds = 16;
    while (timed(kernel, rounds) < seconds_wanted) {
        rounds *= 2;
    }
    double seconds[3];
    for (double &s : seconds) {
        s = timed(kernel, rounds);
    }
    std::sort(seconds, seconds + 3);
    std::printf(", \"%s\": {\"rate\": %.6g, \"small\": \"0x%016llx\", \"all\": \"0x%016llx\"}", name,
                (double)threads * (double)rounds / seconds[1], (unsigned long long)small, (unsigned long long)all);
}

template <typename T> T *allocated(uint64_t count) {
    T *memory;
#ifdef __CUDACC__
    cudaError_t error = cudaMallocManaged(&memory, count * sizeof(T));
    if (error != cudaSuccess) {
        stop("memory", error);
    }
#else
    memory = static_cast<T *>(std::calloc(count, sizeof(T)));
#endif
    return memory;
}

// Arrays of squares and occupancies in memory, and the attacks of a queen written to memory: 17 bytes a look-up.
static __global__ void fill_arrays(uint8_t *squares, uint64_t *occupied) {
    uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t word = next_word(first_word(thread));
    squares[thread] = (uint8_t)(word >> 58);
    occupied[thread] = word & ((word << 32) | (word >> 32));
}

void measure_arrays() {
    uint8_t *squares = allocated<uint8_t>(threads);
    uint64_t *boards = allocated<uint64_t>(threads);
    ROOKERY_LAUNCH(fill_arrays, (unsigned int)(threads / BLOCK), BLOCK, nullptr, (squares, boards));
    wait();
    double best = 1e9;
    for (int i = 0; i < 20; i++) {
        std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
        if (launch_queen_attacks(squares, boards, out, threads) != cudaSuccess) {
            stop("launch", cudaGetLastError());
        }
        wait();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::printf(", \"arrays\": {\"rate\": %.6g, \"small\": \"0x%016llx\", \"all\": \"0x%016llx\"}",
                (double)threads / best, (unsigned long long)xor_of(BLOCK), (unsigned long long)xor_of(threads));
}

}  // namespace measured

int main(int, char **arguments) {
    int failed = rookery::self_check();
    if (failed) {
        return failed;
    }
    measured::threads = std::strtoull(arguments[1], nullptr, 10) / measured::BLOCK * measured::BLOCK;
    measured::seconds_wanted = std::strtod(arguments[2], nullptr);
    measured::out = measured::allocated<uint64_t>(measured::threads);
    std::printf("{\"threads\": %llu", (unsigned long long)measured::threads);
    measured::measure("nothing", measured::nothing);
    measured::measure("scattered", measured::scattered);
    measured::measure("same_square", measured::same_square);
    measured::measure("sets", measured::sets);
    measured::measure_arrays();
    std::printf("}\n");
    return 0;
}
