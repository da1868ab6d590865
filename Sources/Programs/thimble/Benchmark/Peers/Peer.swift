/// An external command that performs the benchmark's task.
///
/// Peers are described in `bench/peers/peers.json`. `bench/README.md` explains every field.
struct Peer: Sendable, Hashable, Codable {
    /// The command's output at `{output}`.
    enum Output: String, Sendable, Hashable, Codable {
        case file
        case container
    }

    /// Name in tables and for `--compare`.
    let name: String
    let summary: String
    let packages: [String]?
    /// Python requirements, in pip's syntax.
    let requirements: [String]?
    let version: [String]
    /// The command of the task, with placeholders in braces.
    let command: [String]
    /// Added to the inherited variables.
    let environment: [String: String]?
    /// The default is a file.
    let output: Output?
    /// True if the command receives the cap and enforces it on its own worker.
    ///
    /// The default is false: the harness enforces the cap.
    let limitsItself: Bool?
    /// Process names of workers, if the other processes do not count.
    let workers: [String]?
    /// Cap in MiB for the run without a cap.
    ///
    /// Required if the command limits itself.
    let planningCap: Int?
    /// Exit code for a refusal, as opposed to a failure.
    let refusalCode: Int32?

    var isSelfLimiting: Bool { limitsItself ?? false }
}

extension Peer {
    /// Values of the placeholders in commands.
    struct Values: Sendable, Hashable {
        var input = "", output = ""
        /// Longer side of the result, in pixels.
        var width = 1200
        var quality = 80
        /// In MiB.
        var cap = 0
        /// Folder of the built products.
        var products = ""
        /// Folder of `peers/` and `fidelity/`.
        var bench = ""
        /// Python environment with the requirements of the tools.
        var peers = ""

        fileprivate var byName: [Substring: String] {
            [
                "input": input, "output": output, "width": "\(width)", "quality": "\(quality)",
                "cap": "\(cap)", "products": products, "bench": bench, "peers": peers,
            ]
        }
    }

    /// Replaces placeholders.
    func filled(_ words: [String], with values: Values) throws(BenchmarkError) -> [String] {
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
