import AttachmentContainer
import Foundation
import TransferProtocol

/// Keys of fetched files: URL, credentials, and the rules by which servers are judged.
///
/// A redirection never adds credentials, so the first hop's credentials stand for every hop. A file
/// that was fetched under other rules may have come by a server that is refused now, and has
/// another key.
struct CacheKeys: Sendable {
    private struct Rules: Encodable {
        let networks: [String]
        let hosts: [String]
        let ports: [UInt16]
        let isInsecureAllowed: Bool
        let authorities: String?
        let proxies: [String]
    }

    private let headers: FetchHeaders
    private let rules: ContentDigest

    init(_ settings: FetchSettings, _ proxies: ProxyEnvironment) {
        headers = settings.headers
        let rules = Rules(
            networks: settings.allowedNetworks.map(\.description).sorted(),
            hosts: settings.allowedHosts.sorted(), ports: settings.allowedPorts.sorted(),
            isInsecureAllowed: settings.allowsInsecureTransfer,
            authorities: settings.authorities, proxies: proxies.texts)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts and numbers always encode.
        self.rules = ContentDigest(of: (try? encoder.encode(rules)) ?? Data())
    }

    func key(for location: RemoteLocation) -> ContentDigest {
        // Neither a location nor a digest has a line feed.
        ContentDigest(of: "\(location.text)\n\(rules)\n\(headers.identity(for: location))")
    }
}
