import AttachmentFetch
import AttachmentModel
import Foundation
import Hummingbird
import NotificationPayload

/// Fetches attachments that requests name by URL.
struct AttachmentFetching: Sendable {
    /// Nil if the service fetches nothing.
    let fetcher: AttachmentFetcher?
    let metrics: ServiceMetrics
    let logsWholeURLs: Bool

    private struct Source: Decodable {
        let url: String
        let identifier: String?
        let category: String?
        /// A list, or names separated by commas.
        let preset: PresetNames?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case url, identifier, category, preset
        }
    }

    /// The names of a JSON object's members.
    private struct MemberNames: Decodable {
        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let names: [String]

        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        }
    }

    private struct PresetNames: Decodable {
        /// Names separated by commas.
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self.text = text
            } else {
                text = try container.decode([String].self).joined(separator: ",")
            }
        }
    }

    /// Fetches the attachment of a request, and reads its label.
    func receive(
        _ request: Request, until deadline: ContinuousClock.Instant
    ) async throws -> (Upload, AttachmentLabel) {
        let bytes = try await request.collect(64 << 10)
        let known = Source.CodingKeys.allCases.map(\.rawValue)
        let names = (try? JSONDecoder().decode(MemberNames.self, from: Data(bytes)))?.names ?? []
        if let name = names.sorted().first(where: { !known.contains($0) }) {
            throw Problem.unknown("member", name, known)
        }
        guard let source = try? JSONDecoder().decode(Source.self, from: Data(bytes)) else {
            throw Problem.invalid("body", "a JSON object with a url")
        }
        let label = try AttachmentLabel(
            identifier: source.identifier, category: source.category,
            presets: AttachmentLabel.presets(source.preset?.text)
        ).checked()
        guard let fetcher else { throw Problem.noURLs }
        let begun = ContinuousClock.now
        defer { metrics.record(.fetch, begun.duration(to: .now)) }
        do throws(FetchError) {
            let file = try await fetcher.fetch(source.url, by: deadline)
            return (Upload(file: try opened(file), digest: file.digest), label)
        } catch {
            let location = AttachmentReference(identifier: "", location: source.url)
            throw Problem(error, at: logsWholeURLs ? source.url : location.publicLocation)
        }
    }

    private func opened(_ file: FetchedFile) throws(FetchError) -> AttachmentFile {
        do throws(AttachmentError) {
            return try file.attachment(path: "download")
        } catch {
            throw FetchError(.storage, reason: error.reason)
        }
    }
}
