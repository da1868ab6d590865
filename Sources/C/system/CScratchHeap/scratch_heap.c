// Replaces malloc for the whole program: glibc's heap, except for blocks placed in a chosen range.
// Replaces all functions that the glibc manual lists ("Replacing malloc").
#include "CScratchHeap.h"

#include "exhaustion.h"

#if REPLACES_HEAP

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

// glibc's own functions under their internal names.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// Smaller blocks stay on the heap; they are many and used the most.
static const size_t large = 32 << 10;
// In a confined range: libjxl writes a JPEG into as many blocks of 16 KiB as it takes.
static const size_t large_when_confined = 4 << 10;

// Larger blocks start as zeros. A decoder that reads uninitialised memory then sees zeros, not data
// of an earlier attachment.
static const size_t zeroed = 4 << 10;

// A glibc block has its size in the preceding word, with flags in the lower three bits (glibc,
// malloc/malloc.c, "struct malloc_chunk"). A mapped block has pages of its own, zeroed by the
// kernel.
static bool is_mapped(const void *bytes) { return (((const size_t *)bytes)[-1] & 2) != 0; }
static size_t usable(const void *bytes) {
    size_t size = ((const size_t *)bytes)[-1] & ~(size_t)7;
    return size - (is_mapped(bytes) ? 2 : 1) * sizeof(size_t);
}

enum { ranges = 8 };
static const size_t range_length = (size_t)4 << 30;

struct range {
    atomic_flag lock;
    bool is_taken;
    size_t length;
    // End of the bytes handed out since the range was last empty.
    size_t used;
    // End of the bytes ever handed out; everything above reads as zeros.
    size_t touched;
    // Start of the last block; 0 without any.
    size_t last;
    size_t blocks;
    // Exit status if a block does not fit; 0 places such a block on the heap.
    int confined;
};

// Header before each block.
struct block {
    size_t length;
    // Start of the block before, with the lowest bit set once this block is free.
    size_t previous;
};

static const size_t is_free = 1;

static struct range all_ranges[ranges];
static atomic_flag lock = ATOMIC_FLAG_INIT;
// Start of all ranges; 0 before the first use.
static _Atomic uintptr_t base;
static _Thread_local struct range *chosen;

static void acquire(atomic_flag *flag) {
    while (atomic_flag_test_and_set_explicit(flag, memory_order_acquire)) {
    }
}

static void release(atomic_flag *flag) {
    atomic_flag_clear_explicit(flag, memory_order_release);
}

// The range of an address; NULL for the heap.
static struct range *range_of(const void *address) {
    uintptr_t start = atomic_load_explicit(&base, memory_order_relaxed);
    uintptr_t distance = (uintptr_t)address - start;
    if (start == 0 || distance >= ranges * range_length) return NULL;
    return &all_ranges[distance / range_length];
}

static char *start_of(const struct range *range) {
    return (char *)atomic_load(&base) + (size_t)(range - all_ranges) * range_length;
}

static struct block *header(const struct range *range, size_t start) {
    return (struct block *)(start_of(range) + start) - 1;
}

// Finds room among free blocks, the last ones first, and merges neighbours; 0 without any. The last
// block of a range is never free.
static size_t reuse(struct range *range, size_t length, size_t alignment) {
    size_t above = 0;
    size_t start = range->last;
    while (start != 0) {
        size_t previous = header(range, start)->previous;
        if ((previous & is_free) != 0) {
            previous &= ~is_free;
            while (previous != 0 && (header(range, previous)->previous & is_free) != 0) {
                start = previous;
                previous = header(range, start)->previous & ~is_free;
            }
            size_t end = above - sizeof(struct block);
            size_t placed = (start + alignment - 1) & ~(alignment - 1);
            if (placed <= end && length <= end - placed) {
                size_t rest = ((placed + length + 15) & ~(size_t)15) + sizeof(struct block);
                *header(range, placed) = (struct block){.length = length, .previous = previous};
                header(range, above)->previous = placed;
                if (rest < end && end - rest >= large) {
                    *header(range, rest) = (struct block){.previous = placed | is_free};
                    header(range, above)->previous = rest;
                }
                return placed;
            }
            header(range, above)->previous = start;
        }
        above = start;
        start = previous;
    }
    return 0;
}

static void *does_not_fit(const struct range *range, size_t length) {
    if (range->confined != 0) exit_without_memory(range->confined, "an allocation", length);
    return NULL;
}

// Allocates a block in the chosen range; NULL if it does not fit or belongs on the heap.
static void *place(size_t length, size_t alignment) {
    struct range *range = chosen;
    if (range == NULL || length < (range->confined != 0 ? large_when_confined : large)) return NULL;
    if (length > range_length) return does_not_fit(range, length);
    if (alignment < sizeof(struct block)) alignment = sizeof(struct block);
    if (alignment > 4096) return NULL;
    acquire(&range->lock);
    size_t start = (range->used + sizeof(struct block) + alignment - 1) & ~(alignment - 1);
    if (start > range->length || length > range->length - start) {
        start = reuse(range, length, alignment);
        if (start == 0) {
            release(&range->lock);
            return does_not_fit(range, length);
        }
    } else {
        // Blocks start at multiples of 16, which leaves the lowest bit.
        *header(range, start) = (struct block){.length = length, .previous = range->last};
        range->last = start;
        range->used = start + length;
    }
    size_t stale = range->touched > start ? range->touched - start : 0;
    if (range->touched < range->used) range->touched = range->used;
    range->blocks += 1;
    release(&range->lock);
    char *bytes = start_of(range) + start;
    if (stale > 0) memset(bytes, 0, stale < length ? stale : length);
    return bytes;
}

