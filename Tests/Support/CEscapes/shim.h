// System calls without a library function, or that Swift cannot call.
#pragma once

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/// Makes a system call; returns 0 or an errno.
static inline int escape_call(long number, long a, long b, long c, long d, long e, long f) {
    errno = 0;
    const long result = syscall(number, a, b, c, d, e, f);
    return result < 0 ? errno : 0;
}

/// Opens a path and closes it; returns 0 or an errno.
static inline int escape_open(const char *_Nonnull path, int flags) {
    const int descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0600);
    if (descriptor < 0) return errno;
    close(descriptor);
    return 0;
}

/// Creates a process by a call with the flags of clone(2); returns 0 or an errno.
static inline int escape_process(long number, long flags) {
    const long process = syscall(number, flags, 0, 0, 0, 0, 0);
    if (process < 0) return errno;
    if (process == 0) _exit(0);
    waitpid((pid_t) process, NULL, 0);
    return 0;
}

/// Creates a process with clone3(2); returns 0 or an errno.
static inline int escape_clone3(void) {
    struct clone_args arguments;
    memset(&arguments, 0, sizeof arguments);
    arguments.exit_signal = SIGCHLD;
    const long process = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (process < 0) return errno;
    if (process == 0) _exit(0);
    waitpid((pid_t) process, NULL, 0);
    return 0;
}

/// Runs another program, in a child process if possible, else in this process.
static inline int escape_program(void) {
    char *arguments[] = {(char *) "/bin/true", NULL};
    const pid_t process = fork();
    if (process <= 0) {
        execv(arguments[0], arguments);
        const int error = errno;
        if (process < 0) return error;
        _exit(error);
    }
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

/// Tries to raise a hard limit by one.
static inline int escape_limit(int resource) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    if (limit.rlim_max == RLIM_INFINITY) return 0;
    limit.rlim_max += 1;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

/// Reads a byte of another process's memory.
static inline int escape_memory(long number, pid_t process) {
    char byte = 0;
    struct iovec local = {&byte, 1}, remote = {&byte, 1};
    return escape_call(number, process, (long) &local, 1, (long) &remote, 1, 0);
}

/// Sends a byte with sendmsg(2).
static inline int escape_send(int socket) {
    char byte = 0;
    struct iovec vector = {&byte, 1};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? errno : 0;
}

/// Sets a file's times to the first second of 1970.
static inline int escape_times(const char *_Nonnull path) {
    const struct timespec times[2] = {{0, 0}, {0, 0}};
    return utimensat(AT_FDCWD, path, times, 0) == 0 ? 0 : errno;
}
#endif
