import Foundation

/// A path that cannot be resolved.
///
/// An error about a file outside the allowed folders would tell whether it exists: a link in an allowed
/// folder may lead to any name.
struct FailedPath {
    /// As many as the system follows (path_resolution(7)).
    private static let maximumLinks = 40

    private let path: String

    init(_ path: String) { self.path = path }

    /// True if resolution fails at a component within one of the resolved folders.
    func fails(within roots: [[String]]) -> Bool {
        var path = path
        for _ in 0..<Self.maximumLinks {
            guard let (folder, rest) = Self.split(path) else { return false }
            guard roots.contains(where: { folder.starts(with: $0) }) else { return false }
            let parent = "/" + folder.joined(separator: "/")
            guard let target = Self.target(of: "\(parent)/\(rest[0])") else { return true }
            // The fault may be beyond this link.
            path = ([target.hasPrefix("/") ? target : "\(parent)/\(target)"] + rest.dropFirst())
                .joined(separator: "/")
        }
        return true
    }

    /// The longest beginning that exists, without symbolic links, and the components after it.
    private static func split(_ path: String) -> (folder: [String], rest: [String])? {
        let components = path.split(separator: "/").map(String.init)
        for count in components.indices.reversed() {
            let beginning = "/" + components[..<count].joined(separator: "/")
            if let folder = AllowedRoots.resolved(beginning) {
                return (folder, Array(components[count...]))
            }
        }
        return nil
    }

    /// The target of a symbolic link; nil for another file, and a missing one.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(path, &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
