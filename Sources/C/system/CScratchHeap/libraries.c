// Read-ahead of the program and its libraries, as mapped in this process.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // dl_iterate_phdr
#endif
#include "CScratchHeap.h"

#ifdef __linux__
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

static int advise(struct dl_phdr_info *library, size_t size, void *unused) {
    (void) size, (void) unused;
    const uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &library->dlpi_phdr[i];
        if (header->p_type != PT_LOAD) continue;
        const uintptr_t start = library->dlpi_addr + header->p_vaddr;
        const uintptr_t first = start & ~(page - 1);
        madvise((void *) first, start + header->p_memsz - first, MADV_RANDOM);
    }
    return 0;
}

void thimble_libraries_read_singly(void) { dl_iterate_phdr(advise, NULL); }
#else
void thimble_libraries_read_singly(void) {}
#endif
