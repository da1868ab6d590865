// Prints a digest of every case's rows with the given vector instructions: none, sse2, avx2 or neon.
// Exits with 2 if the processor lacks them. Also compiled for ARM by the tests.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chroma.h"
#include "resampler.h"

enum { cases = 400, chroma_cases = 100 };

static uint32_t state;

/// Linear congruential generator (Numerical Recipes, 7.1).
static uint32_t next_number(void) { return state = state * 1664525u + 1013904223u; }

static int between(int lowest, int highest) {
    return lowest + (int) ((next_number() >> 8) % (uint32_t) (highest - lowest + 1));
}

static thimble_axis random_axis(void) {
    const int source = between(1, 300), target = between(1 + source / 150, 200);
    thimble_axis axis = {source, target, 0, (double) source / target, 1};
    // Planes that end inside a sample, and crops.
    if (between(0, 2) == 0)
        axis.step *= 1 - between(0, 64) / 1024.0;
    if (between(0, 2) == 0) {
        axis.origin = source * between(0, 128) / 512.0;
        axis.step *= 0.5;
    }
    if (between(0, 2) == 0)
        axis.box = between(2, 40);
    return axis;
}

static thimble_resampling random_resampling(void) {
    const thimble_axis columns = random_axis(), rows = random_axis();
    const int bands = between(1, 4);
    return (thimble_resampling) {
        columns, rows, bands, between(1, 2), bands % 2 == 0 && between(0, 3) > 0,
        between(0, 2) == 0};
}

/// Noise, or blocks of the lowest and highest samples, whose overshoot is largest.
static void fill(uint8_t *row, size_t bytes, int is_noise) {
    for (size_t i = 0; i < bytes; i++)
        row[i] = is_noise ? next_number() >> 24 : i / 24 % 2 ? 255 : 0;
}

/// FNV-1a.
static uint64_t digest(uint64_t hash, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static int print_case(int number, thimble_vectors vectors) {
    state = number;
    const thimble_resampling resampling = random_resampling();
    const int is_noise = between(0, 1);
    thimble_resampler *resampler = thimble_resampler_new(&resampling, vectors);
    if (!resampler)
        return 2;
    const size_t source =
        (size_t) resampling.columns.source * resampling.bands * resampling.sample_bytes;
    const size_t target = (size_t) resampling.columns.target * resampling.bands;
    uint8_t *row = malloc(source), *result = malloc(target);
    uint64_t hash = 14695981039346656037u;
    int pulled = 0;
    for (int y = 0; y < resampling.rows.source; y++) {
        fill(row, source, is_noise || y / 8 % 2);
        thimble_resampler_push(resampler, row);
        while (thimble_resampler_pull(resampler, result)) {
            hash = digest(hash, result, target);
            pulled++;
        }
    }
    printf(
        "%d %dx%d %d %016llx\n", number, pulled, resampling.columns.target, resampling.bands,
        (unsigned long long) hash);
    free(row), free(result);
    thimble_resampler_free(resampler);
    return pulled == resampling.rows.target ? 0 : 1;
}

/// Doubles rows of chroma and converts the pixels to RGB, with exact lengths.
static void print_chroma(int number, thimble_vectors vectors) {
    state = number;
    const int width = between(1, 200), halved = (width + 1) / 2;
    uint8_t *bytes = malloc(4 * halved + width), *results = malloc(5 * width);
    fill(bytes, 4 * halved + width, between(0, 1));
    for (int plane = 0; plane < 2; plane++) {
        const uint8_t *near = bytes + 2 * plane * halved;
        thimble_double_chroma(
            near, near + halved, halved, results + plane * width, width, vectors);
    }
    uint8_t *rgb[3] = {results + 2 * width, results + 3 * width, results + 4 * width};
    thimble_ycc_to_rgb(bytes + 4 * halved, results, results + width, rgb, width, vectors);
    printf(
        "chroma %d %016llx\n", number,
        (unsigned long long) digest(14695981039346656037u, results, 5 * width));
    free(bytes), free(results);
}

int main(int count, char **arguments) {
    static const char *const names[] = {"best", "none", "sse2", "avx2", "neon"};
    if (count != 2)
        return 64;
    for (int vectors = 0; vectors < 5; vectors++)
        if (strcmp(arguments[1], names[vectors]) == 0) {
            int code = 0;
            for (int number = 1; number <= cases && code == 0; number++)
                code = print_case(number, vectors);
            for (int number = 1; number <= chroma_cases && code == 0; number++)
                print_chroma(number, vectors);
            return code;
        }
    return 64;
}
