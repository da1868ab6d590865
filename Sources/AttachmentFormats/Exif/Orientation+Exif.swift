internal import AttachmentModel

extension Orientation {
    /// Reads the orientation tag of an Exif structure (Exif 2.32: 0x0112 of the first directory).
    ///
    /// The `Exif` identifier is optional. Invalid Exif means upright, not an error.
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
