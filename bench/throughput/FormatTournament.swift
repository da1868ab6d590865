import BenchmarkMeasuring
import Foundation

/// Runs thimble and both libvips on copies of one picture of each format in turn.
struct FormatTournament {
    let pictures: [FormatPicture]
    /// Folder of the pictures.
    let corpus: URL
    let thimble: URL
    let tools: PeerTools
    /// Folder for copies and output.
    let scratch: URL
    /// Copies of a picture in each process.
    let copies: Int

    private static let width = 1320
    private static let quality = 80

    /// Cost of a process for all copies, and bytes of the largest picture that it wrote.
    private struct Attempt {
        let cost: Cost
        let length: Int
    }

    /// Runs all once per format for warm-up, then once per round.
    func run(rounds: Int) throws -> FormatMeasurements {
        let libraryVersion = try version(
            ChildProcess(tools.python.path, tools.script.path, "pyvips"),
            remedy: "run make bench-python")
        let vipsthumbnailVersion = try version(
            ChildProcess("vipsthumbnail", "--vips-version"),
            remedy: "apt-get install libvips-tools")
        defer { try? FileManager.default.removeItem(at: scratch) }
        return FormatMeasurements(
            rounds: rounds, copies: copies, vipsthumbnailVersion: vipsthumbnailVersion,
            libraryVersion: libraryVersion,
            rows: try pictures.map { try row(of: $0, rounds: rounds) })
    }

    private func row(
        of picture: FormatPicture, rounds: Int
    ) throws -> FormatMeasurements.Row {
        let input = scratch.appending(path: "input", directoryHint: .isDirectory)
        try? FileManager.default.removeItem(at: input)
        let files = try picture.makeCopies(copies, of: corpus, in: input)
        let commands =
            [whole(input), vipsthumbnail(files, picture)]
            + (picture.isReadByLibrary ? [library(files, picture)] : [])
        var attempts: [[Attempt]] = []
        for round in 0...rounds {
            let attempt = try commands.map { try self.attempt($0, picture) }
            // The first round fills the file cache and does not count.
            if round > 0 { attempts.append(attempt) }
        }
        let milliseconds = 1000 / Double(copies)
        func processor(_ contender: Int) -> Spread {
            Spread(attempts.map { $0[contender].cost.processor * milliseconds })
        }
        func ratio(to peer: Int) -> FormatMeasurements.Ratio {
            FormatMeasurements.Ratio(
                processor: processor(peer),
                processorRatio: Spread(
                    attempts.map { $0[0].cost.processor / $0[peer].cost.processor }),
                wallRatio: Spread(attempts.map { $0[0].cost.wall / $0[peer].cost.wall }),
                length: attempts[0][peer].length)
        }
        return FormatMeasurements.Row(
            format: picture.name, isBounded: picture.isBounded, thimble: processor(0),
            length: attempts[0][0].length, vipsthumbnail: ratio(to: 1),
            library: picture.isReadByLibrary ? ratio(to: 2) : nil,
            hasBoundedLength: picture.hasAlpha || picture.file.hasSuffix(".gif"))
    }

    private func attempt(_ command: ChildProcess, _ picture: FormatPicture) throws -> Attempt {
        let output = output
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: output) }
        let cost = try Cost.measured { try command.run() }
        let made =
            FileManager.default.enumerator(
                at: output, includingPropertiesForKeys: [.fileSizeKey])?.allObjects ?? []
        let lengths = try made.compactMap { $0 as? URL }
            .filter { $0.pathExtension == picture.outputExtension }
            .map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
        // The expanded size is larger than the banner.
        guard let length = lengths.max() else {
            throw BenchmarkError(
                "\(command.program) makes no \(picture.outputExtension) of \(picture.file)")
        }
        return Attempt(cost: cost, length: length)
    }

    private var output: URL { scratch.appending(path: "output", directoryHint: .isDirectory) }

    private func whole(_ input: URL) -> ChildProcess {
        ChildProcess(
            thimble.path, "batch", input.path, "--container",
            output.appending(path: "container").path, "--jobs", "1",
            "--quality", "\(Self.quality)")
    }

    private func library(_ files: [URL], _ picture: FormatPicture) -> ChildProcess {
        var command = ChildProcess(
            tools.python.path, tools.script.path, "pyvips", "\(Self.width)", "\(Self.quality)",
            output.path, "." + picture.outputExtension)
        command.arguments += files.map(\.path)
        command.variables = ["VIPS_CONCURRENCY": "1"]
        return command
    }

    private func vipsthumbnail(_ files: [URL], _ picture: FormatPicture) -> ChildProcess {
        var command = ChildProcess(
            "vipsthumbnail", "--vips-concurrency=1", "-s", "\(Self.width)x")
        // Only this picture has a profile; others would be converted for nothing.
        if picture.file.contains("display-p3") {
            command.arguments += ["--export-profile", "srgb"]
        }
        let saver = picture.hasAlpha ? "[strip]" : "[Q=\(Self.quality),strip]"
        command.arguments += ["-o", "\(output.path)/%s.\(picture.outputExtension)\(saver)"]
        command.arguments += files.map(\.path)
        command.variables = ["VIPS_CONCURRENCY": "1"]
        return command
    }

    /// First words of a program's version: a name and a number.
    private func version(_ program: ChildProcess, remedy: String) throws -> String {
        guard let output = try? program.run() else {
            throw BenchmarkError("\(program.program) prints no version: \(remedy)")
        }
        return output.prefix { $0 != "\n" }.split(separator: " ").prefix(2).joined(separator: " ")
    }
}
