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
        ///
        /// Root without them is refused what belongs to others. Where a folder that it is to write to
        /// does, it keeps the one that lifts this (`CAP_DAC_OVERRIDE`): the rules for paths stand
        /// above it.
        ///
        /// - Parameter paths: What it is to write to.
        /// - Returns: What became of it.
        static func dropCapabilities(_ paths: [AllowedPath]) -> Finding {
            let isForeign = { (path: AllowedPath) in
                var status = stat()
                return path.access.contains(.makeFiles) && stat(path.path, &status) == 0
                    && status.st_uid != geteuid()
            }
            let keepsOverride = geteuid() == 0 && paths.contains(where: isForeign)
            let mask: UInt64 = keepsOverride ? 1 << UInt64(CAP_DAC_OVERRIDE) : 0
            guard thimble_keep_capabilities(mask) == 0 else { return finding("capset") }
            return (
                .applied,
                keepsOverride ? "all but CAP_DAC_OVERRIDE, for folders of another user" : ""
            )
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
