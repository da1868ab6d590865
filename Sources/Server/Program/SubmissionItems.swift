import AttachmentContainer
import AttachmentFleet
import Foundation
import NotificationPayload
import ServiceOptions

/// The attachments of a folder, in the order of its enumeration, of a list, or of payloads.
struct SubmissionItems: Sendable {
    /// A source that cannot be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private enum Source: Sendable {
        case folder(FolderFiles)
        case lines
        case payloads(PayloadPictures)
    }

    /// The number of attachments; nil if unknown.
    let count: Int?
    private var source: Source

    /// Opens the source; exactly one of the first three is not nil.
    init(
        folder: String?, list: String?, payloads: String?, style: PayloadStyle
    ) throws(Failure) {
        if let folder {
            let files = try FolderFiles(folder)
            count = files.count
            source = .folder(files)
        } else {
            let file = list ?? payloads ?? "-"
            count = list == nil ? nil : try Self.lines(of: file)
            if file != "-" { try Self.takeAsInput(file) }
            source = list == nil ? .payloads(PayloadPictures(style)) : .lines
        }
    }

    mutating func next() -> FleetSubmission.Item? {
        switch source {
        case .folder(let files): return files.next()
        case .lines:
            while let line = readLine() {
                if !line.isEmpty { return .init(identifier: line, location: line) }
            }
            return nil
        case .payloads(var pictures):
            defer { source = .payloads(pictures) }
            return pictures.next()
        }
    }

    /// The number of lines that are not empty; nil for standard input.
    private static func lines(of path: String) throws(Failure) -> Int? {
        guard path != "-" else { return nil }
        guard let file = fopen(path, "r") else { throw unreadable(path) }
        defer { fclose(file) }
        var (count, isEmpty) = (0, true)
        while case let byte = getc(file), byte != EOF {
            if byte == 0x0A {
                count += isEmpty ? 0 : 1
                isEmpty = true
            } else {
                isEmpty = false
            }
        }
        return count + (isEmpty ? 0 : 1)
    }

    /// Makes a file the standard input.
    private static func takeAsInput(_ path: String) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        guard dup2(descriptor, STDIN_FILENO) >= 0 else { throw unreadable(path) }
    }

    private static func unreadable(_ path: String) -> Failure {
        Failure(
            description:
                "\(path.printable): it cannot be opened: \(String(cString: strerror(errno)))")
    }
}

/// The files of a folder and its subfolders, without hidden ones.
private final class FolderFiles: Sendable {
    let count: Int
    private let folder: String
    // Only the task that submits calls `next`.
    private nonisolated(unsafe) let paths: FileManager.DirectoryEnumerator

    init(_ folder: String) throws(SubmissionItems.Failure) {
        self.folder = folder
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
            isFolder.boolValue, let paths = FileManager.default.enumerator(atPath: folder),
            let counted = FileManager.default.enumerator(atPath: folder)
        else {
            throw SubmissionItems.Failure(
                description: "\(folder.printable): it is not a folder that can be read")
        }
        self.paths = paths
        var count = 0
        while Self.nextFile(of: counted) != nil { count += 1 }
        self.count = count
    }

    func next() -> FleetSubmission.Item? {
        Self.nextFile(of: paths).map { .init(identifier: $0, location: "\(folder)/\($0)") }
    }

    private static func nextFile(of paths: FileManager.DirectoryEnumerator) -> String? {
        while let path = paths.nextObject() as? String {
            let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
            let isFile = paths.fileAttributes?[.type] as? FileAttributeType == .typeRegular
            if isFile, !isHidden { return path }
        }
        return nil
    }
}

/// URLs of pictures in payloads on standard input, each once.
private struct PayloadPictures: Sendable {
    private let style: PayloadStyle
    private var splitter = PayloadSplitter()
    private var found: [String] = []
    /// 128 bits of each URL's digest: 16 MB for a million of them.
    private var known: Set<UInt128> = []
    private var hasEnded = false

    init(_ style: PayloadStyle) { self.style = style }

    mutating func next() -> FleetSubmission.Item? {
        while found.isEmpty, !hasEnded {
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            hasEnded = count <= 0
            collect(hasEnded ? splitter.finish() : splitter.append(bytes[..<count]))
        }
        return found.popLast().map { .init(identifier: $0, location: $0) }
    }

    private mutating func collect(_ pieces: [PayloadSplitter.Piece]) {
        for case .document(let document, _) in pieces {
            guard let payload = try? APNsPayload(document) else { continue }
            for reference in payload.attachments(style) {
                let url = reference.location
                guard url.hasPrefix("https://") || url.hasPrefix("http://"),
                    let key = UInt128(ContentDigest(of: url).rawValue.prefix(32), radix: 16),
                    known.insert(key).inserted
                else { continue }
                found.append(url)
            }
        }
        found.reverse()
    }
}
