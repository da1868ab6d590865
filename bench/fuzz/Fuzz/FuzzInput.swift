import Foundation

/// Bytes that a parser is given, in memory and as a file.
struct FuzzInput {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Hands the bytes over as an open file.
    ///
    /// It is the same file each time, without a name and in memory, so that a second of fuzzing is
    /// spent on parsing.
    func withFile(_ body: (_ descriptor: CInt) -> Void) {
        guard ftruncate(Self.file, 0) == 0,
            pwrite(Self.file, bytes, bytes.count, 0) == bytes.count
        else { fatalError("the file that inputs lie in cannot be written") }
        body(Self.file)
    }

    private static let file = CInt(unnamed: "input")
}

extension CInt {
    /// Opens a file in memory, and takes its name away: nothing of it stays behind.
    init(unnamed purpose: String) {
        let path = "/dev/shm/thimble-fuzz-\(purpose)-\(getpid())"
        self = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard self >= 0 else { fatalError("no file can be made in /dev/shm") }
        unlink(path)
    }
}
