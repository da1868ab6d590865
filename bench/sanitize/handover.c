// Tells the thread sanitizer about synchronisation in Swift's libraries, which are not instrumented.
// Without it, values handed over between threads look like races. It is preloaded and wraps three
// library functions:
//
// - Contended mutexes are locked by library functions. Uncontended ones use inlined code, which the
//   sanitizer sees.
// - A suspended task sees the writes that preceded its resumption. A task resumed before it could
//   suspend continues at once, and the library does not signal that.
//
// Names and layout follow Swift 6; control.swift checks that they still apply.

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

// Missing in programs without the sanitizer, such as compilers, which this is also preloaded into.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);
// Missing in programs without tasks.
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

// First fields of a continuation's context.
typedef struct {
    void *parent;
    Resumption *resumption;
} Continuation;

// Continuation of the task that this thread is about to suspend. A task that continues at once does
// so on this thread; otherwise the library has already recorded the suspension.
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
