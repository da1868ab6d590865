// What Swift's module of the C library on Linux leaves out: fstatfs, sync_file_range.
#pragma once

#ifdef __linux__
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Has the system begin to write a file's changed pages to the disk, and waits for nothing. Through
/// the number of the call, since its declaration needs a macro that Swift does not set.
static inline void thimble_start_writing_out(int descriptor) {
    const unsigned int write = 2;  // SYNC_FILE_RANGE_WRITE (sync_file_range(2))
    syscall(SYS_sync_file_range, descriptor, (off_t) 0, (off_t) 0, write);
}
#else
#include <sys/mount.h>
#endif
