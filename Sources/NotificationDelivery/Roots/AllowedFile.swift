package import AttachmentIntake
import Foundation

/// A regular file open for reading, of which it was made sure where it lies.
///
/// What the path leads to later may be something else; the descriptor stays with what was opened.
public final class AllowedFile: Sendable {
    /// Where it lies, without symbolic links; as it was asked for when anywhere was allowed.
    public let path: String
    /// Open for reading, seekable; closed when the last one lets go of the file.
    package let descriptor: CInt
    /// The length when it was opened, in bytes.
    let length: Int

    /// Takes over an open descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: Closed here, also when this throws.
    ///   - path: What it was opened by.
    /// - Throws: `DeliveryReason` when it is no regular file.
    init(_ descriptor: CInt, path: String) throws(DeliveryReason) {
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let failure = errno
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            if !isKnown { throw DeliveryReason(opening: failure) }
            throw status.st_mode & S_IFMT == S_IFDIR ? .isFolder : .notRegular
        }
        self.descriptor = descriptor
        self.path = path
        length = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The same file for a processor, with a read position of its own.
    ///
    /// The path is not looked up again, so a processor reads what was checked.
    ///
    /// - Returns: The file, open for reading.
    /// - Throws: `AttachmentError` with code `unreadable` or `empty`.
    package func attachment() throws(AttachmentError) -> AttachmentFile {
        let copy = reopened() ?? fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            let reason = String(cString: strerror(errno))
            throw AttachmentError(.unreadable, file: path, reason: "it cannot be opened: \(reason)")
        }
        return try AttachmentFile(descriptor: copy, path: path)
    }

    /// Opens the file behind the descriptor once more; nil where the system cannot.
    ///
    /// A duplicate shares its read position with the original, and an attempt that was given up may
    /// still read beside the next one.
    private func reopened() -> CInt? {
        #if os(Linux)
            // A link of /proc leads to the open file itself, whatever its path names now (proc(5)).
            let copy = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            return copy < 0 ? nil : copy
        #else
            return nil
        #endif
    }
}

extension DeliveryReason {
    static let isFolder = DeliveryReason(
        .isFolder, message: "the path is a folder", remedy: "name a file")
    static let notRegular = DeliveryReason(
        .notRegular, message: "the path is a pipe, a socket or a device",
        remedy: "store the attachment in a file")

    /// What the system said against opening.
    ///
    /// - Parameter number: The error number.
    init(opening number: CInt) {
        switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG:
            self.init(
                .missing, message: "there is no file at the path",
                remedy: "check the path, and that nobody removes the file before")
        case ELOOP:
            self.init(
                .linkLeadsOut, message: "a symbolic link in the path leads astray",
                remedy: "name the file itself")
        case ENXIO, ENODEV: self = .notRegular
        default:
            self.init(
                .unreadable,
                message: "the file cannot be opened: \(String(cString: strerror(number)))",
                remedy: "check that this process may read it")
        }
    }
}
