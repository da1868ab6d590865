/// Header of an animated PNG, up to its first frame (PNG specification, third edition, 11.2.1 and
/// 11.3).
struct APNGHead {
    let width: Int
    let height: Int
    let isInterlaced: Bool
    let samples: PNGSamples
    /// Number of plays; 0 for endless.
    private(set) var playCount = 0
    private(set) var isAnimated = false

    /// Stops before the first image data or frame; throws `unsupported` for a still picture.
    init(_ chunks: inout APNGChunks) throws(DecodingFault) {
        let first = try chunks.next()
        guard let first, first.type == .imageHeader,
            first.length == PNGImageHeader.byteCount
        else { throw DecodingFault(.corrupt, at: 0, "it is not a PNG file") }
        let data = try chunks.bytes(of: first)
        width = data[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = data[4..<8].reduce(0) { $0 << 8 | Int($1) }
        guard width > 0, height > 0, max(width, height) <= PNGImageHeader.longestSide else {
            throw DecodingFault(
                .corrupt, at: first.offset, "its header claims \(width)×\(height) pixels")
        }
        guard data[10] == 0, data[11] == 0, data[12] <= 1 else {
            throw DecodingFault(
                .corrupt, at: first.offset + 10,
                "an unknown compression, filter or interlace method")
        }
        isInterlaced = data[12] == 1
        var palette: [UInt8] = []
        var transparency: [UInt8] = []
        let fields = (depth: Int(data[8]), type: data[9])
        while let chunk = try chunks.next() {
            switch chunk.type {
            case .animationControl where chunk.length == 8:
                let control = try chunks.bytes(of: chunk)
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
                    depth: fields.depth, type: fields.type, palette: palette,
                    transparency: transparency, at: first.offset)
                return
            default: break
            }
        }
        throw DecodingFault(.truncated, at: chunks.length, "a PNG without image data")
    }
}
