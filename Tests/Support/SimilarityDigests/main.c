// Scores pairs of pictures and prints the bits of each score: `similarity-digests best` or `baseline`. The
// lines are the same on every processor. Also compiled for ARM by the tests.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "similarity.h"

enum { cases = 60, largest = 150 };

static uint32_t state;

/// Linear congruential generator (Numerical Recipes, 7.1).
static int below(int limit) {
    state = state * 1664525u + 1013904223u;
    return (int) ((state >> 8) % (uint32_t) limit);
}

static int print(int number, thimble_similarity_vectors vectors) {
    state = (uint32_t) number;
    // Widths of every remainder of vectors, and pictures of one to five scales.
    const int width = 8 + below(largest - 8), height = 8 + below(largest - 8);
    const int noise = 1 + below(120), step = 1 + below(40);
    thimble_similarity *similarity = thimble_similarity_new(width, height, vectors);
    if (!similarity)
        return 1;
    uint8_t original[3 * largest], distorted[3 * largest];
    for (int y = 0; y < height; y++) {
        for (int i = 0; i < 3 * width; i++) {
            original[i] = (uint8_t) ((i / step + y / step) % 2 ? i + y : 255 - i / 2);
            const int value = original[i] + below(noise) - noise / 2;
            distorted[i] = (uint8_t) (value < 0 ? 0 : value > 255 ? 255 : value);
        }
        thimble_similarity_push(similarity, original, distorted);
    }
    const double score = thimble_similarity_score(similarity);
    uint64_t bits;
    memcpy(&bits, &score, sizeof bits);
    printf("%d %dx%d %.3f %016" PRIx64 "\n", number, width, height, score, bits);
    thimble_similarity_free(similarity);
    return 0;
}

int main(int count, char **arguments) {
    if (count != 2)
        return 64;
    const thimble_similarity_vectors vectors = strcmp(arguments[1], "baseline") == 0
        ? THIMBLE_SIMILARITY_BASELINE
        : THIMBLE_SIMILARITY_BEST;
    for (int number = 1; number <= cases; number++)
        if (print(number, vectors) != 0)
            return 1;
    return 0;
}
