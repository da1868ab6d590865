/// Progress and findings of a running verification.
public enum VerificationEvent: Sendable, Hashable {
    /// Totals after one more manifest or rendition.
    case progress(VerificationTotals)
    case finding(Finding)
}

/// Totals of a verification.
public struct VerificationTotals: Sendable, Hashable, Codable {
    /// Number of manifests.
    public internal(set) var manifests = 0
    /// Number of renditions, referenced or not.
    public internal(set) var renditions = 0
    /// Total length of the renditions.
    public internal(set) var bytes = ByteCount(0)

    mutating func count(rendition length: Int) {
        renditions += 1
        bytes = ByteCount(bytes.bytes + length)
    }
}
