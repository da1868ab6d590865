package import AttachmentContainer

/// Where the renditions of an attachment are written.
package enum OutputSource: Sendable {
    /// New files without names, in a folder.
    case folder(String)
    /// Files that somebody else opened, in this order.
    case open([OwnedDescriptor])
}

/// A file for one rendition.
struct RenditionOutput: Sendable {
    /// Its number among those of the attachment, from 0.
    let number: Int
    private let file: OwnedDescriptor

    /// Numbers a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - number: Its number, from 0.
    init(_ file: OwnedDescriptor, number: Int) {
        self.file = file
        self.number = number
    }

    /// Open for reading and writing.
    var descriptor: Int32 { file.descriptor }

    /// Empties the file, so that it can be written once more from the start.
    ///
    /// - Throws: `ContainerError` when the volume fails.
    func empty() throws(ContainerError) { try file.empty() }
}

/// The files for the renditions of one attempt at an attachment.
final class RenditionOutputs {
    private let source: OutputSource
    /// Those that were handed out.
    private(set) var files: [OwnedDescriptor] = []

    /// Begins with the first file.
    ///
    /// - Parameter source: Where the files come from.
    init(from source: OutputSource) { self.source = source }

    /// Hands out the next file.
    ///
    /// - Returns: The file, which is empty.
    /// - Throws: `ContainerError` when the volume fails, or there is no further file.
    func next() throws(ContainerError) -> RenditionOutput {
        let number = files.count
        let file: OwnedDescriptor
        switch source {
        case .folder(let folder):
            file = try OwnedDescriptor(unnamedFileIn: folder)
        case .open(let open):
            guard open.indices.contains(number) else {
                throw ContainerError(
                    .system, path: "a file without a name",
                    reason: "there are only \(open.count) files for renditions")
            }
            file = open[number]
            // An attempt that failed may have written to it.
            try file.empty()
        }
        files.append(file)
        return RenditionOutput(file, number: number)
    }
}
