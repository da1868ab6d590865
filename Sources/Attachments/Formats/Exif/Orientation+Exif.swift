internal import AttachmentModel

extension Orientation {
    /// Orientation tag of an Exif structure (Exif 2.32), whose `Exif` identifier is optional;
    /// upright if missing or invalid.
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
