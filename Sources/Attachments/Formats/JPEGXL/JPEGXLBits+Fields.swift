internal import AttachmentContainer
internal import AttachmentModel

/// Bundles of fields of the headers (ISO/IEC 18181-1, annexes D to F).
extension JPEGXLBits {
    /// Reads SizeHeader.
    mutating func size() throws(HeaderFault) -> PixelSize {
        let isSmall = try flag()
        let height = try side(isSmall)
        let ratio = try bits(3)
        let width = ratio == 0 ? try side(isSmall) : Self.width(of: height, ratio)
        return try PixelSize(claimed: width, height)
    }

    private mutating func side(_ isSmall: Bool) throws(HeaderFault) -> Int {
        guard !isSmall else { return 8 * (1 + (try bits(5))) }
        return try number(
            .bits(9, plus: 1), .bits(13, plus: 1), .bits(18, plus: 1), .bits(30, plus: 1))
    }

    private static func width(of height: Int, _ ratio: Int) -> Int {
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        let (numerator, denominator) = ratios[ratio - 1]
        return height * numerator / denominator
    }

    mutating func skipPreviewSize() throws(HeaderFault) {
        let isInEighths = try flag()
        try skipPreviewSide(isInEighths)
        if try bits(3) == 0 { try skipPreviewSide(isInEighths) }
    }

    private mutating func skipPreviewSide(_ isInEighths: Bool) throws(HeaderFault) {
        if isInEighths {
            _ = try number(.value(16), .value(32), .bits(5, plus: 1), .bits(9, plus: 33))
        } else {
            _ = try number(
                .bits(6, plus: 1), .bits(8, plus: 65), .bits(10, plus: 321),
                .bits(12, plus: 1345))
        }
    }

    /// Reads BitDepth: bits per integer, or per floating-point number.
    mutating func depth() throws(HeaderFault) -> Int {
        let isFloat = try flag()
        let depth =
            isFloat
            ? try number(.value(32), .value(16), .value(24), .bits(6, plus: 1))
            : try number(.value(8), .value(10), .value(12), .bits(6, plus: 1))
        if isFloat { try skip(4) }
        guard depth <= 32 else {
            throw .corrupt("a JPEG XL of \(depth) bits per sample", at: position)
        }
        return depth
    }

    /// Reads ExtraChannelInfo.
    mutating func extraChannel() throws(HeaderFault) -> ExtraChannel {
        if try flag() { return .alpha }
        let code = try enumeration()
        _ = try depth()
        // dim_shift
        _ = try number(.value(0), .value(3), .value(4), .bits(3, plus: 1))
        let nameBytes = try number(
            .value(0), .bits(4), .bits(5, plus: 16), .bits(10, plus: 48))
        try skip(8 * nameBytes)
        switch code {
        case 0: try skip(1)
        // Colour and solidity of a spot colour.
        case 2: try skip(4 * 16)
        case 5: _ = try number(.value(1), .bits(2), .bits(4, plus: 3), .bits(8, plus: 19))
        default: break
        }
        return ExtraChannel(code: code)
    }

    /// Reads ColourEncoding.
    mutating func colours() throws(HeaderFault) -> JPEGXLColours {
        var colours = JPEGXLColours()
        if try flag() { return colours }
        colours.hasProfile = try flag()
        let space = try enumeration()
        colours.isGrey = space == 1
        guard !colours.hasProfile else { return colours }
        let isXYB = space == 2
        if !isXYB {
            let white = try enumeration()
            colours.isD65 = white == 1
            if white == 2 { try skipCoordinates(1) }
        }
        if !isXYB, !colours.isGrey {
            colours.primaries = try enumeration()
            if colours.primaries == 2 { try skipCoordinates(3) }
        }
        if try flag() {
            // gamma
            try skip(24)
            colours.transfer = nil
        } else {
            colours.transfer = try enumeration()
        }
        // rendering_intent
        _ = try enumeration()
        return colours
    }

