internal import AttachmentContainer
package import Foundation

/// What was found so far, a file a cell, so that nothing is measured twice.
package struct CellStore: Sendable {
    /// The folder.
    package let folder: URL

    /// Opens a store.
    ///
    /// - Parameter folder: The folder; it is made if there is none.
    /// - Throws: ``BenchmarkError`` when it cannot be made.
    package init(folder: URL) throws(BenchmarkError) {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError("\(folder.path) cannot be made: \(error.localizedDescription)")
        }
    }

    /// Forgets everything.
    package func clear() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasSuffix(".json") {
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    /// Names a cell by all that its figures depend on.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - peer: The peer.
    ///   - command: Its command, filled in.
    ///   - conditions: Whatever else matters.
    /// - Returns: The name.
    func key(
        file: URL, peer: Peer, command: [String], conditions: String
    ) -> String {
        // A program that was built again is another; so is a file that was made again. What a
        // self-limiting peer runs lies beside it.
        var identities = [identity(of: file.path)]
        if let program = command.first, program.contains("/") {
            identities.append(identity(of: program))
            if let worker = peer.worker {
                let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
                identities.append(identity(of: folder.appending(path: worker).path))
            }
        }
        let parts = identities + command + [peer.worker ?? "", conditions]
        return ContentDigest(of: parts.joined(separator: "\n")).rawValue
    }

    /// What is known about a cell.
    func cell(for key: String) -> Cell? {
        (try? Data(contentsOf: path(key)))
            .flatMap { try? JSONDecoder().decode(Cell.self, from: $0) }
    }

    /// Keeps a cell.
    func keep(_ cell: Cell, for key: String) throws(BenchmarkError) {
        do {
            try JSONEncoder().encode(cell).write(to: path(key), options: .atomic)
        } catch {
            throw BenchmarkError("\(folder.path) cannot be written: \(error.localizedDescription)")
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
