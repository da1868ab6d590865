import CSystemCalls
import Foundation

/// Bytes in an unnamed scratch file, read and written at offsets without mapping.
///
/// Sequential data are copied in large pieces, which takes a fraction of the kernel time of page
/// faults. The file is created by the first write.
package final class ScratchFile {
    private let space: ScratchSpace
    private var descriptor: CInt?
    /// Bytes reserved in the space: the end of the file, rounded up.
    private var reserved = 0
    private var unwritten = 0

    /// Unit of reservations, in bytes.
    private static let unit = 1 << 20
    /// Smallest write-out, in bytes: dirty pages may count under a hard cap until they are written.
    private static let bytesPerWriteOut = 1 << 20

    package init(in space: ScratchSpace) { self.space = space }

    package func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(DecodingFault) {
        guard !bytes.isEmpty else { return }
        try reserve(offset + bytes.count)
        let file = try open()
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(file, rest.baseAddress, rest.count, off_t(offset + done))
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                throw DecodingFault(
                    .scratch, at: 0, "a scratch file cannot be written: \(lastError)")
            }
        }
        unwritten += bytes.count
        guard space.addDirty(bytes.count) else { return }
        space.unmapDisplaced()
        guard unwritten >= Self.bytesPerWriteOut else { return }
        space.removeDirty(unwritten)
        unwritten = 0
        #if os(Linux)
            thimble_start_writing_out(file)
        #endif
    }

    /// Fills `bytes`, all of which must have been written.
    package func read(
        into bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(DecodingFault) {
        guard !bytes.isEmpty else { return }
        let file = try open()
        var done = 0
        while done < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = pread(file, rest.baseAddress, rest.count, off_t(offset + done))
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                throw DecodingFault(.scratch, at: 0, "a scratch file cannot be read: \(lastError)")
            }
        }
    }

    private func open() throws(DecodingFault) -> CInt {
        if let descriptor { return descriptor }
        let made = try space.openFile()
        descriptor = made
        return made
    }

    private func reserve(_ end: Int) throws(DecodingFault) {
        guard end > reserved else { return }
        let length = (end + Self.unit - 1) / Self.unit * Self.unit
        try space.reserveFile(length - reserved)
        reserved = length
    }

    deinit {
        space.removeDirty(unwritten)
        if let descriptor { close(descriptor) }
        space.releaseFile(reserved)
    }
}
