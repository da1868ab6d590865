// Large blocks of the heap in memory that the caller chooses: libraries without an allocator of
// their own to set can be kept off the footprint. And an orderly end where memory is refused.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Prepares this program's heap to place blocks elsewhere.
///
/// @return Whether it can: with glibc, where addresses are not limited, and without a sanitizer, which
/// replaces the heap itself.
bool thimble_heap_prepare(void);

/// Takes a range of addresses, without memory yet; NULL when all are taken.
///
/// The caller maps memory there that reads as zeros before any block is placed in it.
///
/// @param length In bytes, at most 4 GiB.
void *thimble_heap_take(size_t length);

/// Places the large blocks that this thread asks for in a range from now on; NULL for the heap.
///
/// @return The range until now; NULL for the heap.
void *thimble_heap_place(void *start);

/// Gives a range back.
///
/// @return Whether no block is left in it: else it must stay mapped, and is never taken again.
bool thimble_heap_give_back(void *start);

/// Has the process exit when the system refuses an allocation, a private mapping or a thread from now
/// on, with a line on standard error.
///
/// Before that, and where the heap is not replaced, callers are told.
///
/// @param status The exit status; 0 for telling callers.
void thimble_heap_exit_when_exhausted(int status);
