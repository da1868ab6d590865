import AttachmentContainer
import Foundation

/// A container for the time of one command.
struct ScratchFolder: Sendable {
    let container: SharedContainer

    /// Creates it in `TMPDIR`, by default in `/var/tmp`: `/tmp` is often in memory, and a worker's
    /// scratch files would be too.
    init() throws(ContainerError) {
        let given = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
        let usual = access("/var/tmp", W_OK | X_OK) == 0 ? "/var/tmp" : nil
        let place = given ?? usual ?? FileManager.default.temporaryDirectory.path
        container = try SharedContainer.create(
            at: URL(fileURLWithPath: place, isDirectory: true)
                .appending(path: ".thimble-\(UUID().uuidString)"),
            mode: .ownerOnly)
    }

    func remove() { try? FileManager.default.removeItem(at: container.root) }
}
