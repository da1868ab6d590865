import SampleMedia

/// PNG, assembled from chunks, with zero checksums, which the probe ignores.
struct SamplePNG {
    var width = 40
    var height = 30
    var bits: UInt8 = 8
    var colourType: UInt8 = 2
    var interlace: UInt8 = 0
    /// Chunks between the header and the image data.
    var before: [UInt8] = []
    /// Chunks after the image data.
    var behind: [UInt8] = []

    static let signature: [UInt8] = [0x89] + .ascii("PNG\r\n") + [0x1A, 0x0A]

    static func chunk(_ type: String, _ body: [UInt8] = []) -> [UInt8] {
        .big32(body.count) + .ascii(type) + body + .zeros(4)
    }

    var header: [UInt8] {
        Self.chunk("IHDR", .big32(width) + .big32(height) + [bits, colourType, 0, 0, interlace])
    }

    var bytes: [UInt8] {
        Self.signature + header + before + Self.chunk("IDAT", .zeros(20)) + behind
            + Self.chunk("IEND")
    }
}
