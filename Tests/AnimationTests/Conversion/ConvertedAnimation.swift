import AttachmentPipeline
import AttachmentFormats
import Foundation
import Testing

/// A GIF converted from an animation.
struct ConvertedAnimation {
    let summary: AnimationSummary
    let bytes: [UInt8]

    init(_ path: String, _ settings: AnimationSettings = AnimationSettings()) throws {
        self = try OpenAnimation.at(path) { try ConvertedAnimation($0, settings) }
    }

    init(
        _ file: AnimationFile, _ settings: AnimationSettings,
        in space: PlaneSpace = OpenAnimation.space
    ) throws {
        let conversion = try AnimationConversion(of: file, settings: settings, in: space)
        (summary, bytes) = try OpenAnimation.withUnnamedFile { descriptor in
            let summary = try conversion.run(to: .file(descriptor)) { false }
            return (summary, OpenAnimation.contents(of: descriptor))
        }
    }

    /// Decodes the GIF strictly with the decoder under test.
    func drawn() throws -> DrawnAnimation {
        try OpenAnimation.bytes(bytes, .gif, isTolerant: false) { try DrawnAnimation($0) }
    }
}
