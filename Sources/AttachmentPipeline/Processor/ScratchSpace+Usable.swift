import AttachmentContainer
import AttachmentDecoding
import AttachmentPlanning

extension ScratchSpace {
    /// Where the scratch files of a processor lie.
    ///
    /// - Parameters:
    ///   - settings: The ceiling, and whether a folder is named.
    ///   - source: Where the files come from.
    ///   - placement: How large blocks of the heap are placed in it; nil where they cannot be.
    /// - Returns: The space; nil when there is to be none, or when no folder is named and the
    ///   source is of no use: its files lie in memory.
    /// - Throws: `SettingsError` when the folder that is named is of no use.
    static func usable(
        _ settings: ProcessingSettings, from source: ScratchSource,
        _ placement: HeapPlacement?
    ) throws(SettingsError) -> ScratchSpace? {
        guard settings.maximumScratchBytes.bytes > 0 else { return nil }
        let space = ScratchSpace(
            from: source, ceiling: settings.maximumScratchBytes.bytes, placement: placement)
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
