internal import AttachmentContainer
internal import AttachmentModel

/// Decoder of a mosaic's tiles, for any number of threads.
struct TileDecoder: Sendable {
    /// Format of samples that all tiles share.
    struct Samples: Sendable, Equatable {
        let bands: Int
        let bytesPerSample: Int
    }

    private struct Configuration: Sendable {
        let range: Range<Int>
        let bytes: [UInt8]
    }

    let decoder: FrameDecoder
    let isAV1: Bool
    let tileSize: PixelSize
    let hasProfile: Bool
    let isAlpha: Bool
    /// True if a damaged tile is nil instead of a fault.
    let skipsDamage: Bool
    /// Nil for any format.
    var required: Samples?
    /// Configuration read last; tiles usually share it.
    private let configuration = Lock<Configuration?>(nil)

    init(
        _ coded: CodedMosaic, decoder: FrameDecoder, hasProfile: Bool, isAlpha: Bool,
        skipsDamage: Bool
    ) {
        self.decoder = decoder
        (isAV1, tileSize) = (coded.isAV1, coded.tileSize)
        (self.hasProfile, self.isAlpha) = (hasProfile, isAlpha)
        self.skipsDamage = skipsDamage
    }

    /// Nil for a damaged tile that is skipped.
    func decode(_ tile: CodedMosaic.Tile) throws(DecodingFault) -> DecodedFrame? {
        do throws(DecodingFault) {
            let source = CodedFrame(
                isAV1: isAV1, configuration: try record(tile.configuration),
                extents: tile.extents, width: tileSize.width, height: tileSize.height,
                colours: tile.colours, hasProfile: hasProfile, isAlpha: isAlpha)
            let frame = try decoder.decode(source)
            guard frame.width >= source.width, frame.height >= source.height else {
                throw source.fault(
                    .corrupt, "a coded picture of \(frame.width)x\(frame.height) for \(tileSize)")
            }
            let samples = Samples(bands: frame.bands, bytesPerSample: frame.bytesPerSample)
            guard required.map({ $0 == samples }) ?? true else {
                throw source.fault(.unsupported, "a grid of tiles with different sample formats")
            }
            return frame
        } catch {
            guard skipsDamage, error.code == .corrupt || error.code == .truncated else {
                throw error
            }
            return nil
        }
    }

    private func record(_ range: Range<Int>) throws(DecodingFault) -> [UInt8] {
        try configuration.withLock { last throws(DecodingFault) in
            if let last, last.range == range { return last.bytes }
            let bytes = try decoder.record(range, atMost: FrameHeader.longestConfiguration)
            last = Configuration(range: range, bytes: bytes)
            return bytes
        }
    }
}