    private mutating func skipCoordinates(_ count: Int) throws(HeaderFault) {
        for _ in 0..<2 * count {
            _ = try number(
                .bits(19), .bits(19, plus: 1 << 19), .bits(20, plus: 1 << 20),
                .bits(21, plus: 1 << 21))
        }
    }

    mutating func skipExtensions() throws(HeaderFault) {
        var present = try longNumber()
        var total: UInt64 = 0
        while present != 0 {
            present &= present - 1
            let (sum, overflow) = total.addingReportingOverflow(try longNumber())
            guard !overflow else { throw .corrupt("extensions of any length", at: position) }
            total = sum
        }
        // Reading past the limit of the reader throws.
        while total > 0 {
            try skip(1)
            total -= 1
        }
    }

    /// Skips the inverse opsin matrix, and weights of upsampling.
    mutating func skipTransformData(isXYB: Bool) throws(HeaderFault) {
        if try flag() { return }
        if isXYB, try !flag() { try skip(16 * 16) }
        let weights = try bits(3)
        for (bit, count) in [15, 55, 210].enumerated() where weights & 1 << bit != 0 {
            try skip(16 * count)
        }
    }

    /// Reads the first frame's header up to its size (annex F).
    mutating func frame(in structure: JPEGXLStructure) throws(HeaderFault) -> JPEGXLFrame {
        alignToByte()
        if try flag() { return JPEGXLFrame(coding: .varDCT) }
        let kind = JPEGXLFrame.Kind(rawValue: try bits(2)) ?? .regular
        let isModular = try flag()
        var frame = JPEGXLFrame(
            coding: kind == .regular ? (isModular ? .modular : .varDCT) : .unknown)
        let flags = try longNumber()
        let isYCbCr = structure.isXYB ? false : try flag()
        if flags & JPEGXLFrame.usesLowFrequencyFrame == 0 {
            if isYCbCr { try skip(3 * 2) }
            for _ in 0...structure.extraChannels.count { try skipUpsampling() }
        }
        if isModular {
            // group_size_shift
            try skip(2)
        } else if structure.isXYB {
            // x_qm_scale, b_qm_scale
            try skip(3 + 3)
        }
        if kind != .reference { try skipPasses() }
        guard kind != .lowFrequency, try flag() else { return frame }
        if kind != .reference { for _ in 0..<2 { _ = try frameSide() } }
        let (width, height) = (try frameSide(), try frameSide())
        frame.size = try PixelSize(claimed: width, height)
        return frame
    }

    /// Reads the markers of a JPEG, which precede its compressed data (ISO/IEC 18181-2, annex A).
    mutating func transcodedJPEG() throws(HeaderFault) -> JPEGXLStructure.SourceJPEG {
        // is_gray
        try skip(1)
        var markers: [Int] = []
        repeat {
            markers.append(0xC0 | (try bits(6)))
        } while markers.last != 0xD9 && markers.count < Self.mostMarkers
        let isSequential = markers.contains { $0 == 0xC0 || $0 == 0xC1 }
        return isSequential && markers.count(where: { $0 == 0xDA }) == 1 ? .baseline : .other
    }

    private static let mostMarkers = 1024

    private mutating func skipUpsampling() throws(HeaderFault) {
        _ = try number(.value(1), .value(2), .value(4), .value(8))
    }

    private mutating func skipPasses() throws(HeaderFault) {
        let passes = try number(.value(1), .value(2), .value(3), .bits(3, plus: 4))
        guard passes > 1 else { return }
        let shown = try number(.value(0), .value(1), .value(2), .bits(1, plus: 3))
        try skip(2 * (passes - 1))
        for _ in 0..<shown { try skipUpsampling() }
        for _ in 0..<shown { _ = try number(.value(0), .value(1), .value(2), .bits(3)) }
    }

    /// Reads an offset or a side of a frame that does not have the picture's size.
    private mutating func frameSide() throws(HeaderFault) -> Int {
        try number(.bits(8), .bits(11, plus: 256), .bits(14, plus: 2304), .bits(30, plus: 18688))
    }
}
