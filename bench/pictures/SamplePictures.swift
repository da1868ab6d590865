import ArgumentParser
import Foundation

/// Draws the sample pictures, or compares them with existing ones.
@main
struct SamplePictures: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "SamplePictures",
        abstract: "Draws the sample pictures of this folder.",
        discussion: """
            The pictures are computed, not photographed: the same program on the same release of \
            Debian and the same kind of processor writes the same bytes.

            EXAMPLES
              .build/release/SamplePictures Images
              .build/release/SamplePictures --check Images
              .build/release/SamplePictures --only lake-baseline.jpg /tmp
            """)

    @Argument(help: "The output folder, created if missing.")
    var folder: String

    @Option(help: "Draw only the picture of this name; may be repeated.")
    var only: [String] = []

    @Flag(help: "Write nothing, and fail if a file in the folder differs.")
    var check = false

    func validate() throws {
        let names = SamplePicture.all.map(\.name)
        if let unknown = only.first(where: { !names.contains($0) }) {
            throw ValidationError(
                "unknown picture '\(unknown)'; the pictures are \(names.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let files = FileManager.default
        let folder = URL(filePath: folder, directoryHint: .isDirectory)
        let target =
            check
            ? files.temporaryDirectory.appending(path: "sample-pictures-\(UUID().uuidString)")
            : folder
        try files.createDirectory(at: target, withIntermediateDirectories: true)
        defer { if check { try? files.removeItem(at: target) } }
        var differing = 0
        for picture in SamplePicture.all where only.isEmpty || only.contains(picture.name) {
            let clock = ContinuousClock.now
            let file = target.appending(path: picture.name)
            try await picture.write(to: file)
            let drawn = try Data(contentsOf: file)
            var line = "\(picture.name): \(drawn.count / 1000) kB in \(clock.duration(to: .now))"
            if check {
                let same = drawn == (try? Data(contentsOf: folder.appending(path: picture.name)))
                differing += same ? 0 : 1
                line += same ? ", same" : ", DIFFERENT"
            }
            print(line)
        }
        if differing > 0 { throw ExitCode.failure }
    }
}
