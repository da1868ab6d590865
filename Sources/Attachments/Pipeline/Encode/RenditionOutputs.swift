package import AttachmentContainer

/// The source of output files for renditions.
package enum OutputSource: Sendable {
    /// New unnamed files in a folder.
    case folder(String)
    /// Files opened by the caller, in order.
    case open([OwnedDescriptor])
}

package struct RenditionOutput: Sendable {
    let file: OwnedDescriptor
    let number: Int

    package var descriptor: Int32 { file.descriptor }

    func empty() throws(ContainerError) { try file.empty() }
}

/// Output files for one attempt at an attachment.
final class RenditionOutputs {
    private let source: OutputSource
    private(set) var files: [OwnedDescriptor] = []

    init(from source: OutputSource) { self.source = source }

    func next() throws(ContainerError) -> RenditionOutput {
        let number = files.count
        let file: OwnedDescriptor
        switch source {
        case .folder(let folder):
            file = try OwnedDescriptor(unnamedFileIn: folder)
        case .open(let open):
            guard open.indices.contains(number) else {
                throw ContainerError(
                    .system, path: "an unnamed file",
                    reason: "only \(open.count) files for renditions are available")
            }
            file = open[number]
            // A failed attempt may have written to it.
            try file.empty()
        }
        files.append(file)
        return RenditionOutput(file: file, number: number)
    }
}
