import AttachmentModel
import Foundation

/// Input of a parser, in memory and as a file.
struct FuzzInput {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Passes the bytes as an open file.
    ///
    /// Reuses one unlinked file in memory, so that the time goes into parsing.
    func withFile<Result>(_ body: (OpenFile) -> Result) -> Result {
        guard ftruncate(Self.file, 0) == 0,
            pwrite(Self.file, bytes, bytes.count, 0) == bytes.count
        else { fatalError("the input file cannot be written") }
        return body(OpenFile(descriptor: Self.file, length: bytes.count))
    }

    private static let file = CInt(unnamed: "input")
}

extension CInt {
    /// Creates an unlinked file in memory.
    init(unnamed purpose: String) {
        let path = "/dev/shm/thimble-fuzz-\(purpose)-\(getpid())"
        self = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard self >= 0 else { fatalError("no file can be created in /dev/shm") }
        unlink(path)
    }
}
