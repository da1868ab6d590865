/// Time for which a failure answers equal requests without another attempt.
///
/// Each code of an error names its case, and every memory of failures asks it: the fetch cache as well
/// as the results of a fleet. No failure lasts for ever, because limits are raised, releases replaced
/// and files exported again.
public enum FailureLifetime: Sendable, Hashable, CaseIterable {
    /// One attempt is at fault: a deadline, a cancellation, a full disk.
    case attempt
    /// A server or the way to it is at fault.
    case server
    /// Memory, options or release of this machine are at fault.
    case machine
    /// The file took several processes with it.
    case poison
    /// The bytes of the file are at fault.
    case file

    /// The time, in seconds.
    public var seconds: Int {
        switch self {
        case .attempt: 0
        // Spares a server that fails a burst of requests; a person who tries again waits longer.
        case .server: 5
        // A raised limit takes effect within minutes, and a picture of a campaign is decoded six
        // times an hour at most.
        case .machine: 600
        // Each attempt may take five workers of a fleet with it.
        case .poison: 3600
        // Costs one decoding a day; a new release may read the file.
        case .file: 86_400
        }
    }
}

extension AttachmentError.Code {
    /// Time for which the failure answers for an equal file and equal settings.
    public var lifetime: FailureLifetime {
        switch self {
        case .unreadable, .late, .storage, .service, .cancelled: .attempt
        case .needsLibvips, .dimensions, .sparse, .tooManyFrames, .tooLong, .canvas, .tooLarge,
            .doesNotFit, .overCap, .scratchLimit, .killed, .crashed:
            .machine
        case .empty, .unsupported, .truncated, .corrupt, .mediaTooLarge, .decoderLimit: .file
        }
    }
}
