public import ArgumentParser
import Foundation
import NotificationCheck
public import NotificationPayload

extension PayloadStyle: ExpressibleByArgument {
    /// Reads the name of a preset, a path, or the name of a file of paths.
    ///
    /// - Parameter argument: Text from the command line.
    public init?(argument: String) {
        do {
            try self.init(reading: argument)
        } catch {
            return nil
        }
    }

    /// Same, with the reason of a failure.
    ///
    /// A slash or the ending `.json` tells a file from a path.
    init(reading argument: String) throws {
        if let style = PayloadStyle(name: argument) {
            self = style
        } else if argument.utf8.contains(UInt8(ascii: "/")) || argument.hasSuffix(".json") {
            try self.init(parsing: try Data(contentsOf: URL(fileURLWithPath: argument)))
        } else {
            let names = PayloadStyle.presets.map(\.name)
            guard NearMiss.nearest(to: argument, among: names) == nil else {
                throw ValidationError(
                    "there is no payload style \(argument): "
                        + NearMiss.remedy(for: argument, among: ["auto"] + names)
                        + ". To search a key of this name, list it in a JSON file of paths.")
            }
            self = .path(try JSONPath(parsing: argument))
        }
    }

    /// The value as the help shows it.
    public var defaultValueDescription: String { name }
}

/// The path of the note in a payload.
struct NoteKey: ExpressibleByArgument, Sendable {
    let path: JSONPath

    init(_ path: JSONPath) { self.path = path }

    init?(argument: String) {
        guard let path = try? JSONPath(parsing: argument), path.isNotePath else { return nil }
        self.path = path
    }

    var defaultValueDescription: String { path.description }
}
