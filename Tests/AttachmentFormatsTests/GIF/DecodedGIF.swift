import AttachmentFormats
import Foundation

/// Layout and all rows of a decode.
struct DecodedGIF: Equatable {
    let layout: RowLayout
    let pixels: [UInt8]

    init(_ bytes: [UInt8], isTolerant: Bool = false) throws {
        let file = try TemporaryBytes(bytes)
        let rows = try GIFRows(
            file.openFile, tolerating: isTolerant ? .everything : .harmless)
        layout = rows.layout
        // Previous contents of the buffer must not show.
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

    /// Decodes and returns the fault, if any.
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
    /// Difference between a decode and the reference's.
    enum Difference {
        /// None, apart from an opaque alpha band in the reference.
        case none
        /// Pixels that only the reference leaves blank, or that are blank in both and black without
        /// alpha.
        case blankness
        case different
    }

    /// Compares with the layout and pixels of the reference.
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
