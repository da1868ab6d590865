/// Threads for each attachment, with the raw values of `--threads`.
///
/// The renditions are the same bytes with one thread and with two.
public enum DecodingThreads: String, Sendable, CaseIterable {
    /// Two for an attachment that finds two cores idle: with them, the threads of all attachments of
    /// the pool are no more than the cores that this process may use. Others get one.
    case automatic = "auto"
    /// One.
    case one = "1"
    /// Two, however many cores there are.
    case two = "2"

    /// Number of threads for an attachment, beside those that others use.
    func count(beside others: Int, cores: Int) -> Int {
        switch self {
        case .automatic: others + 2 <= cores ? 2 : 1
        case .one: 1
        case .two: 2
        }
    }
}
