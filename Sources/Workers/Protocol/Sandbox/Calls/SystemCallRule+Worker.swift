#if os(Linux)
    internal import CSystemCalls

    extension SystemCallRule {
        /// System calls of a worker after all libraries are loaded.
        ///
        /// Found with strace(1) over every format; completed with calls that glibc, musl and the
        /// decoders make on other machines. libdispatch's threads would need more, including access
        /// to `/proc`, so workers do not use them.
        ///
        /// Denied because harmful: execve, fork and vfork; socket, connect, bind and sendmsg;
        /// ptrace, process_vm_readv and pidfd_getfd; kill; mount, unshare and setns; every ioctl.
        /// Denied because of a history of kernel vulnerabilities: bpf, userfaultfd, io_uring_setup,
        /// perf_event_open and keyctl. Also denied: every call with a path, except the two that C
        /// libraries use for an open file's length.
        static func worker(inboxes: [CInt], process: CInt) -> [SystemCallRule] {
            [
                // Threads as pthread_create makes them, never a process. musl adds CLONE_DETACHED,
                // which has no effect (clone(2)).
                SystemCallRule(__NR_clone, .bits(0, of: ~0x40_0000, are: 0x3d_0f00)),
                // Messages and files from the supervisor.
                SystemCallRule(__NR_recvmsg, .argument(0, isOneOf: inboxes)),
                // abort(3): libraries send a signal to their own process.
                SystemCallRule(__NR_tgkill, .argument(0, isOneOf: [process])),
                // This process's own limits; hard limits cannot be raised any more.
                SystemCallRule(__NR_prlimit64, .argument(0, isOneOf: [0])),
                // Thread names: PR_SET_NAME.
                SystemCallRule(__NR_prctl, .argument(0, isOneOf: [15])),
                // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC (fcntl(2)); no locks
                // or I/O signals.
                SystemCallRule(__NR_fcntl, .argument(1, isOneOf: [0, 1, 2, 3, 4, 1030])),
            ] + unconditional.map { SystemCallRule($0) }
        }

        /// Calls with arguments by pointer, which C libraries can replace.
        static let replaceable: [CInt] = [CInt(__NR_clone3)]

        private static var unconditional: [CInt] { files + memory + threads + waiting }

        private static let files: [CInt] = [
            __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64,
            __NR_lseek, __NR_close, __NR_dup, __NR_dup3, __NR_fstat, __NR_fstatfs,
            __NR_sync_file_range, __NR_ftruncate, __NR_fallocate, __NR_fadvise64,
            // fstat(3) of glibc and musl.
            __NR_newfstatat, __NR_statx,
        ]

        /// Memory mappings, including executable ones: libvips compiles its inner loops (liborc).
        private static let memory: [CInt] = [
            __NR_brk, __NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_msync,
        ]

        private static let threads: [CInt] = [
            __NR_futex, __NR_exit, __NR_exit_group, __NR_set_robust_list, __NR_rseq,
            __NR_set_tid_address, __NR_gettid, __NR_getpid, __NR_sched_yield,
            __NR_sched_getaffinity, __NR_sysinfo, __NR_getrandom, __NR_getuid,
            __NR_geteuid, __NR_rt_sigaction,
            __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sigaltstack, __NR_restart_syscall,
        ]

        /// Sleeping, and clocks on kernels without vDSO clocks.
        private static let waiting: [CInt] = {
            var calls: [CInt] = [
                __NR_nanosleep, __NR_clock_nanosleep, __NR_clock_gettime, __NR_clock_getres,
                __NR_gettimeofday,
            ]
            #if arch(x86_64)
                calls.append(__NR_time)
            #endif
            return calls
        }()
    }
#endif
