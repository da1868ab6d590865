// The transform, compiled for each kind of vectors: `VECTORS` is their name, `TARGET` the
// attribute of functions. Eight lanes are a row of the block.

#define NAMED_(name, of) name##_##of
#define NAMED(name, of) NAMED_(name, of)
#define lanes NAMED(lanes, VECTORS)
#define words NAMED(words, VECTORS)
#define bytes8 NAMED(bytes8, VECTORS)
#define levels8 NAMED(levels8, VECTORS)
#define columns NAMED(columns, VECTORS)
#define transpose NAMED(transpose, VECTORS)
#define multiples NAMED(multiples, VECTORS)

typedef float lanes __attribute__((vector_size(32)));
typedef int32_t words __attribute__((vector_size(32)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef int16_t levels8 __attribute__((vector_size(16)));

/// Transforms every column by the scaled transform of Arai, Agui and Nakajima (1988): 5
/// multiplications.
TARGET static inline __attribute__((always_inline)) void columns(lanes *d) {
    const lanes sum0 = d[0] + d[7], difference0 = d[0] - d[7];
    const lanes sum1 = d[1] + d[6], difference1 = d[1] - d[6];
    const lanes sum2 = d[2] + d[5], difference2 = d[2] - d[5];
    const lanes sum3 = d[3] + d[4], difference3 = d[3] - d[4];

    const lanes outer = sum0 + sum3, inner = sum1 + sum2;
    const lanes outer_difference = sum0 - sum3, inner_difference = sum1 - sum2;
    d[0] = outer + inner;
    d[4] = outer - inner;
    // cos(4π/16)
    const lanes turned = (inner_difference + outer_difference) * 0.70710678f;
    d[2] = outer_difference + turned;
    d[6] = outer_difference - turned;

    const lanes odd0 = difference3 + difference2, odd1 = difference2 + difference1;
    const lanes odd2 = difference1 + difference0;
    // cos(6π/16), cos(2π/16) − cos(6π/16), cos(2π/16) + cos(6π/16), cos(4π/16)
    const lanes common = (odd0 - odd2) * 0.38268343f;
    const lanes low = odd0 * 0.54119610f + common, high = odd2 * 1.30656296f + common;
    const lanes middle = odd1 * 0.70710678f;
    const lanes plus = difference0 + middle, minus = difference0 - middle;
    d[5] = minus + low;
    d[3] = minus - low;
    d[1] = plus + high;
    d[7] = plus - high;
}

TARGET static inline __attribute__((always_inline)) void transpose(lanes *d) {
    lanes pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = __builtin_shufflevector(d[i], d[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[i + 1] = __builtin_shufflevector(d[i], d[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            const lanes one = pairs[i + j], two = pairs[i + j + 2];
            fours[i + 2 * j] = __builtin_shufflevector(one, two, 0, 1, 8, 9, 4, 5, 12, 13);
            fours[i + 2 * j + 1] = __builtin_shufflevector(one, two, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        d[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        d[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/// Transforms a block into multiples of the quantisation steps.
TARGET static inline __attribute__((always_inline)) void multiples(
    const uint8_t *samples, ptrdiff_t stride, const thimble_jpeg_quantiser *quantiser, lanes *d) {
    for (int row = 0; row < 8; row++) {
        bytes8 bytes;
        memcpy(&bytes, samples + row * stride, sizeof bytes);
        d[row] = __builtin_convertvector(bytes, lanes);
    }
    columns(d);
    transpose(d);
    columns(d);
    // The level shift of T.81, A.3.1.
    d[0][0] -= 64 * 128;
    for (int row = 0; row < 8; row++) {
        lanes factors;
        memcpy(&factors, quantiser->factors + 8 * row, sizeof factors);
        d[row] *= factors;
    }
}

TARGET static void NAMED(scale, VECTORS)(
    const uint8_t *samples, ptrdiff_t stride, const thimble_jpeg_quantiser *quantiser,
    float *scaled) {
    lanes d[8];
    multiples(samples, stride, quantiser, d);
    memcpy(scaled, d, sizeof d);
}

TARGET static void NAMED(quantise, VECTORS)(
    const uint8_t *samples, ptrdiff_t stride, const thimble_jpeg_quantiser *quantiser,
    int16_t *levels) {
    lanes d[8];
    multiples(samples, stride, quantiser, d);
    const words sign = (words) {} + INT32_MIN;
    for (int row = 0; row < 8; row++) {
        lanes biases;
        memcpy(&biases, quantiser->biases + 8 * row, sizeof biases);
        const lanes signed_biases = (lanes) ((words) biases | ((words) d[row] & sign));
        const words rounded = __builtin_convertvector(d[row] + signed_biases, words);
        const levels8 result = __builtin_convertvector(rounded, levels8);
        memcpy(levels + 8 * row, &result, sizeof result);
    }
}

static const thimble_jpeg_transform VECTORS = {NAMED(quantise, VECTORS), NAMED(scale, VECTORS)};

#undef NAMED_
#undef NAMED
#undef lanes
#undef words
#undef bytes8
#undef levels8
#undef columns
#undef transpose
#undef multiples
