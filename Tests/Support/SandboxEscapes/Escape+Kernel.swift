#if os(Linux)
    import CEscapes
    import Foundation

    extension Escape {
        static let network: [Escape] = [
            Escape("make an internet socket", harmless: true, call: SYS_socket, 2, 1, 0),
            Escape("make a Unix socket", harmless: true, call: SYS_socket, 1, 1, 0),
            Escape("make a netlink socket", harmless: true, call: SYS_socket, 16, 3, 0),
            Escape("make a packet socket", call: SYS_socket, 17, 3, 0),
            Escape("make a pair of sockets") { _ in
                var pair: [CInt] = [0, 0]
                return socketpair(1, 1, 0, &pair) == 0 ? 0 : errno
            },
            Escape("connect its input to somewhere else", call: SYS_connect, 0, 0, 0),
            Escape("bind its input to an address", call: SYS_bind, 0, 0, 0),
            Escape("send a message from its input") { _ in escape_send(STDIN_FILENO) },
            Escape("receive on another socket", call: SYS_recvmsg, 1, 0, 0),
            Escape("have somebody connect", call: SYS_listen, 0, 1),
        ]

        /// Kernel interfaces with a history of vulnerabilities.
        static let kernel: [Escape] = [
            Escape("set up io_uring", call: SYS_io_uring_setup, 1, 0),
            Escape("enter io_uring", call: SYS_io_uring_enter, 0, 1, 0, 0, 0),
            Escape("load a BPF program", call: SYS_bpf, 5, 0, 0),
            Escape("handle page faults itself", call: SYS_userfaultfd, 0),
            Escape("count events of the processor", call: SYS_perf_event_open, 0, 0, -1, -1, 0),
            Escape("use the kernel's keys", harmless: true, call: SYS_keyctl, 0, -3, 0, 0, 0),
            Escape("add a key", call: SYS_add_key, 0, 0, 0, 0, -3),
            Escape("mount a file system", call: SYS_mount, 0, 0, 0, 0, 0),
            Escape("unmount a file system", call: SYS_umount2, 0, 0),
            Escape("turn the root around", call: SYS_pivot_root, 0, 0),
            Escape("open a file by its handle", call: SYS_open_by_handle_at, -100, 0, 0),
            Escape("control a device", harmless: true) { _ in
                // FIONREAD, on a socket.
                var count: CInt = 0
                return withUnsafeMutablePointer(to: &count) {
                    escape_call(
                        Int(SYS_ioctl), Int(STDIN_FILENO), 0x541b, Int(bitPattern: $0), 0, 0, 0)
                }
            },
            Escape("splice", call: SYS_splice, 0, 0, 1, 0, 1, 0),
            Escape("lock memory", harmless: false, call: SYS_mlockall, 1),
            Escape("make a message queue", call: SYS_mq_open, 0, 0),
            Escape("share memory", harmless: true, call: SYS_shmget, 0, 4096, 0o1600),
            Escape("load a module", call: SYS_finit_module, -1, 0, 0),
            Escape("read the kernel's log", call: SYS_syslog, 10, 0, 0),
            Escape("set the clock", call: SYS_clock_settime, 0, 0),
            Escape("use a call that came later", call: 452, -1, 0, 0, 0),
        ]
    }
#endif
