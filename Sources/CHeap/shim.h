// The C library's heap; Swift does not import `malloc_trim`.
#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Returns free heap memory to the system.
static inline void thimble_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
