/// A progressive JPEG, or a sequential one in several scans, as a baseline JPEG of a single scan that
/// is made while it is read.
///
/// A decoder of such files must hold all coefficients of the picture, since each scan goes through
/// all of it. Here every scan has a reader of its own, and all go through one row of units before
/// any goes on (T.81, A.2: MCU); the row is coded again without loss. libjpeg-turbo decodes the
/// stream to the same samples as the file, at every scale.
///
/// What libjpeg adds to files that leave bits of coefficients out for good, smoothing between
/// blocks, it does not add to the stream.
package final class ProgressiveJPEGStream: SimplerFile {
    private enum Stage {
        case applications
        case segments
        case rows
        case failed(DecodingFault)
    }

    private let index: JPEGScanIndex
    private let descriptor: CInt
    private let length: Int
    private let isTolerant: Bool
    private var stage = Stage.applications
    private var applications: JPEGApplicationSegments?
    private var segments: [UInt8]
    private var transcoder: JPEGRowTranscoder?
    /// Bytes of the transcoder that were not given yet; valid up to its next call.
    private var coded = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    /// Opens a file, and reads it once to find its scans.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's, and stays open as
    ///     long as the stream is read.
    ///   - length: What the file holds, in bytes.
    ///   - loadShrink: The divisor that the stream will be decoded at, 1, 2, 4 or 8: coefficients
    ///     that libjpeg-turbo does not read there are left out. With 1 the stream serves all scales.
    ///   - isTolerant: Whether damage is passed over as libjpeg does, and the scans before the end of
    ///     a truncated file are a picture. Else both are faults.
    /// - Throws: `DecodingFault`: `corrupt`, `truncated`, `unreadable`; `unsupported` for arithmetic
    ///   coding, other than 8 bits a sample, more than 10 blocks in a unit, a height that stands
    ///   behind the first scan; `overCeiling` for more than 100 scans.
    package init(
        descriptor: CInt, length: Int, loadShrink: Int, isTolerant: Bool
    ) throws(DecodingFault) {
        index = try JPEGScanIndex(
            descriptor: descriptor, length: length, loadShrink: loadShrink, isTolerant: isTolerant)
        self.descriptor = descriptor
        self.length = length
        self.isTolerant = isTolerant
        applications = try JPEGApplicationSegments(descriptor: descriptor, end: index.headerEnd)
        segments = [0xFF, JPEGMarker.startOfImage]
    }

    /// Writes the next bytes of the stream.
    ///
    /// - Parameter buffer: Room for at least one byte.
    /// - Returns: How many bytes were written; 0 at the end of the stream.
    /// - Throws: `DecodingFault`. Every later call throws the same.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
        guard !buffer.isEmpty else { return 0 }
        do throws(DecodingFault) {
            return try readNext(into: buffer)
        } catch {
            stage = .failed(error)
            throw error
        }
    }

    private func readNext(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
        while true {
            if !segments.isEmpty { return takeSegments(into: buffer) }
            switch stage {
            case .applications:
                segments = try applications?.next() ?? []
                guard segments.isEmpty else { continue }
                applications = nil
                segments = JPEGStreamHeader.segments(for: index)
                stage = .segments
            case .segments:
                transcoder = JPEGRowTranscoder(
                    index, descriptor: descriptor, length: length, isTolerant: isTolerant)
                stage = .rows
            case .rows:
                if coded.isEmpty, let transcoder { coded = try transcoder.next() }
                let count = min(buffer.count, coded.count)
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(
                        start: coded.baseAddress, count: count))
                coded = UnsafeBufferPointer(rebasing: coded[count...])
                return count
            case .failed(let fault):
                throw fault
            }
        }
    }

    private func takeSegments(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, segments.count)
        buffer.copyBytes(from: segments[..<count])
        segments.removeFirst(count)
        return count
    }
}
