/// A range of IPv4 or IPv6 addresses in CIDR notation (RFC 4632, section 3.1), such as
/// `10.0.0.0/8` or `fd00::/8`.
public struct AddressRange: Sendable, Hashable {
    private let first: NetworkAddress
    private let bits: Int

    /// Parses a range, or a single address; nil for other text, and for an address with bits beyond
    /// the prefix.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NetworkAddress(String(parts[0])) else { return nil }
        let length = address.bytes.count * 8
        var bits = length
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int(parts[1]), count <= length
            else { return nil }
            bits = count
        }
        guard address.isZero(from: bits) else { return nil }
        first = address
        self.bits = bits
    }

    package func contains(_ address: NetworkAddress) -> Bool {
        address.hasPrefix(first, bits: bits)
    }
}

extension AddressRange: CustomStringConvertible {
    /// The range in CIDR notation.
    public var description: String { "\(first)/\(bits)" }
}

extension AddressRange: Codable {
    /// Decodes CIDR notation.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let range = AddressRange(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a range of addresses")
        }
        self = range
    }

    /// Encodes CIDR notation.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension NetworkAddress {
    fileprivate func isZero(from bit: Int) -> Bool {
        (bit..<bytes.count * 8).allSatisfy { bytes[$0 / 8] & (0x80 >> ($0 % 8)) == 0 }
    }
}
