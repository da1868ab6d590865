public import ArgumentParser
import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
public import NotificationCheck
import NotificationPayload
import ThimbleOptions

/// `thimble check`: finds faults that keep a custom notification from showing.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find the faults that silently keep a custom notification from showing.",
        discussion: """
            All inputs are optional; it reports the checks it skipped and the flags that enable them. \
            Findings are in order of importance. Each has a description, a location, a \
            reason and a remedy. The report ends with the six places to look at, in order.

            Of a built app, it reads the extensions' Info.plists, the entitlements in the code \
            signature and the programs' string literals. Short literals of Swift are not among them; \
            with --sources, it reads the categories from the sources, and App Groups too. It runs, unpacks and changes \
            nothing.

            EXAMPLES
              thimble check Daily.ipa --payload push.json --sources Daily
              thimble check build/Daily.xcarchive --report sarif > check.sarif
              thimble check --payload push.json --profile Content/Info.plist
              thimble check --payload push.json --profile Content/Info.plist \\
                --service-info Service/Info.plist --app-entitlements App.entitlements \\
                --service-entitlements Service.entitlements --content-entitlements Content.entitlements
              thimble check --payload - --container Container --report json < push.json

            EXIT CODES
              0   no findings to fix; notes may remain
              1   attachments cannot be inspected, or the report cannot be written
              2   warnings, and no errors
              3   errors; also a file that is missing or malformed
              64  the command line is wrong
            The format of the report does not change the code.
            """)

    @Argument(
        help: ArgumentHelp(
            "Built app: an .app, an .xcarchive, an .ipa, or a ZIP archive of one.",
            valueName: "app"),
        completion: .file(extensions: ["app", "xcarchive", "ipa", "zip"]))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "File of payloads, one document or one per line; - for standard input; may be repeated.",
            valueName: "file"),
        completion: .file())
    var payload: [String] = []

    @OptionGroup var style: PayloadStyleOption

    @Option(
        name: .customLong("id"),
        help: "The notification's identifier, if the payload does not contain it.")
    var identifier: String?

    @Option(
        help: ArgumentHelp(
            "Category that the app registers; may be repeated.", valueName: "category"))
    var registeredCategory: [String] = []

    @Option(
        help: ArgumentHelp(
            "Folder of sources, for the categories and App Groups in them; may be repeated.",
            valueName: "folder"),
        completion: .directory)
    var sources: [String] = []

    @Option(help: ArgumentHelp("The app's Info.plist.", valueName: "file"), completion: .file())
    var appInfo: String?

    @Option(
        help: ArgumentHelp("The service extension's Info.plist.", valueName: "file"),
        completion: .file())
    var serviceInfo: String?

    @Option(
        help: ArgumentHelp("A content extension's Info.plist; may be repeated.", valueName: "file"),
        completion: .file())
    var profile: [String] = []

    @Option(help: ArgumentHelp("The app's entitlements.", valueName: "file"), completion: .file())
    var appEntitlements: String?

    @Option(
        help: ArgumentHelp("The service extension's entitlements.", valueName: "file"),
        completion: .file())
    var serviceEntitlements: String?

    @Option(
        help: ArgumentHelp(
            "A content extension's entitlements; may be repeated.", valueName: "file"),
        completion: .file())
    var contentEntitlements: [String] = []

    @Option(
        help: ArgumentHelp("The shared container's folder.", valueName: "folder"),
        completion: .directory)
    var container: String?

    @Flag(help: "The content extension's view has controls, such as buttons and sliders.")
    var controls = false

    @Option(help: "Width of the content extension's view, in points.")
    var width: Double?

    @Option(help: "Pixels per point on its display.")
    var scale: Double?

    @Option(help: "Limit on the decoded bytes of the picture, at 4 per pixel.")
    var renderBudget: ByteCount?

    @Option(help: "Treatment of a picture of another ratio: fit or crop.")
    var fitting: Profile.Fitting?

    @Option(help: "What to print on standard output: text, json or sarif.")
    var report = Format.fromEnvironment.value

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif

        static let fromEnvironment = EnvironmentDefault("report", Self.text)
    }

    func validate() throws {
        try Format.fromEnvironment.check()
        do {
            try displayOptions.validate()
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private var displayOptions: DisplayOptions {
        DisplayOptions(width: width, scale: scale, renderBudget: renderBudget, fitting: fitting)
    }

    func run() async throws {
        var input = CheckInput()
        input.payloads = payload.map {
            $0 == "-"
                ? .bytes(Self.standardInput(), name: "standard input", folder: ".")
                : .file($0)
        }
        input.payloadStyle = try style.style()
        input.identifier = identifier
        input.app = app
        input.sources = sources
        input.registeredCategories = registeredCategory.isEmpty ? nil : registeredCategory
        input.appInfoPlist = appInfo
        input.serviceInfoPlist = serviceInfo
        input.contentInfoPlists = profile
        input.displayOptions = displayOptions
        input.appEntitlements = appEntitlements
        input.serviceEntitlements = serviceEntitlements
        input.contentEntitlements = contentEntitlements
        input.container = container
        input.hasControls = controls
        let found = try await check(input).namingOptions(try style.style())
        switch report {
        case .json: try JSONOutput.print(CheckOutput(found))
        case .sarif:
            try JSONOutput.print(SARIFLog(found, version: Release.version, naming: \.option))
        case .text:
            for line in found.lines(decorating: Self.colour, naming: \.option) {
                TextOutput.print(
                    line, styles: [Self.plain] + CheckReport.Severity.allCases.map(Self.style))
            }
        }
        if found.exitCode != 0 { throw ExitCode(found.exitCode) }
    }

    private static func standardInput() -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = StandardStream.read() { bytes += more }
        return bytes
    }

    /// Checks with a worker, which starts when the first attachment is inspected.
    private func check(_ input: CheckInput) async throws -> CheckReport {
        do {
            let inspector = try AttachmentInspector(settings: ProcessingSettings())
            let report = try await ProjectCheck(input).run(inspecting: inspector.inspect)
            await inspector.close()
            return report
        } catch {
            Terminal.complain("error: \(error)")
            throw ExitCode.unusable
        }
    }

    /// Colours the severity if standard output is a terminal that supports it (no-color.org).
    private static func colour(_ word: String, _ severity: CheckReport.Severity) -> String {
        let environment = ProcessInfo.processInfo.environment
        guard isatty(STDOUT_FILENO) == 1, environment["NO_COLOR"] ?? "" == "",
            environment["TERM"] != "dumb"
        else { return word }
        return style(of: severity) + word + plain
    }

    private static func style(of severity: CheckReport.Severity) -> String {
        switch severity {
        case .error: "\u{1B}[31m"
        case .warning: "\u{1B}[33m"
        case .note: "\u{1B}[36m"
        }
    }

    private static let plain = "\u{1B}[0m"
}

extension Profile.Fitting: ExpressibleByArgument {}