static void free_block(struct range *range, void *bytes) {
    acquire(&range->lock);
    range->blocks -= 1;
    ((struct block *)bytes)[-1].previous |= is_free;
    // Blocks are freed in any order; the others are reused when the range is full.
    while (range->last != 0) {
        const struct block *block = header(range, range->last);
        if ((block->previous & is_free) == 0) break;
        range->used = range->last - sizeof(struct block);
        range->last = block->previous & ~is_free;
    }
    release(&range->lock);
}

static void *checked(void *bytes, size_t length) {
    if (bytes == NULL && length > 0) memory_was_refused("an allocation", length);
    return bytes;
}

void *malloc(size_t length) {
    void *bytes = place(length, 16);
    if (bytes != NULL) return bytes;
    // calloc writes no zeros to fresh pages of the kernel.
    bytes = length > zeroed ? __libc_calloc(1, length) : __libc_malloc(length);
    return checked(bytes, length);
}

void *calloc(size_t count, size_t size) {
    size_t length;
    if (__builtin_mul_overflow(count, size, &length)) {
        // The caller's numbers are wrong, and memory is not exhausted.
        errno = ENOMEM;
        return NULL;
    }
    void *bytes = place(length, 16);
    return bytes != NULL ? bytes : checked(__libc_calloc(count, size), length);
}

void free(void *bytes) {
    struct range *range = range_of(bytes);
    if (range != NULL) {
        free_block(range, bytes);
    } else {
        __libc_free(bytes);
    }
}

void *realloc(void *old, size_t length) {
    struct range *range = range_of(old);
    if (range == NULL) {
        size_t before = old == NULL ? 0 : usable(old);
        // A block that began on the heap moves when it grows, as libvips's copy of all bytes before the pixels.
        void *placed = length > before ? place(length, 16) : NULL;
        if (placed != NULL) {
            if (old != NULL) memcpy(placed, old, before);
            __libc_free(old);
            return placed;
        }
        void *bytes = checked(__libc_realloc(old, length), length);
        if (bytes != NULL && length > zeroed && length > before && !is_mapped(bytes))
            memset((char *)bytes + before, 0, length - before);
        return bytes;
    }
    if (length == 0) {
        free(old);
        return NULL;
    }
    void *bytes = malloc(length);
    if (bytes == NULL) return NULL;
    size_t before = ((struct block *)old)[-1].length;
    memcpy(bytes, old, before < length ? before : length);
    free_block(range, old);
    return bytes;
}

void *memalign(size_t alignment, size_t length) {
    void *bytes = place(length, alignment);
    if (bytes != NULL) return bytes;
    bytes = checked(__libc_memalign(alignment, length), length);
    if (bytes != NULL && length > zeroed && !is_mapped(bytes)) memset(bytes, 0, length);
    return bytes;
}

void *aligned_alloc(size_t alignment, size_t length) { return memalign(alignment, length); }

int posix_memalign(void **bytes, size_t alignment, size_t length) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = memalign(alignment, length);
    if (made == NULL) return ENOMEM;
    *bytes = made;
    return 0;
}

size_t malloc_usable_size(void *bytes) {
    if (range_of(bytes) != NULL) return ((struct block *)bytes)[-1].length;
    return bytes == NULL ? 0 : usable(bytes);
}

bool thimble_heap_prepare(void) {
    acquire(&lock);
    if (atomic_load(&base) == 0) {
        // Addresses only: no access, and no footprint.
        void *start = mmap(
            NULL, ranges * range_length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
            0);
        if (start != MAP_FAILED) atomic_store(&base, (uintptr_t)start);
    }
    release(&lock);
    return atomic_load(&base) != 0;
}

void *thimble_heap_take(size_t length) {
    if (length > range_length || !thimble_heap_prepare()) return NULL;
    acquire(&lock);
    void *taken = NULL;
    for (int index = 0; index < ranges; index += 1) {
        struct range *range = &all_ranges[index];
        if (range->is_taken) continue;
        range->is_taken = true;
        range->length = length;
        range->used = 0;
        range->touched = 0;
        range->last = 0;
        range->blocks = 0;
        range->confined = 0;
        taken = start_of(range);
        break;
    }
    release(&lock);
    return taken;
}

void thimble_heap_confine(void *start, int status) {
    struct range *range = range_of(start);
    if (range != NULL) range->confined = status;
}

void *thimble_heap_place(void *start) {
    struct range *before = chosen;
    chosen = start == NULL ? NULL : range_of(start);
    return before == NULL ? NULL : start_of(before);
}

bool thimble_heap_give_back(void *start) {
    struct range *range = range_of(start);
    if (range == NULL) return false;
    acquire(&lock);
    acquire(&range->lock);
    bool is_empty = range->blocks == 0;
    release(&range->lock);
    if (is_empty) {
        // Removes the memory and forbids access until the next reservation.
        mmap(
            start, range->length, PROT_NONE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        range->is_taken = false;
    }
    release(&lock);
    return is_empty;
}

#else

bool thimble_heap_prepare(void) { return false; }
void *thimble_heap_take(size_t length) { return (void *)0; }
void thimble_heap_confine(void *start, int status) {}
void *thimble_heap_place(void *start) { return (void *)0; }
bool thimble_heap_give_back(void *start) { return false; }

#endif
