import AttachmentContainer

/// The unnamed files that one worker fills with renditions.
///
/// Each of its attachments gets the same files. On file systems that avoid recently deleted inodes,
/// such as ext4 without a journal, new ones cost more than the decoding of a small picture.
final class WorkerOutputs: Sendable {
    private let folder: String
    private let files = Lock<[OwnedDescriptor]>([])

    init(in folder: String) { self.folder = folder }

    /// A number of files, without what they held before.
    func emptied(_ count: Int) throws(ContainerError) -> [OwnedDescriptor] {
        try files.withLock { files throws(ContainerError) in
            for file in files.prefix(count) { try file.empty() }
            while files.count < count {
                files.append(try OwnedDescriptor(unnamedFileIn: folder))
            }
            return Array(files.prefix(count))
        }
    }
}
