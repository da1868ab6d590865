import Randomness

/// A kind of damage.
enum Mutation: String, Sendable, CaseIterable {
    /// Flips one bit.
    case flippedBit = "flipped bit"
    /// Sets a byte to a boundary value.
    case extremeByte = "extreme byte"
    /// Sets a number of two or four bytes to zero, a very large value or the file's length.
    case extremeNumber = "extreme number"
    /// Changes a number near the start of a piece slightly, where lengths and sizes are.
    case shiftedNumber = "shifted number"
    /// Cuts the end off.
    case truncation
    /// Removes some bytes.
    case removal
    /// Overwrites some bytes with noise.
    case noise
    /// Inserts some bytes.
    case insertion
    /// Removes a piece.
    case missingPiece = "missing piece"
    /// Repeats a piece many times.
    case repeatedPiece = "repeated piece"
    /// Exchanges two pieces.
    case swappedPieces = "swapped pieces"
    /// Replaces a piece by one of another file of the same structure.
    case foreignPiece = "foreign piece"
    /// Replaces the end by another file's end, of the same structure.
    case foreignEnd = "foreign end"
}

extension Mutation {
    /// Damages a file.
    func applied(
        to original: Original, with other: Original, using random: inout SplitMix64
    ) -> [UInt8] {
        var bytes = original.bytes
        guard !bytes.isEmpty else { return bytes }
        let place = Self.place(in: original, using: &random)
        let count = 1 + random.below(1 << random.below(7))
        let end = min(place + count, bytes.count)
        switch self {
        case .flippedBit:
            bytes[place] ^= 1 << UInt8(random.below(8))
        case .extremeByte:
            bytes[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF][random.below(6)]
        case .extremeNumber:
            let value = [0, 1, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, bytes.count]
            Self.write(value[random.below(value.count)], to: &bytes, place, using: &random)
        case .shiftedNumber:
            let old = Int(bytes[place])
            bytes[place] = UInt8(truncatingIfNeeded: old + random.below(9) - 4)
        case .truncation:
            bytes.removeSubrange(place...)
        case .removal:
            bytes.removeSubrange(place..<end)
        case .noise:
            for index in place..<end { bytes[index] = UInt8(random.below(256)) }
        case .insertion:
            bytes.insert(contentsOf: (0..<count).map { _ in UInt8(random.below(256)) }, at: place)
        case .missingPiece, .repeatedPiece, .swappedPieces, .foreignPiece:
            rearrange(&bytes, original, other, using: &random)
        case .foreignEnd:
            let start = random.below(other.bytes.count + 1)
            bytes.replaceSubrange(place..., with: other.bytes[start...])
        }
        return bytes
    }

    private func rearrange(
        _ bytes: inout [UInt8], _ original: Original, _ other: Original,
        using random: inout SplitMix64
    ) {
        let pieces = original.pieces
        guard let piece = pieces.randomElement(using: &random) else { return }
        switch self {
        case .missingPiece:
            bytes.removeSubrange(piece)
        case .repeatedPiece:
            // Often enough to show growth with the count, but still fast to read.
            let times = min(1 + random.below(40), 1 + 32_768 / piece.count)
            let copies = (0..<times).flatMap { _ in original.bytes[piece] }
            bytes.insert(contentsOf: copies, at: piece.upperBound)
        case .swappedPieces:
            guard let second = pieces.randomElement(using: &random), !second.overlaps(piece) else {
                return
            }
            let (early, late) =
                piece.lowerBound < second.lowerBound ? (piece, second) : (second, piece)
            bytes.replaceSubrange(late, with: original.bytes[early])
            bytes.replaceSubrange(early, with: original.bytes[late])
        default:
            guard let foreign = other.pieces.randomElement(using: &random) else { return }
            bytes.replaceSubrange(piece, with: other.bytes[foreign])
        }
    }

    /// A random offset, half of the time near the start of a piece, where its length and sizes are.
    private static func place(in original: Original, using random: inout SplitMix64) -> Int {
        let offset = random.below(original.bytes.count)
        guard random.oneIn(2), let piece = original.pieces.randomElement(using: &random) else {
            return offset
        }
        return min(piece.lowerBound + random.below(min(24, piece.count)), original.bytes.count - 1)
    }

    private static func write(
        _ value: Int, to bytes: inout [UInt8], _ place: Int, using random: inout SplitMix64
    ) {
        let count = min(random.oneIn(2) ? 2 : 4, bytes.count - place)
        let isBig = random.oneIn(2)
        for index in 0..<count {
            let shift = 8 * (isBig ? count - 1 - index : index)
            bytes[place + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }
}
