public import AttachmentModel
import Foundation

/// A regular file, open for reading, whose location was checked.
///
/// The path may later name another file; the descriptor keeps the one that was opened.
public final class AllowedFile: Sendable {
    /// The path without symbolic links; the original path if any folder was allowed.
    public let path: String
    /// A seekable descriptor, open for reading and closed on deinitialisation; -1 for an encrypted file,
    /// which has none with its bytes.
    package let descriptor: CInt
    private let plaintext: (any Plaintext)?
    /// The size when opened, in bytes.
    let length: Int
    /// The identity when opened; nil while another change could leave it as it is.
    let identity: PictureIdentity?

    /// Takes an open descriptor, and closes it on failure.
    ///
    /// Errors of processing show `path`.
    ///
    /// - Throws: `DeliveryReason` for a folder, or another kind of file that is not regular.
    package init(_ descriptor: CInt, path: String) throws(DeliveryReason) {
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
        plaintext = nil
        length = Int(status.st_size)
        let identity = PictureIdentity(status)
        self.identity = identity.isSettled ? identity : nil
    }

    /// An encrypted file that was authenticated, which errors show as `path`.
    package init(_ plaintext: any Plaintext, path: String) {
        self.plaintext = plaintext
        self.path = path
        descriptor = -1
        length = plaintext.length
        identity = nil
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var isEncrypted: Bool { plaintext != nil }

    /// Returns the file for a processor, with its own read position.
    ///
    /// The path is not resolved again, so a processor reads the checked file.
    public func attachment() throws(AttachmentError) -> AttachmentFile {
        if let plaintext { return try AttachmentFile(plaintext, path: path) }
        let copy = reopened() ?? fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            let reason = String(cString: strerror(errno))
            throw AttachmentError(.unreadable, file: path, reason: "it cannot be opened: \(reason)")
        }
        return try AttachmentFile(descriptor: copy, path: path)
    }

    /// Reopens the file behind the descriptor; nil if the system cannot.
    ///
    /// A duplicate shares its read position with the original, which an abandoned attempt may still be
    /// reading.
    private func reopened() -> CInt? {
        #if os(Linux)
            // The link in /proc leads to the open file, whatever its path names now (proc(5)).
            let copy = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            return copy < 0 ? nil : copy
        #else
            return nil
        #endif
    }
}

extension AllowedFile: Hashable {
    /// True for the same object.
    public static func == (left: AllowedFile, right: AllowedFile) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension DeliveryReason {
    static let isFolder = DeliveryReason(
        .isFolder, reason: "the path is a folder")
    static let notRegular = DeliveryReason(
        .notRegular, reason: "the path is a pipe, a socket or a device")

    /// Creates a reason from the error number of a failed open.
    init(opening number: CInt) {
        switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG:
            self.init(
                .missing, reason: "no file exists at the path")
        case ELOOP:
            self.init(
                .linkLeadsOut, reason: "a symbolic link in the path cannot be followed",
                remedy: "name the file itself")
        case ENXIO, ENODEV: self = .notRegular
        default:
            self.init(
                .unreadable,
                reason: "the file cannot be opened: \(String(cString: strerror(number)))")
        }
    }
}
