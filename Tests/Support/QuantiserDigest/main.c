// Prints a digest of palettes and indices of generated pictures. Also compiled for ARM by the tests.
#include <stdio.h>
#include <stdlib.h>

#include "quantiser.h"

enum { cases = 24 };

static uint32_t state;

/// Linear congruential generator (Numerical Recipes, 7.1).
static uint32_t next_number(void) { return state = state * 1664525u + 1013904223u; }

/// FNV-1a.
static uint64_t digest(uint64_t hash, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

/// Noise, opaque noise, gradients, or a few colours with every alpha.
static void fill(uint8_t *row, int width, int y, int kind) {
    for (int x = 0; x < width; x++)
        for (int band = 0; band < 4; band++) {
            const uint8_t noise = next_number() >> 24;
            row[4 * x + band] = kind == 0 ? noise
                : kind == 1 ? (band == 3 ? 255 : noise)
                : kind == 2 ? (uint8_t) (band < 2 ? x + y * band : 255 - y / (band - 1))
                : band == 3 ? (uint8_t) (x / 3) : (uint8_t) (y / 8 % 5 * 50);
        }
}

int main(void) {
    for (int number = 0; number < cases; number++) {
        const int width = 40 + 31 * number % 300, height = 200, kind = number % 4;
        thimble_quantiser *quantiser = thimble_quantiser_new(width);
        uint8_t palette[4 * thimble_quantiser_colours];
        uint8_t *row = malloc(4 * (size_t) width), *indices = malloc(width);
        state = number;
        for (int y = 0; y < height; y++) {
            fill(row, width, y, kind);
            thimble_quantiser_count(quantiser, row);
        }
        const int count = thimble_quantiser_choose(quantiser, 256 - 40 * (number % 6), palette);
        uint64_t hash = digest(14695981039346656037u, palette, 4 * (size_t) count);
        state = number;
        for (int y = 0; y < height; y++) {
            fill(row, width, y, kind);
            thimble_quantiser_map(quantiser, row, indices);
            hash = digest(hash, indices, width);
        }
        printf("%d %d %016llx\n", number, count, (unsigned long long) hash);
        free(row), free(indices);
        thimble_quantiser_free(quantiser);
    }
    return 0;
}
