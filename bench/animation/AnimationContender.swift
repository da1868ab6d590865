import BenchmarkMeasuring
import Foundation

/// A program in the comparison.
struct AnimationContender: Sendable {
    /// Short name in tables.
    let name: String
    /// Description of the command.
    let explanation: String
    private let command: @Sendable (MovingPicture, URL) -> ChildProcess?

    /// Result of one run.
    struct Outcome {
        let cost: Cost
        /// Size of the resulting animation.
        let bytes: Int
    }

    /// Scales an animation down and discards the output.
    ///
    /// Nil if the program cannot read the file.
    func run(_ picture: MovingPicture, in scratch: URL) throws -> Outcome? {
        guard let command = command(picture, scratch) else { return nil }
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let cost = try Cost.measured { try command.run() }
        let made = FileManager.default.enumerator(
            at: scratch, includingPropertiesForKeys: [.fileSizeKey])
        for case let file as URL in made ?? .init() where file.pathExtension == "gif" {
            let bytes = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            return Outcome(cost: cost, bytes: bytes)
        }
        throw BenchmarkError("\(name) made no GIF of \(picture.url.lastPathComponent)")
    }

    /// `thimble process` into a new container: GIF, both stills of the most representative frame,
    /// digests, placeholder, manifest and durable writes, by a worker under the cap.
    static func thimble(_ program: URL) -> AnimationContender {
        AnimationContender(
            name: "thimble",
            explanation: "thimble process FILE --id 1 --container NEW --scale 1 --width HALF"
        ) { picture, scratch in
            var process = ChildProcess(
                program.path, "process", picture.url.path, "--id", "1",
                "--container", scratch.appendingPathComponent("container").path,
                "--scale", "1", "--width", "\(picture.targetWidth)")
            if let cap = picture.cap { process.arguments += ["--cap", cap] }
            return process
        }
    }

    /// `gifsicle`, which resizes colour indices frame by frame.
    static let gifsicle = AnimationContender(
        name: "gifsicle", explanation: "gifsicle --resize HALFx_ FILE -o NEW/a.gif"
    ) { picture, scratch in
        guard picture.isGIF else { return nil }
        return ChildProcess(
            "gifsicle", "--resize", "\(picture.targetWidth)x_", picture.url.path,
            "-o", scratch.appendingPathComponent("a.gif").path)
    }

    /// `gifsicle` as recommended for photographs, with blended and newly chosen colours.
    static let gifsicleBlended = AnimationContender(
        name: "gifsicle, blended",
        explanation: "gifsicle --resize-method lanczos3 --resize-colors 256 --colors 256 --dither "
            + "-O2 --resize HALFx_ FILE -o NEW/a.gif"
    ) { picture, scratch in
        guard picture.isGIF else { return nil }
        return ChildProcess(
            "gifsicle", "--resize-method", "lanczos3", "--resize-colors", "256", "--colors", "256",
            "--dither", "-O2", "--resize", "\(picture.targetWidth)x_", picture.url.path,
            "-o", scratch.appendingPathComponent("a.gif").path)
    }

    /// `vipsthumbnail` with all frames, as one tall picture.
    static let vipsthumbnail = AnimationContender(
        name: "vipsthumbnail", explanation: "vipsthumbnail FILE[n=-1] -s HALFx -o NEW/a.gif"
    ) { picture, scratch in
        guard picture.isReadByVips else { return nil }
        return ChildProcess(
            "vipsthumbnail", picture.url.path + "[n=-1]", "-s", "\(picture.targetWidth)x",
            "-o", scratch.appendingPathComponent("a.gif").path)
    }

    /// The same by libvips of PyPI, which is newer than Debian's; the start of Python included.
    static let newestLibvips = AnimationContender(
        name: "libvips of PyPI",
        explanation: "python resize.py pyvips-animation HALF 80 NEW FILE"
    ) { picture, scratch in
        guard picture.isReadByVips, isNewestLibvipsInstalled else { return nil }
        return ChildProcess(
            python, resizing, "pyvips-animation", "\(picture.targetWidth)", "80", scratch.path,
            picture.url.path)
    }

    /// The version of that library, as it says itself.
    static let newestLibvipsVersion = ChildProcess(python, resizing, "pyvips")

    /// True after `make bench-python`.
    static var isNewestLibvipsInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: python)
    }

    /// Has the packages of `bench/python.txt`.
    private static let python = ".build/python/bin/python"
    private static let resizing = "bench/throughput/resize.py"
}
