import AttachmentContainer
import AttachmentModel

/// The bytes of a process that a ``MemoryLedger`` grants.
struct WorkMemory: WaitingResource {
    struct Request {
        let bytes: Int
        let usesVips: Bool
    }

    /// The bytes do not even fit alone: since its budget was read, the process has kept memory.
    struct StaleBudget: Error {}

    private let cap: MemoryCap
    private let reserve: ByteCount
    private let footprint: @Sendable () -> ByteCount
    /// The footprint before the first attachment.
    private let cold: ByteCount
    private var granted = 0
    private var grants = 0
    private var hasUsedVips = false
    private var holders = 0
    /// The footprint when the process was last seen idle.
    private var baseline: ByteCount
    /// Bytes of the grants released since then.
    private var released = 0

    init(cap: MemoryCap, reserve: ByteCount, footprint: @escaping @Sendable () -> ByteCount) {
        self.cap = cap
        self.reserve = reserve
        self.footprint = footprint
        cold = footprint()
        baseline = cold
    }

    /// The current budget; the baseline is the footprint when the process was last idle.
    var budget: MemoryBudget {
        mutating get {
            if holders == 0 { readBaseline() }
            return MemoryBudget(
                cap: cap, baseline: baseline, reserve: reserve, isCold: grants == 0,
                hasUsedVips: hasUsedVips)
        }
    }

    mutating func answer(_ request: Request) -> WaitingAnswer<Void, StaleBudget> {
        guard fits(request.bytes) else {
            return holders == 0 ? .refused(StaleBudget()) : .allWait
        }
        granted += request.bytes
        holders += 1
        grants += 1
        if request.usesVips { hasUsedVips = true }
        return .granted(())
    }

    mutating func release(_ bytes: Int) {
        granted -= bytes
        released += bytes
        holders -= 1
    }

    mutating func enlarge(by bytes: Int) -> Bool {
        guard inUse + bytes <= capacity else { return false }
        granted += bytes
        return true
    }

    private mutating func readBaseline() {
        // Reading headers, before the first grant, takes what plans count anyway.
        baseline = MemoryBudget.baseline(
            idle: footprint(), cold: cold, hasUsedVips: hasUsedVips || grants == 0)
        released = 0
    }

    private mutating func fits(_ bytes: Int) -> Bool {
        guard holders == 0 else { return inUse + bytes <= capacity }
        if released > 0 { readBaseline() }
        return bytes <= capacity
    }

    private var capacity: Int {
        MemoryBudget(cap: cap, baseline: baseline, reserve: reserve).work.bytes
    }

    /// Memory that grants use, may still use, or have left behind.
    ///
    /// Freed memory that the allocator still holds counts toward the footprint, and current grants
    /// may not be able to use it.
    private var inUse: Int {
        let grown = footprint().bytes - baseline.bytes
        return max(granted + max(0, min(grown, released)), grown)
    }
}
