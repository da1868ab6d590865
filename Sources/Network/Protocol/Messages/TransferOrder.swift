package import WorkerProtocol

/// A message to a transfer process.
package enum TransferOrder: DescribedMessage {
    /// First message, sent once.
    case configuration(TransferConfiguration)
    /// Sent with an empty file for the response's body, and the body of the request if it has one.
    case begin(TransferRequest)
    /// Ends a transfer, which then fails as cancelled, unless it is over.
    case cancel(UInt64)

    package var descriptorCount: Int {
        switch self {
        case .configuration, .cancel: 0
        case .begin(let request): request.bodyLength == nil ? 1 : 2
        }
    }
}

package struct TransferConfiguration: Codable, Sendable {
    package static let version = 3

    package let version: Int
    /// Guard of addresses; nil for a fixed, trusted endpoint.
    package let addresses: AddressGuard?
    /// Ports that stay reachable in the sandbox besides the guard's ports.
    package let ports: [UInt16]
    /// File of certificate authorities in PEM; nil for the system's.
    package let authorities: String?
    package let sandbox: SandboxMode
    package let limits: ResourceLimits

    package init(
        addresses: AddressGuard?, ports: [UInt16] = [], authorities: String?,
        sandbox: SandboxMode, limits: ResourceLimits
    ) {
        version = Self.version
        self.addresses = addresses
        self.ports = ports
        self.authorities = authorities
        self.sandbox = sandbox
        self.limits = limits
    }
}
