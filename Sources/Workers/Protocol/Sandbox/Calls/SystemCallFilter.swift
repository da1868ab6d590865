#if os(Linux)
    internal import CSystemCalls
    internal import Foundation

    /// Seccomp filter program: a verdict for every system call (seccomp(2)).
    ///
    /// Built here rather than by libseccomp, which takes 0.1 MB of memory to load: more than the
    /// rest of the sandbox (measured with libseccomp 2.5.4).
    struct SystemCallFilter {
        private(set) var program: [sock_filter] = []

        /// Newest system call known to the allow-list (Linux 6.0); newer ones fail with `ENOSYS`,
        /// so that libraries fall back.
        static let newestKnown: UInt32 = 450

        /// Hidden calls fail with `ENOSYS`, other denied ones with `EPERM`.
        init(architecture: UInt32, allowing allowed: [SystemCallRule], hiding hidden: [CInt]) {
            load(Self.architectureOffset)
            jump(ifEqual: architecture, else: 1)
            // Another architecture: its call numbers mean something else.
            jump(over: 1)
            returnAction(SECCOMP_RET_KILL_PROCESS)
            load(0)
            // On x86-64, also rejects x32 calls, which have numbers above 2^30.
            jump(ifAbove: Self.newestKnown, else: 1)
            returnAction(.error(ENOSYS))
            for number in hidden {
                jump(ifEqual: UInt32(number), else: 1)
                returnAction(.error(ENOSYS))
            }
            for rule in allowed { add(rule) }
            returnAction(.error(EPERM))
        }

        private mutating func add(_ rule: SystemCallRule) {
            let place = program.count
            jump(ifEqual: UInt32(rule.number), else: 0)
            switch rule.condition {
            case .none:
                returnAction(SECCOMP_RET_ALLOW)
            case .argument(let index, let values):
                load(Self.argumentOffset(index))
                for value in values {
                    jump(ifEqual: UInt32(bitPattern: value), else: 1)
                    returnAction(SECCOMP_RET_ALLOW)
                }
                returnAction(.error(EPERM))
            case .bits(let index, let mask, let value):
                load(Self.argumentOffset(index))
                append(BPF_ALU | BPF_AND | BPF_K, mask)
                jump(ifEqual: value, else: 1)
                returnAction(SECCOMP_RET_ALLOW)
                returnAction(.error(EPERM))
            }
            // Not this call: continue with the next rule.
            program[place].jf = UInt8(program.count - place - 1)
        }

        // struct seccomp_data: number, architecture, instruction pointer, six 64-bit arguments with
        // the lower half first on the supported architectures (seccomp(2)).
        private static let architectureOffset: UInt32 = 4
        private static func argumentOffset(_ index: Int) -> UInt32 { 16 + 8 * UInt32(index) }

        private mutating func load(_ offset: UInt32) {
            append(BPF_LD | BPF_W | BPF_ABS, offset)
        }

        private mutating func jump(ifEqual value: UInt32, else skipped: UInt8) {
            append(BPF_JMP | BPF_JEQ | BPF_K, value, else: skipped)
        }

        private mutating func jump(ifAbove value: UInt32, else skipped: UInt8) {
            append(BPF_JMP | BPF_JGT | BPF_K, value, else: skipped)
        }

        private mutating func jump(over skipped: UInt32) { append(BPF_JMP | BPF_JA, skipped) }

        private mutating func returnAction(_ action: UInt32) { append(BPF_RET | BPF_K, action) }

        private mutating func append(_ code: CInt, _ value: UInt32, else skipped: UInt8 = 0) {
            program.append(sock_filter(code: UInt16(code), jt: 0, jf: skipped, k: value))
        }
    }

    extension UInt32 {
        fileprivate static func error(_ number: CInt) -> UInt32 {
            SECCOMP_RET_ERRNO | UInt32(number)
        }
    }

    extension Sandbox {
        static func filterCalls(_ policy: SandboxPolicy) -> Finding {
            let architecture = thimble_architecture()
            guard architecture != 0 else {
                return (.unavailable, "no filter for this architecture")
            }
            let allowed =
                switch policy.work {
                case .decoding: SystemCallRule.worker(inboxes: policy.inboxes, process: getpid())
                case .transfers:
                    SystemCallRule.transfers(inboxes: policy.inboxes, process: getpid())
                }
            let filter = SystemCallFilter(
                architecture: architecture, allowing: allowed, hiding: SystemCallRule.replaceable)
            let result = thimble_filter_calls(filter.program, UInt16(filter.program.count))
            guard result == 0 else {
                return result > 0 ? (.failed, "a thread rejected the filter") : finding("seccomp")
            }
            return (.applied, "\(allowed.count) calls")
        }
    }
#endif
