public import AttachmentContainer

/// Limits on publishing.
public struct PublishSettings: Sendable, Hashable {
    /// URL under which the destination is served, such as a CDN's; object names are appended.
    ///
    /// The default is nil: the store's own URL.
    public var baseURL: String?
    /// Time after which the store is asked again whether an object is there.
    ///
    /// An object that somebody else deletes is uploaded again after at most this time. The default is
    /// 5 minutes.
    public var verificationInterval: Duration = .seconds(300)
    /// Time for one request.
    ///
    /// The default is 15 seconds.
    public var requestTimeout: Duration = .seconds(15)
    /// Maximum number of requests at once, from 1 to 64; others wait.
    ///
    /// The default is 8.
    public var maximumRequests = 8
    /// Time for which a failure is the answer to all publications.
    ///
    /// The default is 5 seconds.
    public var failureLifetime: Duration = .seconds(5)

    /// Longest ``verificationInterval``, in seconds.
    static let longestVerificationInterval = 3600.0

    /// Creates settings with every default.
    public init() {}

    /// Checks every field against its range.
    ///
    /// - Throws: `SettingsError` naming the first field at fault and its range.
    public func validate() throws(SettingsError) {
        let day = Duration.seconds(86_400)
        if let baseURL {
            try SettingsError.check(
                baseURL.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
                    && baseURL.firstRange(of: "://") != nil,
                "baseURL", "a URL without spaces")
        }
        try SettingsError.check(
            .zero...(.seconds(Self.longestVerificationInterval)) ~= verificationInterval,
            "verificationInterval", "from 0 s to an hour")
        try SettingsError.check(
            .milliseconds(10)...day ~= requestTimeout, "requestTimeout", "from 0.01 s to a day")
        try SettingsError.check(1...64 ~= maximumRequests, "maximumRequests", "from 1 to 64")
        try SettingsError.check(
            .zero...day ~= failureLifetime, "failureLifetime", "from 0 s to a day")
    }
}
