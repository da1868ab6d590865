#if os(Linux)
    import CEscapes
    import Foundation

    extension Escape {
        /// Other processes, and this process's own privileges.
        static let processes: [Escape] = [
            Escape("make a process with clone") { _ in
                escape_process(Int(SYS_clone), Int(SIGCHLD))
            },
            Escape("make a process with clone3") { _ in escape_clone3() },
            Escape("make a process with the memory of this one", harmless: false) { _ in
                escape_process(Int(SYS_clone), Int(CLONE_VM) | Int(SIGCHLD))
            },
            Escape("run a program") { _ in escape_program() },
            Escape("run a program by a descriptor", call: SYS_execveat, 0, 0, 0, 0, 0x1000),
            Escape("make a file in memory, to run it", harmless: false) { _ in
                escape_call(
                    Int(SYS_memfd_create), Int(bitPattern: strdup("x")), 0, 0, 0, 0, 0)
            },
            Escape("be traced", harmless: false, call: SYS_ptrace, 0, 0, 0, 0),
            Escape("trace its parent", harmless: false) {
                // PTRACE_SEIZE, which does not stop the parent.
                escape_call(Int(SYS_ptrace), 0x4206, Int($0.parent), 0, 0, 0, 0)
            },
            Escape("read its parent's memory", harmless: false) {
                escape_memory(Int(SYS_process_vm_readv), $0.parent)
            },
            Escape("write to its parent's memory", harmless: false) {
                escape_memory(Int(SYS_process_vm_writev), $0.parent)
            },
            Escape("send a signal to its parent") { kill($0.parent, 0) == 0 ? 0 : errno },
            Escape("send a signal to a thread of its parent") {
                escape_call(
                    Int(SYS_tgkill), Int($0.parent), Int($0.parent), 0, 0, 0, 0)
            },
            Escape("get hold of its parent") {
                escape_call(Int(SYS_pidfd_open), Int($0.parent), 0, 0, 0, 0, 0)
            },
            Escape("take a descriptor of its parent", call: SYS_pidfd_getfd, 0, 0, 0),
            Escape("change a limit of its parent", harmless: false) {
                escape_call(Int(SYS_prlimit64), Int($0.parent), 0, 0, 0, 0, 0)
            },
            Escape("raise the limit of files", harmless: false) { _ in
                escape_limit(CInt(RLIMIT_NOFILE.rawValue))
            },
            Escape("raise the limit of core dumps", harmless: false) { _ in
                escape_limit(CInt(RLIMIT_CORE.rawValue))
            },
            Escape("be dumped again", harmless: true) { _ in
                escape_call(Int(SYS_prctl), 4, 1, 0, 0, 0, 0)
            },
            Escape("become another user", call: SYS_setresuid, 65534, 65534, 65534),
            Escape("set capabilities", call: SYS_capset, 0, 0),
            Escape("put another filter in force", call: SYS_seccomp, 0, 0),
            Escape("leave the control group by a new one", call: SYS_unshare, 0x0200_0000),
            Escape("become root of a user namespace", call: SYS_unshare, 0x1000_0000),
            Escape("get its own view of the file system", call: SYS_unshare, 0x0002_0000),
            Escape("enter a namespace", call: SYS_setns, 0, 0),
            Escape("take a personality", call: SYS_personality, 0x004_0000),
        ]
    }
#endif
