// Tells the thread sanitizer how threads hand things over in Swift's libraries, into which no sanitizer
// is built. Without it, what one thread wrote before it handed over looks like a race with the next.
// Loaded before those libraries, it stands in for three of their functions, which do their work still:
//
// - A mutex that nobody else wants is taken and given back by inlined code, which the sanitizer sees;
//   one that somebody waits for by these functions of the library.
// - A task that is suspended sees what was there when it is resumed; one that was resumed before it
//   could be suspended goes on at once, and the library does not say so.
//
// The names and the layout are those of Swift 6; control.swift tells whether they still are.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define AWAIT "swift_continuation_await"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define ASYNC __attribute__((swiftasynccall))
#define TASK_CONTEXT __attribute__((swift_async_context))

// Of programs with the sanitizer; compilers, into which this is loaded as well, have none.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);
// Of programs with tasks.
__attribute__((weak)) SWIFT void *swift_task_getCurrent(void);

static void *following(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF void *mutex) {
    SWIFT void (*wait)(uint32_t, SELF void *) = following(LOCK);
    wait(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock(SELF void *mutex) {
    SWIFT void (*wake)(SELF void *) = following(UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    wake(mutex);
}

typedef ASYNC void Resumption(TASK_CONTEXT void *);

// The beginning of what a continuation is awaited with.
typedef struct {
    void *parent;
    Resumption *resumption;
} Continuation;

// How the task that this thread is about to suspend goes on: where it does so at once, it is on this
// thread, and where it is suspended, the library has noted it before.
static _Thread_local Resumption *resumption;

static ASYNC void resumed(TASK_CONTEXT void *context) {
    Continuation *continuation = context;
    continuation->resumption = resumption;
    __tsan_acquire(swift_task_getCurrent());
    return continuation->resumption(context);
}

ASYNC void await(Continuation *continuation) __asm__(AWAIT);
ASYNC void await(Continuation *continuation) {
    ASYNC void (*suspend)(Continuation *) = following(AWAIT);
    if (__tsan_acquire) {
        resumption = continuation->resumption;
        continuation->resumption = resumed;
    }
    return suspend(continuation);
}
