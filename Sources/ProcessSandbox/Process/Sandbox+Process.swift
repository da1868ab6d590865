#if os(Linux)
    internal import CSandbox
    internal import Foundation

    extension Sandbox {
        /// Has no program that is started have more rights than this one.
        static func dropNewPrivileges() -> Finding {
            thimble_drop_new_privileges() == 0 ? (.applied, "") : finding("prctl")
        }

        /// Keeps the memory out of core dumps and from other processes.
        ///
        /// A ceiling of zero on core dumps does not do so where a program takes them in (core(5)).
        static func hideMemory() -> Finding {
            thimble_hide_memory() == 0 ? (.applied, "") : finding("prctl")
        }

        /// Closes what was inherited or left open.
        ///
        /// - Parameter kept: What stays besides standard input, output and error.
        /// - Returns: What became of it.
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

        /// Gives up what makes root special.
        static func dropCapabilities() -> Finding {
            thimble_drop_capabilities() == 0 ? (.applied, "") : finding("capset")
        }
    }

    extension ResourceLimits {
        /// Sets the ceilings, soft and hard.
        ///
        /// There is none on processes: `RLIMIT_NPROC` counts all that the user has, and threads, so
        /// that it would refuse a decoder its threads because of somebody else's. No process can be
        /// started anyhow.
        func enforce() -> Sandbox.Finding {
            // A file that grows too long is an error of the call that writes it, and no death.
            signal(SIGXFSZ, SIG_IGN)
            let limits: [(CInt, Int)] = [
                (CInt(RLIMIT_CORE.rawValue), 0), (CInt(RLIMIT_CPU.rawValue), processorSeconds),
                (CInt(RLIMIT_FSIZE.rawValue), fileBytes),
                (CInt(RLIMIT_NOFILE.rawValue), openFiles),
            ]
            for (resource, most) in limits
            where thimble_limit(resource, UInt64(max(0, most))) != 0 {
                return Sandbox.finding("setrlimit")
            }
            return (.applied, "")
        }
    }
#endif
