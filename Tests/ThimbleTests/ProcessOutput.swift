import AttachmentContainer
import Foundation
import Testing

/// What `thimble process --report json` prints.
struct ProcessOutput: Decodable {
    struct Attachment: Decodable {
        let manifest: Manifest
        let url: String?
        let urls: [String: String]?
    }

    private let attachments: [Attachment]

    /// The first attachment.
    static func attachment(_ output: String) throws -> Attachment {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let outcome = try decoder.decode(Self.self, from: Data(output.utf8))
        return try #require(outcome.attachments.first)
    }
}
