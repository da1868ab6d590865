// Calls missing from Swift's Linux C library module: fstatfs, sync_file_range.
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
#else
#include <sys/mount.h>
#endif
