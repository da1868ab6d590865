import AttachmentContainer
import AttachmentModel
import Foundation

/// Conversion of pictures to single files, through a container that is removed afterwards.
struct Conversion: Sendable {
    let source: AttachmentSource
    let processor: any AttachmentProcessing
    let output: ConversionOutput
    let preset: Preset
    let scratch: SharedContainer
    /// Paths of all pictures, none of which may be overwritten, by file.
    let pictures: [FileNumber: String]
    let maximumInput: ByteCount

    /// Converts a picture and writes its output to a path.
    func convert(
        _ picture: String, to path: String
    ) async throws(SourceFailure) -> ConversionReport.Picture {
        try checkOutput(path, of: picture)
        let request = try await request(picture)
        do throws(AttachmentError) {
            let done = try await processor.process(request)
            let rendition = try rendition(of: done.manifest, picture)
            try await BlockingWork.run { [self] () throws(AttachmentError) in
                try write(rendition, to: path, picture)
            }
            return ConversionReport.Picture(done, rendition, of: picture, at: path)
        } catch {
            throw SourceFailure(error)
        }
    }

    private func request(_ picture: String) async throws(SourceFailure) -> AttachmentRequest {
        guard picture == ConversionOutput.standardStream else {
            return try await source.request(picture, identifier: picture)
        }
        var request = AttachmentRequest(path: Self.standardInput, identifier: picture)
        do throws(AttachmentError) {
            request.file = try await BlockingWork.run { [self] () throws(AttachmentError) in
                try readInput()
            }
        } catch {
            throw SourceFailure(error)
        }
        return request
    }

    private static let standardInput = "standard input"

    /// Workers need a file that they can seek in.
    private func readInput() throws(AttachmentError) -> AttachmentFile {
        let file: OwnedDescriptor
        do throws(ContainerError) {
            file = try OwnedDescriptor(unnamedFileIn: scratch.root.path)
        } catch {
            throw AttachmentError(.storage, file: Self.standardInput, reason: error.reason)
        }
        var length = 0
        while let bytes = StandardStream.read() {
            length += bytes.count
            guard length <= maximumInput.bytes else {
                throw AttachmentError(
                    .tooLarge, file: Self.standardInput, reason: "it is longer than \(maximumInput)"
                )
            }
            guard StandardStream.write(bytes, to: file.descriptor) else {
                throw AttachmentError(
                    .storage, file: Self.standardInput,
                    reason: "it cannot be stored: \(String(cString: strerror(errno)))")
            }
        }
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        return try AttachmentFile(descriptor: copy, path: Self.standardInput)
    }

    private func rendition(
        of manifest: Manifest, _ picture: String
    ) throws(AttachmentError) -> Manifest.Rendition {
        if let rendition = manifest.conversion(to: output.type, for: preset) { return rendition }
        let name = AttachmentSource.name(picture)
        let others = manifest.renditions.filter { $0.role != .media }
            .compactMap { RenditionType(rawValue: $0.type)?.fileExtension }
        guard !others.isEmpty else {
            throw AttachmentError(.unsupported, file: name, reason: "it has no picture to convert")
        }
        throw AttachmentError(
            .unsupported, file: name,
            reason: "only a picture that moves becomes a GIF, and this one does not",
            remedy: "name an output that ends in .jpg or .png")
    }

    /// Refuses an output that is one of the pictures, by any name.
    private func checkOutput(_ path: String, of picture: String) throws(SourceFailure) {
        guard !output.isStandardStream, let target = FileNumber(path),
            let same = pictures[target]
        else { return }
        throw SourceFailure(
            AttachmentError(
                .storage, file: AttachmentSource.name(picture),
                reason: "its output \(path) is the picture \(same) itself",
                remedy: "name another output"))
    }

    /// Writes the file at once, under a name of its own until it is complete.
    private func write(
        _ rendition: Manifest.Rendition, to path: String, _ picture: String
    ) throws(AttachmentError) {
        let reason: String
        do {
            let bytes = try Data(contentsOf: scratch.url(of: rendition))
            guard output.isStandardStream else {
                return try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
            }
            if StandardStream.write(Array(bytes), to: STDOUT_FILENO) { return }
            reason = String(cString: strerror(errno))
        } catch {
            reason = error.systemReason
        }
        throw AttachmentError(
            .storage, file: AttachmentSource.name(picture),
            reason: "its output \(path) cannot be written: \(reason)",
            remedy: "check that its folder exists, may be written, and has room")
    }
}

/// A file, whatever its name.
struct FileNumber: Hashable {
    let device: dev_t
    let number: ino_t

    /// The first path of each file; URLs and missing files have none.
    static func paths(of names: [String]) -> [FileNumber: String] {
        Dictionary(
            names.compactMap { name in FileNumber(name).map { ($0, name) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Nil if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
