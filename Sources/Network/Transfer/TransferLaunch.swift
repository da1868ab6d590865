import Foundation
import Logging
import ProgramLaunch
import Subprocess
import TransferProtocol

struct TransferLaunch: Sendable {
    static let program = "thimble-transfer"

    let configuration: TransferConfiguration
    /// Nil if the program is not installed.
    let executable: URL?
    let logger: Logger

    var command: Configuration {
        Configuration([executable?.path ?? Self.program], environment: Self.environment)
    }

    private static var environment: [Environment.Key: String] {
        var variables: [Environment.Key: String] = [
            // Tracing a crash takes seconds.
            "SWIFT_BACKTRACE": "enable=no",
            // Threads of the resolver would take 64 kB each for an arena of their own.
            "GLIBC_TUNABLES": "glibc.malloc.arena_max=1:glibc.malloc.trim_threshold=131072",
            // A thread waits this long for each of the resolver's servers (resolv.conf(5)).
            "RES_OPTIONS": "timeout:2 attempts:2",
        ]
        variables["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return variables
    }
}
