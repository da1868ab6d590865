public import AttachmentContainer
import Foundation

/// A container for the time of a command or a check.
public struct ScratchContainer: Sendable {
    /// The container.
    public let container: SharedContainer

    /// Lies in the first of some folders that can be written; nil without one.
    public init?(in places: [String]) {
        for place in places where access(place, W_OK | X_OK) == 0 {
            let url = URL(fileURLWithPath: place, isDirectory: true)
                .appending(path: ".thimble-\(UUID().uuidString)")
            guard let container = try? SharedContainer.create(at: url, mode: .ownerOnly) else {
                try? FileManager.default.removeItem(at: url)
                continue
            }
            self.container = container
            return
        }
        return nil
    }

    /// A further container, in which no picture is known; nil without room.
    func makeContainer(named name: String) -> SharedContainer? {
        try? SharedContainer.create(at: container.root.appending(path: name), mode: .ownerOnly)
    }

    /// Removes the container with everything in it.
    public func remove() { try? FileManager.default.removeItem(at: container.root) }
}
