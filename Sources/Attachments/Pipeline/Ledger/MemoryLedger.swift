import AttachmentContainer
import AttachmentModel

/// Grants bytes of the process's work budget to concurrent attachments.
///
/// Grants are first come, first served: while a large attachment waits, later ones wait behind it,
/// so it cannot starve.
final class MemoryLedger: Sendable {
    enum GrantError: Error, Hashable {
        case exceedsBudget
        /// The process has kept memory since the budget was read; the work must be planned again.
        case staleBudget
        case deadline
        case cancelled
    }

    private let line: WaitingLine<WorkMemory>

    init(
        cap: MemoryCap, reserve: ByteCount = MemoryBudget.defaultReserve,
        footprint: @escaping @Sendable () -> ByteCount
    ) {
        line = WaitingLine(WorkMemory(cap: cap, reserve: reserve, footprint: footprint))
    }

    /// The current budget; the baseline is the footprint when the process was last idle.
    var budget: MemoryBudget { line.update { $0.budget } }

    var waiting: Int { line.count }

    /// `bytes` is the peak demand of the work, `budget` the budget that it was planned for.
    ///
    /// `beforeStills` is the part of `bytes` that is released before the stills are made.
    func withGrant<Value: Sendable>(
        _ bytes: ByteCount, beforeStills: ByteCount = ByteCount(0), of budget: MemoryBudget,
        until deadline: ContinuousClock.Instant?, usesVips: Bool = true,
        _ work: (Grant) async -> Value
    ) async throws(GrantError) -> Value {
        guard bytes <= budget.work else { throw .exceedsBudget }
        do throws(WaitingFailure<WorkMemory.StaleBudget>) {
            try await line.take(
                .init(bytes: bytes.bytes, usesVips: usesVips), until: deadline)
        } catch {
            switch error {
            case .refused: throw .staleBudget
            case .late: throw .deadline
            case .cancelled: throw .cancelled
            }
        }
        let grant = Grant(of: self, beforeStills: beforeStills)
        let value = await work(grant)
        line.update { $0.release(bytes.bytes + grant.added.bytes) }
        return value
    }

    /// Adds bytes to a grant; false if they are not free.
    func enlarge(by bytes: Int) -> Bool { line.update { $0.enlarge(by: bytes) } }
}
