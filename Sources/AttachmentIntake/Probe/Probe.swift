public import AttachmentPlanning
internal import Foundation

/// Reads the header of an attachment: what it is, how large, how coded, how turned, how long.
///
/// The kind is told by the bytes, never by the file's name. Nothing is decoded, no picture library
/// is asked, and at most 1 MiB is read, in small pieces. Whatever the bytes are, the answer is a
/// header or an ``AttachmentError``. Ceilings on pixels and on the length of the file are for the
/// caller to apply.
public enum Probe {
    /// Reads the header of a picture.
    ///
    /// - Parameter path: The file. It must be a regular file or lead to one; folders, pipes and
    ///   devices are refused without waiting for them.
    /// - Returns: What the header says.
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
    /// - Returns: What the header says.
    /// - Throws: The same as ``header(ofFile:)``.
    public static func attachment(
        ofFile path: String
    ) throws(AttachmentError) -> ProbedAttachment {
        let descriptor = try open(path)
        defer { close(descriptor) }
        return try attachment(of: descriptor, file: path)
    }

    /// Reads the header of an open picture, wherever its offset stands, and leaves the offset there.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading.
    ///   - file: What to call it in errors.
    /// - Returns: What the header says.
    /// - Throws: The same as ``header(ofFile:)``.
    package static func header(
        of descriptor: CInt, file: String
    ) throws(AttachmentError) -> AttachmentHeader {
        let reader = try reader(of: descriptor, file: file)
        return try naming(file) { () throws(HeaderFault) in try header(reader) }
    }

    /// Reads the header of an open file that may be a picture, sound or a movie.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading. Its offset stays where it is.
    ///   - file: What to call it in errors.
    /// - Returns: What the header says.
    /// - Throws: The same as ``header(ofFile:)``.
    package static func attachment(
        of descriptor: CInt, file: String
    ) throws(AttachmentError) -> ProbedAttachment {
        let reader = try reader(of: descriptor, file: file)
        return try naming(file) { () throws(HeaderFault) in try attachment(reader) }
    }

    private static func open(_ path: String) throws(AttachmentError) -> CInt {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
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

    /// Says what a fault means for the file.
    private static func naming<Value>(
        _ file: String, _ read: () throws(HeaderFault) -> Value
    ) throws(AttachmentError) -> Value {
        do {
            return try read()
        } catch {
            throw error.error(file: file)
        }
    }

    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        let signature = try Signature(reader)
        guard let header = try picture(signature, reader) else { throw .noPicture(signature) }
        return header
    }

    static func attachment(_ reader: BoundedReader) throws(HeaderFault) -> ProbedAttachment {
        let signature = try Signature(reader)
        if let header = try media(signature, reader) { return .media(header) }
        guard let header = try picture(signature, reader) else { throw .noPicture(signature) }
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
    /// Names what is no picture.
    fileprivate static func noPicture(_ signature: Signature) -> HeaderFault {
        .unsupported(
            signature.name.map { "it looks like \($0)" }
                ?? "its first bytes are of no known kind of attachment")
    }
}
