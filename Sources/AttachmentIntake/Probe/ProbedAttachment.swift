public import AttachmentPlanning

/// Header of an attachment, by its kind.
public enum ProbedAttachment: Sendable, Hashable {
    /// Picture; renditions are made from it.
    case picture(AttachmentHeader)
    /// Sound or movie; passed through.
    case media(MediaHeader)
}
