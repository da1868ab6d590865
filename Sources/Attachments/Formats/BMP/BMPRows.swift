internal import AttachmentContainer
package import AttachmentModel

/// Rows of a BMP from top to bottom, as RGB, or RGBA where a mask has alpha.
///
/// Alpha that is 0 everywhere counts as opaque, as in Chromium and FFmpeg: many writers leave the
/// bits of alpha empty. Indices without a colour are black.
package final class BMPRows: DecodedRows {
    package let layout: RowLayout
    package let profile: [UInt8]?
    package let notes: [String]

    private let source: Source
    private let conversion: BMPPixelConversion
    private var y = 0
    private var fault: DecodingFault?

    private enum Source {
        case stored(BMPStoredRows)
        case runs(BMPRunRows)
    }

    /// Reads the headers again, for callers without a structure.
    package convenience init(_ file: OpenFile, isTolerant: Bool) throws(DecodingFault) {
        let structure: BMPStructure
        do throws(HeaderFault) {
            structure = try BMPProbe.structure(BoundedReader(file))
        } catch {
            throw DecodingFault(error)
        }
        try self.init(file, structure, isTolerant: isTolerant, isCancelled: { false })
    }

    init(
        _ file: OpenFile, _ structure: BMPStructure, isTolerant: Bool,
        isCancelled: () -> Bool
    ) throws(DecodingFault) {
        var notes: [String] = []
        var hasAlpha = false
        let masks: BMPMasks
        if structure.pixels == .runs {
            source = .runs(
                try BMPRunRows(file, structure, isTolerant: isTolerant, isCancelled: isCancelled))
            masks = .bytes
        } else {
            let rows = try BMPStoredRows(file, structure, isTolerant: isTolerant)
            if case .masks(let channels) = structure.pixels {
                masks = channels
                hasAlpha = try rows.hasBits(channels.alpha, of: structure, isCancelled)
                if channels.alpha != 0, !hasAlpha {
                    notes.append("its alpha channel is 0 everywhere and was ignored")
                }
            } else {
                masks = .bytes
            }
            source = .stored(rows)
        }
        if structure.bitsPerPixel <= 8 {
            conversion = BMPPixelConversion(
                indexBits: structure.pixels == .runs ? 8 : structure.bitsPerPixel,
                colours: try structure.palette.colours(in: file))
        } else {
            conversion = BMPPixelConversion(
                masks, bitsPerPixel: structure.bitsPerPixel, hasAlpha: hasAlpha)
        }
        layout = RowLayout(
            width: structure.size.width, height: structure.size.height, bands: hasAlpha ? 4 : 3)
        var profile: [UInt8]?
        if let place = structure.profile {
            var window = FileWindow(file, over: place, capacity: place.count)
            profile = try window.readBytes(place.count)
        }
        if structure.hasUnreadableProfile {
            notes.append("its colour profile cannot be read and was ignored")
        }
        (self.profile, self.notes) = (profile, notes)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        if let fault { throw fault }
        precondition(row.count == layout.rowBytes, "a row of another size")
        do throws(DecodingFault) {
            try write(to: row)
        } catch {
            fault = error
            throw error
        }
    }

    private func write(to row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        guard y < layout.height else {
            throw DecodingFault(.truncated, at: 0, "the picture has no more rows")
        }
        defer { y += 1 }
        switch source {
        case .stored(let rows):
            if let stored = try rows.row(y) {
                conversion.convert(stored, to: row)
            } else {
                _ = row.initializeMemory(as: UInt8.self, repeating: 0)
            }
        case .runs(let rows):
            try rows.withRow(y) { conversion.convert($0, to: row) }
        }
    }
}

extension BMPStoredRows {
    /// True if a pixel has any of the bits; missing rows have none.
    fileprivate func hasBits(
        _ bits: UInt32, of structure: BMPStructure, _ isCancelled: () -> Bool
    ) throws(DecodingFault) -> Bool {
        guard bits != 0 else { return false }
        let step = structure.bitsPerPixel / 8
        for y in 0..<structure.size.height {
            if isCancelled() { throw DecodingFault(.cancelled, at: 0, "it was cancelled") }
            guard let row = try row(y) else { continue }
            for start in stride(from: 0, to: row.count, by: step) {
                var pixel: UInt32 = 0
                for byte in 0..<step { pixel |= UInt32(row[start &+ byte]) << UInt32(8 * byte) }
                if pixel & bits != 0 { return true }
            }
        }
        return false
    }
}

extension BMPStructure.Palette {
    /// 256 colours with red in bits 16 to 23, then green and blue; missing ones are black.
    fileprivate func colours(in file: OpenFile) throws(DecodingFault) -> [UInt32] {
        let end = min(offset + count * entryBytes, file.length)
        var window = FileWindow(file, over: min(offset, end)..<end, capacity: 1 << 10)
        let bytes = try window.readBytes(count * entryBytes)
        var colours = [UInt32](repeating: 0, count: 256)
        for index in 0..<bytes.count / entryBytes {
            let start = index * entryBytes
            colours[index] =
                UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8
                | UInt32(bytes[start + 2]) << 16
        }
        return colours
    }
}
