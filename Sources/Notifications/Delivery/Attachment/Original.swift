import AttachmentContainer
import AttachmentModel

/// An original attachment and its eligibility for delivery as is.
final class Original: Sendable {
    let file: AllowedFile
    private let configuration: DeliveryStage.Configuration
    private let inspected = Lock<Result<InspectedAttachment, AttachmentError>?>(nil)

    init(_ file: AllowedFile, _ configuration: DeliveryStage.Configuration) {
        self.file = file
        self.configuration = configuration
    }

    func record(_ result: Result<InspectedAttachment, AttachmentError>) {
        inspected.withLock { $0 = result }
    }

    var isInspected: Bool { inspected.withLock { $0 != nil } }

    /// The original's type, if it may be attached; a failure while the header is unknown.
    var eligibility: Result<AttachableType, DeliveryReason> {
        guard let result = inspected.withLock(\.self) else { return .failure(.notInspected) }
        return Result { () throws(DeliveryReason) in try type(result) }
    }

    private func type(
        _ result: Result<InspectedAttachment, AttachmentError>
    ) throws(DeliveryReason) -> AttachableType {
        guard !file.isEncrypted else { throw .encrypted }
        let type: AttachableType
        switch result {
        case .failure(let error): throw Self.refusal(of: error)
        case .success(let found):
            switch found.content {
            case .media(let header):
                if let obstacle = header.obstacle { throw .notAttachable(obstacle) }
                type = AttachableType(header.type)
            case .picture(let picture): type = try Self.type(of: picture, configuration)
            }
        }
        let limit = configuration.attachmentLimits.limit(for: type.medium)
        guard file.length <= limit.bytes else {
            throw .overTypeLimit("the original", ByteCount(file.length), type.medium, limit)
        }
        return type
    }

    private static func type(
        of header: PictureSummary, _ configuration: DeliveryStage.Configuration
    ) throws(DeliveryReason) -> AttachableType {
        guard let type = AttachableType(header.format) else {
            throw DeliveryReason(
                .typeNotAttachable,
                reason: "the system does not accept \(header.format.rawValue) attachments")
        }
        let budget =
            header.isAnimated ? configuration.animationRenderBudget : configuration.renderBudget
        guard let frames = header.frameCount else {
            throw .overRenderBudget("the original has too many frames to count", budget)
        }
        // Decoders use eight bytes per pixel for more than eight bits per sample.
        let factor = header.bitsPerSample > 8 ? 2 : 1
        let (bytes, overflow) = header.storedSize.decodedBytes.bytes
            .multipliedReportingOverflow(by: max(1, frames).multipliedSaturating(by: factor))
        guard !overflow, bytes <= budget.bytes else {
            let what = frames > 1 ? " with \(frames) frames" : ""
            throw .overRenderBudget("the original has \(header.storedSize) pixels\(what)", budget)
        }
        return type
    }

    private static func refusal(of error: AttachmentError) -> DeliveryReason {
        switch error.code {
        case .empty, .truncated, .corrupt: .damaged
        case .unsupported: .notAttachable(error.reason)
        default: DeliveryReason(error)
        }
    }
}

extension DeliveryReason {
    static func overTypeLimit(
        _ what: String, _ bytes: ByteCount, _ medium: AttachableType.Medium, _ limit: ByteCount
    ) -> DeliveryReason {
        DeliveryReason(
            .overTypeLimit,
            reason: "\(what) has \(bytes); the system accepts at most \(limit) for a "
                + medium.rawValue)
    }

    /// The processor was too busy to read the header.
    static let notInspected = DeliveryReason(
        .deadline, reason: "the original's header was not read in time",
        remedy: "allow more time, or use more workers")
    fileprivate static let encrypted = DeliveryReason(
        .encrypted, reason: "the original is encrypted, and is not stored in the clear")
    static let damaged = DeliveryReason(
        .damaged, reason: "the original violates its format")

    fileprivate static func notAttachable(_ reason: String) -> DeliveryReason {
        DeliveryReason(
            .typeNotAttachable, reason: "the system does not accept this kind of file: \(reason)",
            remedy: "send JPEG, PNG or GIF")
    }

    fileprivate static func overRenderBudget(
        _ finding: String, _ budget: ByteCount
    ) -> DeliveryReason {
        DeliveryReason(
            .overRenderBudget,
            reason: "\(finding); decoded, it exceeds the render budget of \(budget)")
    }
}

extension Int {
    fileprivate func multipliedSaturating(by factor: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
