import ArgumentParser
import AttachmentContainer
import AttachmentIntake
import AttachmentPipeline
import Foundation
import Logging

/// `thimble process`: single files become notifications with identifiers of the caller's choice.
struct Process: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Process single attachments under identifiers of your choice.",
        discussion: """
            EXAMPLES
              thimble process photo.heic --container Container --id order-1042
              thimble process a.jpg b.png --container Container --id first --id second
              thimble process photo.heic --container Container --id 7 --report json
            """)

    @Argument(help: "The attachments.", completion: .file())
    var files: [String]

    @OptionGroup var container: ContainerOption

    @Option(
        name: .customLong("id"),
        help: "The notification's identifier; once for each file, in the same order.")
    var identifiers: [String]

    @Option(help: "The notification's category, as the content extension declares it.")
    var category: String?

    @Option(help: "What to print on standard output: text, or json for the manifests.")
    var report = ReportFormat.text

    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    func validate() throws {
        guard identifiers.count == files.count else {
            throw ValidationError(
                "\(files.count) files need as many --id, but there are \(identifiers.count).")
        }
    }

    func run() async throws {
        common.bootstrapLogging()
        let processor = try AttachmentProcessor(
            settings: try settings.settings(), container: try container.create(),
            logger: Logger(label: "thimble"))
        var manifests: [Manifest] = []
        for (file, identifier) in zip(files, identifiers) {
            do {
                let done = try await processor.process(
                    file, identifier: identifier, category: category)
                manifests.append(done.manifest)
                if report == .text { ManifestText.print(done.manifest) }
            } catch {
                Terminal.complain("failed: \(error)")
            }
        }
        if report == .json { try JSONOutput.print(manifests) }
        guard manifests.count == files.count else { throw ExitCode.someFailed }
    }
}
