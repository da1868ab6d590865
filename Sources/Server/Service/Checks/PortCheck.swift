import AttachmentContainer
import AttachmentFetch
import Foundation
import NIOCore
import NIOPosix
import ServiceOptions
import ThimbleOptions
import TransferProtocol

/// The two ports: binds and frees them.
struct PortCheck: Checking {
    let configuration: ServiceConfiguration
    let scratch: ScratchContainer

    func diagnoses() async -> [Diagnosis] {
        let ports = [
            ListeningError(
                name: "port", host: configuration.host, port: configuration.port),
            ListeningError(
                name: "operations-port", host: configuration.operationsHost,
                port: configuration.operationsPort),
        ]
        var results: [Diagnosis] = []
        for port in ports {
            guard let code = await Self.fault(of: port) else {
                let place = port.port == 0 ? "a free one is taken" : "\(port.port) is free"
                results.append(.ok(port.name, "\(place) on \(port.host)"))
                continue
            }
            if code == EADDRINUSE, await isServing() {
                results.append(
                    .warning(
                        port.name, "\(port.port) is in use, and a thimble-server runs here",
                        remedy: "end it before another one starts with this port"))
            } else {
                let reason = code == 0 ? "the host has no address" : String(cString: strerror(code))
                results.append(
                    .failed(port.name, "\(port.reason): \(reason)", remedy: port.remedy(for: code)))
            }
        }
        return results
    }

    /// The system's error for listening; 0 for an unknown host, nil without an error.
    private static func fault(of port: ListeningError) async -> CInt? {
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: port.host, port: port.port).get()
            try await channel.close()
            return nil
        } catch let error as IOError {
            return error.errnoCode
        } catch {
            return 0
        }
    }

    /// True if a service answers on the operations port.
    private func isServing() async -> Bool {
        let host = configuration.operationsHost
        let name = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        var settings = FetchSettings()
        settings.allowsInsecureTransfer = true
        // The operator named the address.
        settings.allowedNetworks = ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) }
        settings.allowedPorts = [UInt16(clamping: configuration.operationsPort)]
        settings.timeout = .seconds(2)
        guard
            let fetcher = try? AttachmentFetcher(
                settings: settings, container: scratch.container,
                sandbox: configuration.workers.sandbox)
        else { return false }
        let place = name.contains(":") ? "[\(name)]" : name
        let answer = try? await fetcher.fetch(
            "http://\(place):\(configuration.operationsPort)/health/live")
        await fetcher.close()
        return answer?.digest == ContentDigest(of: OperationsHandler.live)
    }
}

extension ListeningError {
    fileprivate func remedy(for code: CInt) -> String {
        switch code {
        case EACCES: "choose a port of 1024 or more, and put a proxy in front"
        case EADDRNOTAVAIL, 0: "name an address of this machine"
        default: remedy
        }
    }
}
