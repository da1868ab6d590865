// Calls missing from Swift's Linux C library module: fstatfs, sync_file_range, memfd_create.
#pragma once

#ifdef __linux__
#include <fcntl.h>
#include <sys/syscall.h>
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
#else
#include <sys/mount.h>
#endif
