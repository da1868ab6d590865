import AttachmentContainer
import AttachmentImageIO
import AttachmentModel
import AttachmentPlanning
import Foundation

/// A picture without pixels: left half red, right half blue, with files of a stated density.
struct ScriptedPicture: SystemPicture {
    let size: PixelSize
    var isOpaque = true
    /// Bytes of a file per pixel, at quality 100 for JPEG.
    var density = 0.1
    /// The part of the decoded picture, as fractions of its sides.
    var part = CGRect(x: 0, y: 0, width: 1, height: 1)
    /// Called before a file of a size is encoded; an error counts as the encoder's.
    var willEncode: @Sendable (PixelSize) throws(SystemFault) -> Void = { _ in }

    func drawn(_ part: PixelPart, to size: PixelSize) throws(SystemFault) -> Self {
        let (width, height) = (Double(self.size.width), Double(self.size.height))
        guard part.left >= 0, part.top >= 0, part.left + part.size.width <= self.size.width,
            part.top + part.size.height <= self.size.height
        else { throw SystemFault(.damaged, "a part outside of the picture") }
        var drawn = ScriptedPicture(
            size: size, isOpaque: isOpaque, density: density, willEncode: willEncode)
        drawn.part = CGRect(
            x: self.part.minX + self.part.width * Double(part.left) / width,
            y: self.part.minY + self.part.height * Double(part.top) / height,
            width: self.part.width * Double(part.size.width) / width,
            height: self.part.height * Double(part.size.height) / height)
        return drawn
    }

    func rgba() throws(SystemFault) -> [UInt8] {
        (0..<size.pixelCount).flatMap { pixel -> [UInt8] in
            let x = part.minX + part.width * Double(pixel % size.width) / Double(size.width)
            return [x < 0.5 ? 255 : 0, 0, x < 0.5 ? 0 : 255, isOpaque ? 255 : 128]
        }
    }

    func encoded(as encoding: Encoding) throws(SystemFault) -> Data {
        try willEncode(size)
        switch encoding {
        case .jpeg(let quality), .fullChromaJPEG(let quality):
            return SampleFile.jpeg(
                size, length: Int(density * Double(size.pixelCount * quality) / 100))
        case .png:
            return SampleFile.png(
                size, hasAlpha: !isOpaque, length: Int(density * Double(size.pixelCount)))
        case .palettePNG: throw SystemFault(.damaged, "an encoder without palettes")
        }
    }
}

/// Answers with pictures of the requested size, and records the requests.
final class ScriptedDecoder: SystemDecoding {
    struct Request: Hashable {
        let source: ThumbnailRequest.Source
        let size: PixelSize
    }

    let version = "scripted"
    private let seen = Lock<[Request]>([])
    private let picture: ScriptedPicture
    private let failing: Set<ThumbnailRequest.Source>

    /// `failing` are the sources that throw `service`.
    init(
        _ picture: ScriptedPicture = ScriptedPicture(size: .zero),
        failing: Set<ThumbnailRequest.Source> = []
    ) {
        (self.picture, self.failing) = (picture, failing)
    }

    var requests: [Request] { seen.withLock { $0 } }

    func decode(_ request: ThumbnailRequest) throws(SystemFault) -> ScriptedPicture {
        seen.withLock { $0.append(Request(source: request.source, size: request.size)) }
        guard !failing.contains(request.source) else {
            throw SystemFault(.service, "it is not available")
        }
        return ScriptedPicture(
            size: request.size, isOpaque: picture.isOpaque, density: picture.density,
            willEncode: picture.willEncode)
    }
}
