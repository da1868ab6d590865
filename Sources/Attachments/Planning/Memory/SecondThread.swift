package import AttachmentContainer
import AttachmentModel

/// Decoding by two threads, in a process that places large blocks in files.
package enum SecondThread: Sendable {
    /// Two tiles of a grid at the same time.
    case tiles

    /// Touched pages of the thread's stack, and its control block, in bytes: the main thread touches
    /// 60 KiB where it decodes (`bench/results/stacks.md`).
    static let threadBytes = 65_536.0
}

extension Plan {
    /// Nil if a second thread does not shorten the work.
    package var secondThread: SecondThread? {
        guard engine == .rows, decoder == .bounded else { return nil }
        return decodedHeader.coding.unitSize == nil ? nil : .tiles
    }
}

extension Planner {
    /// Memory of a second thread beside the plan's demand; nil if the plan has no use for one.
    ///
    /// The demand of plans leaves it out, so that a second thread never costs a rung.
    package func secondThreadDemand(of plan: Plan) -> ByteCount? {
        guard placesLargeBlocks, plan.secondThread != nil,
            let tile = plan.decodedHeader.coding.secondTileDemand(
                of: plan.decodedHeader, conditions(of: plan))
        else { return nil }
        return ByteCount(Int(min(tile + SecondThread.threadBytes, 1e15).rounded(.up)))
    }
}
