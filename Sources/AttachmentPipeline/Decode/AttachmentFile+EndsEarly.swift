import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation

extension AttachmentFile {
    /// Whether the container format itself says that bytes are missing at the end.
    ///
    /// - Parameter format: The kind of picture.
    /// - Returns: True for a PNG whose last chunk (PNG specification, 5.3) or a WebP whose RIFF
    ///   size passes the end of the file; false when the format does not tell.
    func endsEarly(as format: AttachmentFormat) -> Bool {
        switch format {
        case .webp:
            // "RIFF", then the little-endian size of all that follows.
            guard let size = word(at: 4) else { return true }
            return Int(size.byteSwapped) + 8
                > length.bytes
        case .png:
            var offset = 8
            while let size = word(at: offset), let type = word(at: offset + 4) {
                // Length, type, data, CRC; "IEND" is the last.
                offset += 12 + Int(size)
                if type == 0x4945_4E44 { return offset > length.bytes }
            }
            return true
        case .jpeg, .gif, .heic, .avif, .tiff:
            return false
        }
    }

    /// Four bytes as a big-endian number; nil beyond the end of the file.
    private func word(at offset: Int) -> UInt32? {
        var word: UInt32 = 0
        guard pread(descriptor, &word, 4, off_t(offset)) == 4 else { return nil }
        return UInt32(bigEndian: word)
    }
}
