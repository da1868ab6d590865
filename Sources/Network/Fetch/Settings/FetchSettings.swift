public import AttachmentContainer
import AttachmentModel
public import TransferProtocol

/// Limits on fetching, and the servers that may be contacted.
///
/// The defaults suit URLs from strangers: only `https` on port 443, only addresses of the public
/// Internet.
public struct FetchSettings: Sendable, Hashable {
    /// Limit on a file's length, announced or not.
    ///
    /// The default is 50 MB, the system's limit on attachments.
    public var maximumBytes: ByteCount = .megabytes(50)
    /// Time for one file, redirections included.
    ///
    /// The default is 20 seconds, less than the 25 of a delivery.
    public var timeout: Duration = .seconds(20)
    /// Time for name resolution, connection and TLS handshake with one server.
    ///
    /// ``timeout`` holds too, so a longer time changes nothing. The default is 5 seconds.
    public var connectTimeout: Duration = .seconds(5)
    /// Least speed, in bytes a second; 0 for none.
    ///
    /// The default is 1 kB.
    public var minimumSpeed = ByteCount(1000)
    /// Time below the least speed after which the transfer ends, in whole seconds.
    ///
    /// The default is 10 seconds.
    public var stallTime: Duration = .seconds(10)
    /// Maximum number of redirections, from 0 to 20.
    ///
    /// The default is 5.
    public var maximumRedirects = 5
    /// Maximum number of transfers at once, from 1 to 64; others wait.
    ///
    /// The default is 8.
    public var maximumTransfers = 8

    /// Addresses that are allowed although they are not public, whatever their kind.
    ///
    /// An example is `AddressRange("10.0.0.0/8")` of `TransferProtocol`. The default is empty.
    public var allowedNetworks: [AddressRange] = []
    /// Names of hosts, in lowercase, whose addresses may be in the local network.
    ///
    /// A name allows loopback, private, shared and unique-local addresses. Link-local addresses and
    /// metadata services stay refused.
    ///
    /// The default is none.
    public var allowedHosts: Set<String> = []
    /// Ports that are allowed besides 443, and 80 with `http`.
    ///
    /// The default is none.
    public var allowedPorts: [UInt16] = []
    /// True to allow `http`, which others can read and change in transit.
    ///
    /// The default is false. `https` never redirects to `http`.
    public var allowsInsecureTransfer = false
    /// Headers for hosts that need credentials.
    ///
    /// The default is none.
    public var headers = FetchHeaders()
    /// Path of a file of certificate authorities in PEM, in place of the system's.
    ///
    /// The default is nil, for the system's.
    public var authorities: String?
    /// True to use the proxy that the environment names (`https_proxy`, `http_proxy`, `no_proxy`).
    ///
    /// The default is false. A proxy connects to any address that it can reach: the rules for
    /// addresses then apply only to URLs that spell one.
    public var usesEnvironmentProxy = false

    /// Limit on the files in the container's cache.
    ///
    /// The default is 256 MiB.
    public var maximumCacheBytes: ByteCount = .mebibytes(256)
    /// Time after its last use when a file leaves the cache.
    ///
    /// The default is 7 days, after which `SharedContainer.prune` removes it in any case.
    public var maximumCacheAge: Duration = .seconds(7 * 86_400)
    /// Time for which a file is reused if the server states none and no time of its last change.
    ///
    /// The default is 60 seconds.
    public var unstatedFreshness: Duration = .seconds(60)
    /// Time for which a failure is the answer to the same URL.
    ///
    /// Failures of one attempt, such as a full disk, never are. The default is 5 seconds.
    public var failureLifetime: Duration = .seconds(FailureLifetime.server.seconds)

    /// Creates settings with every default.
    public init() {}

    /// Checks every field against its range.
    ///
    /// - Throws: `SettingsError` naming the first field at fault and its range.
    public func validate() throws(SettingsError) {
        let day = Duration.seconds(86_400)
        try check(1...(1 << 40) ~= maximumBytes.bytes, "maximumBytes", "from 1 byte to 1 TiB")
        try check(.milliseconds(10)...day ~= timeout, "timeout", "from 0.01 s to a day")
        try check(
            .milliseconds(10)...day ~= connectTimeout, "connectTimeout", "from 0.01 s to a day")
        try check(0...(1 << 30) ~= minimumSpeed.bytes, "minimumSpeed", "from 0 to 1 GiB")
        try check(
            .seconds(1)...day ~= stallTime && stallTime.components.attoseconds == 0, "stallTime",
            "whole seconds, from 1 s to a day")
        try check(0...20 ~= maximumRedirects, "maximumRedirects", "from 0 to 20")
        try check(1...64 ~= maximumTransfers, "maximumTransfers", "from 1 to 64")
        try check(!allowedPorts.contains(0), "allowedPorts", "from 1 to 65535")
        try check(
            allowedHosts.allSatisfy { RemoteLocation.normalisedHost($0) == $0 }, "allowedHosts",
            "names in lowercase, without scheme and port")
        try check(maximumCacheBytes.bytes >= 0, "maximumCacheBytes", "at least 0 bytes")
        try check(maximumCacheAge >= .seconds(1), "maximumCacheAge", "at least 1 second")
        try check(
            .zero...day ~= unstatedFreshness, "unstatedFreshness", "from 0 s to a day")
        try check(.zero...day ~= failureLifetime, "failureLifetime", "from 0 s to a day")
    }

    private func check(_ holds: Bool, _ field: String, _ range: String) throws(SettingsError) {
        try SettingsError.check(holds, field, range)
    }
}
