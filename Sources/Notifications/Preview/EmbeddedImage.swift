public import AttachmentContainer
public import Foundation

/// A picture inside a page: its type and bytes.
public struct EmbeddedImage: Sendable, Hashable {
    /// The media type, such as `image/jpeg`.
    public let type: String
    /// The bytes.
    public let bytes: Data

    /// A rendition's file; nil for types that browsers do not show, and if it cannot be read.
    ///
    /// - Parameters:
    ///   - rendition: The rendition.
    ///   - container: The container that has its file.
    public init?(_ rendition: Manifest.Rendition, in container: SharedContainer) {
        guard let type = RenditionType(rawValue: rendition.type),
            let bytes = try? Data(contentsOf: container.url(of: rendition))
        else { return nil }
        self.type = type.mediaType
        self.bytes = bytes
    }

    /// A placeholder, 32 pixels on the longer side, as a bitmap without compression.
    public init(_ placeholder: ThumbHash) {
        let (size, rgba) = placeholder.raster()
        type = "image/bmp"
        bytes = Data(Self.bitmap(size, rgba))
    }

    /// The picture as a URL.
    public var url: String { "data:\(type);base64,\(bytes.base64EncodedString())" }

    /// A bitmap with a BITMAPV4HEADER, which declares the alpha channel; rows from bottom to top.
    private static func bitmap(_ size: PixelSize, _ rgba: [UInt8]) -> [UInt8] {
        let header = 14 + 108
        let length = header + rgba.count
        var bytes: [UInt8] = Array("BM".utf8)
        func append(_ value: Int, _ count: Int) {
            for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
        }
        append(length, 4)
        append(0, 4)
        append(header, 4)
        append(108, 4)
        append(size.width, 4)
        append(size.height, 4)
        append(1, 2)
        append(32, 2)
        // BI_BITFIELDS with the masks of red, green, blue and alpha.
        append(3, 4)
        append(rgba.count, 4)
        for _ in 0..<2 { append(2835, 4) }
        for _ in 0..<2 { append(0, 4) }
        for mask in [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000] { append(mask, 4) }
        // LCS_sRGB.
        append(0x7352_4742, 4)
        bytes += [UInt8](repeating: 0, count: header - bytes.count)
        for row in (0..<size.height).reversed() {
            for column in 0..<size.width {
                let start = 4 * (row * size.width + column)
                bytes += [rgba[start + 2], rgba[start + 1], rgba[start], rgba[start + 3]]
            }
        }
        return bytes
    }
}

extension RenditionType {
    /// The media type (IANA).
    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        }
    }
}
