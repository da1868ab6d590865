import AttachmentContainer
import Foundation

/// A path that cannot be resolved.
///
/// An error about a file outside the allowed folders would tell whether it exists: a link in an allowed
/// folder may lead to any name.
struct FailedPath {
    /// Maximum number of links that the system follows (path_resolution(7)).
    private static let maximumLinks = 40

    private let path: [UInt8]

    init(_ path: String) { self.path = Array(path.utf8) }

    /// True if resolution fails at a component within one of the resolved folders.
    func fails(within roots: [[[UInt8]]]) -> Bool {
        var path = path
        let slash = [UInt8(ascii: "/")]
        for _ in 0..<Self.maximumLinks {
            guard let (folder, rest) = Self.split(path) else { return false }
            guard roots.contains(where: { folder.starts(with: $0) }) else { return false }
            let parent = AllowedRoots.absolute(folder[...]) + slash
            guard let target = Self.target(of: parent + rest[0]) else { return true }
            // The fault may be beyond this link.
            let next = target.starts(with: slash) ? target : parent + target
            path = Array(([next] + rest.dropFirst()).joined(separator: slash))
        }
        return true
    }

    /// The longest beginning that exists, without symbolic links, and the components after it.
    private static func split(_ path: [UInt8]) -> (folder: [[UInt8]], rest: [[UInt8]])? {
        let components = path.pathNames
        for count in components.indices.reversed() {
            let beginning = AllowedRoots.absolute(components[..<count])
            if let folder = AllowedRoots.resolved(beginning) {
                return (folder, Array(components[count...]))
            }
        }
        return nil
    }

    /// The target of a symbolic link; nil for another file, and a missing one.
    private static func target(of path: [UInt8]) -> [UInt8]? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(AllowedRoots.cString(path), &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        return bytes[..<count].map { UInt8(bitPattern: $0) }
    }
}
