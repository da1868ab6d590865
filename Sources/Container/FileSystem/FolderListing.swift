import Foundation

/// Iterates over the names in a folder, in the system's order; a missing folder is empty.
final class FolderListing {
    #if canImport(Darwin)
        private typealias Stream = UnsafeMutablePointer<DIR>
    #else
        private typealias Stream = OpaquePointer
    #endif

    private let path: String
    private let system: FileSystem
    private var stream: Stream?

    init(of path: String, by system: FileSystem) throws(ContainerError) {
        self.path = path
        self.system = system
        var opened: Stream?
        _ = try system.call(.opendir, path, .unreadable, unless: ENOENT) { _ in
            opened = opendir(path)
            return opened == nil ? -1 : 0
        }
        stream = opened
    }

    deinit { close() }

    func next() throws(ContainerError) -> String? {
        while let stream {
            var name: String?
            let outcome = system.perform(.readdir, path) { _ in
                guard let entry = readdir(stream) else { return errno == 0 ? 0 : -1 }
                name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                }
                return 0
            }
            guard let name, outcome.failure == 0 else {
                close()
                if outcome.failure == 0 { break }
                throw ContainerError("readdir", path, outcome.failure, denied: .unreadable)
            }
            if name != ".", name != ".." { return name }
        }
        return nil
    }

    private func close() {
        if let stream { closedir(stream) }
        stream = nil
    }
}

extension FileSystem {
    /// Returns false if the listing or any visit failed.
    @discardableResult
    func visit(
        _ folder: String, _ body: (_ name: String, _ path: String) throws(ContainerError) -> Void,
        onFailure: (ContainerError) -> Void
    ) -> Bool {
        var isWhole = true
        do throws(ContainerError) {
            let names = try FolderListing(of: folder, by: self)
            while let name = try names.next() {
                do throws(ContainerError) {
                    try body(name, "\(folder)/\(name)")
                } catch {
                    onFailure(error)
                    isWhole = false
                }
            }
        } catch {
            onFailure(error)
            isWhole = false
        }
        return isWhole
    }
}
