import Foundation

/// Makes files of their own out of open ones.
enum Clone {
    /// Makes a file with the bytes of another, sharing its blocks where the volume can.
    ///
    /// The offset of the descriptor stays where it is. What cannot be finished is removed.
    ///
    /// - Parameters:
    ///   - source: A file open for reading.
    ///   - target: Where the new file goes; there must be nothing.
    ///   - isWanted: Asked now and then whether anybody still wants the file.
    /// - Throws: `CloneFailure`.
    static func make(
        of source: CInt, at target: String, while isWanted: () -> Bool
    ) throws(CloneFailure) {
        #if canImport(Darwin)
            if fclonefileat(source, AT_FDCWD, target, 0) == 0 {
                // A clone has the times of what it was made of, and would be swept as stale.
                utimensat(AT_FDCWD, target, nil, 0)
                protect(target)
                return
            }
        #endif
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CloneFailure(number: errno) }
        defer { close(descriptor) }
        protect(target)
        do throws(CloneFailure) {
            #if os(Linux)
                if ioctl(descriptor, shareBlocks, source) == 0 { return }
            #endif
            try copy(source, to: descriptor, while: isWanted)
        } catch {
            unlink(target)
            throw error
        }
    }

    #if os(Linux)
        /// FICLONE (ioctl_ficlonerange(2)): `_IOW(0x94, 9, int)`, a macro that Swift does not see.
        private static let shareBlocks: UInt = 0x4004_9409
    #endif

    /// Copies all bytes, 64 KiB at a time.
    private static func copy(
        _ source: CInt, to target: CInt, while isWanted: () -> Bool
    ) throws(CloneFailure) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { block.deallocate() }
        var offset = 0
        while true {
            guard isWanted() else { throw CloneFailure(number: ECANCELED) }
            let count = try again { pread(source, block.baseAddress, block.count, off_t(offset)) }
            guard count > 0 else { return }
            var rest = UnsafeRawBufferPointer(rebasing: block[..<count])
            while !rest.isEmpty {
                let written = try again { write(target, rest.baseAddress, rest.count) }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
            offset += count
        }
    }

    /// Makes a call again for as long as a signal interrupts it.
    private static func again(_ call: () -> Int) throws(CloneFailure) -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            guard errno == EINTR else { throw CloneFailure(number: errno) }
        }
    }

    /// On Apple platforms, keeps a file readable from the first unlock on, as the container's are.
    private static func protect(_ path: String) {
        #if canImport(Darwin)
            // Volumes without data protection refuse, and need none.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                ofItemAtPath: path)
        #endif
    }
}

/// Why a file could not be cloned.
struct CloneFailure: Error, CustomStringConvertible {
    /// The system's error number.
    let number: CInt

    /// Whether the folder that it goes to is not there.
    var isMissingFolder: Bool { number == ENOENT }

    /// The system's own text.
    var description: String { String(cString: strerror(number)) }
}
