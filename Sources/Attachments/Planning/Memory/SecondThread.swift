package import AttachmentContainer
import AttachmentModel

/// Decoding by two threads, in a process that places large blocks in files.
package enum SecondThread: Sendable {
    /// Two tiles of a grid at the same time.
    case tiles
    /// The next rows, while the ones before are converted and resampled.
    case rows
    /// Groups of rows that do not depend on each other, by two decoders.
    case groups

    /// Buffers of groups: one being resampled, and two that may be decoded ahead.
    package static let groupBuffers = 3
    /// Longest group, in bytes: a wait for longer ones outweighs what the second decoder saves.
    static let longestGroup = Double(1 << 20)

    /// Buffers of decoded rows: one being filled, one waiting and one being resampled.
    package static let buffers = 3
    /// Filled buffers that wake a waiting reader, while the last one is being filled.
    package static let buffersAtOnce = 2
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
    /// Ways to use a second thread, the fastest first; empty if none shortens the work.
    ///
    /// Inks take their time in the conversion, and animations for their frames.
    fileprivate var secondThreads: [SecondThread] {
        let source = decodedHeader
        guard engine == .rows, decoder != .animation, source.colourModel != .cmyk else {
            return []
        }
        guard source.coding.unitSize == nil else { return [.tiles] }
        return decoder == .library && source.coding.rowGroups(of: source) != nil
            ? [.groups, .rows] : [.rows]
    }
}

extension Planner {
    /// Ways to use a second thread, the fastest first, with their memory beside the plan's demand; empty
    /// if the plan has no use for one.
    ///
    /// The demand of plans leaves it out, so that a second thread never costs a rung.
    package func secondThreads(of plan: Plan) -> [(thread: SecondThread, demand: ByteCount)] {
        guard placesLargeBlocks else { return [] }
        return plan.secondThreads.compactMap { thread in
            demand(of: thread, plan).map {
                (thread, ByteCount(Int(min($0 + SecondThread.threadBytes, 1e15).rounded(.up))))
            }
        }
    }

    private func demand(of thread: SecondThread, _ plan: Plan) -> Double? {
        let header = plan.decodedHeader
        let decoder = header.coding.secondThreadDemand(of: header, conditions(of: plan))
        switch thread {
        case .tiles: return decoder
        case .rows:
            return decodedRowBytes(of: plan).map {
                decoder
                    + Double(SecondThread.buffers)
                    * (max(Double(SecondThread.leastBufferBytes), $0)
                        + Double(SecondThread.bufferRows))
            }
        case .groups:
            guard let groups = header.coding.rowGroups(of: header),
                let rows = demand(of: .rows, plan)
            else { return nil }
            let shrink = Double(plan.loadShrink)
            let columns = (Double(header.storedSize.width + groups.padding) / shrink).rounded(.up)
            let lines = (Double(groups.rows) / shrink).rounded(.up)
            let samples = plan.loadShrink > 1 ? Double(groups.planes) : groups.samples
            let group = samples * (columns + 1) * lines
            guard group <= SecondThread.longestGroup else { return nil }
            // The other decoder's rows, and 8 bytes for the place of each group. A picture whose file
            // turns out to be unfit has rows decoded ahead instead.
            let held = Double(SecondThread.groupBuffers + 1) * group + 8 * Double(groups.count)
            return max(rows, decoder + groups.decoder + held)
        }
    }
}
