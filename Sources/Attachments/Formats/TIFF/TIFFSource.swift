import AttachmentModel
import Foundation

/// Byte source for libtiff: the file, with the reduced directory appended.
///
/// It uses `pread` and counts bytes. A directory that refers to the same bytes repeatedly therefore
/// cannot keep a decoder busy endlessly.
final class TIFFSource {
    /// Fault during a read; libtiff only notices missing bytes.
    private(set) var fault: DecodingFault?
    /// Bytes in place of those beyond the end of the file, nil for none: zeros stop all codecs
    /// except JPEG, which needs the end of its image.
    var padding: (UInt8, UInt8)?
    /// Bytes that may still be read, apart from the directory.
    var allowance: Int

    let file: OpenFile
    var length: Int { file.length }
    private let directory: ReducedDirectory
    private var position = 0

    init(_ file: OpenFile, directory: ReducedDirectory) {
        self.file = file
        self.directory = directory
        allowance = Self.allowance(file.length, decodedBytes: 0)
    }

    /// Four times the file, the decoded size because equal tiles may share bytes, and 16 MB because
    /// libtiff reads up to 1 MB of a small strip or tile that claims to be larger.
    static func allowance(_ length: Int, decodedBytes: Int) -> Int {
        let fourfold = length.multipliedReportingOverflow(by: 4)
        let sum = fourfold.partialValue.addingReportingOverflow(decodedBytes)
        let all = sum.partialValue.addingReportingOverflow(16 << 20)
        return fourfold.overflow || sum.overflow || all.overflow ? .max : all.partialValue
    }

    func clearFault() { fault = nil }

    /// Nil if invalid; `offset` is two's complement, `whence` is `SEEK_SET`, `SEEK_CUR` or
    /// `SEEK_END`.
    func seek(_ offset: UInt64, whence: CInt) -> Int? {
        let base = whence == SEEK_CUR ? position : whence == SEEK_END ? length : 0
        let (target, overflow) = base.addingReportingOverflow(Int(truncatingIfNeeded: offset))
        guard !overflow, target >= 0 else { return nil }
        position = target
        return target
    }

    /// Fills `bytes` and returns the number read: fewer at the end and after a fault.
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
        do throws(OpenFile.ReadFailure) {
            let got = try file.read(into: .init(rebasing: bytes[..<wanted]), at: position)
            allowance -= got
            return got
        } catch {
            record(.unreadable, at: position, error.reason)
            return 0
        }
    }

    /// Returns true if `count` is within the allowance; otherwise records a fault.
    private func isAllowed(_ count: Int) -> Bool {
        guard count > allowance else { return true }
        record(.limit, at: position, "its strips or tiles reuse the same bytes too often")
        return false
    }

    private func record(_ code: DecodingFault.Code, at offset: Int, _ reason: String) {
        fault = fault ?? DecodingFault(code, at: offset, reason)
    }

    private func copy(_ piece: ArraySlice<UInt8>, to bytes: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(piece.count, bytes.count)
        bytes.copyBytes(from: piece.prefix(count))
        return count
    }

    private func pad(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        guard let padding else {
            record(.truncated, at: length, "the file ends before the picture")
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
