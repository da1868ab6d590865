import AttachmentContainer
import AttachmentFormats
import AttachmentModel

extension ScratchSpace {
    /// The scratch space of a processor.
    ///
    /// The result is nil if scratch files are disabled, or no folder is configured and the source
    /// is unusable because its files lie in memory. A configured folder that is unusable is an
    /// error.
    static func usable(
        _ settings: ProcessingSettings, from source: ScratchSource,
        _ placement: HeapPlacement?, willUnmap: @escaping @Sendable () -> Void
    ) throws(SettingsError) -> ScratchSpace? {
        guard settings.maximumScratchBytes.bytes > 0 else { return nil }
        let space = ScratchSpace(
            from: source, ceiling: settings.maximumScratchBytes.bytes, placement: placement,
            willUnmap: willUnmap)
        do {
            // Only a file in the folder shows if the folder is on a disk.
            _ = try space.makeMapping(bytes: 1)
            return space
        } catch {
            guard settings.scratchFolder != nil else { return nil }
            throw SettingsError(
                field: "scratchFolder",
                range: "a writable folder on a disk (\(error.reason))")
        }
    }
}
