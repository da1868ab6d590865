#if os(Linux)
    internal import CSystemCalls
    internal import Foundation

    extension Sandbox {
        /// Closes inherited and leftover descriptors, except `kept` and the standard ones.
        static func closeDescriptors(besides kept: [CInt]) -> Finding {
            var first: UInt32 = 3
            for descriptor in kept.filter({ $0 >= 3 }).sorted().map(UInt32.init) {
                if first < descriptor, thimble_close_range(first, descriptor - 1) != 0 {
                    return finding("close_range")
                }
                first = descriptor + 1
            }
            return thimble_close_range(first, .max) == 0 ? (.applied, "") : finding("close_range")
        }
    }

    extension ResourceLimits {
        /// `RLIMIT_NPROC` would count all threads of the user; the call filter forbids processes.
        func enforce() -> Sandbox.Finding {
            // A write past the limit fails with an error instead of killing the process.
            signal(SIGXFSZ, SIG_IGN)
            var limits: [(CInt, Int)] = [
                (CInt(RLIMIT_CORE.rawValue), 0), (CInt(RLIMIT_CPU.rawValue), processorSeconds),
                (CInt(RLIMIT_FSIZE.rawValue), fileBytes),
                (CInt(RLIMIT_NOFILE.rawValue), openFiles),
            ]
            if let dataBytes { limits.append((CInt(RLIMIT_DATA.rawValue), dataBytes)) }
            for (resource, most) in limits
            where thimble_limit(resource, UInt64(max(0, most))) != 0 {
                return Sandbox.finding("setrlimit")
            }
            return (.applied, "")
        }
    }
#endif
