public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Downloads attachments into a folder, without ever holding one in memory.
///
/// Nothing is kept beside the file: no cookie, no cache, no credential.
public struct AttachmentDownload: Sendable {
    /// What a download may take, and from where.
    public let settings: DownloadSettings

    /// Makes a downloader.
    ///
    /// - Parameter settings: What a download may take. The default is every default.
    public init(settings: DownloadSettings = DownloadSettings()) {
        self.settings = settings
    }

    /// Downloads one file.
    ///
    /// When the task is cancelled, the transfer stops and nothing stays behind.
    ///
    /// - Parameters:
    ///   - source: Where it is.
    ///   - folder: Where it goes, under a name of its own.
    ///   - deadline: When it must be there. The default is 25 seconds from now.
    /// - Returns: The file, which belongs to the caller.
    /// - Throws: `DownloadError` with the reason and the remedy.
    public func file(
        from source: URL, into folder: URL,
        by deadline: ContinuousClock.Instant = .now.advanced(by: .seconds(25))
    ) async throws(DownloadError) -> URL {
        try settings.check(source)
        let remaining = ContinuousClock.now.duration(to: deadline) / .seconds(1)
        guard remaining > 0 else {
            throw .late
        }
        let transfer = Transfer(
            to: folder.appendingPathComponent(UUID().uuidString), settings: settings)
        let result = await withTaskCancellationHandler {
            await transfer.run(source, for: remaining)
        } onCancel: {
            transfer.fail(.cancelled)
        }
        return try result.get()
    }
}

extension DownloadSettings {
    /// Refuses a URL that leads over an open line, or to no server at all.
    func check(_ url: URL?) throws(DownloadError) {
        let scheme = url?.scheme?.lowercased()
        guard scheme == "https" || (scheme == "http" && allowsInsecureTransfer) else {
            throw DownloadError(.insecure, reason: "the URL does not begin with https")
        }
    }
}
