import AttachmentContainer
package import AttachmentModel

/// Decodes the planes of a lossy WebP image, without conversion to RGB.
///
/// libwebp reduces by an exact divisor only, as libjpeg does. Its reduction to the size of a
/// rendition costs up to 4.0 points of SSIMULACRA2 (measured at 12 megapixels to 1200).
package final class LossyWebPPlanes: DecodedPlanes {
    /// Rows of luma passed on by a call: those of a row of chroma.
    ///
    /// A few bytes may code all rows, which a caller that holds them would keep in memory.
    private static let rowsAtOnce = 2

    package let planes: [DecodedPlane]
    package var hasAlpha: Bool { alpha != nil }
    package let profile: [UInt8]?
    private let coded: CodedLossyPicture
    private let decoder: LossyPictureDecoder
    private let alpha: LossyWebPPlaneAlpha?
    private let isScaled: Bool
    private let isTolerant: Bool
    /// Rows passed on, of each plane.
    private var passed = [0, 0, 0]
    /// True once damage has ended a tolerant decoding: the rest is black.
    private var isBlank = false
    private var fault: DecodingFault?
    private var row: [UInt8]

    /// `loadShrink` is the divisor of both sides, 1 for an image with an alpha plane.
    ///
    /// A tolerant decoder needs one complete row. The rest is black, or transparent beside alpha. With two
    /// threads, libwebp has one for the loop filter, except of a tolerant decoder, so that the rows
    /// before damage are the same.
    package init(
        _ file: OpenFile, loadShrink: Int, scratch: ScratchSpace, isTolerant: Bool,
        threads: Int = 1
    ) throws(DecodingFault) {
        let container = try WebPContainer(file, isTolerant: isTolerant)
        let stored = try container.lossySize(in: file, isTolerant: isTolerant)
        let loadShrink = container.alpha == nil ? loadShrink : 1
        let size = PixelSize(
            width: (stored.width + loadShrink - 1) / loadShrink,
            height: (stored.height + loadShrink - 1) / loadShrink)
        planes = Self.planes(of: size, from: stored)
        profile = try container.readProfile(in: file)
        alpha =
            container.alpha == nil
            ? nil
            : LossyWebPPlaneAlpha(
                try LossyWebPAlpha(
                    container, in: file, width: size.width, scratch: scratch,
                    isTolerant: isTolerant), of: size)
        coded = try CodedLossyPicture(file, over: container.picture, scratch: scratch)
        isScaled = size != stored
        decoder = try LossyPictureDecoder(
            size: size, isScaled: isScaled, as: .planes, scratch: scratch,
            threads: isTolerant ? 1 : threads)
        self.isTolerant = isTolerant
        row = Array(repeating: 0, count: (alpha == nil ? 1 : 2) * size.width)
    }

    /// libwebp maps all samples of a plane to all of the reduced one.
    private static func planes(of size: PixelSize, from stored: PixelSize) -> [DecodedPlane] {
        let luma = DecodedPlane(
            width: size.width, height: size.height, coveredWidth: Double(size.width),
            coveredHeight: Double(size.height))
        // The picture covers half of the last sample of an odd side.
        func covered(_ samples: Int, _ stored: Int) -> Double {
            Double(samples) * Double(stored) / Double(2 * ((stored + 1) / 2))
        }
        let (width, height) = ((size.width + 1) / 2, (size.height + 1) / 2)
        let chroma = DecodedPlane(
            width: width, height: height, coveredWidth: covered(width, stored.width),
            coveredHeight: covered(height, stored.height))
        return [luma, chroma, chroma]
    }

    package func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        if let fault { throw fault }
        guard passed[0] < planes[0].height else { return false }
        do throws(DecodingFault) {
            if !isBlank, decoder.rowCount == passed[0] { try decodeMore() }
            // Blank rows come one at a time, so that a caller can cancel.
            let luma = isBlank ? max(passed[0] + 1, decoder.rowCount) : decoder.rowCount
            for y in passed[0]..<min(luma, passed[0] + Self.rowsAtOnce) {
                try alpha?.readRow(isBlank: y >= decoder.rowCount)
                for plane in planes.indices { pass(plane, before: y + 1, to: row) }
            }
        } catch {
            fault = error
            throw error
        }
        return true
    }

    /// Passes on the rows of a plane that belong to so many rows of luma.
    private func pass(
        _ plane: Int, before luma: Int, to row: (Int, UnsafeRawPointer) -> Void
    ) {
        while passed[plane] < finished(plane, after: luma) {
            fill(plane, passed[plane])
            self.row.withUnsafeBytes { bytes in
                // A row is not empty.
                if let start = bytes.baseAddress { row(plane, start) }
            }
            passed[plane] += 1
        }
    }

    /// Rows of a plane that are finished after so many rows of luma.
    ///
    /// libwebp reduces chroma by itself, a row behind luma at most. Without reduction it writes both
    /// together, an even number of rows at a time.
    private func finished(_ plane: Int, after luma: Int) -> Int {
        guard plane > 0, luma < planes[0].height else { return min(luma, planes[plane].height) }
        return max(0, luma / 2 - (isScaled ? 1 : 0))
    }

    private func decodeMore() throws(DecodingFault) {
        let before = decoder.rowCount
        do throws(DecodingFault) {
            while decoder.rowCount == before {
                guard !decoder.isAtEnd, try coded.readMore() else {
                    throw DecodingFault(
                        .truncated, at: coded.offset, "its image data end before the image does")
                }
                try decoder.decode(coded.bytes, at: coded.offset)
            }
        } catch {
            guard isTolerant, error.comesFromBytes, decoder.rowCount > 0 else { throw error }
            isBlank = true
        }
    }

    /// Writes a row in full range; black if it was not decoded, or transparent beside alpha.
    private func fill(_ plane: Int, _ y: Int) {
        guard y < finished(plane, after: decoder.rowCount) else {
            for x in row.indices { row[x] = plane == 0 || hasAlpha ? 0 : 128 }
            return
        }
        let source = decoder.row(y, ofPlane: plane)
        if let alpha {
            row.withUnsafeMutableBytes { target in
                alpha.withRow(ofPlane: plane) { alpha in
                    if plane == 0 {
                        VideoRange.expandLuma(source, beside: alpha, to: target)
                    } else {
                        VideoRange.expandChroma(source, beside: alpha, to: target)
                    }
                }
            }
            return
        }
        row.withUnsafeMutableBytes { target in
            if plane == 0 {
                VideoRange.expandLuma(source, to: target)
            } else {
                VideoRange.expandChroma(source, to: target)
            }
        }
    }
}
