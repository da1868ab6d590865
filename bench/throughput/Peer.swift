import BenchmarkMeasuring
import Foundation

/// Another library or program making the expanded size alone, all files in one process and one
/// thread.
///
/// Peers are optional: one that is not installed has an empty row.
struct Peer: Sendable {
    let contender: Contender
    /// Prints the version.
    let version: ChildProcess
    /// Its method, and what it is better at.
    let remark: String

    /// All peers, in the order of the table.
    static func all(_ task: BenchmarkTask, tools: PeerTools) -> [Peer] {
        [
            library(
                "pyvips", name: "libvips of PyPI", task, tools,
                remark: "vector code since 8.15; nearly every format and operation"),
            library(
                "opencv-reduced", name: "OpenCV, reduced decode", task, tools,
                remark:
                    "area averages of a decode reduced to at least the size: speed where softer pictures do"
            ),
            library(
                "opencv", name: "OpenCV", task, tools,
                remark: "area averages of the full decode; computer vision around it"),
            library(
                "pillow-draft", name: "Pillow, draft", task, tools,
                remark: "Lanczos of a decode reduced to at least the size"),
            library(
                "pillow", name: "Pillow", task, tools,
                remark: "Lanczos of the full decode: the best quality, and every filter of choice"),
            ffmpeg(task),
        ]
    }

    /// A Python library, through `bench/throughput/resize.py`.
    private static func library(
        _ argument: String, name: String, _ task: BenchmarkTask, _ tools: PeerTools,
        remark: String
    ) -> Peer {
        let version = ChildProcess(tools.python.path, tools.script.path, argument)
        let contender = Contender(
            name: name,
            explanation:
                "python resize.py \(argument) \(task.width) \(task.quality) NEW .jpg PICTURES/*"
        ) { scratch in
            var command = version
            command.arguments += ["\(task.width)", "\(task.quality)", scratch.path, ".jpg"]
            command.arguments += task.corpus.files.map(\.url.path)
            // OpenBLAS, which numpy loads, starts threads even if nobody uses them.
            command.variables = ["OPENBLAS_NUM_THREADS": "1", "VIPS_CONCURRENCY": "1"]
            return [command]
        }
        return Peer(contender: contender, version: version, remark: remark)
    }

    /// Every picture is an input of its own, because pictures of different sizes are not a movie.
    private static func ffmpeg(_ task: BenchmarkTask) -> Peer {
        let filter = "scale=\(task.width):-2:flags=lanczos"
        // Its encoder has quantisation tables of its own; 3 makes files nearest in size.
        let quality = ["-q:v", "3"]
        let contender = Contender(
            name: "ffmpeg",
            explanation: "ffmpeg -threads 1 -i PICTURE … -map 0:v -vf \(filter) -threads 1 "
                + quality.joined(separator: " ") + " NEW/PICTURE …"
        ) { scratch in
            let pictures = task.corpus.files.map(\.url)
            var command = ChildProcess(
                "ffmpeg", "-v", "error", "-nostdin", "-y", "-filter_threads", "1")
            command.arguments += pictures.flatMap { ["-threads", "1", "-i", $0.path] }
            for (index, picture) in pictures.enumerated() {
                let target = scratch.appendingPathComponent(picture.lastPathComponent)
                command.arguments += ["-map", "\(index):v", "-vf", filter, "-threads", "1"]
                command.arguments += quality + [target.path]
            }
            return [command]
        }
        return Peer(
            contender: contender, version: ChildProcess("ffmpeg", "-version"),
            remark: "Lanczos of the full decode, quantisation tables of its own; movies")
    }

    /// Name and version; nil if it is not installed.
    var installedVersion: String? {
        guard let output = try? version.run() else { return nil }
        return output.prefix { $0 != "\n" }.split(separator: " ").prefix(3).joined(separator: " ")
    }
}

/// Interpreter and script of the peers that are Python libraries.
struct PeerTools: Sendable {
    /// Has the packages of `bench/python.txt`.
    let python: URL
    let script = URL(fileURLWithPath: "bench/throughput/resize.py")
}
