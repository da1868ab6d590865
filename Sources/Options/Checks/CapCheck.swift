import AttachmentContainer
public import AttachmentModel
public import AttachmentWorker

/// The mechanism that enforces the cap, and the memory of all workers.
public struct CapCheck: Checking {
    private let cap: MemoryCap
    private let enforcement: Enforcement
    private let jobs: Int

    /// Checks the cap on each of a number of workers.
    public init(_ cap: MemoryCap, by enforcement: Enforcement, jobs: Int) {
        (self.cap, self.enforcement, self.jobs) = (cap, enforcement, jobs)
    }

    /// The results of the trial.
    public func diagnoses() async -> [Diagnosis] { [mechanism(), memory()] }

    private func mechanism() -> Diagnosis {
        do throws(EnforcementError) {
            let mechanism = try HardCap(cap, by: enforcement).mechanism
            let found = "\(mechanism.rawValue) enforces \(cap)"
            switch mechanism {
            case .controlGroup1, .controlGroup2: return .ok("cap", found)
            case .dataLimit where enforcement == .rlimit:
                return .ok("cap", found)
            case .dataLimit:
                return .warning(
                    "cap", "\(found), and refuses pictures that fit it in a control group",
                    remedy: "delegate the memory controller, as by Delegate=yes in the unit")
            case .monitor:
                return .warning(
                    "cap", "\(found), and misses short peaks", remedy: "choose --enforce auto")
            }
        } catch {
            return .failed(
                "cap",
                "the enforcement \(error.enforcement.rawValue) is unavailable: \(error.reason)",
                remedy: error.remedy)
        }
    }

    private func memory() -> Diagnosis {
        let needed = ByteCount(jobs * cap.footprint.bytes)
        let found = "\(jobs) workers take at most \(needed)"
        guard let available = AvailableMemory.current() else { return .ok("memory", found) }
        guard available >= needed else {
            return .warning(
                "memory", "\(found), and only \(available) are available",
                remedy: "lower --jobs or --cap, or allow more memory")
        }
        return .ok("memory", "\(found) of \(available)")
    }
}
