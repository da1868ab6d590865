public import AttachmentContainer
public import Foundation

/// All the files of a folder, processed several at a time; one bad file never stops the rest.
public struct FolderBatch: Sendable {
    /// A file to process.
    public struct Item: Sendable, Hashable {
        /// The path; of a name that is not UTF-8 in the spelling of ``identifier``.
        public let path: String
        /// The notification identifier: the path relative to the folder, with `/` between names.
        ///
        /// A path that is not UTF-8 has `./` in front, its percent signs and the bytes that are no
        /// characters as a percent sign and two hexadecimal digits. No other identifier begins so,
        /// since names with a leading full stop are left out.
        public let identifier: String
        /// Its length when the folder was read.
        public let bytes: ByteCount
        /// The path as the system has it.
        let name: [CChar]
    }

    /// The files, in the order of their identifiers.
    public let items: [Item]

    /// Lists the regular files of a folder and of all folders in it.
    ///
    /// Hidden files and folders are left out, and so is the container if it lies inside. Links are
    /// not followed. Names are bytes, and need not be UTF-8.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - container: The container that the notifications will go to.
    /// - Throws: `AttachmentError` with code `unreadable` when the folder cannot be listed.
    public init(folder: URL, container: SharedContainer) throws(AttachmentError) {
        let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let container = container.root.resolvingSymlinksInPath().standardizedFileURL.path
        var items: [Item] = []
        // Paths relative to the root.
        var folders: [PathBytes] = [PathBytes()]
        while let folder = folders.popLast() {
            // A folder that went away meanwhile has no files; only the first one was asked for.
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
    ///   - processor: What processes each file.
    ///   - jobs: How many are under way at the same time, at least 1.
    ///   - report: Called once a file, in the order in which they end, never twice at once.
    /// - Returns: What became of them all, in the order of ``items``. Those that had not begun when
    ///   the task was cancelled are missing.
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

    private func process(
        _ item: Item, with processor: some AttachmentProcessing
    ) async -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let outcome: Result.Outcome
        do {
            var request = AttachmentRequest(path: item.path, identifier: item.identifier)
            request.file = try AttachmentFile(opening: item.name, path: item.path)
            outcome = .done(try await processor.process(request))
        } catch  where error.code == .unsupported && !item.claimsToBeAttachment {
            outcome = .notPicture
        } catch {
            outcome = .failed(error)
        }
        return Result(item: item, outcome: outcome, duration: clock.now - start)
    }
}

extension FolderBatch {
    /// What became of one file.
    public struct Result: Sendable {
        /// The file.
        public let item: Item
        /// How it ended.
        public let outcome: Outcome
        /// From its start to its end, waiting for the disk included.
        public let duration: Duration

        /// How one file ended.
        public enum Outcome: Sendable {
            /// Its notification is in the container.
            case done(ProcessedAttachment)
            /// Neither its bytes nor its name are those of a picture, sound or a movie: it was left
            /// alone.
            case notPicture
            /// There is no notification for it.
            case failed(AttachmentError)
        }
    }
}

extension FolderBatch.Item {
    /// Whether the name says that this is a picture, sound or a movie, so that other bytes are worth
    /// an error.
    fileprivate var claimsToBeAttachment: Bool {
        let names: Set = [
            "jpg", "jpeg", "jpe", "png", "apng", "webp", "gif", "heic", "heics", "heif", "hif",
            "avif", "tif", "tiff", "bmp", "svg", "svgz", "jxl", "jp2", "aif", "aiff", "aifc", "wav",
            "mp3", "m4a", "aac", "flac", "ogg", "opus", "wma", "caf", "amr", "mpg", "mpeg", "m1v",
            "m2v", "mp4", "m4v", "mov", "qt", "3gp", "3g2", "avi", "mkv", "webm", "wmv", "flv",
        ]
        return names.contains(URL(fileURLWithPath: path).pathExtension.lowercased())
    }
}
