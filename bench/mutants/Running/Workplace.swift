import AttachmentContainer
import Foundation

/// A folder with a container, gone when the run is over.
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

    /// What is wrong with the container, in words: what verification finds, and what was left half
    /// written.
    func harm() -> [String] {
        var harm: [String] = []
        container.verify {
            if case .finding(let finding) = $0, finding.severity != .information {
                harm.append("\(finding)")
            }
        }
        let incoming = container.root.appending(path: "incoming").path
        do {
            harm += try FileManager.default.contentsOfDirectory(atPath: incoming)
                .map { "left half written: \($0)" }
        } catch {
            harm.append("\(error)")
        }
        return harm
    }
}
