public import Foundation
import NotificationDelivery

/// Downloads attachments into a folder, without holding them in memory.
///
/// No cookies, cached responses or credentials are kept.
public struct AttachmentDownload: Sendable {
    /// Limits on downloads.
    public let settings: DownloadSettings

    /// Creates a downloader.
    ///
    /// - Parameter settings: Limits on downloads. The default is `DownloadSettings()`.
    public init(settings: DownloadSettings = DownloadSettings()) {
        self.settings = settings
    }

    /// Downloads one file.
    ///
    /// If the task is cancelled, the transfer stops and leaves nothing behind.
    ///
    /// - Parameters:
    ///   - source: The file's URL.
    ///   - folder: The target folder; the file gets a unique name.
    ///   - deadline: The deadline of the download. The default is 25 seconds from now.
    /// - Returns: The file, which belongs to the caller.
    /// - Throws: `DownloadError` with the reason and the remedy.
    public func file(
        from source: URL, into folder: URL,
        by deadline: ContinuousClock.Instant = .now.advanced(by: .seconds(25))
    ) async throws(DownloadError) -> URL {
        let request = PictureRequest(source, waitsUntilReady: false)
        do throws(SourceFailure) {
            let received = try await SourceReading(settings: settings, folder: folder)
                .picture(of: .request(request), by: deadline)
            guard let file = received.ownedFile else { throw .download(.empty) }
            return file
        } catch {
            guard case .download(let failure) = error else {
                throw DownloadError(.storage, reason: error.reason.message)
            }
            throw failure
        }
    }
}

extension DownloadSettings {
    /// Refuses URLs of other schemes than `https`, or `http` if allowed.
    func check(_ url: URL?) throws(DownloadError) {
        let scheme = url?.scheme?.lowercased()
        guard scheme == "https" || (scheme == "http" && allowsInsecureTransfer) else {
            throw DownloadError(.insecure, reason: "the URL does not begin with https")
        }
    }
}
