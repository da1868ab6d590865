import ArgumentParser
package import Foundation

/// The program that a benchmark measures.
package enum ProductUnderTest {
    /// The `thimble` that was named, else the one that was built beside this program.
    ///
    /// - Parameter path: What was named.
    /// - Returns: The program.
    /// - Throws: `ValidationError` when there is none.
    package static func thimble(_ path: String?) throws -> URL {
        let beside = Bundle.main.executableURL?.deletingLastPathComponent()
            .appendingPathComponent("thimble")
        guard let url = path.map({ URL(fileURLWithPath: $0) }) ?? beside,
            FileManager.default.isExecutableFile(atPath: url.path)
        else {
            throw ValidationError(
                "No thimble at \(path ?? beside?.path ?? "?"): "
                    + "build it with swift build -c release --product thimble, or name it with "
                    + "--thimble.")
        }
        return url
    }
}
