import AttachmentContainer
package import AttachmentModel
import AttachmentPlanning

extension PlanLadder {
    func refusal(
        of file: String, within budget: MemoryBudget, wouldFitOnDisk: Bool
    ) -> AttachmentError {
        let demand = cheapest.demand.total(in: budget)
        let reason =
            "its cheapest rung, \(cheapest.plan.rung.rawValue), takes \(demand), but only "
            + "\(budget.work) are left under the cap beside the process's own \(budget.baseline); "
            + "a cap of \(budget.smallestCap(for: demand)) is enough"
        guard wouldFitOnDisk else { return AttachmentError(.overCap, file: file, reason: reason) }
        return AttachmentError(
            .overCap, file: file,
            AttachmentError.Code.overCap.fault(
                reason: reason + ", and so are scratch files on a disk",
                remedy:
                    "put the container or the folder for scratch files on a disk, or raise the cap",
                options: ["scratch", "cap"]))
    }
}

extension AttachmentError {
    package static func cancelled(_ file: String) -> AttachmentError {
        AttachmentError(.cancelled, file: file, reason: "it was cancelled")
    }

    static func needsLibvips(_ file: String, _ plan: Plan) -> AttachmentError {
        AttachmentError(
            .needsLibvips, file: file,
            reason: "its plan, \(plan), needs libvips, which this process does not carry")
    }

    /// `isChosen` is true if the settings choose libvips for every picture.
    static func notSealed(
        _ file: String, _ plan: Plan, isChosen: Bool
    ) -> AttachmentError {
        AttachmentError(
            .unsupported, file: file,
            reason:
                "its plan, \(plan), needs libvips or scratch files, which have pixels in the clear, "
                + "and its renditions are to be sealed",
            remedy: isChosen
                ? "choose the automatic engine, and send a JPEG or PNG"
                : "send a JPEG or PNG, or decode it with ImageIOProcessor")
    }

    static func notBuilt(_ file: String, _ header: AttachmentHeader) -> AttachmentError {
        AttachmentError(
            .unsupported, file: file,
            reason: "this build has no decoder for its coding, \(header.format.rawValue)")
    }

    /// Nil if the work only has to be planned again.
    init?(_ refusal: MemoryLedger.GrantError, file: String) {
        switch refusal {
        case .staleBudget:
            return nil
        case .exceedsBudget:
            self.init(.overCap, file: file, reason: "its plan exceeds the work budget")
        case .deadline:
            self.init(.late, file: file, reason: "the deadline passed while it waited for memory")
        case .cancelled:
            self = .cancelled(file)
        }
    }
}
