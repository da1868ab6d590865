internal import Foundation

/// The processes that descend from one, found by looking at who started whom (proc(5)).
///
/// A process stays in the tree when the one that started it ends.
struct ProcessTree {
    /// The living processes, the root among them, in no order.
    private(set) var members: Set<Int32>
    /// Those that were looked at and belong to others; identifiers are not used again that soon.
    private var strangers: Set<Int32> = []

    /// Begins with the root alone.
    ///
    /// - Parameter root: The process whose descendants are looked for.
    init(root: Int32) { members = [root] }

    /// Looks for processes that were started since.
    mutating func refresh() {
        guard let folder = opendir("/proc") else { return }
        defer { closedir(folder) }
        var unknown: [(process: Int32, parent: Int32)] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                Int32(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self))
            }
            guard let name, !members.contains(name), !strangers.contains(name),
                let parent = Self.parent(of: name)
            else { continue }
            unknown.append((name, parent))
        }
        // A child may be listed before its parent.
        var grew = true
        while grew {
            grew = false
            for (process, parent) in unknown
            where members.contains(parent) && members.insert(process).inserted {
                grew = true
            }
        }
        strangers.formUnion(unknown.map(\.process).filter { !members.contains($0) })
    }

    /// Forgets a process that has ended.
    ///
    /// - Parameter process: Its identifier.
    mutating func remove(_ process: Int32) { members.remove(process) }

    private static func parent(of process: Int32) -> Int32? {
        // The name, in brackets, may hold anything; the parent is the second field after it.
        guard let text = ProcessText.read("/proc/\(process)/stat"),
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        return fields.count > 1 ? Int32(fields[1]) : nil
    }
}

/// Small files of `/proc`.
enum ProcessText {
    /// Reads one, which comes whole in one read.
    ///
    /// - Parameter path: The file.
    /// - Returns: Its text; nil when it cannot be read.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, Foundation.read(descriptor, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The name of a process, at most 15 characters of its program's.
    ///
    /// - Parameter process: Its identifier.
    /// - Returns: The name; nil when there is no such process.
    static func name(of process: Int32) -> String? {
        read("/proc/\(process)/comm").map { $0.trimmingCharacters(in: .newlines) }
    }
}
