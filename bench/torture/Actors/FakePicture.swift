import AttachmentContainer
import Foundation
import Randomness

/// Deterministic bytes in place of a picture, selected by a number.
struct FakePicture {
    let number: Int

    /// Digest of the attachment.
    var source: ContentDigest { ContentDigest(of: "attachment \(number)") }

    static let settings = "torture"

    func publish(
        _ identifier: String, category: String, in container: SharedContainer, size: Int = 300
    ) throws(ContainerError) {
        var publication = Publication(in: container)
        var renditions: [Manifest.Rendition] = []
        for role in [RenditionRole.expanded, .banner] {
            let file = try IncomingFile(in: container)
            try file.append(bytes(role, size))
            renditions.append(
                try publication.add(
                    file, as: role, type: .jpeg, size: PixelSize(width: 640, height: 480)))
        }
        try publication.commit(
            Manifest(
                identifier: identifier, category: category,
                source: Manifest.Source(
                    format: "jpeg", coding: "baseline", size: PixelSize(width: 640, height: 480),
                    bytes: ByteCount(size), sha256: source),
                settings: Self.settings, renditions: renditions, contentSizeRatio: 0.75,
                placeholder: ThumbHash(uniform: Colour(red: 9, green: 9, blue: 9)),
                averageColour: Colour(red: 9, green: 9, blue: 9), rung: "streamed"))
    }

    /// Publishes the picture from a stored result.
    ///
    /// Returns false if there is none.
    func republish(
        _ identifier: String, category: String, in container: SharedContainer
    ) throws(ContainerError) -> Bool {
        guard let result = container.result(source: source, settings: Self.settings) else {
            return false
        }
        try Publication(in: container).commit(
            result.readdressed(to: identifier, category: category))
        return true
    }

    private func bytes(_ role: RenditionRole, _ size: Int) -> Data {
        var randomness = SplitMix64(seed: UInt64(number))
        var bytes = Data("\(role.rawValue) \(number)\n".utf8)
        // Lengths differ, so that content and length of different pictures never match.
        for _ in 0..<(size + number % 97 * 8) / 8 {
            withUnsafeBytes(of: randomness.next()) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}
