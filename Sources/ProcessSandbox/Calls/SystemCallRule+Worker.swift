#if os(Linux)
    internal import CSandbox

    extension SystemCallRule {
        /// What a worker does when everything is loaded: found with strace(1) over every format, and
        /// completed by what glibc, musl and the decoders call on other machines.
        ///
        /// libdispatch's threads would take more, and a look into `/proc` above all: a worker does
        /// without them.
        ///
        /// What is not here and would do harm: execve, fork and vfork; socket, connect, bind and
        /// sendmsg; ptrace, process_vm_readv and pidfd_getfd; kill; mount, unshare and setns; bpf,
        /// userfaultfd, io_uring_setup, perf_event_open and keyctl, whose code in the kernel has had
        /// holes; every ioctl; and all that takes a path but the two that C libraries ask an open
        /// file's length with.
        ///
        /// - Parameters:
        ///   - inboxes: The sockets that it may receive from.
        ///   - process: Its identifier.
        /// - Returns: The calls, and with which arguments.
        static func worker(inboxes: [CInt], process: CInt) -> [SystemCallRule] {
            [
                // A thread as pthread_create makes it, never a process. musl adds CLONE_DETACHED,
                // which means nothing (clone(2)).
                SystemCallRule(
                    __NR_clone, .bits(0, of: ~0x40_0000, are: 0x3d_0f00)),
                // The messages and the files of the supervisor.
                SystemCallRule(__NR_recvmsg, .argument(0, isOneOf: inboxes)),
                // abort(3), which is how libraries end when they must: a signal to itself.
                SystemCallRule(__NR_tgkill, .argument(0, isOneOf: [process])),
                // Its own limits: no hard one can be raised any more.
                SystemCallRule(__NR_prlimit64, .argument(0, isOneOf: [0])),
                // The names of threads: PR_SET_NAME.
                SystemCallRule(__NR_prctl, .argument(0, isOneOf: [15])),
                // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC (fcntl(2)); locks and
                // signals on activity are not among them.
                SystemCallRule(__NR_fcntl, .argument(1, isOneOf: [0, 1, 2, 3, 4, 1030])),
            ] + unconditional.map { SystemCallRule($0) }
        }

        /// How many calls are allowed, for reports.
        static var count: Int { worker(inboxes: [0], process: 0).count }

        /// Calls that C libraries try first and do without: the filter cannot look into what their
        /// arguments point to.
        static let replaceable: [CInt] = [CInt(__NR_clone3)]

        private static var unconditional: [CInt] { files + memory + threads + waiting }

        /// What reads and writes open files.
        private static let files: [CInt] = [
            __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64,
            __NR_lseek, __NR_close, __NR_dup, __NR_dup3, __NR_fstat, __NR_fstatfs,
            __NR_sync_file_range, __NR_ftruncate, __NR_fallocate, __NR_fadvise64,
            // What fstat(3) of glibc and musl calls.
            __NR_newfstatat, __NR_statx,
        ]

        /// What maps memory, also such that is run: libvips compiles its inner loops (liborc).
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

        /// Sleeping, and the clocks where the kernel does not show them in memory.
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
