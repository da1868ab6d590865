// libimagequant, and the number of its threads.
#pragma once

#include <libimagequant.h>

/// Function of OpenMP, if libimagequant is built with it.
__attribute__((weak)) extern void omp_set_num_threads(int count);

/// Lets libimagequant run in the calling thread alone: sums of floats, and so the colours, depend
/// on the number of threads.
static inline void thimble_quantise_in_one_thread(void) {
    if (omp_set_num_threads)
        omp_set_num_threads(1);
}
