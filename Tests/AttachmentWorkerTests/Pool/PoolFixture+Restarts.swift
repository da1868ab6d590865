import Foundation
import Testing

extension PoolFixture {
    /// Path of a sample with a restart marker before each row of units; nil for a name without the prefix
    /// `restarts-`.
    func restarts(_ name: String) throws -> String? {
        let prefix = "restarts-"
        guard name.hasPrefix(prefix) else { return nil }
        let url = folder.appending(path: name)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/jpegtran")
        process.arguments = [
            "-restart", "1", "-copy", "all", "-outfile", url.path,
            PoolFixture.sample(String(name.dropFirst(prefix.count))),
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return url.path
    }
}
