package import AttachmentContainer
package import AttachmentPipeline
package import AttachmentPlanning
package import Foundation

/// A decoded picture of the system's, upright, in the colours of the rendition.
package protocol SystemPicture: StillPicture {
    /// Scales a part of the picture, in its pixels, to a size.
    func drawn(_ part: PixelPart, to size: PixelSize) throws(SystemFault) -> Self

    /// The pixels: rows from the top, four sRGB samples each, alpha last and not premultiplied.
    func rgba() throws(SystemFault) -> [UInt8]

    /// The picture as a file without metadata; `palettePNG` and `fullChromaJPEG` are not asked for.
    func encoded(as encoding: Encoding) throws(SystemFault) -> Data
}

extension SystemPicture {
    func scaled(to size: PixelSize) throws(SystemFault) -> Self {
        guard size != self.size else { return self }
        return try drawn(PixelPart(left: 0, top: 0, size: self.size), to: size)
    }
}

/// A part of a picture, in its pixels.
package struct PixelPart: Sendable, Hashable {
    package let left: Int
    package let top: Int
    package let size: PixelSize

    package init(left: Int, top: Int, size: PixelSize) {
        (self.left, self.top, self.size) = (left, top, size)
    }
}

/// Failure of a call to the system.
package struct SystemFault: Error, Hashable {
    package enum Code: Sendable {
        /// The system does not decode the picture, or not completely.
        case damaged
        /// The system is too old for the picture's format.
        case unknownFormat
        /// The service that decodes in another process failed.
        case service
        /// The picture cannot be drawn or encoded, for lack of memory.
        case memory
        case cancelled
    }

    package let code: Code
    /// Cause, phrased to follow "the picture cannot be decoded: ".
    package let reason: String

    package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }
}
