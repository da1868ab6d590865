// System calls of a Linux sandbox. C libraries lack functions for most of them, and Swift cannot
// call variadic functions. Each returns the kernel's result: negative on failure, with errno.
#pragma once

#ifdef __linux__
#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Same numbers on every architecture (kernel, include/uapi/asm-generic/unistd.h); missing from
// headers before Linux 5.13.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/// Prevents privilege gain through execve (prctl(2), PR_SET_NO_NEW_PRIVS).
static inline int thimble_drop_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// Protects memory from core dumps and other processes of the same user (prctl(2),
/// PR_SET_DUMPABLE).
static inline int thimble_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Closes a range of descriptors, both ends included (close_range(2), Linux 5.9).
static inline long thimble_close_range(unsigned first, unsigned last) {
    return syscall(SYS_close_range, first, last, 0);
}

/// Sets a soft and hard resource limit. In C, because C libraries disagree on the resource type.
static inline int thimble_limit(int resource, uint64_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    // Only a privileged process could raise a limit.
    limit.rlim_max = most < limit.rlim_max ? (rlim_t) most : limit.rlim_max;
    limit.rlim_cur = limit.rlim_max < limit.rlim_cur ? limit.rlim_max : limit.rlim_cur;
    return setrlimit(resource, &limit);
}

/// Kernel's Landlock version (landlock_create_ruleset(2)).
static inline long thimble_landlock_version(void) {
    return syscall(SYS_landlock_create_ruleset, (void *) 0, (size_t) 0, 1 /* …_VERSION */);
}

/// Creates a ruleset and returns its descriptor. Older kernels accept zeros in unknown fields.
static inline long thimble_landlock_rules(uint64_t files, uint64_t network, uint64_t scopes) {
    const struct {
        uint64_t handled_access_fs, handled_access_net, scoped;
    } attributes = {files, network, scopes};
    return syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
}

/// Allows reading a file, or listing a folder and reading the files in it (landlock_add_rule(2)).
static inline long thimble_landlock_allow_reading(int rules, int path, int is_folder) {
    const uint64_t read_file = 1 << 2, read_folder = 1 << 3;  // LANDLOCK_ACCESS_FS_…
    const struct {
        uint64_t allowed_access;
        int32_t parent_fd;
    } __attribute__((packed)) rule = {is_folder ? read_file | read_folder : read_file, path};
    return syscall(SYS_landlock_add_rule, rules, 1 /* …_PATH_BENEATH */, &rule, 0);
}

/// Allows connections to a TCP port (landlock_add_rule(2), Landlock version 4).
static inline long thimble_landlock_allow_port(int rules, uint16_t port) {
    const struct {
        uint64_t allowed_access, port;
    } rule = {1 << 1 /* …_CONNECT_TCP */, port};
    return syscall(SYS_landlock_add_rule, rules, 2 /* …_NET_PORT */, &rule, 0);
}

/// Enforces a ruleset for this thread and the threads that it starts later.
static inline long thimble_landlock_enforce(int rules) {
    return syscall(SYS_landlock_restrict_self, rules, 0);
}

/// Gives up every capability (capset(2)).
static inline long thimble_drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
    return syscall(SYS_capset, &header, data);
}

/// Installs a filter for all threads (seccomp(2)). Disables the speculative store bypass
/// mitigation, which kernels before 5.16 enable with a filter and which slows decoding. The
/// mitigation protects code that shares a process with data that it must not read.
static inline long thimble_filter_calls(
    const struct sock_filter *_Nonnull program, unsigned short count) {
    const struct sock_fprog filter = {count, (struct sock_filter *) program};
    const unsigned all_threads = 1, no_mitigation = 4;  // SECCOMP_FILTER_FLAG_TSYNC, …_SPEC_ALLOW
    long result = syscall(
        SYS_seccomp, SECCOMP_SET_MODE_FILTER, all_threads | no_mitigation, &filter);
    if (result < 0 && errno == EINVAL)
        result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, all_threads, &filter);
    return result;
}

/// Kernel's name of the system call architecture; 0 for architectures without a filter.
static inline uint32_t thimble_architecture(void) {
#if defined(__x86_64__) && !defined(__ILP32__)
    return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
    return AUDIT_ARCH_AARCH64;
#else
    return 0;
#endif
}
#endif
