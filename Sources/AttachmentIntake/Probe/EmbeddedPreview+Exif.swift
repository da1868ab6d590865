internal import AttachmentPlanning

extension EmbeddedPreview {
    /// Finds the thumbnail of an Exif structure (Exif 2.32, section 4.5.5: a JPEG that the second
    /// directory points to).
    ///
    /// Nil results when there is none, or anything is wrong with it: bad Exif does not spoil a good
    /// picture.
    ///
    /// - Parameter structure: The structure, with the `Exif` identifier in front.
    init?(exif structure: Cursor) {
        let structure = structure.advanced(by: 6)
        do throws(HeaderFault) {
            // JPEGInterchangeFormat and JPEGInterchangeFormatLength.
            guard let directory = try TIFFDirectory(structure).next(),
                let offset = try directory.integer(0x0201),
                let length = try directory.integer(0x0202)
            else { return nil }
            let stretch = structure.advanced(by: offset).prefix(length)
            guard try stretch.starts(withBytes: [0xFF, 0xD8]) else { return nil }
            let header = try JPEGProbe.header(stretch, isThumbnail: true)
            // Plans count with no conversion of its colours.
            guard header.coding == .baseline, header.colourModel != .cmyk, header.profileBytes == 0
            else { return nil }
            self.init(
                size: header.storedSize, bytes: stretch.offset..<stretch.offset + stretch.remaining)
        } catch {
            return nil
        }
    }
}
