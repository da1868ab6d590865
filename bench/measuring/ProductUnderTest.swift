import ArgumentParser
package import Foundation

/// The program under test.
package enum ProductUnderTest {
    /// The named `thimble`, else the one beside this program.
    package static func thimble(_ path: String?) throws -> URL {
        let beside = Bundle.main.executableURL?.deletingLastPathComponent()
            .appendingPathComponent("thimble")
        guard let url = path.map({ URL(fileURLWithPath: $0) }) ?? beside,
            FileManager.default.isExecutableFile(atPath: url.path)
        else {
            throw ValidationError(
                "No thimble at \(path ?? beside?.path ?? "?"): "
                    + "build it with make build, or name it with "
                    + "--thimble.")
        }
        return url
    }
}
