/// A lossy WebP file as one that has no alpha plane: its picture, and its profile if it has one.
///
/// Exif and XMP are left out. libwebp decodes such a file with a few rows of memory; the alpha plane
/// comes from `WebPAlphaRows`.
package final class LossyWebPWithoutAlpha: SimplerFile {
    /// What is still to be given, the next last.
    private var parts: [Part]
    private var fault: DecodingFault?

    private enum Part {
        case made([UInt8])
        case copied(Stretch)
    }

    /// Finds the picture.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - length: Its length, in bytes.
    ///   - isTolerant: Whether a picture whose end is missing is given as far as it goes.
    /// - Throws: `corrupt`, `truncated`, `unsupported` for lossless pictures and animations,
    ///   `overCeiling`, `unreadable`.
    package init(descriptor: CInt, length: Int, isTolerant: Bool) throws(DecodingFault) {
        let container = try WebPContainer(
            descriptor: descriptor, length: length, isTolerant: isTolerant)
        guard !container.isLossless else {
            throw DecodingFault(.unsupported, at: 12, "it is a lossless WebP picture")
        }
        guard isTolerant || container.picture.count == container.pictureLength else {
            throw DecodingFault(.truncated, at: length, "its picture data end too early")
        }
        let size = try container.lossySize(descriptor: descriptor)
        var chunks: [Part] = []
        var bytes = 4
        func append(_ type: String, _ data: Part, _ count: Int) {
            chunks.append(.made(Array(type.utf8) + Self.bytes(count, 4)))
            chunks.append(data)
            if count % 2 == 1 { chunks.append(.made([0])) }
            bytes += 8 + count + count % 2
        }
        if let profile = container.profile, !profile.isEmpty {
            // Of the flags only that of the profile (RFC 9649, section 2.7.1).
            let features =
                [0x20, 0, 0, 0] + Self.bytes(size.width - 1, 3)
                + Self.bytes(size.height - 1, 3)
            append("VP8X", .made(features), features.count)
            append(
                "ICCP", .copied(Stretch(descriptor: descriptor, over: profile)), profile.count)
        }
        append(
            "VP8 ", .copied(Stretch(descriptor: descriptor, over: container.picture)),
            container.picture.count)
        parts = [.made(Array("RIFF".utf8) + Self.bytes(bytes, 4) + Array("WEBP".utf8))] + chunks
        parts.reverse()
    }

    /// A number with its lowest byte first.
    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        if let fault { throw fault }
        do throws(DecodingFault) {
            return try readPart(into: buffer)
        } catch {
            fault = error
            throw error
        }
    }

    private func readPart(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        while let part = parts.last {
            switch part {
            case .made(let bytes):
                let count = min(bytes.count, buffer.count)
                buffer.copyBytes(from: bytes.prefix(count))
                parts.removeLast()
                if count < bytes.count { parts.append(.made(Array(bytes.dropFirst(count)))) }
                return count
            case .copied(let stretch):
                let count = try stretch.read(into: buffer)
                if count > 0 { return count }
                guard stretch.isWhole else {
                    throw DecodingFault(
                        .truncated, at: stretch.offset, "the file ends while it is read")
                }
                parts.removeLast()
            }
        }
        return 0
    }
}

/// A stretch of the file that is being copied.
private final class Stretch {
    private var window: FileWindow
    private let end: Int

    init(descriptor: CInt, over range: Range<Int>) {
        window = FileWindow(descriptor: descriptor, over: range)
        end = range.upperBound
    }

    var offset: Int { window.offset }
    var isWhole: Bool { window.offset == end }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        var count = 0
        try window.withBytes { (bytes) throws(DecodingFault) in
            count = min(bytes.count, buffer.count)
            buffer.copyBytes(from: bytes.prefix(count))
            return count
        }
        return count
    }
}

extension WebPContainer {
    /// Reads the size of a `VP8 ` picture (RFC 6386, section 9.1).
    ///
    /// - Parameter descriptor: The file.
    /// - Returns: Width and height.
    /// - Throws: `corrupt`, `truncated`, `unreadable`.
    func lossySize(descriptor: CInt) throws(DecodingFault) -> Size {
        var reader = LittleEndianReader(
            descriptor: descriptor, from: picture.lowerBound, length: picture.upperBound)
        guard try reader.uint24() & 1 == 0, try reader.uint24() == 0x2A019D else {
            throw DecodingFault(.corrupt, at: picture.lowerBound, "its picture is no key frame")
        }
        let size = Size(
            width: try reader.uint16() & 0x3FFF, height: try reader.uint16() & 0x3FFF)
        guard size.width > 0, size.height > 0 else {
            throw DecodingFault(.corrupt, at: picture.lowerBound + 6, "its picture has no pixels")
        }
        return size
    }
}
