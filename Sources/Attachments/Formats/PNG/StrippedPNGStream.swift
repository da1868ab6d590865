package import AttachmentModel

/// A PNG without Exif, text, private chunks and unusable profiles, which libpng would decompress and
/// keep: a few kilobytes may expand to megabytes.
///
/// Everything else passes through unchanged, including damage. With `endsAtEndOfImage` the output is a
/// picture to publish: what follows the last chunk is dropped.
package final class StrippedPNGStream: SimplerFile {
    private var window: FileWindow
    private var remaining = InterlacedPNGStream.signature.count
    private let endsAtEndOfImage: Bool
    /// True after the last chunk to copy.
    private var isEnded = false
    private var isOver = false

    package init(_ file: OpenFile, endsAtEndOfImage: Bool = false) {
        self.endsAtEndOfImage = endsAtEndOfImage
        window = FileWindow(file)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        while remaining == 0, !isOver { try goToNextChunk() }
        guard remaining > 0 else { return 0 }
        let count = try window.copy(into: buffer, atMost: remaining)
        remaining -= count
        isOver = isOver || count == 0
        return count
    }

    private func goToNextChunk() throws(DecodingFault) {
        guard !isEnded else { return isOver = true }
        let start = window.offset
        // Bytes that are not a chunk pass through.
        guard let chunk = try window.readPNGChunk(), chunk.isValid else {
            return passThrough(.max, from: start)
        }
        guard !chunk.type.isAncillary || chunk.type.affectsColour else {
            return window.seek(to: chunk.end)
        }
        if chunk.type == .colourProfile,
            try !ColourProfile.isUsable(in: &window, count: chunk.length)
        {
            return window.seek(to: chunk.end)
        }
        isEnded = endsAtEndOfImage && chunk.type == .imageEnd
        passThrough(chunk.end - start, from: start)
    }

    private func passThrough(_ count: Int, from start: Int) {
        window.seek(to: start)
        remaining = count
    }
}
