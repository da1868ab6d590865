import AttachmentContainer

/// Origin of scratch files: a folder, or another party that opens them.
package struct ScratchSource: Sendable {
    let folder: String
    let open: @Sendable () throws(DecodingFault) -> CInt

    package static func folder(_ path: String) -> ScratchSource {
        ScratchSource(folder: path) { () throws(DecodingFault) in
            do throws(ContainerError) {
                return try OwnedDescriptor.openUnnamedFile(in: path)
            } catch {
                throw DecodingFault(
                    .scratch, at: 0,
                    "no file can be created in the scratch folder \(path): \(error.detail)")
            }
        }
    }

    /// Files opened by another party, in a folder that this process need not reach.
    package static func supply<Failure: Error>(
        in folder: String, _ open: @escaping @Sendable () throws(Failure) -> CInt
    ) -> ScratchSource {
        ScratchSource(folder: folder) { () throws(DecodingFault) in
            do throws(Failure) {
                return try open()
            } catch {
                throw DecodingFault(
                    .scratch, at: 0,
                    "no file can be created in the scratch folder \(folder): \(error)")
            }
        }
    }
}
