// Arenas of the C library's heap; Swift does not import `mallopt`.
#pragma once

// Any header of the C library defines `__GLIBC__`.
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Limits the number of arenas that all threads share.
static inline void thimble_limit_arenas(int count) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}
