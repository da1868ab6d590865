public import AttachmentPlanning
internal import Foundation

/// Reads the header of an attachment: format, size, coding, orientation and duration.
///
/// The signature determines the format, never the file name. The probe decodes no pixels, calls no
/// picture library and reads at most 1 MiB, in small blocks. Any input gives a header or an
/// ``AttachmentError``. Callers must apply limits on pixels and file length.
public enum Probe {
    /// Reads the header of a picture.
    ///
    /// - Parameter path: The file: a regular file, or a link to one. Folders, pipes and devices are
    ///   rejected without blocking.
    /// - Returns: The header.
    /// - Throws: ``AttachmentError`` with the code `unreadable`, `empty`, `unsupported`,
    ///   `truncated`, `corrupt` or `dimensions`.
    public static func header(
        ofFile path: String
    ) throws(AttachmentError) -> AttachmentHeader {
        let descriptor = try open(path)
        defer { close(descriptor) }
        return try header(of: descriptor, file: path)
    }

    /// Reads the header of a file that may be a picture, sound or a movie.
    ///
    /// - Parameter path: The file, as for ``header(ofFile:)``.
    /// - Returns: The header.
    /// - Throws: The errors of ``header(ofFile:)``.
    public static func attachment(
        ofFile path: String
    ) throws(AttachmentError) -> ProbedAttachment {
        let descriptor = try open(path)
        defer { close(descriptor) }
        return try attachment(of: descriptor, file: path)
    }

    /// Reads the header of an open picture without moving the file's offset.
    package static func header(
        of descriptor: CInt, file: String
    ) throws(AttachmentError) -> AttachmentHeader {
        let reader = try reader(of: descriptor, file: file)
        return try describingFaults(of: file) { () throws(HeaderFault) in try header(reader) }
    }

    /// Reads the header of an open picture, sound or movie without moving the file's offset.
    package static func attachment(
        of descriptor: CInt, file: String
    ) throws(AttachmentError) -> ProbedAttachment {
        let reader = try reader(of: descriptor, file: file)
        return try describingFaults(of: file) { () throws(HeaderFault) in try attachment(reader) }
    }

    private static func open(_ path: String) throws(AttachmentError) -> CInt {
        // Without O_NONBLOCK, opening a FIFO blocks until it has a writer.
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw HeaderFault.unreadable(errno).error(file: path) }
        return descriptor
    }

    private static func reader(
        of descriptor: CInt, file: String
    ) throws(AttachmentError) -> BoundedReader {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw HeaderFault.unreadable(errno).error(file: file)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw AttachmentError(.unreadable, file: file, reason: "it is not a regular file")
        }
        guard status.st_size > 0 else {
            throw AttachmentError(.empty, file: file, reason: "the file has no bytes")
        }
        return BoundedReader(descriptor: descriptor, length: Int(status.st_size))
    }

    /// Converts header faults to errors of the given file.
    private static func describingFaults<Value>(
        of file: String, _ read: () throws(HeaderFault) -> Value
    ) throws(AttachmentError) -> Value {
        do {
            return try read()
        } catch {
            throw error.error(file: file)
        }
    }

    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        let signature = try Signature(reader)
        guard let header = try picture(signature, reader) else { throw .notPicture(signature) }
        return header
    }

    static func attachment(_ reader: BoundedReader) throws(HeaderFault) -> ProbedAttachment {
        let signature = try Signature(reader)
        if let header = try media(signature, reader) { return .media(header) }
        guard let header = try picture(signature, reader) else { throw .notPicture(signature) }
        return .picture(header)
    }

    private static func picture(
        _ signature: Signature, _ reader: BoundedReader
    ) throws(HeaderFault) -> AttachmentHeader? {
        switch signature {
        case .jpeg: try JPEGProbe.header(reader)
        case .png: try PNGProbe.header(reader)
        case .webp: try WebPProbe.header(reader)
        case .gif: try GIFProbe.header(reader)
        case .tiff: try TIFFProbe.header(reader)
        case .isobmff: try HEIFProbe.header(reader)
        default: nil
        }
    }

    private static func media(
        _ signature: Signature, _ reader: BoundedReader
    ) throws(HeaderFault) -> MediaHeader? {
        switch signature {
        case .wav: try WAVProbe.header(reader)
        case .aiff: try AIFFProbe.header(reader)
        case .avi: try AVIProbe.header(reader)
        case .mp3: try MP3Probe.header(reader)
        case .mpegProgram: try MPEGProbe.programHeader(reader)
        case .mpegVideo: try MPEGProbe.videoHeader(reader)
        case .quickTime: try MovieProbe.header(reader)
        case .isobmff where try !FileType.isPicture(reader): try MovieProbe.header(reader)
        default: nil
        }
    }
}

extension HeaderFault {
    fileprivate static func notPicture(_ signature: Signature) -> HeaderFault {
        .unsupported(
            signature.name.map { "it looks like \($0)" }
                ?? "its first bytes match no known attachment format")
    }
}
