public import AttachmentPlanning

/// What the probe found an attachment to be.
public enum ProbedAttachment: Sendable, Hashable, Codable {
    /// A picture, of which renditions are made.
    case picture(AttachmentHeader)
    /// Sound or a movie, which is passed through.
    case media(MediaHeader)
}
