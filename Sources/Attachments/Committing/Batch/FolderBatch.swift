public import AttachmentContainer
public import AttachmentModel
public import Foundation

/// Batch of all files in a folder, processed concurrently; a bad file never stops the others.
///
/// It holds no list of files or results, so its memory does not grow with their number.
public struct FolderBatch: Sendable {
    /// A file to process.
    public struct Item: Sendable, Hashable {
        /// Path; a name that is not UTF-8 is spelled as in ``identifier``.
        public let path: String
        /// Notification identifier: the path relative to the folder, separated by `/`.
        ///
        /// A path that is not UTF-8 starts with `./`; its percent signs and invalid bytes are
        /// percent-encoded. No other identifier starts that way: hidden files are skipped.
        public let identifier: String
        /// Length when the file was listed.
        public let bytes: ByteCount
        /// Null-terminated path as the system spells it.
        let name: [CChar]
        /// The `errno` of a folder that cannot be listed; nil for a file.
        var folderError: CInt?
    }

    private let root: String
    private let containerPath: String

    /// Prepares a batch of the regular files of a folder and its subfolders.
    ///
    /// Skips hidden files and folders, and the container if it is inside. Does not follow symbolic
    /// links. Names need not be UTF-8. The folder is listed while the batch runs, in memory that
    /// does not grow with the number of files.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - container: The container of the notifications.
    /// - Throws: `AttachmentError` with code `unreadable` when the folder cannot be listed.
    public init(folder: URL, container: SharedContainer) throws(AttachmentError) {
        root = folder.resolvingSymlinksInPath().standardizedFileURL.path
        containerPath = container.root.resolvingSymlinksInPath().standardizedFileURL.path
        guard files() != nil else {
            throw AttachmentError(.unreadable, file: root, reason: "is not a folder")
        }
    }

    /// Counts the files, and the folders that cannot be listed; the result may differ from those processed if the folder changes.
    public func count() -> Int {
        var files = files()
        var count = 0
        while files?.next() != nil { count += 1 }
        return count
    }

    /// Processes every file, in the order of their paths as bytes.
    ///
    /// Of a folder with more than 10,000 names, portions of 10,000 are in order.
    ///
    /// - Parameters:
    ///   - processor: The processor.
    ///   - jobs: The maximum number of concurrent files, at least 1.
    ///   - report: Called once per file, and per folder that cannot be listed, in order of completion, never concurrently.
    /// - Returns: False if cancellation left files that were not begun.
    @discardableResult
    public func run(
        with processor: some AttachmentProcessing, jobs: Int, report: (Result) -> Void
    ) async -> Bool {
        await withTaskGroup(of: Result.self) { group in
            var files = files()
            var next = nextItem(of: &files)
            func beginNext() {
                guard let item = next, !Task.isCancelled else { return }
                group.addTask { await process(item, with: processor) }
                next = nextItem(of: &files)
            }
            for _ in 0..<max(1, jobs) {
                guard next != nil, !Task.isCancelled else { break }
                beginNext()
            }
            for await result in group {
                report(result)
                beginNext()
            }
            return next == nil
        }
    }

    private func files() -> FolderWalk? { FolderWalk(of: root, except: containerPath) }

    private func nextItem(of files: inout FolderWalk?) -> Item? {
        while let entry = files?.next() {
            switch entry {
            case .unreadableFolder(let folder, let error):
                let path = folder.path(in: root)
                return Item(
                    path: path.text, identifier: folder.isEmpty ? "." : folder.identifier,
                    bytes: ByteCount(0), name: path.name, folderError: error)
            case .file(let file):
                let path = file.path(in: root)
                var status = stat()
                if lstat(path.name, &status) != 0 {
                    // A file may have been removed or replaced meanwhile.
                    if FolderWalk.isGone(errno) { continue }
                } else if status.st_mode & S_IFMT != S_IFREG {
                    continue
                }
                return Item(
                    path: path.text, identifier: file.identifier,
                    bytes: ByteCount(Int(status.st_size)), name: path.name)
            }
        }
        return nil
    }

    private static func unlisted(_ path: String, _ error: CInt) -> AttachmentError {
        AttachmentError(
            .unreadable, file: path,
            reason: "the folder cannot be listed: \(String(cString: strerror(error)))")
    }

    private func process(_ item: Item, with processor: some AttachmentProcessing) async -> Result {
        if let error = item.folderError {
            return Result(
                item: item, outcome: .unreadableFolder(Self.unlisted(item.path, error)),
                duration: .zero)
        }
        let clock = ContinuousClock()
        let start = clock.now
        let outcome: Result.Outcome
        do {
            var request = AttachmentRequest(path: item.path, identifier: item.identifier)
            request.file = try AttachmentFile(opening: item.name, path: item.path)
            outcome = .done(try await processor.process(request))
        } catch  where error.code == .unsupported && !Self.hasAttachmentExtension(item.path) {
            outcome = .notPicture
        } catch {
            outcome = .failed(error)
        }
        return Result(item: item, outcome: outcome, duration: clock.now - start)
    }
}

extension FolderBatch {
    /// Result of one file.
    public struct Result: Sendable {
        /// The file.
        public let item: Item
        /// The outcome.
        public let outcome: Outcome
        /// Time from start to end, including disk access.
        public let duration: Duration

        /// Outcome of one file.
        public enum Outcome: Sendable {
            /// The notification is in the container.
            case done(ProcessedAttachment)
            /// Skipped: neither its bytes nor its name indicate a picture, sound or movie.
            case notPicture
            /// Failed, without a notification.
            case failed(AttachmentError)
            /// The folder could not be listed, so that its files are unknown.
            case unreadableFolder(AttachmentError)
        }
    }
}

extension FolderBatch {
    /// True for extensions of pictures, sounds and movies, for which other bytes are an error.
    package static func hasAttachmentExtension(_ path: String) -> Bool {
        attachmentExtensions.contains(
            URL(fileURLWithPath: path).pathExtension.lowercased())
    }

    private static let attachmentExtensions: Set = [
        "jpg", "jpeg", "jpe", "png", "apng", "webp", "gif", "heic", "heics", "heif", "hif", "avif",
        "tif", "tiff", "bmp", "svg", "svgz", "jxl", "jp2", "aif", "aiff", "aifc", "wav", "mp3",
        "m4a", "aac", "flac", "ogg", "opus", "wma", "caf", "amr", "mpg", "mpeg", "m1v", "m2v",
        "mp4", "m4v", "mov", "qt", "3gp", "3g2", "avi", "mkv", "webm", "wmv", "flv",
    ]
}
