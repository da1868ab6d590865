import NIOCore

/// The client's side of a connection: its address, or the network of an IPv6 address.
///
/// A client of IPv6 has a network of 64 bits to itself (RFC 4291, section 2.5.1).
struct Peer: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ address: SocketAddress?) {
        let place: Range<Int>
        switch address {
        case .v4: place = 4..<8
        case .v6: place = 8..<16
        case .unixDomainSocket, nil: place = 0..<0
        }
        // The structures of both families are longer than the addresses in them.
        bytes =
            address?.withSockAddr { start, _ in
                Array(UnsafeRawBufferPointer(start: start, count: place.upperBound)[place])
            } ?? []
    }
}
