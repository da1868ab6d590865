internal import AttachmentPlanning

extension Orientation {
    /// Reads the orientation tag of an Exif structure (Exif 2.32: 0x0112 of the first directory).
    ///
    /// Anything wrong with the structure means upright: bad Exif does not spoil a good picture.
    ///
    /// - Parameter structure: The structure, with or without the `Exif` identifier in front.
    init(exif structure: Cursor) {
        do throws(HeaderFault) {
            let isNamed = try structure.starts(with: "Exif\0")
            let directory = try TIFFDirectory(structure.advanced(by: isNamed ? 6 : 0))
            self = try directory.integer(0x0112).flatMap(Orientation.init) ?? .upright
        } catch {
            self = .upright
        }
    }
}
