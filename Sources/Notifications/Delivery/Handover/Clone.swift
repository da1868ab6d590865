import AttachmentContainer
import Foundation

enum Clone {
    /// Copies a file, sharing its blocks if the volume can.
    ///
    /// The descriptor's offset does not change. The target must not exist; an incomplete one is removed.
    /// The copy stops when `isNeeded` returns false.
    static func make(
        of source: CInt, at target: String, protection: DataProtection, while isNeeded: () -> Bool
    ) throws(CloneFailure) {
        #if canImport(Darwin)
            if fclonefileat(source, AT_FDCWD, target, 0) == 0 {
                // A clone inherits its source's times, and would be swept as stale.
                utimensat(AT_FDCWD, target, nil, 0)
                protect(target, protection)
                return
            }
        #endif
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CloneFailure(number: errno) }
        defer { close(descriptor) }
        protect(target, protection)
        do throws(CloneFailure) {
            #if os(Linux)
                if ioctl(descriptor, shareBlocks, source) == 0 { return }
            #endif
            try copy(source, to: descriptor, while: isNeeded)
        } catch {
            unlink(target)
            throw error
        }
    }

    #if os(Linux)
        /// FICLONE (ioctl_ficlonerange(2)): `_IOW(0x94, 9, int)`, a macro that Swift cannot import.
        private static let shareBlocks: UInt = 0x4004_9409
    #endif

    private static func copy(
        _ source: CInt, to target: CInt, while isNeeded: () -> Bool
    ) throws(CloneFailure) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { block.deallocate() }
        var offset = 0
        while true {
            guard isNeeded() else { throw CloneFailure(number: ECANCELED) }
            let count = try retryingInterrupts {
                pread(source, block.baseAddress, block.count, off_t(offset))
            }
            guard count > 0 else { return }
            var rest = UnsafeRawBufferPointer(rebasing: block[..<count])
            while !rest.isEmpty {
                let written = try retryingInterrupts { write(target, rest.baseAddress, rest.count) }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
            offset += count
        }
    }

    private static func retryingInterrupts(_ call: () -> Int) throws(CloneFailure) -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            guard errno == EINTR else { throw CloneFailure(number: errno) }
        }
    }

    /// On Apple platforms, gives a file the protection of the container's files.
    private static func protect(_ path: String, _ protection: DataProtection) {
        #if canImport(Darwin)
            // Volumes without data protection fail here, which is harmless.
            try? FileManager.default.setAttributes(
                [.protectionKey: protection.fileType], ofItemAtPath: path)
        #endif
    }
}

struct CloneFailure: Error, CustomStringConvertible {
    let number: CInt

    var isMissingFolder: Bool { number == ENOENT }

    var description: String { String(cString: strerror(number)) }
}
