import SampleMedia

/// JPEG header, assembled from segments.
struct SampleJPEG {
    var marker: UInt8 = 0xC0
    var precision = 8
    var width = 40
    var height = 30
    /// Identifier and sampling factors of each component.
    var components: [(identifier: UInt8, sampling: UInt8)] = [(1, 0x22), (2, 0x11), (3, 0x11)]
    /// Components in the first scan; nil for all.
    var scanned: Int?
    /// Segments between the start and the frame.
    var segments: [UInt8] = jfif

    static let jfif = segment(0xE0, .ascii("JFIF\0") + [1, 2, 0] + .big16(1) + .big16(1) + [0, 0])
    static let exif = segment(0xE1, .ascii("Exif\0\0") + SampleTIFF.orientation(6).bytes)

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + .big16(body.count + 2) + body
    }

    static func adobe(transform: UInt8) -> [UInt8] {
        segment(0xEE, .ascii("Adobe") + .big16(100) + .zeros(4) + [transform])
    }

    static func icc(_ count: Int) -> [UInt8] {
        segment(0xE2, .ascii("ICC_PROFILE\0") + [1, 1] + .zeros(count))
    }

    var frame: [UInt8] {
        let body = [UInt8(precision)] + .big16(height) + .big16(width) + [UInt8(components.count)]
        return Self.segment(
            marker, body + components.flatMap { [$0.identifier, $0.sampling, 0] as [UInt8] })
    }

    var scan: [UInt8] {
        let count = scanned ?? components.count
        let selectors = components.prefix(count).flatMap { [$0.identifier, 0] as [UInt8] }
        return Self.segment(0xDA, [UInt8(count)] + selectors + [0, 63, 0])
    }

    var bytes: [UInt8] {
        [0xFF, 0xD8] + segments + Self.segment(0xDB, .zeros(65)) + frame + scan
            + [0x12, 0x34, 0xFF, 0xD9]
    }
}
