import Dispatch
import Foundation

/// What a writer is about to do and has done, a line each, so that it is known after it was killed.
enum Journal {
    /// One thing that a writer did, or was doing when it came to its end.
    struct Entry {
        /// What became of the notification if it was done.
        var effect: Effect
        var identifier: String
        /// When it began and, if it was done, when it ended, in nanoseconds of one clock.
        var began: UInt64
        var ended: UInt64?
    }

    /// What an operation does to a notification.
    enum Effect: Equatable {
        case published(category: String)
        case forgotten
        /// Nothing that a reader sees.
        case none
    }

    /// Writes a line in one call, which a kill cannot cut.
    static func write(_ words: String...) {
        let line = (words + ["\(DispatchTime.now().uptimeNanoseconds)"]).joined(separator: " ")
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Reads a journal: `publish ID CATEGORY T`, `forget ID T` or `touch ID T`, and `done T`.
    static func read(_ url: URL) throws -> [Entry] {
        var entries: [Entry] = []
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let time = words.last.flatMap(UInt64.init) else { continue }
            switch (words[0], words.count) {
            case ("done", 2) where !entries.isEmpty: entries[entries.count - 1].ended = time
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
