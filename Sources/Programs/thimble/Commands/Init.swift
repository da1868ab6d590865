import ArgumentParser
import Foundation
import ThimbleOptions

/// `thimble init`: writes both notification extensions of an app.
struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write both notification extensions of an app: Swift, Info.plists, entitlements.",
        discussion: """
            The folder is the one of the Xcode project, of project.yml, of Project.swift or of app.json. \
            All names are the same wherever the system compares them, and the report ends with the \
            command line that checks them. Files that exist are not replaced. All files are written, or \
            none.

              xcode     files to add in Xcode; also for React Native, Flutter, .NET MAUI
              xcodegen  the same, and thimble.yml to include in project.yml
              tuist     the same, and a helper for Project.swift
              expo      folders for @bacons/apple-targets, and a config plugin

            EXAMPLES
              thimble init --for xcode --bundle-id org.example.daily
              thimble init ios --for xcode --bundle-id org.example.daily --name Runner
              thimble init --for xcodegen --bundle-id org.example.daily --package ../thimble
              thimble init --for expo --bundle-id org.example.daily --category photo \\
                --package https://example.org/thimble.git --dry-run

            EXIT CODES
              0   all files were written, or would be with --dry-run
              1   a folder cannot be written, or the disk is full; nothing was written
              3   a file exists (see --force), or a folder has its name; nothing was written
              64  the command line is wrong
            """)

    @Argument(
        help: ArgumentHelp("Folder of the project.", valueName: "folder"), completion: .directory)
    var folder = "."

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "The tool that makes the Xcode project: xcode, xcodegen, tuist or expo.",
            valueName: "tool"))
    var kind: ProjectKind

    @Option(
        name: .customLong("bundle-id"),
        help: ArgumentHelp("The app's bundle identifier.", valueName: "identifier"))
    var bundleIdentifier: String

    @Option(
        help: ArgumentHelp(
            "The App Group that app and extensions share. (default: group. and the bundle identifier)",
            valueName: "group"))
    var appGroup: String?

    @Option(
        help: ArgumentHelp(
            "The category of notifications with a picture.", valueName: "category"))
    var category = "picture"

    @Option(
        help: ArgumentHelp(
            "The app's target. (default: from the last part of the bundle identifier)",
            valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The service extension's target. (default: the app's, and Service)", valueName: "name"))
    var serviceName: String?

    @Option(
        help: ArgumentHelp(
            "The content extension's target. (default: the app's, and Content)", valueName: "name"))
    var contentName: String?

    @Option(
        help: ArgumentHelp(
            "Path from the folder, or URL, of Thimble's package; needed by all tools but xcode.",
            valueName: "package"))
    var package: String?

    @Flag(help: "Replace files that exist.")
    var force = false

    @Flag(help: "Print the files, and write nothing.")
    var dryRun = false

    @Option(help: "What to print on standard output: text or json.")
    var report = ReportFormat.fromEnvironment.value

    func validate() throws {
        try ReportFormat.fromEnvironment.check()
        _ = try project()
    }

    private func project() throws(ValidationError) -> ProjectFiles {
        let names: ProjectNames
        do throws(ProjectNames.Invalid) {
            names = try ProjectNames(
                bundleIdentifier: bundleIdentifier, appGroup: appGroup, category: category,
                name: name, service: serviceName, content: contentName)
        } catch {
            throw ValidationError("\(error)")
        }
        return ProjectFiles(kind, names, package: try location())
    }

    private func location() throws(ValidationError) -> PackageLocation? {
        guard let package else {
            guard !kind.namesPackage else {
                throw ValidationError(
                    "--for \(kind.rawValue) needs --package: the path or the URL of Thimble's package."
                )
            }
            return nil
        }
        guard let location = PackageLocation(package) else {
            throw ValidationError("--package is a path or a URL, without quotation marks.")
        }
        return location
    }

    func run() throws {
        let project = try project()
        let failure = write(project)
        if report == .json {
            try JSONOutput.print(
                InitReport(project, in: folder, dryRun: dryRun, failure: failure))
        } else if failure == nil {
            InitReport(project, in: folder, dryRun: dryRun, failure: nil).lines.forEach {
                TextOutput.print($0)
            }
        }
        guard let failure else { return }
        Terminal.complain("error: \(failure)")
        switch failure.code {
        case .exists, .wrongType: throw ExitCode.someFailed
        case .full, .unwritable, .notRestored: throw ExitCode.unusable
        }
    }

    /// Writes the files; returns the error.
    private func write(_ project: ProjectFiles) -> ProjectError? {
        // An interrupt could end the process between two files.
        [SIGINT, SIGTERM, SIGHUP].forEach { signal($0, SIG_IGN) }
        let writer = ProjectWriter(folder: URL(fileURLWithPath: folder), replaces: force)
        do throws(ProjectError) {
            if dryRun {
                try writer.check(project.files)
            } else {
                try writer.write(project.files)
            }
            return nil
        } catch {
            return error
        }
    }
}
