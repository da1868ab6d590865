#if os(Linux)
    internal import CSandbox
    internal import Foundation

    /// A program for the kernel that says of every system call whether it is made (seccomp(2)).
    ///
    /// It is written here rather than by libseccomp, whose loading takes 0.1 MB of memory: more than
    /// all the rest of the sandbox (measured with libseccomp 2.5.4).
    struct SystemCallFilter {
        /// The instructions.
        private(set) var program: [sock_filter] = []

        /// The last call that the allow-list was written with in mind, of Linux 6.0.
        ///
        /// Later ones fail as if the kernel did not have them, so that a library that tries a new one
        /// first falls back on an old one.
        static let newestKnown: UInt32 = 450

        /// Writes the program.
        ///
        /// - Parameters:
        ///   - architecture: What the kernel calls this architecture.
        ///   - allowed: What is allowed; everything else fails with `EPERM`.
        ///   - hidden: What fails as if the kernel did not have it.
        init(architecture: UInt32, allowing allowed: [SystemCallRule], hiding hidden: [CInt]) {
            load(Self.architectureOffset)
            jump(ifEqual: architecture, else: 1)
            // A call of another architecture, whose numbers mean something else.
            jump(over: 1)
            answer(SECCOMP_RET_KILL_PROCESS)
            load(0)
            // On x86-64 also the calls of x32, whose numbers are above 2^30.
            jump(ifAbove: Self.newestKnown, else: 1)
            answer(.error(ENOSYS))
            for number in hidden {
                jump(ifEqual: UInt32(number), else: 1)
                answer(.error(ENOSYS))
            }
            for rule in allowed { add(rule) }
            answer(.error(EPERM))
        }

        private mutating func add(_ rule: SystemCallRule) {
            let place = program.count
            jump(ifEqual: UInt32(rule.number), else: 0)
            switch rule.condition {
            case .none:
                answer(SECCOMP_RET_ALLOW)
            case .argument(let index, let values):
                load(Self.argumentOffset(index))
                for value in values {
                    jump(ifEqual: UInt32(bitPattern: value), else: 1)
                    answer(SECCOMP_RET_ALLOW)
                }
                answer(.error(EPERM))
            case .bits(let index, let mask, let value):
                load(Self.argumentOffset(index))
                append(BPF_ALU | BPF_AND | BPF_K, mask)
                jump(ifEqual: value, else: 1)
                answer(SECCOMP_RET_ALLOW)
                answer(.error(EPERM))
            }
            // Of another call: on to the next rule.
            program[place].jf = UInt8(program.count - place - 1)
        }

        // struct seccomp_data: number, architecture, instruction pointer, six arguments of 64 bits,
        // the lower half first on the architectures that there is a filter for (seccomp(2)).
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

        private mutating func answer(_ action: UInt32) { append(BPF_RET | BPF_K, action) }

        private mutating func append(_ code: CInt, _ value: UInt32, else skipped: UInt8 = 0) {
            program.append(sock_filter(code: UInt16(code), jt: 0, jf: skipped, k: value))
        }
    }

    extension UInt32 {
        /// The answer that makes a call fail.
        fileprivate static func error(_ number: CInt) -> UInt32 {
            SECCOMP_RET_ERRNO | UInt32(number)
        }
    }

    extension Sandbox {
        /// Leaves the system calls that decoding takes.
        ///
        /// - Parameter policy: From where descriptors may still be received.
        /// - Returns: What became of it.
        static func filterCalls(_ policy: SandboxPolicy) -> Finding {
            let architecture = thimble_architecture()
            guard architecture != 0 else {
                return (.unavailable, "there is no filter for this architecture")
            }
            let filter = SystemCallFilter(
                architecture: architecture,
                allowing: SystemCallRule.worker(
                    inboxes: policy.inboxes, process: getpid()),
                hiding: SystemCallRule.replaceable)
            let result = thimble_filter_calls(filter.program, UInt16(filter.program.count))
            guard result == 0 else {
                return result > 0 ? (.failed, "a thread does not take it") : finding("seccomp")
            }
            return (.applied, "\(SystemCallRule.count) calls")
        }
    }
#endif
