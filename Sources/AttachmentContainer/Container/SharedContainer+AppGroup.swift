public import Foundation

extension SharedContainer {
    /// The container's folder in an App Group shared by an app and its extensions.
    ///
    /// It is a subfolder, because the group may hold other files that are backed up.
    ///
    /// - Parameters:
    ///   - group: The App Group's name.
    ///   - location: The group's folder according to the system; nil if the system does not know
    ///     the group.
    /// - Returns: The folder, which may not exist yet.
    /// - Throws: `ContainerError` with code `wrongGroup` if `location` is nil.
    public static func folder(
        inAppGroup group: String, at location: URL?
    ) throws(ContainerError) -> URL {
        guard let location else {
            // On macOS a group's name may begin with the team identifier, so ask the system first.
            throw ContainerError(
                .wrongGroup, path: group,
                reason: group.hasPrefix("group.")
                    ? "this target's entitlements name no such App Group"
                    : "the name of an App Group begins with group.")
        }
        return location.appendingPathComponent("Thimble", isDirectory: true)
    }
}
