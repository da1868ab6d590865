/// A PNG without what is not about its pixels: Exif, text, private chunks.
///
/// libpng unpacks and keeps all of them for as long as it decodes, and a chunk of a few kilobytes may
/// hold megabytes of one letter. The rest is handed on byte for byte, damage included, which is the
/// decoder's to judge.
package final class StrippedPNGStream: SimplerFile {
    private var window: FileWindow
    /// Bytes that are handed on before the next chunk begins.
    private var remaining = InterlacedPNGStream.signature.count
    private var isOver = false

    /// Reads from the start of a file.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's, and stays open as
    ///     long as this is read.
    ///   - length: Its length, in bytes.
    package init(descriptor: CInt, length: Int) {
        window = FileWindow(descriptor: descriptor, over: 0..<max(length, 0))
    }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
        while remaining == 0, !isOver { try goToNextChunk() }
        let count = try window.copy(into: buffer, atMost: remaining)
        remaining -= count
        isOver = isOver || count == 0
        return count
    }

    /// Stands in front of a chunk afterwards that is handed on, or one further.
    private func goToNextChunk() throws(DecodingFault) {
        let start = window.offset
        guard let length = try window.readUInt32(), let letters = try window.readUInt32() else {
            // What is too short for a chunk is handed on, too.
            return handOn(.max, from: start)
        }
        let type = PNGChunkType(rawValue: letters)
        guard type.isLegal, length <= Int32.max else { return handOn(.max, from: start) }
        let whole = PNGChunkHeader.byteCount + Int(length) + PNGChunkHeader.checksumBytes
        guard !type.isAncillary || type.affectsColour else { return window.seek(to: start + whole) }
        if type == .colourProfile {
            try ColourProfile.checkPacked(in: &window, count: Int(length))
        }
        handOn(whole, from: start)
    }

    private func handOn(_ count: Int, from start: Int) {
        window.seek(to: start)
        remaining = count
    }
}
