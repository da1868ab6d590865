public import AttachmentPlanning
internal import Foundation

/// Reads the header of an attachment: what it is, how large, how coded, how turned.
///
/// The kind is told by the bytes, never by the file's name. No pixel is decoded, no picture library
/// is asked, and at most 1 MiB is read, in small pieces. Whatever the bytes are, the answer is a
/// header or an ``AttachmentError``. Ceilings on pixels and on the length of the file are for the
/// caller to apply.
public enum Probe {
    /// Reads the header of a file.
    ///
    /// - Parameter path: The file. It must be a regular file or lead to one; folders, pipes and
    ///   devices are refused without waiting for them.
    /// - Returns: What the header says.
    /// - Throws: ``AttachmentError`` with the code `unreadable`, `empty`, `unsupported`,
    ///   `truncated`, `corrupt` or `dimensions`.
    public static func header(
        ofFile path: String
    ) throws(AttachmentError) -> AttachmentHeader {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw HeaderFault.unreadable(errno).error(file: path) }
        defer { close(descriptor) }
        return try header(of: descriptor, file: path)
    }

    /// Reads the header of an open file, wherever its offset stands, and leaves the offset there.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading.
    ///   - file: What to call it in errors.
    /// - Returns: What the header says.
    /// - Throws: The same as ``header(ofFile:)``.
    package static func header(
        of descriptor: CInt, file: String
    ) throws(AttachmentError) -> AttachmentHeader {
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
        let reader = BoundedReader(descriptor: descriptor, length: Int(status.st_size))
        do {
            return try header(reader)
        } catch {
            throw error.error(file: file)
        }
    }

    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        switch try Signature(reader) {
        case .jpeg: try JPEGProbe.header(reader)
        case .png: try PNGProbe.header(reader)
        case .webp: try WebPProbe.header(reader)
        case .gif: try GIFProbe.header(reader)
        case .tiff: try TIFFProbe.header(reader)
        case .isobmff: try HEIFProbe.header(reader)
        case .foreign(let name?): throw .unsupported("it looks like \(name)")
        case .foreign(nil): throw .unsupported("its first bytes are of no known kind of picture")
        }
    }
}
