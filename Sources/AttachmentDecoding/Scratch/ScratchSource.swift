import AttachmentContainer
import Foundation

/// Where scratch files come from: a folder, or whoever may open one.
package struct ScratchSource: Sendable {
    /// The folder, for messages.
    let folder: String
    /// Opens an empty file without a name.
    let open: @Sendable () throws(DecodingFault) -> CInt

    /// A folder in which this process may make files.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The source.
    package static func folder(_ path: String) -> ScratchSource {
        ScratchSource(folder: path) { () throws(DecodingFault) in
            do throws(ContainerError) {
                return try OwnedDescriptor.openUnnamedFile(in: path)
            } catch {
                throw DecodingFault(
                    .scratch, at: 0,
                    "no file can be made in the scratch folder \(path): \(error.detail)")
            }
        }
    }

    /// Somebody else who opens files, in a folder that this process need not reach.
    ///
    /// - Parameters:
    ///   - folder: The folder, for messages.
    ///   - open: Opens a file, or says why not.
    /// - Returns: The source.
    package static func supply<Failure: Error>(
        in folder: String, _ open: @escaping @Sendable () throws(Failure) -> CInt
    ) -> ScratchSource {
        ScratchSource(folder: folder) { () throws(DecodingFault) in
            do throws(Failure) {
                return try open()
            } catch {
                throw DecodingFault(
                    .scratch, at: 0, "no file can be made in the scratch folder \(folder): \(error)"
                )
            }
        }
    }
}
