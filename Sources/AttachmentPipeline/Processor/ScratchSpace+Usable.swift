import AttachmentContainer
import AttachmentDecoding
import AttachmentPlanning

extension ScratchSpace {
    /// Where the scratch files of a processor lie.
    ///
    /// - Parameters:
    ///   - settings: The folder, if one is named, and the ceiling.
    ///   - container: Whose folder for what is being made is taken else.
    ///   - placement: How large blocks of the heap are placed in it; nil where they cannot be.
    /// - Returns: The space; nil when there is to be none, or when no folder is named and the
    ///   container's is of no use: it lies in memory.
    /// - Throws: `SettingsError` when the folder that is named is of no use.
    static func usable(
        _ settings: ProcessingSettings, _ container: SharedContainer,
        _ placement: HeapPlacement?
    ) throws(SettingsError) -> ScratchSpace? {
        guard settings.maximumScratchBytes.bytes > 0 else { return nil }
        let space = ScratchSpace(
            folder: settings.scratchFolder ?? container.incomingFolder,
            ceiling: settings.maximumScratchBytes.bytes, placement: placement)
        do {
            // Whether a folder is on a disk is told by a file in it.
            _ = try space.makeMapping(bytes: 1)
            return space
        } catch {
            guard settings.scratchFolder != nil else { return nil }
            throw SettingsError(
                field: "scratchFolder",
                range: "a folder on a disk that can be written to (\(error.reason))")
        }
    }
}
