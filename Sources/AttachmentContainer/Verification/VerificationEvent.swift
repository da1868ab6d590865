/// What a verification tells while it runs.
public enum VerificationEvent: Sendable, Hashable {
    /// One more manifest or rendition was read; this is what it comes to so far.
    case progress(VerificationTotals)
    /// Something was noticed.
    case finding(Finding)
}

/// How much a verification has read.
public struct VerificationTotals: Sendable, Hashable, Codable {
    /// The manifests of notifications.
    public internal(set) var manifests = 0
    /// The renditions, whether or not a manifest names them.
    public internal(set) var renditions = 0
    /// The lengths of the renditions, added up.
    public internal(set) var bytes = ByteCount(0)

    mutating func count(rendition length: Int) {
        renditions += 1
        bytes = ByteCount(bytes.bytes + length)
    }
}
