// The arenas of the C library's heap; Swift does not import `mallopt`.
#pragma once

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
