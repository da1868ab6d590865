// Declarations shared by the files of this module.
#pragma once

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HEAP_IS_SANITIZED 1
#endif
#endif

#if defined(__linux__)
#include <features.h>
#endif

// 1 if this module replaces the allocator of the C library: with glibc and without a sanitizer.
#if defined(__GLIBC__) && !defined(HEAP_IS_SANITIZED)
#define REPLACES_HEAP 1
#else
#define REPLACES_HEAP 0
#endif

// Exits with a line on standard error; must not allocate.
void exit_without_memory(int status, const char *what, size_t length)
    __attribute__((visibility("hidden"), noreturn));
// Exits if an exit status was set.
void memory_was_refused(const char *what, size_t length) __attribute__((visibility("hidden")));
