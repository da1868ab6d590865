// Calls missing from Swift's Linux C library module: fstatfs, sync_file_range,
// memfd_create, preadv2.
#pragma once

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Starts writing a file's dirty pages to disk, without waiting. It uses the system call number
/// because the declaration needs a macro that Swift does not define.
static inline void thimble_start_writing_out(int descriptor) {
    const unsigned int write = 2;  // SYNC_FILE_RANGE_WRITE (sync_file_range(2))
    syscall(SYS_sync_file_range, descriptor, (off_t) 0, (off_t) 0, write);
}

/// Creates a file in memory, or returns -1. It uses the system call number for the same reason.
static inline int thimble_memory_file(void) {
    const unsigned int close_on_exec = 1;  // MFD_CLOEXEC (memfd_create(2))
    return (int) syscall(SYS_memfd_create, "thimble", close_on_exec);
}

/// True if the page of a file at `offset` is in the page cache, or the kernel does not tell.
static inline bool thimble_is_cached(int descriptor, off_t offset) {
    char byte;
    const struct iovec part = {&byte, 1};
    const int no_waiting = 8;  // RWF_NOWAIT (preadv2(2), Linux 4.14)
    // The position has a lower and an upper half; 64-bit kernels use the lower one only.
    const long count = syscall(
        SYS_preadv2, descriptor, &part, 1L, (long) offset, 0L, no_waiting);
    return count >= 0 || errno != EAGAIN;
}

/// True if the pages of an open file or folder are memory that the system cannot write out.
static inline bool thimble_is_in_memory(int descriptor) {
    struct statfs volume;
    if (fstatfs(descriptor, &volume) != 0) return false;
    // tmpfs, ramfs, hugetlbfs (statfs(2)).
    switch ((unsigned long) volume.f_type) {
    case 0x01021994: case 0x858458f6: case 0x958458f6: return true;
    default: return false;
    }
}
#else
#include <stdbool.h>
#include <string.h>
#include <sys/mount.h>

static inline bool thimble_is_in_memory(int descriptor) {
    struct statfs volume;
    return fstatfs(descriptor, &volume) == 0 && strcmp(volume.f_fstypename, "tmpfs") == 0;
}
#endif
