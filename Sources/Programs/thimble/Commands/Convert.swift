import ArgumentParser
import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentWorker
import Foundation
import ThimbleOptions

/// `thimble convert`: makes one file of each picture, without a container.
struct Convert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Make one file of each picture, without a container.",
        discussion: """
            A picture is a path, an https URL, or - for standard input. The output's suffix chooses the \
            type: .jpg, .png, or .gif for a picture that moves. In the output's name, %s stands for the \
            picture's name without its suffix. To standard output, the type is the one that suits the \
            picture.

            The picture is made by the same engine, under the same cap and in the same workers as by \
            'thimble process': of the size for the content extension, or for the surface of a --preset. An \
            output is written completely or not at all, and takes the place of an earlier one, but never \
            of a picture. A bad picture is reported and does not stop the others.

            EXAMPLES
              thimble convert photo.heic -o photo.jpg
              thimble convert *.heic -o 'Thumbnails/%s-thumb.jpg' --width 120
              thimble convert photo.heic -o large.jpg --preset android-big-picture
              curl -s https://example.com/photo.webp | thimble convert - -o - > photo.jpg

            EXIT CODES
              0    every picture was converted
              1    no worker starts, or no temporary folder can be written
              3    some pictures failed
              130  interrupted
            """)

    @Argument(
        help: ArgumentHelp(
            "The pictures, as paths or URLs; - for standard input.", valueName: "pictures"),
        completion: .file())
    var files: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The output, which ends in .jpg, .png or .gif; - for standard output.",
            valueName: "file"),
        completion: .file())
    var output: String

    @Option(help: "What to print on standard output: text or json.")
    var report = ReportFormat.fromEnvironment.value

    @Flag(help: "Print only failures.")
    var quiet = false

    @OptionGroup(title: "Fetching") var fetching: FetchOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    func validate() throws {
        try ReportFormat.fromEnvironment.check()
        let output = try parsedOutput()
        guard !files.isEmpty else { throw ValidationError("Name at least one picture.") }
        guard files.count == 1 || output.isPattern else {
            throw ValidationError(
                "\(files.count) pictures need different outputs: name them by %s, as in "
                    + "'%s-thumb.jpg'.")
        }
        guard files.filter({ $0 == ConversionOutput.standardStream }).count < 2 else {
            throw ValidationError("Standard input is one picture.")
        }
        guard !output.isStandardStream || report == .text else {
            throw ValidationError("With '-o -', standard output has no room for a JSON report.")
        }
        guard try settings.settings().presets.presets.count == 1 else {
            throw ValidationError("A picture has one output: choose one --preset.")
        }
    }

    private func parsedOutput() throws(ValidationError) -> ConversionOutput {
        do throws(ConversionOutput.UnknownType) {
            return try ConversionOutput(output)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() async throws {
        common.bootstrapLogging()
        let output = try parsedOutput()
        var settings = try settings.settings()
        settings.stillType = output.type == .gif ? nil : output.type
        let scratch = try ScratchContainer.ofCommand()
        defer { scratch.remove() }
        let fetcher = try fetching.fetcher(scratch.container, workers)
        let pool = try await workers.pool(settings, scratch.container, workers: 1)
        let conversion = Conversion(
            source: AttachmentSource(fetcher: fetcher), processor: pool, output: output,
            preset: settings.presets.presets[0], scratch: scratch.container,
            pictures: FileNumber.paths(of: files),
            maximumInput: settings.maximumSourceBytes)
        let pictures = await interruptible { [self] in
            let pictures = await convert(by: conversion)
            await pool.close()
            await fetcher.close()
            return pictures
        }
        if report == .json { try JSONOutput.print(ConversionReport(pictures, by: pool)) }
        if pictures.count < files.count { throw ExitCode.interrupted }
        guard pictures.allSatisfy({ $0.error == nil }) else { throw ExitCode.someFailed }
    }

    private func convert(by conversion: Conversion) async -> [ConversionReport.Picture] {
        var pictures: [ConversionReport.Picture] = []
        var made: [String: String] = [:]
        for file in files where !Task.isCancelled {
            let path = conversion.output.path(for: file)
            do throws(SourceFailure) {
                if let other = made.updateValue(file, forKey: path) {
                    throw SourceFailure(.sameOutput(path, of: file, and: other))
                }
                let picture = try await conversion.convert(file, to: path)
                pictures.append(picture)
                let isPrinted = report == .text && !quiet && !conversion.output.isStandardStream
                if isPrinted, let line = picture.line { TextOutput.print(line) }
            } catch {
                Terminal.complain("failed: \(error.message)")
                guard !error.isCancellation else { break }
                pictures.append(ConversionReport.Picture(error, file: file))
            }
        }
        return pictures
    }
}

extension AttachmentError {
    fileprivate static func sameOutput(
        _ path: String, of file: String, and other: String
    ) -> Self {
        Self(
            .storage, file: AttachmentSource.name(file),
            reason: "its output \(path) is also the output of \(AttachmentSource.name(other))",
            remedy: "convert pictures of the same name one folder at a time")
    }
}
