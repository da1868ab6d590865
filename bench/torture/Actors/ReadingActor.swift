import AttachmentContainer
import Foundation
import Randomness

/// Reads notifications and checks that they are complete.
struct ReadingActor: Actor {
    let container: SharedContainer
    let identifiers: [String]
    var randomness: SplitMix64
    private var shown = 0
    private var missing = 0

    init(container: SharedContainer, identifiers: [String], randomness: SplitMix64) {
        self.container = container
        self.identifiers = identifiers
        self.randomness = randomness
    }

    mutating func step() throws {
        let identifier = identifiers[Int.random(in: identifiers.indices, using: &randomness)]
        switch Reading.check(identifier, in: container) {
        case .whole: shown += 1
        case .missing: missing += 1
        case .torn(let reason): Tally.violation(reason)
        }
    }

    func finish() {
        Tally.write("shown", shown)
        Tally.write("not there", missing)
    }
}

/// A reader's view of a notification.
enum Reading {
    case whole
    case missing
    case torn(String)

    /// Reads the content and checks every rendition of the manifest.
    static func check(_ identifier: String, in container: SharedContainer) -> Reading {
        let display = Display(width: 640, scale: 1)
        let key = ContentDigest(of: identifier)
        do throws(ContainerError) {
            guard let manifest = try container.manifest(for: identifier) else { return .missing }
            let content = container.content(for: identifier, on: display)
            if content.absence == .unreadable { return .torn("\(key): unreadable") }
            var files = manifest.renditions.map {
                container.root.appending(path: "renditions/\($0.file)")
            }
            if let picture = content.picture { files.append(picture.url) }
            for file in files {
                if let bytes = try? Data(contentsOf: file) {
                    let name = file.deletingPathExtension().lastPathComponent
                    guard ContentDigest(of: bytes).rawValue == name else {
                        return .torn("\(key): the bytes of \(name) differ")
                    }
                } else if try container.manifest(for: identifier) == manifest,
                    content.picture?.url != file
                {
                    // Categories identify publications. This one is still current, so its rendition
                    // must exist.
                    return .torn("\(key): a rendition is missing behind its manifest")
                }
            }
            return .whole
        } catch {
            return .torn("\(key): \(error.detailedDescription)")
        }
    }
}

/// Results of an actor on standard output.
enum Tally {
    static func write(_ name: String, _ count: Int) {
        FileHandle.standardOutput.write(Data("count \(count) \(name)\n".utf8))
    }

    static func violation(_ message: String) {
        FileHandle.standardOutput.write(Data("violation \(message)\n".utf8))
    }

    /// Parses the output of actors.
    static func read(_ log: URL) throws -> (counts: [String: Int], violations: [String]) {
        var counts: [String: Int] = [:]
        var violations: [String] = []
        for line in try String(contentsOf: log, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            if words[0] == "violation" { violations.append(line.dropFirst(10).description) }
            if words[0] == "count", words.count == 3 {
                counts[words[2], default: 0] += Int(words[1]) ?? 0
            }
        }
        return (counts, violations)
    }
}
