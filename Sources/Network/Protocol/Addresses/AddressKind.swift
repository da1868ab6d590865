/// Kinds of addresses that a server on the Internet cannot have, or that must not be contacted on
/// behalf of a stranger.
package enum AddressKind: String, Sendable, Codable, CaseIterable {
    case global
    case unspecified
    case loopback
    case privateUse = "private"
    case shared
    case uniqueLocal = "unique-local"
    case linkLocal = "link-local"
    case metadata
    case multicast
    case broadcast
    case reserved
    case documentation
    case benchmarking
    case translated

    /// True for addresses of machines in the operator's own network.
    package var isLocalNetwork: Bool {
        switch self {
        case .loopback, .privateUse, .shared, .uniqueLocal: true
        default: false
        }
    }
}

extension AddressKind {
    /// The kind of an address, by the first range in the table that contains it.
    package init(_ address: NetworkAddress) {
        let table = address.isIPv4 ? Self.ranges : Self.longRanges
        let match = table.first { $0.range.contains(address) }
        if let match {
            self = match.kind
        } else if address.isIPv4 || Self.globalUnicast.contains(where: { $0.contains(address) }) {
            self = .global
        } else {
            self = .reserved
        }
    }

    private typealias Row = (range: AddressRange, kind: AddressKind)

    private static func rows(_ table: KeyValuePairs<String, AddressKind>) -> [Row] {
        table.compactMap { text, kind in AddressRange(text).map { ($0, kind) } }
    }

    /// IANA IPv4 Special-Purpose Address Registry (RFC 6890 and its updates), addresses of cloud
    /// providers' metadata services, and multicast (RFC 5771).
    private static let ranges = rows([
        "169.254.169.254/32": .metadata, "169.254.170.2/32": .metadata,
        // The agent of EKS Pod Identity, which gives out credentials.
        "169.254.170.23/32": .metadata,
        "100.100.100.200/32": .metadata, "192.0.0.192/32": .metadata,
        // Azure's agent and metadata, at a public address.
        "168.63.129.16/32": .metadata,
        "0.0.0.0/32": .unspecified, "0.0.0.0/8": .reserved,
        "10.0.0.0/8": .privateUse, "172.16.0.0/12": .privateUse, "192.168.0.0/16": .privateUse,
        "100.64.0.0/10": .shared, "127.0.0.0/8": .loopback, "169.254.0.0/16": .linkLocal,
        "192.0.0.0/24": .reserved, "192.31.196.0/24": .reserved, "192.52.193.0/24": .reserved,
        "192.175.48.0/24": .reserved,
        // 6to4 relays (RFC 7526).
        "192.88.99.0/24": .translated,
        "192.0.2.0/24": .documentation, "198.51.100.0/24": .documentation,
        "203.0.113.0/24": .documentation,
        "198.18.0.0/15": .benchmarking, "224.0.0.0/4": .multicast,
        "255.255.255.255/32": .broadcast, "240.0.0.0/4": .reserved,
    ])

    /// IANA IPv6 Special-Purpose Address Registry (RFC 6890 and its updates), metadata services,
    /// and all ways to spell an IPv4 address.
    private static let longRanges = rows([
        "fd00:ec2::254/128": .metadata, "fd00:ec2::23/128": .metadata,
        "fd20:ce::254/128": .metadata,
        "::/128": .unspecified, "::1/128": .loopback,
        // IPv4-mapped and IPv4-compatible addresses (RFC 4291, section 2.5.5), NAT64 (RFC 6052, RFC
        // 8215), 6to4 (RFC 3056) and Teredo (RFC 4380).
        "::ffff:0:0/96": .translated, "::ffff:0:0:0/96": .translated, "::/96": .translated,
        "64:ff9b::/96": .translated, "64:ff9b:1::/48": .translated, "2002::/16": .translated,
        "2001::/32": .translated,
        "2001:2::/48": .benchmarking,
        // IETF protocol assignments, AMT and ORCHID among them (RFC 2928).
        "2001::/23": .reserved, "2620:4f:8000::/48": .reserved,
        "2001:db8::/32": .documentation, "3fff::/20": .documentation,
        "fc00::/7": .uniqueLocal, "fe80::/10": .linkLocal,
        // Site-local, deprecated (RFC 3879).
        "fec0::/10": .reserved, "ff00::/8": .multicast,
    ])

    /// All of global unicast that is allocated (RFC 4291, section 2.4; IANA IPv6 Global Unicast
    /// Address Assignments).
    private static let globalUnicast = [AddressRange("2000::/3")].compactMap(\.self)
}
