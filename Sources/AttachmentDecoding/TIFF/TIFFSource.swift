import Foundation

/// What libtiff reads of a file: its bytes, with the reduced directory behind them.
///
/// It reads by `pread` and counts, so that a directory that names the same bytes over and over does
/// not keep a decoder busy without end.
final class TIFFSource {
    /// The length of the file in bytes.
    let length: Int
    /// What went wrong while libtiff was reading; libtiff itself learns only that bytes are missing.
    private(set) var fault: DecodingFault?
    /// What stands for bytes behind the end of the file; nil when they are missing.
    ///
    /// Zeros keep all codecs but JPEG from decoding further; it asks for the end of its image.
    var padding: (UInt8, UInt8)?
    /// How many bytes may still be read, the directory not counted.
    var allowance: Int

    let descriptor: CInt
    private let directory: ReducedDirectory
    private var position = 0

    /// Starts at the beginning of a file.
    ///
    /// - Parameters:
    ///   - descriptor: The file; it stays the caller's.
    ///   - length: Its length in bytes.
    ///   - directory: What libtiff is to find of its directory.
    init(descriptor: CInt, length: Int, directory: ReducedDirectory) {
        self.descriptor = descriptor
        self.length = length
        self.directory = directory
        allowance = Self.allowance(length, decodedBytes: 0)
    }

    /// How many bytes a file's decoding may read: each several times, as much again as there is to
    /// decode, since equal tiles may share their bytes, and some on top for what libtiff reads of
    /// small strips and tiles that say that they are larger (1 MB).
    static func allowance(_ length: Int, decodedBytes: Int) -> Int {
        let fourfold = length.multipliedReportingOverflow(by: 4)
        let sum = fourfold.partialValue.addingReportingOverflow(decodedBytes)
        let all = sum.partialValue.addingReportingOverflow(16 << 20)
        return fourfold.overflow || sum.overflow || all.overflow ? .max : all.partialValue
    }

    /// Forgets what went wrong.
    func clearFault() { fault = nil }

    /// Moves to another place.
    ///
    /// - Parameters:
    ///   - offset: In bytes; two's complement.
    ///   - whence: From where: `SEEK_SET`, `SEEK_CUR`, `SEEK_END`.
    /// - Returns: The place, in bytes from the start; nil when there is none such.
    func seek(_ offset: UInt64, whence: CInt) -> Int? {
        let base = whence == SEEK_CUR ? position : whence == SEEK_END ? length : 0
        let (place, overflow) = base.addingReportingOverflow(Int(truncatingIfNeeded: offset))
        guard !overflow, place >= 0 else { return nil }
        position = place
        return place
    }

    /// Reads on.
    ///
    /// - Parameter bytes: Gets the bytes.
    /// - Returns: How many there are; fewer than asked for at the end and after a fault.
    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
            let got = readPiece(into: rest)
            guard got > 0 else { break }
            position += got
            count += got
        }
        return count
    }

    /// Reads from one of: the patched header, the file, the directory behind it.
    private func readPiece(into bytes: UnsafeMutableRawBufferPointer) -> Int {
        if position < directory.header.count {
            return copy(directory.header[position...], to: bytes)
        }
        let inDirectory = position - directory.start
        if inDirectory >= 0, inDirectory < directory.bytes.count, padding == nil {
            return copy(directory.bytes[inDirectory...], to: bytes)
        }
        guard position < length else { return pad(bytes) }
        let wanted = min(bytes.count, length - position)
        guard isAllowed(wanted) else { return 0 }
        var got: Int
        repeat {
            got = pread(descriptor, bytes.baseAddress, wanted, off_t(position))
        } while got < 0 && errno == EINTR
        if got < 0 {
            fault =
                fault ?? DecodingFault(.unreadable, at: position, String(cString: strerror(errno)))
        }
        allowance -= max(0, got)
        return max(0, got)
    }

    /// Whether as many bytes may still be read, or made up.
    private func isAllowed(_ count: Int) -> Bool {
        guard count > allowance else { return true }
        fault =
            fault
            ?? DecodingFault(
                .overCeiling, at: position, "its strips or tiles share their bytes too often")
        return false
    }

    private func copy(
        _ piece: ArraySlice<UInt8>, to bytes: UnsafeMutableRawBufferPointer
    ) -> Int {
        let count = min(piece.count, bytes.count)
        bytes.copyBytes(from: piece.prefix(count))
        return count
    }

    /// Fills with what stands for missing bytes.
    private func pad(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        guard let padding else {
            fault =
                fault ?? DecodingFault(.truncated, at: length, "the file ends before the picture")
            return 0
        }
        guard isAllowed(bytes.count) else { return 0 }
        allowance -= bytes.count
        for index in bytes.indices {
            bytes[index] = (position - length + index).isMultiple(of: 2) ? padding.0 : padding.1
        }
        return bytes.count
    }
}
