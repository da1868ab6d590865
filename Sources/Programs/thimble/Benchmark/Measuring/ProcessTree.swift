import AttachmentContainer
internal import Foundation

/// Descendants of a process, found by their parent identifiers (proc(5)).
///
/// Processes stay in the tree when their parent exits.
struct ProcessTree {
    /// Live processes, including the root.
    private(set) var members: Set<Int32>
    /// Known processes outside the tree.
    ///
    /// Identifiers are assumed not to be reused during a run.
    private var unrelated: Set<Int32> = []

    init(root: Int32) { members = [root] }

    mutating func refresh() {
        guard let folder = opendir("/proc") else { return }
        defer { closedir(folder) }
        var unknown: [(process: Int32, parent: Int32)] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                Int32(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self))
            }
            guard let name, !members.contains(name), !unrelated.contains(name),
                let parent = Self.parent(of: name)
            else { continue }
            unknown.append((name, parent))
        }
        // Repeat, because a child may be listed before its parent.
        var grew = true
        while grew {
            grew = false
            for (process, parent) in unknown
            where members.contains(parent) && members.insert(process).inserted {
                grew = true
            }
        }
        unrelated.formUnion(unknown.map(\.process).filter { !members.contains($0) })
    }

    mutating func remove(_ process: Int32) { members.remove(process) }

    private static func parent(of process: Int32) -> Int32? {
        // The name, in brackets, may contain anything. The parent is the second field after it.
        guard let text = ProcessText.read("/proc/\(process)/stat"),
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        return fields.count > 1 ? Int32(fields[1]) : nil
    }
}

/// Reads small files of `/proc`.
enum ProcessText {
    /// Reads a file with one read of at most 4 KiB; nil if it cannot be read.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, Foundation.read(descriptor, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Name of a process, at most 15 characters.
    static func name(of process: Int32) -> String? {
        read("/proc/\(process)/comm").map { $0.trimmed }
    }
}
