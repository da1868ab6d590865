public import Foundation

extension SharedContainer {
    /// The folder of the container in the App Group that an app and its extensions share.
    ///
    /// It is a folder of its own: the group has other files, which may well be backed up.
    ///
    /// - Parameters:
    ///   - group: The App Group's name.
    ///   - location: Where the system says that the group's files lie; nil when it knows no such
    ///     group.
    /// - Returns: The folder, which may not be there yet.
    /// - Throws: `ContainerError` with code `wrongGroup` when the system knows no such group.
    public static func folder(
        inAppGroup group: String, at location: URL?
    ) throws(ContainerError) -> URL {
        guard let location else {
            // macOS also has groups whose names begin with the team: there the system is asked first.
            throw ContainerError(
                .wrongGroup, path: group,
                reason: group.hasPrefix("group.")
                    ? "this target's entitlements name no such App Group"
                    : "the name of an App Group begins with group.")
        }
        return location.appendingPathComponent("Thimble", isDirectory: true)
    }
}
