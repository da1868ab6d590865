public import AttachmentContainer
public import Foundation

/// All the files of a folder, processed several at a time; one bad file never stops the rest.
public struct FolderBatch: Sendable {
    /// A file to process.
    public struct Item: Sendable, Hashable {
        /// Where it lies.
        public let path: String
        /// Its notification identifier: the path relative to the folder, with `/` between names.
        public let identifier: String
        /// Its length when the folder was read.
        public let bytes: ByteCount
    }

    /// The files, in the order of their identifiers.
    public let items: [Item]

    /// Lists the regular files of a folder and of all folders in it.
    ///
    /// Hidden files and folders are left out, and so is the container if it lies inside. Links to
    /// folders are not followed.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - container: The container that the notifications will go to.
    /// - Throws: `AttachmentError` with code `unreadable` when the folder cannot be listed.
    public init(folder: URL, container: SharedContainer) throws(AttachmentError) {
        let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let container = container.root.resolvingSymlinksInPath().standardizedFileURL.path
        var items: [Item] = []
        var folders = [""]
        while let identifier = folders.popLast() {
            let path = Self.path(of: identifier, in: root)
            // A folder that went away meanwhile has no files; only the first one was asked for.
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                guard identifier.isEmpty else { continue }
                throw AttachmentError(.unreadable, file: folder.path, reason: "is not a folder")
            }
            for name in names where !name.hasPrefix(".") {
                let identifier = identifier.isEmpty ? name : "\(identifier)/\(name)"
                let path = Self.path(of: identifier, in: root)
                let facts = try? FileManager.default.attributesOfItem(atPath: path)
                switch facts?[.type] as? FileAttributeType {
                case .typeDirectory where path != container:
                    folders.append(identifier)
                case .typeRegular:
                    let bytes = ByteCount(facts?[.size] as? Int ?? 0)
                    items.append(Item(path: path, identifier: identifier, bytes: bytes))
                default:
                    break
                }
            }
        }
        self.items = items.sorted { $0.identifier < $1.identifier }
    }

    private static func path(of identifier: String, in root: String) -> String {
        identifier.isEmpty ? root : root == "/" ? "/\(identifier)" : "\(root)/\(identifier)"
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
            let done = try await processor.process(item.path, identifier: item.identifier)
            outcome = .done(done)
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
