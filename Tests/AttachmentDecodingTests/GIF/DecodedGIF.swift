import AttachmentDecoding
import Foundation

/// What a decode gave, all rows together.
struct DecodedGIF: Equatable {
    let layout: RowLayout
    let pixels: [UInt8]

    init(_ bytes: [UInt8], isTolerant: Bool = false) throws {
        let file = try TemporaryBytes(bytes)
        let rows = try GIFRows(
            descriptor: file.descriptor, length: bytes.count, isTolerant: isTolerant)
        layout = rows.layout
        // What is in the room beforehand must not show.
        var pixels = [UInt8](repeating: 0xA5, count: layout.rowBytes * layout.height)
        let rowBytes = layout.rowBytes
        try pixels.withUnsafeMutableBytes { pixels in
            for row in 0..<rows.layout.height {
                let range = row * rowBytes..<(row + 1) * rowBytes
                try rows.readRow(into: UnsafeMutableRawBufferPointer(rebasing: pixels[range]))
            }
        }
        self.pixels = pixels
    }

    /// Decodes and gives the fault instead, if there is one.
    static func fault(_ bytes: [UInt8], isTolerant: Bool = false) throws -> DecodingFault? {
        do {
            _ = try DecodedGIF(bytes, isTolerant: isTolerant)
            return nil
        } catch let fault as DecodingFault {
            return fault
        }
    }
}

extension DecodedGIF {
    /// How a decode and that of the reference differ.
    enum Difference {
        /// Not at all, or by an alpha that is opaque everywhere, which only the reference gives.
        case none
        /// By pixels that the reference alone leaves blank, or that are blank in both and black for
        /// want of alpha.
        case blankness
        case different
    }

    /// Compares with the reference's decode.
    ///
    /// - Parameters:
    ///   - layout: The reference's.
    ///   - reference: The reference's pixels.
    /// - Returns: How they differ.
    func difference(from layout: RowLayout, _ reference: [UInt8]) -> Difference {
        guard self.layout.width == layout.width, self.layout.height == layout.height,
            self.layout.bands <= layout.bands
        else { return .different }
        if pixels == reference { return .none }
        let (bands, referenceBands) = (self.layout.bands, layout.bands)
        var difference = Difference.none
        for pixel in 0..<layout.width * layout.height {
            let ours = pixels[pixel * bands..<(pixel + 1) * bands]
            let theirs = reference[pixel * referenceBands..<(pixel + 1) * referenceBands]
            if ours.elementsEqual(theirs.prefix(bands)),
                bands == referenceBands || theirs.last == 255
            {
                continue
            }
            let isBlank = theirs.allSatisfy { $0 == 0 }
            guard isBlank, bands == referenceBands || ours.allSatisfy({ $0 == 0 }) else {
                return .different
            }
            difference = .blankness
        }
        return difference
    }
}
