import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The names in a folder, one after the other as the system has them, in no order.
///
/// A folder that is not there has none. What is added or removed meanwhile may or may not be among
/// them.
final class FolderListing {
    #if canImport(Darwin)
        private typealias Stream = UnsafeMutablePointer<DIR>
    #else
        private typealias Stream = OpaquePointer
    #endif

    private let path: String
    private var stream: Stream?

    init(of path: String) throws(ContainerError) {
        stream = opendir(path)
        guard stream != nil || errno == ENOENT else {
            throw ContainerError("opendir", path, errno, denied: .unreadable)
        }
        self.path = path
    }

    deinit { close() }

    /// The next name; nil at the end and after an error.
    func next() throws(ContainerError) -> String? {
        while let stream {
            errno = 0
            guard let entry = readdir(stream) else {
                let failure = errno
                close()
                if failure == 0 { break }
                throw ContainerError("readdir", path, failure, denied: .unreadable)
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
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
