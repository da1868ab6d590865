// Bytes and time of both searches for repetitions, of the sample that chooses between them, and the
// lengths that samples predict, as parts of the true ones:
// search NAME=WIDTHxHEIGHTxBANDS=FILE… for files of raw samples. Prints rows of a Markdown table.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "png_rows.h"

typedef struct {
    int width, height, bands;
    uint8_t *samples;
} picture;

typedef struct {
    size_t bytes;
    double milliseconds;
} cost;

static double processor_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * (double) time.tv_sec + 1e-6 * (double) time.tv_nsec;
}

static ptrdiff_t count(void *context, uint8_t *bytes, size_t length) {
    (void) bytes;
    *(size_t *) context += length;
    return (ptrdiff_t) length;
}

static const uint8_t *row(const picture *it, int y) {
    return it->samples + (size_t) y * (size_t) (it->width * it->bands);
}

static size_t file_bytes(const picture *it, thimble_png_search search) {
    size_t bytes = 0;
    thimble_png_writer *writer = thimble_png_writer_new(count, &bytes);
    const thimble_png_header header = {
        .width = it->width, .height = it->height, .bands = it->bands, .search = search};
    if (!writer || thimble_png_writer_start(writer, &header) != THIMBLE_PNG_OK)
        exit(1);
    for (int y = 0; y < it->height; y++)
        thimble_png_writer_row(writer, row(it, y));
    thimble_png_writer_finish(writer);
    thimble_png_writer_free(writer);
    return bytes;
}

/// Bytes of bands of rows, as PNGSample.swift takes them.
static size_t bytes_of_bands(
    const picture *it, thimble_png_search search, int bands, int rows) {
    thimble_png_sample *sample = thimble_png_sample_new(it->width, it->bands, search);
    if (!sample)
        exit(1);
    for (int band = 0; band < bands; band++) {
        const int first = (2 * band + 1) * it->height / (2 * bands) - rows / 2;
        thimble_png_sample_pass(sample, row(it, first - 1));
        for (int y = first; y < first + rows; y++)
            thimble_png_sample_row(sample, row(it, y));
    }
    return thimble_png_sample_end(sample);
}

/// The sample that compares the searches.
static size_t sample_bytes(const picture *it, thimble_png_search search) {
    const int row_bytes = it->width * it->bands;
    int rows = (32768 + row_bytes - 1) / row_bytes;
    if (rows > it->height / 24)
        rows = it->height / 24;
    if (rows < 8)
        rows = 8;
    return bytes_of_bands(it, search, 3, rows);
}

/// The sample that predicts the length with runs, by an estimate.
static size_t predicting_bytes(const picture *it, thimble_png_search search) {
    return bytes_of_bands(it, search, 128, 1);
}

/// The least time of three rounds.
static cost measured(
    size_t (*bytes)(const picture *, thimble_png_search), const picture *it,
    thimble_png_search search) {
    cost best = {0, 1e9};
    for (int round = 0; round < 3; round++) {
        const double start = processor_milliseconds();
        best.bytes = bytes(it, search);
        const double taken = processor_milliseconds() - start;
        if (taken < best.milliseconds)
            best.milliseconds = taken;
    }
    return best;
}

int main(int argc, char **argv) {
    puts("| picture | dense | runs | runs / dense: bytes, time | sample | sample: dense / runs "
         "| prediction | predicted / true: runs, dense |");
    puts("|---|---:|---:|---:|---:|---:|---:|---:|");
    for (int index = 1; index < argc; index++) {
        char name[64], path[4096];
        picture it;
        if (sscanf(
                argv[index], "%63[^=]=%dx%dx%d=%4095s", name, &it.width, &it.height, &it.bands,
                path)
                != 5
            || it.height <= 256)
            return 64;
        const size_t bytes = (size_t) it.width * (size_t) it.height * (size_t) it.bands;
        FILE *file = fopen(path, "rb");
        it.samples = malloc(bytes);
        if (!file || !it.samples || fread(it.samples, 1, bytes, file) != bytes)
            return 1;
        fclose(file);
        const cost dense = measured(file_bytes, &it, THIMBLE_PNG_DENSE);
        const cost runs = measured(file_bytes, &it, THIMBLE_PNG_RUNS);
        const cost samples[] = {
            measured(sample_bytes, &it, THIMBLE_PNG_BRIEF),
            measured(sample_bytes, &it, THIMBLE_PNG_RUNS)};
        const cost predicting = measured(predicting_bytes, &it, THIMBLE_PNG_ESTIMATED_RUNS);
        const double ratio = (double) samples[0].bytes / (double) samples[1].bytes;
        const double predicted = (double) predicting.bytes * it.height / 128;
        printf(
            "| %s | %zu B, %.1f ms | %zu B, %.1f ms | %.3f, %.2f | %.1f ms | %.3f | %.1f ms "
            "| %.3f, %.3f |\n", name,
            dense.bytes, dense.milliseconds, runs.bytes, runs.milliseconds,
            (double) runs.bytes / (double) dense.bytes, runs.milliseconds / dense.milliseconds,
            samples[0].milliseconds + samples[1].milliseconds,
            ratio, predicting.milliseconds, predicted / (double) runs.bytes,
            predicted * ratio / (double) dense.bytes);
        free(it.samples);
    }
    return 0;
}
