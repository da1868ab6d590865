import AttachmentContainer
import Foundation

/// A temporary folder with a container, removed after the run.
final class Workplace: Sendable {
    let folder: URL
    let container: SharedContainer

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-mutants-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        container = try SharedContainer.create(at: folder.appending(path: "container"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Faults of the container: verification findings and incomplete files.
    func faults() -> [String] {
        var faults: [String] = []
        container.verify {
            if case .finding(let finding) = $0, finding.severity != .information {
                faults.append("\(finding)")
            }
        }
        let incoming = container.root.appending(path: "incoming").path
        do {
            faults += try FileManager.default.contentsOfDirectory(atPath: incoming)
                .map { "incomplete file left behind: \($0)" }
        } catch {
            faults.append("\(error)")
        }
        return faults
    }
}
