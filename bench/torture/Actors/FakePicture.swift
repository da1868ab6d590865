import AttachmentContainer
import Foundation
import Randomness

/// Bytes in place of a picture, told by a number: the same for every process.
struct FakePicture {
    let number: Int

    /// What the attachment was.
    var source: ContentDigest { ContentDigest(of: "attachment \(number)") }

    static let settings = "torture"

    /// Publishes the picture for a notification.
    ///
    /// - Parameters:
    ///   - identifier: The notification.
    ///   - category: Tells one publication from all others.
    ///   - container: Where it goes.
    ///   - size: How many bytes the renditions have at least.
    /// - Throws: `ContainerError` as the container does.
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

    /// Publishes the picture from what an earlier publication of it left.
    ///
    /// - Returns: Whether there was a result to reuse.
    /// - Throws: `ContainerError` as the container does.
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
        // Lengths differ, so that bytes of one and length of another do not go together.
        for _ in 0..<(size + number % 97 * 8) / 8 {
            withUnsafeBytes(of: randomness.next()) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}
