import AttachmentContainer
import AttachmentTransfer
import Foundation
import Logging
import TransferProtocol
import WorkerProtocol

/// The two transfer processes of a fetcher: credentials never enter the one that talks to strangers.
struct FetchServers: Sendable {
    private let settings: FetchSettings
    private let addresses: AddressGuard
    let proxies: ProxyEnvironment
    let strangers: TransferClient
    let credentialed: TransferClient

    init(
        _ settings: FetchSettings, sandbox: SandboxMode, executable: URL?, logger: Logger
    ) {
        self.settings = settings
        proxies = settings.usesEnvironmentProxy ? .current() : .none
        addresses = AddressGuard(
            networks: settings.allowedNetworks,
            ports: [443] + (settings.allowsInsecureTransfer ? [80] : []) + settings.allowedPorts)
        var limits = ResourceLimits()
        limits.fileBytes = settings.maximumBytes.bytes
        // Input, output, two files and sockets for each transfer, and idle connections.
        limits.openFiles = 64 + 8 * settings.maximumTransfers
        // 75 kB for each transfer, 4 MB for the libraries and certificate authorities, and 256 kB
        // for each thread that waits for a resolver.
        limits.dataBytes = 128 << 20
        let configuration = TransferConfiguration(
            addresses: addresses, ports: proxies.ports, authorities: settings.authorities,
            sandbox: sandbox, limits: limits)
        strangers = TransferClient(configuration, executable: executable, logger: logger)
        credentialed = TransferClient(configuration, executable: executable, logger: logger)
    }

    /// Checks what needs no connection: the scheme, the port and, for a proxy, the address.
    func check(_ location: RemoteLocation) throws(FetchError) {
        if location.scheme == .http, !settings.allowsInsecureTransfer {
            throw FetchError(
                .refusedScheme, host: location.host, reason: "the URL's scheme is not https")
        }
        guard addresses.ports.contains(location.port) else {
            throw FetchError(
                .refusedPort, host: location.host,
                reason: "the port \(location.port) is not allowed")
        }
        guard proxies.proxy(for: location) != nil else { return }
        let address = NetworkAddress(location.host.filter { !"[]".contains($0) })
        if let address {
            let verdict = addresses.verdict(
                on: address, port: location.port,
                trustsHost: settings.allowedHosts.contains(location.host))
            guard case .refusedAddress(let kind) = verdict else { return }
            throw FetchError(
                .refusedAddress, host: location.host,
                reason: "the host's address is not allowed: \(kind.rawValue)")
        }
        // Other spellings of an IPv4 address, which the proxy would read as one.
        if let last = location.host.split(separator: ".").last, last.first?.isNumber == true {
            throw FetchError(
                .invalidURL, host: location.host, reason: "the URL's host is no name")
        }
    }

    /// Performs one exchange; `hasCredentials` tells a request with credentials from others.
    func perform(
        _ request: TransferRequest, _ location: RemoteLocation, hasCredentials: Bool,
        to output: OwnedDescriptor
    ) async throws(TransferFailure) -> TransferResponse {
        var request = request
        request.proxy = proxies.proxy(for: location)
        return try await (hasCredentials ? credentialed : strangers).perform(request, to: output)
    }

    func close() async {
        await strangers.close()
        await credentialed.close()
    }
}
