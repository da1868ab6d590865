package import AttachmentModel

/// A PNG without Exif, text, private chunks and unusable profiles, which libpng would decompress and
/// keep: a few kilobytes may expand to megabytes.
///
/// Everything else passes through unchanged, including damage.
package final class StrippedPNGStream: SimplerFile {
    private var window: FileWindow
    private var remaining = InterlacedPNGStream.signature.count
    private var isOver = false

    package init(_ file: OpenFile) {
        window = FileWindow(file)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        while remaining == 0, !isOver { try goToNextChunk() }
        let count = try window.copy(into: buffer, atMost: remaining)
        remaining -= count
        isOver = isOver || count == 0
        return count
    }

    private func goToNextChunk() throws(DecodingFault) {
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
        passThrough(chunk.end - start, from: start)
    }

    private func passThrough(_ count: Int, from start: Int) {
        window.seek(to: start)
        remaining = count
    }
}
