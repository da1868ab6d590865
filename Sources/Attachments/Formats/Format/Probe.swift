import AttachmentContainer
package import AttachmentModel

/// Reads the header of an attachment: format, size, coding, orientation and duration.
///
/// The signature determines the format, never the file name. The probe decodes no pixels, calls no
/// picture library and reads at most 1 MiB, in small blocks, and of a JPEG another 256 KiB in search
/// of a gain map. Any input gives a header or an `AttachmentError`. Callers must apply limits on pixels and file length.
package struct Probe: Sendable {
    private let formats: [PictureFormat]

    package init(_ formats: [PictureFormat] = .standard) { self.formats = formats }

    /// Reads the header of an open picture, sound or movie without moving the file's offset.
    package func attachment(_ file: AttachmentFile) throws(AttachmentError) -> ProbedAttachment {
        do throws(HeaderFault) {
            return try attachment(BoundedReader(file.openFile))
        } catch {
            throw error.error(file: file.path)
        }
    }

    /// Reads the header of a picture file; sound and movies are unsupported.
    package func picture(at path: String) throws(AttachmentError) -> AttachmentHeader {
        switch try attachment(AttachmentFile(path: path)) {
        case .picture(let header): return header
        case .media:
            throw AttachmentError(.unsupported, file: path, reason: "it is not a picture")
        }
    }

    func attachment(_ reader: BoundedReader) throws(HeaderFault) -> ProbedAttachment {
        let bytes = try reader.prefix(BoundedReader.windowBytes)
        for format in formats where format.signatures.contains(where: { $0.matches(bytes) }) {
            if try format.recognizes(reader) { return .picture(try format.probe(reader)) }
        }
        return .media(try media(reader))
    }

    private func media(_ reader: BoundedReader) throws(HeaderFault) -> MediaHeader {
        switch try Signature(reader) {
        case .wav: try WAVProbe.header(reader)
        case .aiff: try AIFFProbe.header(reader)
        case .avi: try AVIProbe.header(reader)
        case .mp3: try MP3Probe.header(reader)
        case .mpegProgram: try MPEGProbe.programHeader(reader)
        case .mpegVideo: try MPEGProbe.videoHeader(reader)
        case .quickTime, .isobmff: try MovieProbe.header(reader)
        case .unsupported(let name?): throw .unsupported("it looks like \(name)")
        case .unsupported(nil):
            throw .unsupported("its first bytes match no known attachment format")
        }
    }
}
