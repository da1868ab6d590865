#if os(Linux)
    internal import CSandbox
    internal import Foundation

    extension Sandbox {
        /// The first version of Landlock: Linux 5.13.
        static let oldestLandlock = 1

        /// Leaves no path open.
        ///
        /// - Parameter policy: What version the kernel is taken to have.
        /// - Returns: What became of it.
        static func restrictPaths(_ policy: SandboxPolicy) -> Finding {
            let version = thimble_landlock_version()
            if version < 0, policy.landlockVersion == nil {
                // EOPNOTSUPP: it is built in and switched off at start.
                return finding("landlock_create_ruleset")
            }
            let known = policy.landlockVersion ?? version
            guard known >= oldestLandlock else {
                return (
                    .unavailable,
                    "the kernel has version \(known) of Landlock, and \(oldestLandlock) is needed"
                )
            }
            let threads = threadCount
            guard threads == 1 else {
                return (.failed, "\(threads.map(String.init) ?? "unknown") threads are running")
            }
            let handled = LandlockScope(version: known)
            let rules = thimble_landlock_rules(handled.files, handled.network, handled.signals)
            guard rules >= 0 else { return finding("landlock_create_ruleset") }
            defer { close(CInt(rules)) }
            guard thimble_landlock_enforce(CInt(rules)) == 0 else {
                return finding("landlock_restrict_self")
            }
            return (.applied, "version \(known)")
        }

        /// How many threads the process has; nil when the system does not say.
        private static var threadCount: Int? {
            var status = stat()
            // A folder has a link for each folder in it, and two of its own (proc(5)).
            guard stat("/proc/self/task", &status) == 0 else { return nil }
            return Int(status.st_nlink) - 2
        }
    }

    /// What a version of Landlock can take away, all of which is taken away.
    struct LandlockScope {
        /// What is done with files.
        let files: UInt64
        /// Binding and connecting over TCP.
        let network: UInt64
        /// Connecting to abstract Unix sockets and sending signals, to others.
        let signals: UInt64

        /// Says what a version knows (kernel, Documentation/userspace-api/landlock.rst).
        ///
        /// - Parameter version: The version, at least 1.
        init(version: Int) {
            let bits =
                switch version {
                case ...1: 13
                case 2: 14
                // 3 adds TRUNCATE, 5 adds IOCTL_DEV.
                case 3, 4: 15
                default: 16
                }
            files = 1 << UInt64(bits) - 1
            network = version >= 4 ? 0b11 : 0
            signals = version >= 6 ? 0b11 : 0
        }
    }
#endif
