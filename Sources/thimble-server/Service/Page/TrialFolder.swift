import AttachmentContainer
import AttachmentPublishing
import Foundation

/// The container of one trial, inside the folder of the service's own.
///
/// That folder is the only one that a service with a read-only root may write to.
struct TrialFolder: Sendable {
    let container: SharedContainer
    private let folder: URL

    /// Creates a container of its own, and removes those that a killed process left.
    ///
    /// `lifetime` is the longest time of a trial, in seconds.
    static func make(in own: SharedContainer, lifetime: Double) async throws(Problem) -> TrialFolder
    {
        do throws(ContainerError) {
            return try await BlockingWork.run { () throws(ContainerError) in
                let trials = own.root.appending(path: "trials", directoryHint: .isDirectory)
                removeForgotten(in: trials, after: lifetime)
                let folder = trials.appending(
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

    private static func removeForgotten(in trials: URL, after lifetime: Double) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: trials.path)) ?? [] {
            let path = trials.appending(path: name).path
            guard let date = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date,
                date.timeIntervalSinceNow < -lifetime
            else { continue }
            try? files.removeItem(atPath: path)
        }
    }
}
