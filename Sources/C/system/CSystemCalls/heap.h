// The C library's heap; Swift imports neither `malloc_trim` nor `mallopt`.
#pragma once

// Any header of the C library defines `__GLIBC__`.
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Returns free heap memory to the system.
static inline void thimble_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/// Keeps the thresholds above which freed memory is returned to the system at 128 KiB, glibc's initial
/// value, for the life of the process.
///
/// glibc raises them to twice a freed block's size. Each thread's heap may then keep as much, which
/// `malloc_trim` releases for the main thread's alone.
static inline void thimble_return_freed_memory(void) {
#ifdef __GLIBC__
    // Setting one of them ends the adjustment of all.
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
#endif
}
