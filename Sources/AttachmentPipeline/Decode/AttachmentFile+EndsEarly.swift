import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation

extension AttachmentFile {
    /// True if the file is shorter than its format requires.
    ///
    /// This checks the chunks of a PNG up to IEND (PNG specification, 5.3) and the RIFF size of a
    /// WebP; other formats are not checked.
    func endsEarly(as format: AttachmentFormat) -> Bool {
        switch format {
        case .webp:
            // "RIFF", then the little-endian size of the rest.
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
