import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import NotificationPayload

/// Opens attachments that are named by a path or a URL.
struct AttachmentSource: Sendable {
    let fetcher: AttachmentFetcher

    static func isURL(_ location: String) -> Bool {
        AttachmentReference(identifier: "", location: location).kind == .remoteURL
    }

    /// The request to process an attachment; a URL is fetched first.
    func request(
        _ location: String, identifier: String, category: String? = nil
    ) async throws(SourceFailure) -> AttachmentRequest {
        guard Self.isURL(location) else {
            return AttachmentRequest(
                path: location, identifier: identifier, category: category)
        }
        let file: FetchedFile
        do throws(FetchError) {
            file = try await fetcher.fetch(location)
        } catch {
            throw SourceFailure(error)
        }
        let host = AttachmentFetcher.host(of: location) ?? "URL"
        var request = AttachmentRequest(path: host, identifier: identifier, category: category)
        do throws(AttachmentError) {
            request.file = try file.attachment(path: host)
        } catch {
            throw SourceFailure(error)
        }
        return request
    }

    /// The name of a location in messages: the path, or the URL without user, query and fragment, which
    /// may be secret.
    static func name(_ location: String) -> String {
        AttachmentReference(identifier: "", location: location).publicLocation
    }

    /// The identifier of a location: the path, or the URL with a digest in place of its query.
    static func identifier(_ location: String) -> String {
        guard isURL(location) else { return location }
        let visible = location.prefix { $0 != "?" && $0 != "#" }
        guard visible.count < location.count else { return location }
        // 128 bits, so that URLs cannot be made to collide.
        return "\(visible)#\(ContentDigest(of: location).rawValue.prefix(32))"
    }
}
