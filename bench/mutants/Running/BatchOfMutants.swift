import ArgumentParser
import AttachmentContainer
import AttachmentModel
import Foundation

/// `mutants batch`: runs a folder of mutants through the command.
struct BatchOfMutants: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Run thimble batch on a folder of mutants, and check report and container.")

    @OptionGroup var mutants: MutantOptions

    @Option(help: "Number of mutants.")
    var count = 1000

    /// The checked parts of a line of the batch report.
    private struct File: Decodable {
        let file: String
        let outcome: String
        let error: AttachmentError.Code?
        let reason: String?
        let remedy: String?
    }

    /// The last line of the batch report.
    private struct LastLine: Decodable {
        struct Summary: Decodable { let made, failed, workersLost: Int }
        let summary: Summary
    }

    /// Exit code for failed files, from `thimble --help`.
    private static let someFailed: Int32 = 3

    func run() throws {
        let generator = try mutants.generator()
        let workplace = try Workplace()
        let folder = workplace.folder.appending(path: "mutants")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in 0..<count {
            let mutant = generator.mutant(number)
            let name = "\(number).\(mutant.structure.fileExtension)"
            try Data(mutant.bytes).write(to: folder.appending(path: name))
        }
        let batch = try thimble(
            [
                "batch", folder.path, "--container", workplace.container.root.path,
                "--report", "json",
            ] + generator.presets[0].presets.flatMap { ["--preset", $0.rawValue] }, in: workplace)
        let lines = batch.output.split(separator: UInt8(ascii: "\n"))
        let files = try lines.dropLast().map { try JSONDecoder().decode(File.self, from: $0) }
        let report = try JSONDecoder().decode(LastLine.self, from: lines.last ?? Data()).summary
        let verification = try thimble(
            ["container", "verify", "--container", workplace.container.root.path], in: workplace)

        var faults = workplace.faults()
        if batch.code != Self.someFailed { faults.append("thimble batch: exit code \(batch.code)") }
        if verification.code != 0 {
            faults.append("thimble container verify: exit code \(verification.code)")
        }
        if files.count != count { faults.append("\(files.count) files in the report") }
        for file in files where file.outcome == "failed" {
            let isTyped =
                file.error.map(Lane.allowed.contains) == true && file.reason?.isEmpty == false
                && file.remedy?.isEmpty == false
            if !isTyped {
                faults.append(
                    "\(file.file): \(file.error?.rawValue ?? "no code"), \(file.reason ?? "")")
            }
        }
        print(
            "thimble batch: \(count) mutants, \(report.made) made, \(report.failed) failed with a "
                + "code, a reason and a remedy, \(report.workersLost) workers lost, exit code "
                + "\(batch.code); container: \(faults.isEmpty ? "unharmed" : "see below")")
        for fault in faults { print("fault: \(fault)") }
        guard faults.isEmpty else { throw ExitCode.failure }
    }

    /// Runs the command beside this program.
    private func thimble(
        _ arguments: [String], in workplace: Workplace
    ) throws -> (code: Int32, output: Data) {
        let log = workplace.folder.appending(path: "output")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "thimble")
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, try Data(contentsOf: log))
    }
}

extension Original.Structure {
    /// File name extension.
    fileprivate var fileExtension: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .riff: "webp"
        case .gif: "gif"
        case .boxes: "heic"
        case .tiff: "tif"
        case .bmp: "bmp"
        case .codestream: "jxl"
        }
    }
}
