package import AttachmentContainer
package import AttachmentModel
package import Foundation
package import JobBroker

/// A message of a fleet: an attachment's location, its settings and its deadline.
///
/// Any program may submit it; `Fleet/job.schema.json` is its schema, which workers enforce. It never
/// has the attachment itself.
package struct FleetJob: Codable, Sendable, Hashable {
    /// The place of the attachment.
    package enum Source: Sendable, Hashable {
        /// A URL, which workers fetch under their own rules.
        case url(String)
        /// The key of an object in the fleet's store.
        case object(String)
        /// A path on a file system that all workers share.
        case path(String)
    }

    /// The current version of the message.
    package static let currentVersion = 1
    /// Longest message, in bytes.
    package static let maximumBytes = 16 << 10

    package var version = FleetJob.currentVersion
    /// Digest of identifier, source and settings; equal jobs are worked on once.
    package let job: String
    /// The notification's identifier.
    package let identifier: String
    package let category: String?
    package let source: Source
    package let settings: FleetSettings
    /// Restricts the ladder to rungs below this one; nil for all rungs.
    package let below: Rung?
    /// The time after which nobody needs the result; nil for never.
    package let notAfter: Date?
    package let enqueuedAt: Date
    /// The queue for the answer; nil for none.
    package var replyTo: ReplyQueue?

    /// Creates a job, whose number follows from the other values.
    package init(
        _ source: Source, identifier: String, category: String? = nil,
        settings: FleetSettings = FleetSettings(), below: Rung? = nil, notAfter: Date? = nil,
        replyTo: ReplyQueue? = nil
    ) {
        self.source = source
        self.identifier = identifier
        self.category = category
        self.settings = settings
        self.below = below
        self.notAfter = notAfter
        self.replyTo = replyTo
        enqueuedAt = Date()
        job = Self.number(identifier, category, source, settings, below)
    }

    /// True once nobody needs the result.
    var isLate: Bool { notAfter.map { $0 < Date() } ?? false }

    /// The beginning of the identifiers of shared jobs.
    private static let sharedPrefix = "sha256-"

    /// The digest of the attachment of a shared job; nil for others.
    var sharedDigest: ContentDigest? {
        let digits = identifier.dropFirst(Self.sharedPrefix.count)
        guard identifier.hasPrefix(Self.sharedPrefix),
            let digest = ContentDigest(rawValue: String(digits)),
            source == .object(Self.key(ofSource: digest))
        else { return nil }
        return digest
    }

    /// The job that all notifications with a picture share, whatever the place that it comes from.
    ///
    /// `digest` is the attachment's.
    package static func shared(
        _ digest: ContentDigest, settings: FleetSettings, below: Rung? = nil,
        notAfter: Date? = nil
    ) -> FleetJob {
        FleetJob(
            .object(key(ofSource: digest)), identifier: sharedPrefix + digest.rawValue,
            settings: settings, below: below, notAfter: notAfter)
    }

    /// The key of an attachment that a submitter uploads.
    package static func key(ofSource digest: ContentDigest) -> String {
        "sources/\(digest.rawValue.prefix(2))/\(digest.rawValue)"
    }

    /// Reads a message.
    ///
    /// - Throws: `Invalid` with the fault, without any part of the message.
    package init(reading bytes: [UInt8]) throws(Invalid) {
        guard bytes.count <= Self.maximumBytes else {
            throw Invalid(reason: "it is longer than \(Self.maximumBytes) bytes")
        }
        let body = Data(bytes)
        do {
            let fault = try JSONSchema.job.get().fault(inText: body)
            if let fault { throw Invalid(reason: fault) }
        } catch let invalid as Invalid {
            throw invalid
        } catch {
            throw Invalid(reason: "job.schema.json of this program is damaged: \(error)")
        }
        do {
            self = try JSONDecoder.fleet.decode(FleetJob.self, from: body)
        } catch {
            // For example 30 February.
            throw Invalid(reason: "it does not follow the schema")
        }
        guard job == Self.number(identifier, category, source, settings, below) else {
            throw Invalid(reason: "its number does not follow from its other values")
        }
    }

    /// A message that is no job.
    package struct Invalid: Error, Sendable, Hashable, CustomStringConvertible {
        package let reason: String

        package var description: String { "the job is invalid: \(reason)" }
    }

    /// The message, as workers accept it.
    ///
    /// - Throws: `Invalid` for values that the schema refuses, such as an identifier that is too long.
    package func message() throws(Invalid) -> BrokerMessage {
        // Texts, numbers and dates always encode.
        let body = [UInt8]((try? JSONEncoder.fleet.encode(self)) ?? Data())
        _ = try FleetJob(reading: body)
        return BrokerMessage(identifier: job, body: body)
    }

    private static func number(
        _ identifier: String, _ category: String?, _ source: Source, _ settings: FleetSettings,
        _ below: Rung?
    ) -> String {
        struct Values: Encodable {
            let identifier: String
            let category: String?
            let source: Source
            let settings: FleetSettings
            let below: Rung?
        }
        let values = Values(
            identifier: identifier, category: category, source: source, settings: settings,
            below: below)
        return ContentDigest(of: [UInt8]((try? JSONEncoder.fleet.encode(values)) ?? Data()))
            .rawValue
    }
}

extension FleetJob.Source: Codable {
    private enum Key: String, CodingKey, CaseIterable { case url, object, path }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        guard values.allKeys.count == 1, let key = values.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "one source"))
        }
        let text = try values.decode(String.self, forKey: key)
        self =
            switch key {
            case .url: .url(text)
            case .object: .object(text)
            case .path: .path(text)
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .url(let text): try values.encode(text, forKey: .url)
        case .object(let text): try values.encode(text, forKey: .object)
        case .path(let text): try values.encode(text, forKey: .path)
        }
    }
}

extension JSONEncoder {
    /// One line, sorted keys and ISO 8601 dates: equal values give equal bytes.
    package static var fleet: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}

extension JSONDecoder {
    package static var fleet: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
