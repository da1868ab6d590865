/// An external command that performs the benchmark's task.
///
/// Peers are described in `bench/peers/peers.json`. `bench/README.md` explains every field.
package struct Peer: Sendable, Hashable, Codable {
    /// The command's output at `{output}`.
    package enum Output: String, Sendable, Hashable, Codable {
        case file
        case container
    }

    /// Name in tables and for `--compare`.
    package let name: String
    /// Short description.
    package let summary: String
    /// Debian packages.
    package let packages: [String]?
    /// Python requirements, in pip's syntax.
    package let requirements: [String]?
    package let version: [String]
    /// The command of the task, with placeholders in braces.
    package let command: [String]
    /// Added to the inherited variables.
    package let environment: [String: String]?
    /// The default is a file.
    package let output: Output?
    /// True if the command receives the cap and enforces it on its own worker.
    ///
    /// The default is false: the harness enforces the cap.
    package let limitsItself: Bool?
    /// Process name of the worker, if the other processes do not count.
    package let worker: String?
    /// Cap in MiB for the run without a cap.
    ///
    /// Required if the command limits itself.
    package let planningCap: Int?
    /// Exit code for a refusal, as opposed to a failure.
    package let refusalCode: Int32?

    var isSelfLimiting: Bool { limitsItself ?? false }
}

extension Peer {
    /// Values of the placeholders in commands.
    package struct Values: Sendable, Hashable {
        package var input = "", output = ""
        /// Longer side of the result, in pixels.
        package var width = 1200
        package var quality = 80
        /// In MiB.
        package var cap = 0
        /// Folder of the built products.
        package var products = ""
        /// Folder `bench` of the package.
        package var bench = ""
        /// Python environment with the peers' requirements.
        package var peers = ""

        package init() {}

        fileprivate var byName: [Substring: String] {
            [
                "input": input, "output": output, "width": "\(width)", "quality": "\(quality)",
                "cap": "\(cap)", "products": products, "bench": bench, "peers": peers,
            ]
        }
    }

    /// Replaces placeholders.
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
                    "peer \(name): unknown placeholder {\(unknown)}; use "
                        + byName.keys.sorted().map { "{\($0)}" }.joined(separator: ", "))
            }
        }
        return result
    }
}
