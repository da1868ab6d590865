/// Header of an animated PNG, up to its first frame (PNG specification, third edition, 11.2.1 and
/// 11.3).
struct APNGHead {
    let image: PNGImageHeader
    let samples: PNGSamples
    /// Number of frames that the file announces.
    private(set) var frameCount = 0
    /// Number of plays; 0 for endless.
    private(set) var playCount = 0

    /// Stops before the first image data or frame; throws `unsupported` for a still picture.
    init(_ chunks: inout APNGChunks) throws(DecodingFault) {
        let first = try chunks.next()
        guard let first, first.type == .imageHeader, first.length == PNGImageHeader.byteCount
        else { throw DecodingFault(.corrupt, at: 0, "it is not a PNG file") }
        image = PNGImageHeader(try chunks.bytes(of: first))
        try image.checkSize(upTo: PNGImageHeader.longestSide, at: first.offset)
        try image.checkMethods(at: first.offset)
        var isAnimated = false
        var palette: [UInt8] = []
        var transparency: [UInt8] = []
        while let chunk = try chunks.next() {
            switch chunk.type {
            case .animationControl where chunk.length == 8:
                let control = try chunks.bytes(of: chunk)
                frameCount = control[..<4].reduce(0) { $0 << 8 | Int($1) }
                playCount = control[4..<8].reduce(0) { $0 << 8 | Int($1) }
                isAnimated = true
            case .palette where chunk.length <= 768:
                palette = try chunks.bytes(of: chunk)
            case .transparency where chunk.length <= 256:
                transparency = try chunks.bytes(of: chunk)
            case .imageData, .frameControl:
                chunks.seek(to: chunk)
                guard isAnimated else {
                    throw DecodingFault(.unsupported, at: chunk.offset, "it is not an animation")
                }
                samples = try PNGSamples(
                    image, palette: palette, transparency: transparency, at: first.offset)
                return
            default: break
            }
        }
        throw DecodingFault(.truncated, at: chunks.length, "a PNG without image data")
    }
}
