import AttachmentFormats
import AttachmentModel

/// Bytes for a decoder in C: of the file, or of the simpler file that one of our decoders writes.
final class ByteStream {
    private let file: AttachmentFile
    private let simpler: (any SimplerFile)?
    private(set) var offset = 0
    /// The reason for the first failure.
    private(set) var fault: DecodingFault?

    init(_ file: AttachmentFile, simpler: (any SimplerFile)? = nil) {
        self.file = file
        self.simpler = simpler
    }

    /// Returns the number of bytes, 0 at the end, negative on failure.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do throws(DecodingFault) {
            let count: Int
            if let simpler {
                count = try simpler.read(into: buffer)
            } else {
                count = try readFile(into: buffer)
            }
            offset += count
            return count
        } catch {
            fault = error
            return -1
        }
    }

    private func readFile(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        do throws(OpenFile.ReadFailure) {
            return try file.openFile.read(into: buffer, at: offset)
        } catch {
            throw DecodingFault(.unreadable, at: offset, error.reason)
        }
    }
}
