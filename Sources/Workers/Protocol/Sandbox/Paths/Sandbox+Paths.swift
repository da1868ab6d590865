#if os(Linux)
    internal import CSystemCalls
    internal import Foundation

    extension Sandbox {
        /// First version of Landlock: Linux 5.13.
        static let oldestLandlock = 1

        static func restrictPaths(_ policy: SandboxPolicy) -> Finding {
            let version = thimble_landlock_version()
            if version < 0, policy.landlockVersion == nil {
                // EOPNOTSUPP: built in, but disabled at boot.
                return finding("landlock_create_ruleset")
            }
            let known = policy.landlockVersion ?? version
            guard known >= oldestLandlock else {
                return (
                    .unavailable,
                    "Landlock version \(known) found, version \(oldestLandlock) or later needed"
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
            for path in policy.readablePaths where !allowReading(path, in: CInt(rules)) {
                return finding("landlock_add_rule")
            }
            for port in policy.ports where handled.network != 0 {
                guard thimble_landlock_allow_port(CInt(rules), port) == 0 else {
                    return finding("landlock_add_rule")
                }
            }
            guard thimble_landlock_enforce(CInt(rules)) == 0 else {
                return finding("landlock_restrict_self")
            }
            return (.applied, "version \(known)")
        }

        /// True also for a missing path.
        private static func allowReading(_ path: String, in rules: CInt) -> Bool {
            // O_PATH (open(2)), which is not visible in Swift.
            let descriptor = open(path, 0o10000000 | O_CLOEXEC)
            guard descriptor >= 0 else { return errno == ENOENT || errno == ENOTDIR }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return false }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            return thimble_landlock_allow_reading(rules, descriptor, isFolder ? 1 : 0) == 0
        }

        private static var threadCount: Int? {
            var status = stat()
            // A directory has one link per subdirectory and two of its own (proc(5)).
            guard stat("/proc/self/task", &status) == 0 else { return nil }
            return Int(status.st_nlink) - 2
        }
    }

    /// Access rights that a version of Landlock can revoke; the sandbox revokes all of them.
    struct LandlockScope {
        let files: UInt64
        let network: UInt64
        /// Connections to other processes' abstract Unix sockets, and signals to other processes.
        let signals: UInt64

        /// Rights by version, at least 1 (kernel, Documentation/userspace-api/landlock.rst).
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
