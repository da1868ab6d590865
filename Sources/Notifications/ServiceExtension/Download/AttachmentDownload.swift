public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        try settings.check(source)
        let remaining = ContinuousClock.now.duration(to: deadline) / .seconds(1)
        guard remaining > 0 else { throw .late }
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
    /// Refuses URLs of other schemes than `https`, or `http` if allowed.
    func check(_ url: URL?) throws(DownloadError) {
        let scheme = url?.scheme?.lowercased()
        guard scheme == "https" || (scheme == "http" && allowsInsecureTransfer) else {
            throw DownloadError(.insecure, reason: "the URL does not begin with https")
        }
    }
}
