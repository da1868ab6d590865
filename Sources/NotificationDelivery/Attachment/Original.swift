import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

/// An original attachment and its eligibility for delivery as is.
struct Original: Sendable {
    let file: AllowedFile
    let eligibility: Result<AttachableType, DeliveryReason>

    /// Probes an attachment: reads at most 1 MiB and decodes nothing.
    init(_ file: AllowedFile, _ configuration: DeliveryStage.Configuration) {
        self.file = file
        let type: AttachableType
        do throws(AttachmentError) {
            switch try Probe.attachment(of: file.descriptor, file: file.path) {
            case .media(let header): type = AttachableType(header.type)
            case .picture(let header):
                do throws(DeliveryReason) {
                    type = try Self.type(of: header, configuration)
                } catch {
                    eligibility = .failure(error)
                    return
                }
            }
        } catch {
            eligibility = .failure(Self.refusal(of: error))
            return
        }
        let limit = configuration.attachmentLimits.limit(for: type.medium)
        eligibility =
            file.length <= limit.bytes
            ? .success(type)
            : .failure(
                .overTypeLimit("the original", ByteCount(file.length), type.medium, limit))
    }

    /// The type of a picture that the content extension can show.
    private static func type(
        of header: AttachmentHeader, _ configuration: DeliveryStage.Configuration
    ) throws(DeliveryReason) -> AttachableType {
        guard let type = AttachableType(header.format) else {
            throw DeliveryReason(
                .typeNotAttachable,
                message: "the system does not accept \(header.format.rawValue) attachments",
                remedy: "send JPEG, PNG or GIF, so that the original can serve as a fallback")
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
            throw .overRenderBudget(
                "the original has \(header.storedSize) pixels\(what)", budget)
        }
        return type
    }

    /// The reason for not attaching a file whose header is unreadable.
    private static func refusal(of error: AttachmentError) -> DeliveryReason {
        switch error.code {
        case .unreadable: DeliveryReason(error)
        case .unsupported:
            DeliveryReason(
                .typeNotAttachable,
                message: "the system does not accept this kind of file: \(error.reason)",
                remedy: "send JPEG, PNG or GIF")
        default: .damaged
        }
    }
}

extension DeliveryReason {
    static func overTypeLimit(
        _ what: String, _ bytes: ByteCount, _ medium: AttachableType.Medium, _ limit: ByteCount
    ) -> DeliveryReason {
        DeliveryReason(
            .overTypeLimit,
            message: "\(what) has \(bytes); the system accepts at most \(limit) for a "
                + medium.rawValue,
            remedy: "send a smaller file")
    }

    static let damaged = DeliveryReason(
        .damaged, message: "the original violates its format",
        remedy: "export the picture again from its source")

    fileprivate static func overRenderBudget(
        _ finding: String, _ budget: ByteCount
    ) -> DeliveryReason {
        DeliveryReason(
            .overRenderBudget,
            message: "\(finding); decoded, it exceeds the render budget of \(budget)",
            remedy: "send a smaller picture, or raise the render budget")
    }
}

extension Int {
    fileprivate func multipliedSaturating(by factor: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
