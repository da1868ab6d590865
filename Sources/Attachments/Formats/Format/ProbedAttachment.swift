package import AttachmentModel

package enum ProbedAttachment: Sendable, Hashable {
    case picture(AttachmentHeader)
    case media(MediaHeader)
}

extension InspectedAttachment.Content {
    package init(_ probed: ProbedAttachment) {
        switch probed {
        case .picture(let header): self = .picture(PictureSummary(header))
        case .media(let header): self = .media(header)
        }
    }
}
