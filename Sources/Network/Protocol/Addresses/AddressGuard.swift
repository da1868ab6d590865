/// Rules for the addresses to which a process may connect on behalf of strangers.
package struct AddressGuard: Sendable, Hashable, Codable {
    /// Ranges that are allowed whatever their kind.
    package var networks: [AddressRange]
    package var ports: [UInt16]

    package init(networks: [AddressRange] = [], ports: [UInt16] = [443]) {
        self.networks = networks
        self.ports = ports
    }

    package enum Verdict: Sendable, Hashable {
        case allowed
        case refusedAddress(AddressKind)
        case refusedPort
    }

    /// Judges the address and port of a connection.
    ///
    /// `trustsHost` allows addresses of the local network, but never link-local addresses, and with
    /// them metadata services.
    package func verdict(
        on address: NetworkAddress, port: UInt16, trustsHost: Bool = false
    ) -> Verdict {
        guard ports.contains(port) else { return .refusedPort }
        if networks.contains(where: { $0.contains(address) }) { return .allowed }
        let kind = AddressKind(address)
        return kind == .global || (trustsHost && kind.isLocalNetwork)
            ? .allowed : .refusedAddress(kind)
    }
}
