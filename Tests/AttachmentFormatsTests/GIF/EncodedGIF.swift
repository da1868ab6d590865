/// A GIF with known pixels.
struct EncodedGIF {
    struct Frame {
        var left = 0
        var top = 0
        var width: Int
        var height: Int
        var indices: [UInt8]
        var isInterlaced = false
        var colours: [SIMD3<UInt8>]?
        var transparentIndex: UInt8?
        var disposal: UInt8 = 0
        var delay = 0
        var encoder: LZWEncoder
        /// Lengths of sub-blocks, repeated.
        var chunks = [255]
        /// Blocks between the graphic control extension and the frame.
        var extensions: [UInt8] = []
        /// Raw data instead of encoded pixels.
        var data: [UInt8]?

        init(
            width: Int, height: Int, codeSize: Int = 8,
            indices: (Int) -> UInt8 = { UInt8(truncatingIfNeeded: $0) }
        ) {
            (self.width, self.height) = (width, height)
            let mask = UInt8(truncatingIfNeeded: (1 << codeSize) - 1)
            self.indices = (0..<width * height).map { indices($0) & mask }
            encoder = LZWEncoder(minimumCodeSize: codeSize)
        }
    }

    /// Logical screen; nil for the size of the first frame.
    var screen: (width: Int, height: Int)?
    var colours: [SIMD3<UInt8>]?
    var backgroundIndex: UInt8 = 0
    /// Blocks before the first graphic control extension.
    var extensions: [UInt8] = []
    var frames: [Frame]
    var trailer: [UInt8] = [0x3B]

    init(_ frames: Frame..., colours: [SIMD3<UInt8>]? = EncodedGIF.distinctColours(256)) {
        self.frames = frames
        self.colours = colours
    }

    /// Distinct colours, none of them black.
    static func distinctColours(_ count: Int, seed: UInt8 = 0) -> [SIMD3<UInt8>] {
        (0..<count).map { index in
            let value = UInt8(truncatingIfNeeded: index) &+ seed
            return SIMD3(value &* 37 | 1, value, 255 - value)
        }
    }

    var bytes: [UInt8] {
        let first = frames[0]
        let screen =
            self.screen ?? (first.left + first.width, first.top + first.height)
        var bytes = Array("GIF89a".utf8)
        bytes += Self.uint16(screen.width) + Self.uint16(screen.height)
        bytes += [colours.map { 0x80 | Self.size(of: $0) } ?? 0, backgroundIndex, 0]
        bytes += Self.table(colours)
        bytes += extensions
        for frame in frames { bytes += Self.bytes(of: frame) }
        return bytes + trailer
    }

    private static func bytes(of frame: Frame) -> [UInt8] {
        var bytes: [UInt8] = []
        if frame.transparentIndex != nil || frame.disposal != 0 || frame.delay != 0 {
            let flags = frame.disposal << 2 | (frame.transparentIndex == nil ? 0 : 1)
            bytes += [0x21, 0xF9, 4, flags] + uint16(frame.delay)
            bytes += [frame.transparentIndex ?? 0, 0]
        }
        bytes += frame.extensions
        bytes += [0x2C] + uint16(frame.left) + uint16(frame.top)
        bytes += uint16(frame.width) + uint16(frame.height)
        bytes.append(
            (frame.colours.map { 0x80 | size(of: $0) } ?? 0) | (frame.isInterlaced ? 0x40 : 0))
        bytes += table(frame.colours)
        bytes.append(UInt8(frame.encoder.minimumCodeSize))
        var encoder = frame.encoder
        return bytes + chunked(frame.data ?? encoder.encode(inFileOrder(frame)), frame.chunks)
    }

    /// Splits data into sub-blocks with a terminator.
    static func chunked(_ data: [UInt8], _ chunks: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        var (start, turn) = (0, 0)
        while start < data.count {
            let end = min(data.count, start + chunks[turn % chunks.count])
            bytes += [UInt8(end - start)] + data[start..<end]
            (start, turn) = (end, turn + 1)
        }
        return bytes + [0]
    }

    /// Indices with rows in interlaced order (appendix E).
    private static func inFileOrder(_ frame: Frame) -> [UInt8] {
        guard frame.isInterlaced else { return frame.indices }
        let rows =
            Array(stride(from: 0, to: frame.height, by: 8))
            + Array(stride(from: 4, to: frame.height, by: 8))
            + Array(stride(from: 2, to: frame.height, by: 4))
            + Array(stride(from: 1, to: frame.height, by: 2))
        return rows.flatMap { frame.indices[$0 * frame.width..<($0 + 1) * frame.width] }
    }

    private static func uint16(_ value: Int) -> [UInt8] {
        [UInt8(value & 255), UInt8(value >> 8)]
    }

    private static func size(of colours: [SIMD3<UInt8>]) -> UInt8 {
        UInt8(max(2, colours.count).nextPowerOf2.trailingZeroBitCount - 1)
    }

    private static func table(_ colours: [SIMD3<UInt8>]?) -> [UInt8] {
        guard let colours else { return [] }
        let missing = (2 << Int(size(of: colours))) - colours.count
        return (colours + Array(repeating: SIMD3(9, 9, 9), count: missing))
            .flatMap { [$0.x, $0.y, $0.z] }
    }
}

extension EncodedGIF {
    /// Expected pixels of the first picture, with 3 or 4 bands.
    func picture(bands: Int) -> [UInt8] {
        let frame = frames[0]
        let colours = frame.colours ?? self.colours ?? [SIMD3(0, 0, 0), SIMD3(255, 255, 255)]
        let width = max(screen?.width ?? 0, frame.left + frame.width)
        let height = max(screen?.height ?? 0, frame.top + frame.height)
        var picture = [UInt8](repeating: 0, count: width * height * bands)
        for row in 0..<frame.height {
            for column in 0..<frame.width {
                let index = frame.indices[row * frame.width + column]
                guard index != frame.transparentIndex, Int(index) < colours.count else { continue }
                let colour = colours[Int(index)]
                let place = ((frame.top + row) * width + frame.left + column) * bands
                for band in 0..<3 { picture[place + band] = colour[band] }
                if bands == 4 { picture[place + 3] = 255 }
            }
        }
        return picture
    }
}

extension Int {
    fileprivate var nextPowerOf2: Int {
        1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
    }
}
