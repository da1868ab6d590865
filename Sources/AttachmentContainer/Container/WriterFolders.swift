/// The folders that a writer of notifications opens, for a sandbox that leaves it no others.
package struct WriterFolders: Sendable, Hashable {
    /// Where files are made, written, read again and moved away from.
    package let incoming: String
    /// Where renditions are moved to, into folders that are made for them.
    ///
    /// They are not read there.
    package let renditions: String
    /// Where manifests are moved to, and read to see what is there already.
    package let manifests: [String]
}

extension SharedContainer {
    /// The folders that a writer of notifications opens.
    package var writerFolders: WriterFolders {
        WriterFolders(
            incoming: path(.incoming), renditions: path(.renditions),
            manifests: [path(.notifications), path(.results)])
    }
}
