internal import AttachmentModel

extension EmbeddedPreview {
    /// Thumbnail of an Exif structure that begins with its identifier: a JPEG in the second
    /// directory (Exif 2.32, section 4.5.5); nil if missing or invalid, which does not invalidate
    /// the picture.
    init?(exif structure: Cursor) {
        let structure = structure.advanced(by: 6)
        do throws(HeaderFault) {
            // JPEGInterchangeFormat and JPEGInterchangeFormatLength.
            guard let directory = try TIFFDirectory(structure).next(),
                let offset = try directory.integer(0x0201),
                let length = try directory.integer(0x0202)
            else { return nil }
            let section = structure.advanced(by: offset).prefix(length)
            guard try section.starts(withBytes: [0xFF, 0xD8]) else { return nil }
            let header = try JPEGProbe.header(section, isThumbnail: true)
            // Plans do not count a colour conversion of the thumbnail.
            guard let coding = header.coding as? JPEGCoding, coding.process == .baseline,
                header.colourModel != .cmyk, header.profileBytes == 0
            else { return nil }
            self.init(
                coding, size: header.storedSize,
                bytes: section.offset..<section.offset + section.remaining)
        } catch {
            return nil
        }
    }
}
