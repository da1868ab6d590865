public import AttachmentContainer
public import AttachmentModel
public import Foundation

/// Batch of all files in a folder, processed concurrently; a bad file never stops the others.
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
        /// Length when the folder was listed.
        public let bytes: ByteCount
        /// Null-terminated path as the system spells it.
        let name: [CChar]
    }

    /// Files, sorted by identifier.
    public let items: [Item]

    /// Lists the regular files of a folder and its subfolders.
    ///
    /// Skips hidden files and folders, and the container if it is inside. Does not follow symbolic
    /// links. Names need not be UTF-8.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - container: The container of the notifications.
    /// - Throws: `AttachmentError` with code `unreadable` when the folder cannot be listed.
    public init(folder: URL, container: SharedContainer) throws(AttachmentError) {
        let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let container = container.root.resolvingSymlinksInPath().standardizedFileURL.path
        var items: [Item] = []
        // Relative to the root.
        var folders: [PathBytes] = [PathBytes()]
        while let folder = folders.popLast() {
            // Only a missing root is an error; subfolders may have been removed meanwhile.
            guard let names = folder.names(in: root) else {
                guard folder.isEmpty else { continue }
                throw AttachmentError(.unreadable, file: root, reason: "is not a folder")
            }
            for name in names where name.first != UInt8(ascii: ".") {
                let relative = folder.appending(name)
                let path = relative.path(in: root)
                var status = stat()
                guard lstat(path.name, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR where path.text != container: folders.append(relative)
                case S_IFREG:
                    items.append(
                        Item(
                            path: path.text, identifier: relative.identifier,
                            bytes: ByteCount(Int(status.st_size)), name: path.name))
                default: break
                }
            }
        }
        self.items = items.sorted { $0.identifier < $1.identifier }
    }

    /// Processes every file.
    ///
    /// - Parameters:
    ///   - processor: The processor.
    ///   - jobs: The maximum number of concurrent files, at least 1.
    ///   - report: Called once per file in order of completion, never concurrently.
    /// - Returns: The results in the order of ``items``. Files not started before cancellation are
    ///   missing.
    public func run(
        with processor: some AttachmentProcessing, jobs: Int, report: (Result) -> Void
    ) async -> [Result] {
        await withTaskGroup(of: (Int, Result).self) { group in
            var results: [Int: Result] = [:]
            var waiting = items.indices.makeIterator()
            for _ in 0..<max(1, jobs) {
                guard let index = waiting.next() else { break }
                group.addTask { (index, await process(items[index], with: processor)) }
            }
            for await (index, result) in group {
                results[index] = result
                report(result)
                guard !Task.isCancelled, let next = waiting.next() else { continue }
                group.addTask { (next, await process(items[next], with: processor)) }
            }
            return items.indices.compactMap { results[$0] }
        }
    }

    private func process(_ item: Item, with processor: some AttachmentProcessing) async -> Result {
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
        }
    }
}

extension FolderBatch {
    /// True for extensions of pictures, sounds and movies, for which other bytes are an error.
    package static func hasAttachmentExtension(_ path: String) -> Bool {
        let names: Set = [
            "jpg", "jpeg", "jpe", "png", "apng", "webp", "gif", "heic", "heics", "heif", "hif",
            "avif", "tif", "tiff", "bmp", "svg", "svgz", "jxl", "jp2", "aif", "aiff", "aifc", "wav",
            "mp3", "m4a", "aac", "flac", "ogg", "opus", "wma", "caf", "amr", "mpg", "mpeg", "m1v",
            "m2v", "mp4", "m4v", "mov", "qt", "3gp", "3g2", "avi", "mkv", "webm", "wmv", "flv",
        ]
        return names.contains(URL(fileURLWithPath: path).pathExtension.lowercased())
    }
}
