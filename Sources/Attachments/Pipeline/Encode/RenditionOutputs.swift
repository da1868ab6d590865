package import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import Foundation

/// The source of output files for renditions.
package enum OutputSource: Sendable {
    /// New unnamed files in a folder.
    case folder(String)
    /// New unnamed files in a folder, which are encrypted while they are written.
    case sealed(in: String)
    /// Files opened by the caller, in order.
    case open([OwnedDescriptor])

    var isSealed: Bool { if case .sealed = self { true } else { false } }
}

package struct RenditionOutput: Sendable {
    package let file: OwnedDescriptor
    let number: Int
    /// Nil for a rendition in the clear.
    let sealing: SealingFile?

    /// The file of a rendition in the clear; -1 for a sealed one.
    package var descriptor: Int32 { sealing == nil ? file.descriptor : -1 }

    package var target: WritingTarget { sealing.map { .sealed($0) } ?? .file(file.descriptor) }

    func empty() throws(ContainerError) {
        guard target.empty() else {
            throw ContainerError(
                .system, path: "an unnamed file",
                reason: "it cannot be emptied: \(String(cString: strerror(errno)))")
        }
    }

    /// Length of the rendition so far, in bytes; nil if the system does not tell it.
    var length: Int? {
        if let sealing { return sealing.length }
        var status = stat()
        return fstat(file.descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// The rendition as an attachment, to read it back; errors show `path`.
    func attachment(path: String) throws(AttachmentError) -> AttachmentFile {
        guard let sealing else {
            return try AttachmentFile(descriptor: dup(file.descriptor), path: path)
        }
        let plaintext: any Plaintext
        do throws(DecryptionError) {
            plaintext = try sealing.plaintext()
        } catch {
            throw AttachmentError(
                .storage, file: path, reason: "the rendition cannot be read: \(error.reason)")
        }
        return try AttachmentFile(plaintext, path: path)
    }
}

/// Output files for one attempt at an attachment.
final class RenditionOutputs {
    private let source: OutputSource
    private(set) var outputs: [RenditionOutput] = []

    init(from source: OutputSource) { self.source = source }

    var isSealed: Bool { source.isSealed }

    func next() throws(ContainerError) -> RenditionOutput {
        let number = outputs.count
        let file: OwnedDescriptor
        switch source {
        case .folder(let folder), .sealed(in: let folder):
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
        let output = RenditionOutput(
            file: file, number: number, sealing: isSealed ? SealingFile(file) : nil)
        outputs.append(output)
        return output
    }
}
