import AttachmentContainer
import AttachmentFetch
import Foundation
import TransferProtocol

/// The options of fetching.
public enum FetchOption {
    /// A declaration of this kind.
    public typealias Declaration = OptionDeclaration<FetchFlags, FetchChoices>

    /// All of them, in the order of the help.
    public static let all: [Declaration] = [
        allowNetwork, allowHost, allowPort, allowHttp, fetchHeaders, caFile, proxyFromEnvironment,
        maxFetchBytes, fetchTimeout, connectTimeout, maxFetches, maxFetchCache,
    ]

    package static let allowNetwork: Declaration = .list(
        "allow-network", \.allowNetwork, \.limits.allowedNetworks,
        "ranges of addresses such as 10.0.0.0/8",
        "Addresses to allow although they are not public, such as 10.0.0.0/8; may be repeated.",
        valueName: "cidr"
    ) { AddressRange($0) }
    package static let allowHost: Declaration = .list(
        "allow-host", \.allowHost, \.limits.allowedHosts.sorted, "names of hosts",
        "Host whose addresses may be in the local network; may be repeated.", valueName: "name"
    ) { $0.isEmpty ? nil : $0.lowercased() }
    package static let allowPort: Declaration = .list(
        "allow-port", \.allowPort, \.limits.allowedPorts, "ports",
        "Port to allow besides 443, and 80 with http; may be repeated.", valueName: "port"
    ) { UInt16($0) }
    package static let allowHttp: Declaration = .answer(
        "allow-http", \.allowHttp, \.limits.allowsInsecureTransfer,
        "Allow http URLs, which others can read and change in transit.")
    package static let fetchHeaders: Declaration = .path(
        "fetch-headers", \.fetchHeaders, \.headersFile, "a file that others cannot read",
        "File of headers for hosts that need credentials."
    )
    .explained(
        #"JSON such as {"media.example.com": {"Authorization": "Bearer …"}}. A header is "#
            + "sent to exactly that host, if the URL names it: a redirection by another host gets "
            + "none. Only the file's owner may have access to it.")
    package static let caFile: Declaration = .path(
        "ca-file", \.caFile, \.limits.authorities.orEmpty, "a file",
        "File of certificate authorities in PEM, in place of the system's.")
    package static let proxyFromEnvironment: Declaration = .answer(
        "proxy-from-environment", \.proxyFromEnvironment, \.limits.usesEnvironmentProxy,
        "Use the proxy that https_proxy, http_proxy and no_proxy name.")
    package static let maxFetchBytes: Declaration = .bytes(
        "max-fetch-bytes", \.maxFetchBytes, \.limits.maximumBytes,
        ByteCount(1)...ByteCount(2_000_000_000), "Maximum length of a fetched file.")
    package static let fetchTimeout: Declaration = .number(
        "fetch-timeout", \.fetchTimeout, \.limits.timeout.inSeconds, 0.01...3600, unit: "seconds",
        "Time limit for one file, redirections included.")
    package static let connectTimeout: Declaration = .number(
        "connect-timeout", \.connectTimeout, \.limits.connectTimeout.inSeconds, 0.01...3600,
        unit: "seconds", "Time limit for a name, a connection and a TLS handshake.")
    package static let maxFetches: Declaration = .count(
        "max-fetches", \.maxFetches, \.limits.maximumTransfers, 1...64,
        "Maximum number of transfers at once; further ones wait.", valueName: "count")
    package static let maxFetchCache: Declaration = .bytes(
        "max-fetch-cache", \.maxFetchCache, \.limits.maximumCacheBytes,
        ByteCount(0)...ByteCount(1 << 50),
        "Maximum total length of the fetched files that the container keeps.")
}

extension Set<String> {
    /// In one order.
    fileprivate var sorted: [String] {
        get { sorted() }
        set { self = Set(newValue) }
    }
}

extension Duration {
    var inSeconds: Double {
        get { self / .seconds(1) }
        set { self = .seconds(newValue) }
    }
}
