import Dispatch
import Foundation

/// Log of a writer's operations, one line each, to be read after the writer was killed.
enum Journal {
    /// One operation, complete or interrupted.
    struct Entry {
        /// State of the notification after the operation.
        var effect: Effect
        var identifier: String
        /// Start and, if complete, end, in nanoseconds of a shared clock.
        var began: UInt64
        var ended: UInt64?
    }

    /// Effect of an operation on a notification.
    enum Effect: Equatable {
        case published(category: String)
        case forgotten
        /// Not published, because renditions were pruned meanwhile.
        case refused
        /// Invisible to readers.
        case none
    }

    /// Writes a line in one call, which SIGKILL cannot split.
    static func write(_ words: String...) {
        let line = (words + ["\(DispatchTime.now().uptimeNanoseconds)"]).joined(separator: " ")
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Parses a journal: `publish ID CATEGORY T`, `forget ID T` or `touch T`, and `done T`, or
    /// `refused T` for a publication that took longer than the grace period.
    static func read(_ url: URL) throws -> [Entry] {
        var entries: [Entry] = []
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let time = words.last.flatMap(UInt64.init) else { continue }
            switch (words[0], words.count) {
            case ("done", 2) where !entries.isEmpty: entries[entries.count - 1].ended = time
            case ("refused", 2) where !entries.isEmpty:
                entries[entries.count - 1].ended = time
                entries[entries.count - 1].effect = .refused
            case ("publish", 4):
                entries.append(
                    Entry(
                        effect: .published(category: words[2]), identifier: words[1], began: time))
            case ("forget", 3):
                entries.append(Entry(effect: .forgotten, identifier: words[1], began: time))
            default:
                entries.append(Entry(effect: .none, identifier: "", began: time))
            }
        }
        return entries
    }
}
