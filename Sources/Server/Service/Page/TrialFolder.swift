import AttachmentContainer
import AttachmentPublishing
import Foundation

/// The container of one trial, inside the folder of the service's own.
///
/// That folder is the only one that a service with a read-only root may write to.
struct TrialFolder: Sendable {
    let container: SharedContainer
    private let folder: URL

    /// Creates a container of its own.
    static func make(in own: SharedContainer) async throws(Problem) -> TrialFolder {
        do throws(ContainerError) {
            return try await BlockingWork.run { () throws(ContainerError) in
                let folder = trials(of: own).appending(
                    path: UUID().uuidString, directoryHint: .isDirectory)
                return TrialFolder(
                    container: try SharedContainer.create(at: folder, mode: .ownerOnly),
                    folder: folder)
            }
        } catch {
            throw Problem(error)
        }
    }

    /// Removes the renditions of the trial.
    func remove() async {
        await BlockingWork.run { [folder] in
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// Removes containers older than `lifetime` seconds, which a killed process left.
    static func removeForgotten(in own: SharedContainer, after lifetime: Double) async {
        await BlockingWork.run {
            let files = FileManager.default
            let root = trials(of: own)
            for name in (try? files.contentsOfDirectory(atPath: root.path)) ?? [] {
                let path = root.appending(path: name).path
                let attributes = try? files.attributesOfItem(atPath: path)
                guard let date = attributes?[.modificationDate] as? Date,
                    date < SteadyClock.process.now - lifetime
                else { continue }
                try? files.removeItem(atPath: path)
            }
        }
    }

    private static func trials(of own: SharedContainer) -> URL {
        own.root.appending(path: "trials", directoryHint: .isDirectory)
    }
}
