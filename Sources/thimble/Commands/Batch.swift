import ArgumentParser
import AttachmentContainer
import AttachmentIntake
import AttachmentPipeline
import AttachmentPlanning
import Foundation
import Logging

/// `thimble batch`: a folder of pictures becomes a container.
struct Batch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Process every picture of a folder.",
        discussion: """
            Every file of the folder, and of the folders in it, becomes a notification whose \
            identifier is the file's path relative to the folder. Files that did not change since \
            the last run with the same settings are recognised by their digest and left alone. \
            Files that are no pictures, by bytes and by name, are counted and left alone; a bad \
            picture is reported and never stops the rest.

            EXAMPLES
              thimble batch Photos --container Container
              thimble batch Photos --container Container --jobs 4 --width 393 --quality 75
              thimble batch Photos --container Container --report json > report.json
            """)

    @Argument(help: "The folder of pictures.", completion: .directory)
    var folder: String

    @OptionGroup var container: ContainerOption

    @Option(help: "Attachments under way at once, or auto: one a core.")
    var jobs = Jobs.auto

    @Option(help: "What to print on standard output: text or json.")
    var report = ReportFormat.text

    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    func run() async throws {
        common.bootstrapLogging()
        let settings = try settings.settings()
        let shared = try container.create()
        let processor = try AttachmentProcessor(
            settings: settings, container: shared, logger: Logger(label: "thimble"))
        let batch = try orExit { () throws(AttachmentError) in
            try FolderBatch(
                folder: URL(fileURLWithPath: folder, isDirectory: true), container: shared)
        }
        let start = ContinuousClock.now
        let results = await interruptible {
            var progress = BatchProgress(total: batch.items.count)
            let results = await batch.run(with: processor, jobs: jobs.count) {
                progress.advance($0)
            }
            progress.finish()
            return results
        }
        let summary = BatchReport(
            results, container: shared.root, total: batch.items.count,
            elapsed: start.duration(to: .now))
        switch report {
        case .text: summary.printSummary()
        case .json: try JSONOutput.print(summary)
        }
        if summary.notBegun > 0 { throw ExitCode.interrupted }
        if summary.failed > 0 { throw ExitCode.someFailed }
    }
}

/// How many attachments are under way at once.
enum Jobs: ExpressibleByArgument {
    case auto
    case exactly(Int)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let count = Int(argument), 1...1024 ~= count {
            self = .exactly(count)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .auto: "auto"
        case .exactly(let count): "\(count)"
        }
    }

    /// The number meant.
    var count: Int {
        switch self {
        case .auto: ProcessInfo.processInfo.activeProcessorCount
        case .exactly(let count): count
        }
    }
}
