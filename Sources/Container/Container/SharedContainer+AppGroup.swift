public import Foundation

extension SharedContainer {
    /// The container's folder, which may not exist yet, in an App Group shared by an app and its
    /// extensions.
    ///
    /// It is a subfolder, because the group may hold other files that are backed up. `location` is
    /// the group's folder according to the system; nil is an error with code `wrongGroup`.
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
