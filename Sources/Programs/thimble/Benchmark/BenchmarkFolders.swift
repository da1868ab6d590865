internal import Foundation

/// Folders of the benchmarks.
///
/// In a checkout of Thimble they are its own: `bench` and folders of `.build`. Elsewhere the tools are those
/// of the installation, and measurements are kept in the user's cache, as of the XDG Base Directory
/// Specification.
struct BenchmarkFolders: Sendable {
    /// Descriptions of the tools in `peers/`, scripts for quality in `fidelity/`.
    let tools: URL
    /// Measurements, references and scratch files.
    let kept: URL
    /// Python environment of the tools that need one.
    let environment: URL
    /// Interpreter for quality.
    let python: URL
    private let isCheckout: Bool

    /// Folders of a running command, whose user may name the folder of the tools.
    init(tools named: String? = nil, program: URL) {
        let own = URL(fileURLWithPath: "bench", isDirectory: true)
        isCheckout =
            named == nil
            && FileManager.default.fileExists(atPath: own.appending(path: Self.peerList).path)
        let installed = program.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "share/thimble/bench", directoryHint: .isDirectory)
        tools =
            named.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? (isCheckout ? own : installed)
        kept = isCheckout ? URL(fileURLWithPath: ".build/bench", isDirectory: true) : Self.cache
        environment =
            isCheckout
            ? URL(fileURLWithPath: ".build/bench-peers", isDirectory: true)
            : kept.appending(path: "python", directoryHint: .isDirectory)
        python =
            isCheckout
            ? URL(fileURLWithPath: ".build/python/bin/python")
            : environment.appending(path: "bin/python")
    }

    var peers: URL { tools.appending(path: Self.peerList) }

    /// How to install tools, for messages.
    func installing(_ peers: [Peer]) -> String {
        isCheckout
            ? "make bench-peers"
            : commands(
                packages: peers.flatMap { $0.packages ?? [] },
                requirements: peers.flatMap { $0.requirements ?? [] })
    }

    /// How to install SSIMULACRA2, for messages.
    var installingSSIMULACRA2: String {
        isCheckout
            ? "make bench-python"
            : commands(
                packages: ["python3-venv"], requirements: ["numpy", "Pillow", "ssimulacra2"])
    }

    private func commands(packages: [String], requirements: [String]) -> String {
        func words(_ values: [String]) -> String { Set(values).sorted().joined(separator: " ") }
        var commands: [String] = []
        if !packages.isEmpty { commands.append("apt-get install " + words(packages)) }
        if !requirements.isEmpty {
            commands.append("python3 -m venv \(environment.path)")
            commands.append("\(environment.path)/bin/pip install " + words(requirements))
        }
        return commands.joined(separator: " && ")
    }

    private static let peerList = "peers/peers.json"

    private static var cache: URL {
        let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        let caches = folder("XDG_CACHE_HOME") ?? home.appending(path: ".cache")
        return caches.appending(path: "thimble/bench", directoryHint: .isDirectory)
    }

    /// The folder of an environment variable; nil unless it is an absolute path.
    private static func folder(_ variable: String) -> URL? {
        guard let value = getenv(variable).map({ String(cString: $0) }), value.hasPrefix("/")
        else { return nil }
        return URL(fileURLWithPath: value, isDirectory: true)
    }
}
