#include "inflater.h"

#include <limits.h>

#include <zlib.h>

static uint32_t plain(uint32_t sum, const uint8_t *bytes, size_t count) {
    for (; count > UINT_MAX; bytes += UINT_MAX, count -= UINT_MAX)
        sum = (uint32_t) crc32(sum, bytes, UINT_MAX);
    return (uint32_t) crc32(sum, bytes, (uInt) count);
}

#ifdef __x86_64__

#include <immintrin.h>

enum { vector = 16, stripe = 4 * vector };

#define MULTIPLYING __attribute__((target("pclmul")))

/// Multiplies the halves of `value` by powers of x modulo the polynomial, and adds both products.
MULTIPLYING static inline __m128i moved(__m128i value, __m128i powers) {
    return _mm_xor_si128(
        _mm_clmulepi64_si128(value, powers, 0x00), _mm_clmulepi64_si128(value, powers, 0x11));
}

MULTIPLYING static inline __m128i load(const uint8_t *bytes) {
    return _mm_loadu_si128((const __m128i *) bytes);
}

/// Folds whole vectors, at least four, into one of the same checksum (V. Gopal et al., Fast CRC
/// Computation for Generic Polynomials Using PCLMULQDQ Instruction, Intel 2009).
MULTIPLYING static uint32_t folded(uint32_t sum, const uint8_t *bytes, size_t count) {
    // x^(d-32) and x^(d+32) modulo the polynomial, bits reversed, for distances d of 512 and 128 bits.
    const __m128i by_stripe = _mm_set_epi64x(0x1C6E41596, 0x154442BD4);
    const __m128i by_vector = _mm_set_epi64x(0x0CCAA009E, 0x1751997D0);
    __m128i parts[4];
    for (int part = 0; part < 4; part++)
        parts[part] = load(bytes + vector * part);
    parts[0] = _mm_xor_si128(parts[0], _mm_cvtsi32_si128((int) ~sum));
    for (bytes += stripe, count -= stripe; count >= stripe; bytes += stripe, count -= stripe)
        for (int part = 0; part < 4; part++)
            parts[part] = _mm_xor_si128(
                moved(parts[part], by_stripe), load(bytes + vector * part));
    __m128i all = parts[0];
    for (int part = 1; part < 4; part++)
        all = _mm_xor_si128(moved(all, by_vector), parts[part]);
    for (; count >= vector; bytes += vector, count -= vector)
        all = _mm_xor_si128(moved(all, by_vector), load(bytes));
    uint8_t rest[vector];
    _mm_storeu_si128((__m128i *) rest, all);
    // zlib inverts the sum: its register begins with 0.
    return plain(UINT32_MAX, rest, vector);
}

uint32_t thimble_crc32(uint32_t sum, const uint8_t *bytes, size_t count) {
    if (count >= stripe && __builtin_cpu_supports("pclmul")) {
        const size_t whole = count / vector * vector;
        sum = folded(sum, bytes, whole);
        bytes += whole;
        count -= whole;
    }
    return count > 0 ? plain(sum, bytes, count) : sum;
}
#else
uint32_t thimble_crc32(uint32_t sum, const uint8_t *bytes, size_t count) {
    return count > 0 ? plain(sum, bytes, count) : sum;
}
#endif
