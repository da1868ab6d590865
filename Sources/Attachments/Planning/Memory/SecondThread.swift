package import AttachmentContainer
import AttachmentModel

/// Decoding by two threads, in a process that places large blocks in files.
package enum SecondThread: Sendable {
    /// Two tiles of a grid at the same time.
    case tiles
    /// The next rows, while the ones before are converted and resampled.
    case rows

    /// Buffers of decoded rows: one being filled, one waiting and one being resampled.
    package static let buffers = 3
    /// Least length of a buffer, in bytes: with a wait for each of fewer rows, 12 megapixels take
    /// thousands of system calls.
    package static let leastBufferBytes = 64 << 10
    /// Most rows of a buffer, of which it holds the planes.
    package static let bufferRows = 4_096
    /// Stack of a thread that reads ahead, in bytes: as large as the main thread's, on which the same
    /// decoders run.
    package static let stackBytes = 256 << 10

    /// Touched pages of the thread's stack, and its control block, in bytes: the main thread touches
    /// 60 KiB where it decodes (`bench/results/stacks.md`).
    static let threadBytes = 65_536.0

    /// Length of a buffer for rows of at most so many bytes.
    package static func bufferBytes(longestRow: Int) -> Int { max(leastBufferBytes, longestRow) }
}

extension Plan {
    /// Nil if a second thread does not shorten the work.
    ///
    /// Inks take their time in the conversion, and animations for their frames.
    package var secondThread: SecondThread? {
        let source = decodedHeader
        guard engine == .rows, decoder != .animation, source.colourModel != .cmyk else {
            return nil
        }
        return source.coding.unitSize == nil ? .rows : .tiles
    }
}

extension Planner {
    /// Memory of a second thread beside the plan's demand; nil if the plan has no use for one.
    ///
    /// The demand of plans leaves it out, so that a second thread never costs a rung.
    package func secondThreadDemand(of plan: Plan) -> ByteCount? {
        guard placesLargeBlocks, let thread = plan.secondThread else { return nil }
        let header = plan.decodedHeader
        var bytes = header.coding.secondThreadDemand(of: header, conditions(of: plan))
        if thread == .rows {
            guard let rowBytes = decodedRowBytes(of: plan) else { return nil }
            bytes +=
                Double(SecondThread.buffers)
                * (max(Double(SecondThread.leastBufferBytes), rowBytes)
                    + Double(SecondThread.bufferRows))
        }
        return ByteCount(Int(min(bytes + SecondThread.threadBytes, 1e15).rounded(.up)))
    }
}
