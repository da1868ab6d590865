import BenchmarkMeasuring
import Foundation

/// A program in the comparison.
struct Contender: Sendable {
    /// Short name in tables.
    let name: String
    /// Description of the command.
    let explanation: String
    private let commands: @Sendable (URL) -> [ChildProcess]

    init(
        name: String, explanation: String, commands: @escaping @Sendable (URL) -> [ChildProcess]
    ) {
        self.name = name
        self.explanation = explanation
        self.commands = commands
    }

    /// Processes the whole corpus once and discards the output.
    func round(in scratch: URL) throws -> Cost {
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let commands = commands(scratch)
        return try Cost.measured {
            for command in commands { try command.run() }
        }
    }

    /// `thimble batch` into a new container: both renditions, digests, placeholder, manifest and
    /// durable writes.
    static func thimble(_ program: URL, _ task: BenchmarkTask, jobs: Int) -> Contender {
        Contender(
            name: "thimble, \(jobs) at once",
            explanation: "thimble batch PICTURES --container NEW --jobs \(jobs) --threads 1"
        ) { scratch in
            [
                ChildProcess(
                    program.path, "batch", task.corpus.folder.path,
                    "--container", scratch.appendingPathComponent("container").path,
                    "--jobs", "\(jobs)", "--threads", "1", "--quality", "\(task.quality)")
            ]
        }
    }

    /// `vipsthumbnail` making only the expanded size, all files in one process.
    static func vipsthumbnail(_ task: BenchmarkTask, oneThread: Bool) -> Contender {
        let threads = oneThread ? ["--vips-concurrency=1"] : []
        let options = threads + ["-s", "\(task.width)x"]
        let saver = "[Q=\(task.quality),strip]"
        return Contender(
            name: "vipsthumbnail, " + (oneThread ? "1 thread" : "default threads"),
            explanation: "vipsthumbnail \(options.joined(separator: " ")) -o NEW/%s.jpg\(saver) "
                + "PICTURES/*"
        ) { scratch in
            var command = ChildProcess("vipsthumbnail")
            command.arguments = options + ["-o", scratch.path + "/%s.jpg" + saver]
            command.arguments += task.corpus.files.map(\.url.path)
            command.variables = oneThread ? ["VIPS_CONCURRENCY": "1"] : [:]
            return [command]
        }
    }

    /// Lower bound: decoding near the size and encoding without anything between.
    ///
    /// One `djpeg` piped into `cjpeg` per file.
    static func floor(_ task: BenchmarkTask) -> Contender {
        Contender(
            name: "floor",
            explanation: "djpeg -scale M/8 PICTURE | cjpeg -quality \(task.quality) -sample 2x2, "
                + "M/8 the smallest scale that leaves \(task.width) px"
        ) { scratch in
            task.corpus.files.map { picture in
                ChildProcess(
                    "/bin/sh", "-c",
                    #"djpeg -scale "$1/8" "$2" | cjpeg -quality "$3" -sample 2x2 -outfile "$4""#,
                    "sh", "\(picture.decodingScale(for: task.width))", picture.url.path,
                    "\(task.quality)",
                    scratch.appendingPathComponent(picture.url.lastPathComponent).path)
            }
        }
    }
}

/// The task of every contender.
struct BenchmarkTask: Sendable {
    let corpus: BenchmarkCorpus
    /// Width of the expanded rendition, in pixels.
    let width = 1320
    let quality = 80
}
