import ArgumentParser
import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentWorker
import Foundation
import NotificationCheck
import NotificationPayload
import NotificationPreview

/// `thimble preview`: draws a notification as a phone shows it.
struct Preview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Draw a notification as a phone shows it, in both stages.",
        discussion: """
            The subject is an identifier of --container, a payload, or an attachment as a path or URL. \
            Of several payloads in a file, in an array or one per line, the first is drawn, or --number. \
            An attachment is processed first, under the cap, in a container that is removed afterwards. \
            The findings of 'thimble check' on a payload are above the drawing. \
            The output is one HTML file without references to others, or a PNG, which Chromium draws if \
            it is installed. The drawing follows iOS; fonts and materials differ on a device.

            EXAMPLES
              thimble preview photo.heic --title 'Picture of the day' --output preview.html
              thimble preview payload.json --output preview.png
              thimble preview order-1042 --container Container --appearance dark

            EXIT CODES
              0   the notification is drawn with its picture
              1   the output cannot be written
              3   there is no picture, and the notification is drawn without; or the check of the \
            payload finds an error, so that the system will not show it as drawn; the page has the reason
            """)

    @Argument(help: "An identifier, a payload's file, or an attachment.", completion: .file())
    var subject: String

    @Option(help: "The number of the payload in a file of several.") var number = 1

    @Option(help: ArgumentHelp("The file to write: .html or .png.", valueName: "file"))
    var output = "preview.html"

    @Option(
        help: ArgumentHelp("The container of the identifier.", valueName: "folder"),
        completion: .directory)
    var container: String = Self.defaultContainer.value

    @Option(help: "Appearance: light, dark or both.")
    var appearance = AppearanceChoice.both

    @Option(help: "The app's name.") var app: String?
    @Option(help: "Title, in place of the payload's.") var title: String?
    @Option(help: "Subtitle, in place of the payload's.") var subtitle: String?
    @Option(help: "Body, in place of the payload's.") var body: String?

    @OptionGroup var style: PayloadStyleOption

    @OptionGroup(title: "Fetching") var fetching: FetchOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    /// Empty: no built-in default.
    private static let defaultContainer = EnvironmentDefault("container", "")

    enum AppearanceChoice: String, ExpressibleByArgument, CaseIterable {
        case light, dark, both
    }

    func validate() throws {
        guard output.hasSuffix(".html") || output.hasSuffix(".png") else {
            throw ValidationError("--output must end in .html or .png.")
        }
        guard number > 0 else { throw ValidationError("--number must be at least 1.") }
    }

    func run() async throws {
        common.bootstrapLogging()
        let settings = try settings.settings()
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-preview-\(UUID().uuidString)", directoryHint: .isDirectory)
        try orExit {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let outcome = await interruptible { [self] () async -> Result<PreviewPage, any Error> in
            do {
                return .success(try await page(settings, folder))
            } catch {
                return .failure(error)
            }
        }
        let drawn = try outcome.get()
        try await write(drawn, folder)
        TextOutput.print(output)
        for finding in drawn.findings where finding.isError {
            Terminal.complain("not shown as drawn: \(finding.message); \(finding.remedy)")
        }
        if let problem = drawn.problem {
            Terminal.complain("no picture: \(problem.reason); \(problem.remedy)")
        }
        if drawn.problem != nil || drawn.findings.contains(where: \.isError) {
            throw ExitCode.someFailed
        }
    }

    private func write(_ page: PreviewPage, _ folder: URL) async throws {
        do {
            if output.hasSuffix(".png") {
                try await ChromiumPicture(in: folder).draw(page, width: 1040, to: output)
            } else {
                try Data(page.html.utf8).write(to: URL(fileURLWithPath: output))
            }
        } catch {
            let reason = error is ChromiumPicture.Failure ? "\(error)" : "it cannot be written"
            Terminal.complain("error: \(output): \(reason)")
            throw ExitCode.unusable
        }
    }

    private func page(_ settings: ProcessingSettings, _ folder: URL) async throws -> PreviewPage {
        let own =
            try container.isEmpty
            ? nil
            : orExit { () throws(ContainerError) in
                try SharedContainer.open(at: URL(fileURLWithPath: container, isDirectory: true))
            }
        let subject = try orExit { try PreviewSubject(self.subject, number: number, in: own) }
        switch subject {
        case .notification(let manifest, let container):
            var page = page(PreviewText(), settings.width)
            page.add(manifest, in: container)
            return page
        case .attachment(let location):
            return await page(PreviewText(), location, settings, folder)
        case .payload(let payload, let home, let count):
            if count > 1 {
                Terminal.complain("\(self.subject): payload \(number) of \(count) is drawn")
            }
            let style = try style.style()
            let content = payload.content(identifier: "", style: style)
            let text = PreviewText(content)
            let check = PreviewCheck(payload: payload, folder: home, style: style)
            guard let attachment = content.attachments.first else {
                var page = page(text, settings.width)
                page.findings = await check.findings(by: nil)
                page.problem = (
                    "the payload names no attachment",
                    "name it in thimble.media, or set --payload-style"
                )
                return page
            }
            let location =
                attachment.localPath.map {
                    URL(
                        fileURLWithPath: $0,
                        relativeTo: URL(fileURLWithPath: home, isDirectory: true)
                    ).path
                } ?? attachment.location
            return await page(text, location, settings, folder, check)
        }
    }

    /// A page without a picture.
    private func page(_ text: PreviewText, _ width: Double) -> PreviewPage {
        var text = text
        text.app = app ?? text.app
        text.title = title ?? text.title
        text.subtitle = subtitle ?? text.subtitle
        text.body = body ?? text.body
        var drawing = NotificationDrawing(text)
        drawing.width = width
        var page = PreviewPage(drawing)
        switch appearance {
        case .light: page.appearances = [.light]
        case .dark: page.appearances = [.dark]
        case .both: break
        }
        return page
    }

    /// A page with the renditions of an attachment, or with the reason for their absence.
    private func page(
        _ text: PreviewText, _ location: String, _ settings: ProcessingSettings, _ folder: URL,
        _ check: PreviewCheck? = nil
    ) async -> PreviewPage {
        var page = page(text, settings.width)
        do {
            let scratch = try SharedContainer.create(at: folder.appending(path: "container"))
            let source = AttachmentSource(fetcher: try fetching.fetcher(scratch, workers))
            let pool = try await workers.pool(settings, scratch, workers: 1)
            let outcome = await process(location, from: source, by: pool)
            page.findings = await check?.findings(by: pool) ?? []
            await pool.close()
            await source.fetcher.close()
            page.add(try outcome.get().manifest, in: scratch)
        } catch let failure as SourceFailure {
            page.problem = (failure.reason, failure.remedy)
        } catch {
            page.problem = ("the workers cannot start", "see standard error")
        }
        return page
    }

    private func process(
        _ location: String, from source: AttachmentSource, by pool: WorkerPool
    ) async -> Result<ProcessedAttachment, SourceFailure> {
        do throws(SourceFailure) {
            let request = try await source.request(location, identifier: "preview")
            do throws(AttachmentError) {
                return .success(try await pool.process(request))
            } catch {
                return .failure(SourceFailure(error))
            }
        } catch {
            return .failure(error)
        }
    }
}
