import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import ThimbleOptions
import WorkerProtocol

/// The report of `thimble --version`: release, commit, libraries and features of this machine.
enum VersionReport {
    /// Also the parser's, which takes it before any program can be asked.
    static let firstLine = "thimble \(Release.version)"

    static func print() async {
        TextOutput.print(firstLine)
        TextOutput.print("commit       \(Release.commit ?? "unknown")")
        for name in ProgramVersion.names {
            let program = await ProgramVersion.installed(name)
            TextOutput.print(
                "\(name.dropFirst("thimble-".count))".padded(to: 13)
                    + (program.libraries ?? "not installed; 'thimble doctor' says what to do"))
        }
        await printFeatures()
    }

    private static func printFeatures() async {
        let settings = ProcessingSettings()
        let mechanism = (try? HardCap(settings.cap).mechanism.rawValue) ?? "none"
        TextOutput.print("enforcement  \(mechanism)")
        guard let scratch = ScratchContainer(in: ScratchContainer.places) else { return }
        defer { scratch.remove() }
        guard let pool = try? WorkerPool(settings: settings, container: scratch.container),
            (try? await pool.warmUp()) != nil
        else { return TextOutput.print("sandbox      unknown, because no worker starts") }
        TextOutput.print("sandbox      \(pool.sandbox?.summary ?? "unknown")")
        await pool.close()
    }
}
