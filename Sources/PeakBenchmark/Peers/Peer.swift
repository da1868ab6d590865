/// An external command that does the benchmark's task.
///
/// Peers are described in `bench/peers/peers.json`; `bench/README.md` explains every field.
package struct Peer: Sendable, Hashable, Codable {
    /// What the command leaves at `{output}`.
    package enum Output: String, Sendable, Hashable, Codable {
        /// The picture.
        case file
        /// A shared container with one manifest.
        case container
    }

    /// The name that tables and `--compare` use.
    package let name: String
    /// What is particular about it, in a few words.
    package let summary: String
    /// The Debian packages that it comes in.
    package let packages: [String]?
    /// The Python packages that it needs, as pip takes them.
    package let requirements: [String]?
    /// The command that prints its version.
    package let version: [String]
    /// The command that does the task, with placeholders in braces.
    package let command: [String]
    /// Variables set beside those inherited.
    package let environment: [String: String]?
    /// What it leaves; the default is a file.
    package let output: Output?
    /// Whether it is told the cap and enforces it on a worker of its own.
    ///
    /// The default is no: the harness puts the command under the cap.
    package let limitsItself: Bool?
    /// The name of the process that does the work, where others only stand beside it.
    package let worker: String?
    /// The cap that it is told, in MiB, when none is set; what limits itself has no other way.
    package let planningCap: Int?
    /// The exit code that says that it declined and why, as opposed to failing.
    package let refusalCode: Int32?

    /// Whether the harness leaves the cap to the command.
    var isSelfLimiting: Bool { limitsItself ?? false }
}

extension Peer {
    /// What stands for the placeholders of a command.
    package struct Values: Sendable, Hashable {
        /// The file to be made smaller, and where the result goes.
        package var input = "", output = ""
        /// The longer side of the result, in pixels.
        package var width = 1200
        /// The JPEG quality.
        package var quality = 80
        /// The cap, in MiB.
        package var cap = 0
        /// The folder of the built products.
        package var products = ""
        /// The folder `bench` of the package.
        package var bench = ""
        /// The Python environment that the peers' requirements are installed in.
        package var peers = ""

        /// Makes the values of the task; files are still to be named.
        package init() {}

        fileprivate var byName: [Substring: String] {
            [
                "input": input, "output": output, "width": "\(width)", "quality": "\(quality)",
                "cap": "\(cap)", "products": products, "bench": bench, "peers": peers,
            ]
        }
    }

    /// Fills a command in.
    ///
    /// - Parameters:
    ///   - words: The command, with placeholders.
    ///   - values: What stands for them.
    /// - Returns: The command line.
    /// - Throws: ``BenchmarkError`` naming the peer and the placeholder that there is none of.
    package func filled(_ words: [String], with values: Values) throws(BenchmarkError) -> [String] {
        let byName = values.byName
        var result: [String] = []
        for word in words {
            var unknown: Substring?
            result.append(
                word.replacing(/\{([a-zA-Z]+)\}/) { match in
                    if byName[match.1] == nil { unknown = match.1 }
                    return byName[match.1] ?? ""
                })
            if let unknown {
                throw BenchmarkError(
                    "peer \(name): there is no placeholder {\(unknown)}; use "
                        + byName.keys.sorted().map { "{\($0)}" }.joined(separator: ", "))
            }
        }
        return result
    }
}
