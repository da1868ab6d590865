#if os(Linux)
    internal import CSystemCalls

    extension SystemCallRule {
        /// System calls of a process that exchanges data with servers: a worker's calls, client
        /// sockets and reading by path.
        ///
        /// Found with strace(1) over HTTP, TLS and name resolution with glibc. Landlock restricts
        /// the paths and, from version 4 on, the ports. Denied in addition to a worker's denials:
        /// netlink and packet sockets, bind, listen and accept.
        static func transfers(inboxes: [CInt], process: CInt) -> [SystemCallRule] {
            worker(inboxes: inboxes, process: process).filter {
                // The resolver and OpenSSL receive on sockets of their own.
                $0.number != __NR_recvmsg
            } + [
                // AF_INET and AF_INET6. glibc asks netlink(7) for the interfaces, and assumes IPv4
                // and IPv6 when it is denied.
                SystemCallRule(__NR_socket, .argument(0, isOneOf: [2, 10])),
                // AF_UNIX: libcurl wakes itself with a pair of its own.
                SystemCallRule(__NR_socketpair, .argument(0, isOneOf: [1])),
                // Read-only: no access mode, O_CREAT, O_TRUNC, O_TMPFILE or O_PATH (open(2)).
                SystemCallRule(__NR_openat, .bits(2, of: 0o30_001_103, are: 0)),
            ] + exchange.map { SystemCallRule($0) }
        }

        private static let exchange: [CInt] = {
            var calls: [CInt] = [
                __NR_recvmsg, __NR_connect, __NR_getsockopt, __NR_setsockopt, __NR_getsockname,
                __NR_getpeername, __NR_sendto, __NR_recvfrom, __NR_sendmmsg, __NR_ppoll, __NR_uname,
                // Later versions of libcurl wake themselves with these.
                __NR_eventfd2, __NR_pipe2,
            ]
            #if arch(x86_64)
                calls.append(__NR_poll)
            #endif
            return calls
        }()
    }
#endif
