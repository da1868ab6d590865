internal import Foundation

struct PeerList: Sendable, Hashable {
    let peers: [Peer]

    init(contentsOf file: URL) throws(BenchmarkError) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw BenchmarkError(
                "\(file.path) cannot be read: \(error.systemReason); name the folder of "
                    + "peers/peers.json with --bench")
        }
        try self.init(json: data, file: file.lastPathComponent)
    }

    init(json: Data, file: String) throws(BenchmarkError) {
        let entries: [Entry]
        do {
            entries = try JSONDecoder().decode(Document.self, from: json).peers
        } catch {
            throw BenchmarkError("\(file): \(Self.reason(error))")
        }
        var peers: [Peer] = []
        for (index, entry) in entries.enumerated() {
            let title = "\(file): peer \(entry.name ?? "number \(index + 1)")"
            switch entry.content {
            case .failure(let fault): throw BenchmarkError("\(title): \(Self.reason(fault))")
            case .success(let peer):
                if let fault = Self.fault(of: peer, beside: peers) {
                    throw BenchmarkError("\(title): \(fault)")
                }
                peers.append(peer)
            }
        }
        self.peers = peers
    }

    /// Selects peers by name; `all` and `none` are allowed.
    func choosing(_ names: [String]) throws(BenchmarkError) -> [Peer] {
        if names == ["all"] { return peers }
        let wanted = Set(names.filter { $0 != "none" }.map { $0.lowercased() })
        let known = Set(peers.map { $0.name.lowercased() })
        if let unknown = wanted.subtracting(known).sorted().first {
            throw BenchmarkError(
                "unknown peer \(unknown); the peers are "
                    + peers.map(\.name).joined(separator: ", "))
        }
        return peers.enumerated().filter { $0 == 0 || wanted.contains($1.name.lowercased()) }
            .map(\.element)
    }

    private static func fault(of peer: Peer, beside others: [Peer]) -> String? {
        if peer.command.isEmpty { return "its command is empty" }
        if peer.version.isEmpty { return "its version command is empty" }
        if others.contains(where: { $0.name == peer.name }) {
            return "another peer has the same name"
        }
        let words = peer.command.joined(separator: " ")
        for placeholder in ["{input}", "{output}"] where words.firstRange(of: placeholder) == nil {
            return "its command has no \(placeholder)"
        }
        if peer.isSelfLimiting, words.firstRange(of: "{cap}") == nil || peer.planningCap == nil {
            return "a peer that limits itself needs {cap} in its command and a planningCap"
        }
        return nil
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(context.codingPath.last?.stringValue ?? "it") is of the wrong type"
        case .dataCorrupted(let context): context.debugDescription
        default: "\(error)"
        }
    }

    private struct Document: Decodable { let peers: [Entry] }

    /// Decodes a peer or the error, so that errors can name the peer.
    private struct Entry: Decodable {
        let name: String?
        let content: Result<Peer, any Error>

        private enum CodingKeys: CodingKey { case name }

        init(from decoder: any Decoder) throws {
            name = try? decoder.container(keyedBy: CodingKeys.self)
                .decode(String.self, forKey: .name)
            content = Result { try Peer(from: decoder) }
        }
    }
}
