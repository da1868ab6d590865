/// The need of a payload for a worker, which decides whether its next step has to wait for one.
public enum WorkerNeed: Sendable, Hashable {
    /// The step needs a worker.
    case worker
    /// The step needs no worker, because pictures are unavailable or other payloads have them processed;
    /// a later step may need one.
    case later
    /// Neither the step nor a later one needs a worker.
    case none
}
