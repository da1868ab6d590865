import AttachmentFetch
import AttachmentModel
import Foundation
import Hummingbird

/// Fetches attachments that requests name by URL.
struct AttachmentFetching: Sendable {
    /// Nil if the service fetches nothing.
    let fetcher: AttachmentFetcher?
    let metrics: ServiceMetrics

    private struct Source: Decodable {
        let url: String
        let identifier: String?
        let category: String?
        /// A list, or names separated by commas.
        let preset: PresetNames?
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
            throw Problem(error)
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
