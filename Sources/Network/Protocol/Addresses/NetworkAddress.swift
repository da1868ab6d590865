internal import Foundation

/// An IPv4 or IPv6 address, as 4 or 16 bytes in network order.
package struct NetworkAddress: Sendable, Hashable {
    package let bytes: [UInt8]

    /// Nil unless there are 4 or 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses dotted decimal IPv4 and any spelling of IPv6 (inet_pton(3)), without zone.
    package init?(_ text: String) {
        // C would end the text at a zero byte.
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes[..<4])
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    package var isIPv4: Bool { bytes.count == 4 }

    /// True if another address of the same family has the same leading bits.
    func hasPrefix(_ other: NetworkAddress, bits: Int) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        let (whole, rest) = (bits / 8, bits % 8)
        guard bytes[..<whole] == other.bytes[..<whole] else { return false }
        guard rest > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
        return bytes[whole] & mask == other.bytes[whole] & mask
    }
}

extension NetworkAddress: CustomStringConvertible {
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isIPv4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}
