internal import AttachmentContainer
internal import Foundation
internal import ProgramLaunch

/// Cache of measurements, one file per cell.
struct CellStore: Sendable {
    let folder: URL

    init(folder: URL) throws(BenchmarkError) {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError(
                "\(folder.path) cannot be created: \(error.systemReason)")
        }
    }

    func clear() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasSuffix(".json") {
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    /// Digest of everything that the figures depend on.
    func key(file: URL, peer: Peer, command: [String], conditions: String) -> String {
        // Rebuilt programs and changed files have other identities. Only Thimble has workers.
        var identities = [identity(of: file.path)]
        if let program = command.first, program.contains("/" as Character) {
            identities.append(identity(of: program))
            for worker in peer.workers ?? [] {
                identities.append(identity(of: InstalledProgram.url(named: worker)?.path ?? worker))
            }
        }
        let parts = identities + command + (peer.workers ?? []) + [conditions]
        return ContentDigest(of: parts.joined(separator: "\n")).rawValue
    }

    func cell(for key: String) -> Cell? {
        (try? Data(contentsOf: path(key)))
            .flatMap { try? JSONDecoder().decode(Cell.self, from: $0) }
    }

    func keep(_ cell: Cell, for key: String) throws(BenchmarkError) {
        do {
            try JSONEncoder().encode(cell).write(to: path(key), options: .atomic)
        } catch {
            throw BenchmarkError(
                "\(folder.path) cannot be written: \(error.systemReason)")
        }
    }

    private func path(_ key: String) -> URL { folder.appending(path: "\(key).json") }

    private func identity(of path: String) -> String {
        let facts = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        let modified = (facts?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(path) \(facts?[.size] as? Int ?? -1) \(modified)"
    }
}
