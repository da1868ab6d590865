import Foundation
import NotificationPayload
import Testing

/// A picture of the folder `Golden`: its text, and the file that a device makes of it.
struct GoldenPicture: CustomTestStringConvertible, Sendable {
    let name: String

    /// Two of libaom, and one of rav1e's tools.
    static let all = ["chroma-420", "chroma-444", "rav1e"].map { GoldenPicture(name: $0) }

    var text: String {
        get throws {
            String(decoding: try Self.bytes("\(name).txt"), as: UTF8.self)
                .trimmingCharacters(in: .newlines)
        }
    }

    var file: [UInt8] { get throws { try Self.bytes("\(name).avif") } }

    var picture: InlinePicture { get throws { try InlinePicture(text: text) } }

    var testDescription: String { name }

    static func bytes(_ name: String) throws -> [UInt8] {
        let url = try #require(
            Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Golden"))
        return Array(try Data(contentsOf: url))
    }
}
