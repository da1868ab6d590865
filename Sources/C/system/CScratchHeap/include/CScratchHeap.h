// Places large heap blocks in memory chosen by the caller. This keeps libraries without an
// allocator hook out of the footprint. Also provides a clean exit when memory is refused.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Prepares the heap for placing blocks elsewhere.
///
/// @return False if unavailable: without glibc, with limited address space, or with a sanitizer,
/// which replaces the heap itself.
bool thimble_heap_prepare(void);

/// Reserves an address range without memory; NULL if no range is free.
///
/// The caller must map zeroed memory there before any block is placed in it.
///
/// @param length In bytes, at most 4 GiB.
void *thimble_heap_take(size_t length);

/// Places this thread's large blocks in a range from now on; NULL means the heap.
///
/// @return The previous range; NULL for the heap.
void *thimble_heap_place(void *start);

/// Makes the process exit when a large block does not fit in a range, with a line on standard error.
///
/// For libraries that state no limit and take no refusal. Blocks of 4 KiB and more are placed, instead of
/// 32 KiB. Ends with the range.
///
/// @param status The exit status, not 0.
void thimble_heap_confine(void *start, int status);

/// Releases a range.
///
/// @return True if the range has no blocks. Otherwise it must stay mapped and is never reused.
bool thimble_heap_give_back(void *start);

/// Makes the process exit when the system refuses an allocation, a private mapping or a thread,
/// with a line on standard error.
///
/// By default, and if the heap is not replaced, the failure reaches the caller.
///
/// @param status The exit status; 0 restores the default.
void thimble_heap_exit_when_exhausted(int status);

/// Makes each page fault in the program and its libraries read one page only.
///
/// Under a control group's limit, a fault that reads ahead evicts other pages of the group: with a
/// read-ahead of 8 MiB, all of them.
void thimble_libraries_read_singly(void);
