// Clean exit when the system refuses memory. Without it, GLib aborts, C++ throws through C frames,
// some decoders write through a null pointer, and others wait forever for a thread that never
// started.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // RTLD_NEXT
#endif

#include "CScratchHeap.h"
#include "exhaustion.h"

#if REPLACES_HEAP

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Exit status; 0 lets allocation failures reach the caller.
static _Atomic int exit_status;

static void print(const char *text) {
    // A failed write to standard error is ignored.
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

void exit_without_memory(int status, const char *what, size_t length) {
    char digits[24];
    size_t place = sizeof digits - 1;
    digits[place] = 0;
    do {
        digits[--place] = (char)('0' + length % 10);
        length /= 10;
    } while (length != 0);
    print("out of memory: ");
    print(what);
    print(" of ");
    print(digits + place);
    print(" bytes was refused\n");
    _exit(status);
}

void memory_was_refused(const char *what, size_t length) {
    int status = atomic_load_explicit(&exit_status, memory_order_relaxed);
    if (status != 0) exit_without_memory(status, what, length);
}

void thimble_heap_exit_when_exhausted(int status) { atomic_store(&exit_status, status); }

// Libraries also map memory directly; liborc does for compiled loops.
void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    void *bytes =
        (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
    if (bytes == MAP_FAILED && errno == ENOMEM && (flags & MAP_PRIVATE) != 0)
        memory_was_refused("a mapping", length);
    return bytes;
}

void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    return mmap(address, length, protection, flags, descriptor, offset);
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static _Atomic(create *) known;
    create *original = atomic_load(&known);
    if (original == NULL) {
        original = (create *)dlsym(RTLD_NEXT, "pthread_create");
        atomic_store(&known, original);
    }
    int failure = original(thread, attributes, start, argument);
    if (failure == EAGAIN || failure == ENOMEM) {
        size_t stack = 0;
        pthread_attr_t defaults;
        if (attributes != NULL) {
            pthread_attr_getstacksize(attributes, &stack);
        } else if (pthread_getattr_default_np(&defaults) == 0) {
            pthread_attr_getstacksize(&defaults, &stack);
            pthread_attr_destroy(&defaults);
        }
        memory_was_refused("a thread's stack", stack);
    }
    return failure;
}

#else

void memory_was_refused(const char *what, size_t length) {}
void thimble_heap_exit_when_exhausted(int status) {}

#endif
