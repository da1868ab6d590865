import ArgumentParser
import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import NotificationPayload
import NotificationStaging

/// Makes inline pictures of a folder, for `bench/inline`.
@main
struct InlinePictures: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inline-pictures",
        abstract: "Make the AVIF files of inline pictures as a device does.",
        discussion: """
            Each picture is encoded by the worker under the cap of 24 MiB. Standard output has one line \
            for each: file, chroma, bytes allowed and taken, width, height, milliseconds of the processor.
            """)

    @Argument(help: "A folder of pictures.", completion: .directory)
    var folder: String

    @Argument(
        help: "A folder for the files, named PICTURE-CHROMA-BYTES.avif.", completion: .directory)
    var output: String

    @Option(help: "Maximum length of each picture, in bytes; may be repeated.")
    var bytes = [600, 1200, 2400]

    func run() async throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let pool = try WorkerPool(
            settings: ProcessingSettings(), container: try SharedContainer.create(at: scratch))
        let maker = InlinePictureMaker(pool)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        guard let first = names.first else { throw ValidationError("\(folder) is empty.") }
        // The first picture starts the worker, which no other one has to wait for.
        _ = try await maker.picture(of: "\(folder)/\(first)", atMost: 300)
        for name in names {
            for chroma in InlineChroma.allCases {
                for bytes in bytes {
                    try await make(name, chroma, bytes, by: maker)
                }
            }
        }
        await pool.close()
        guard pool.statistics.lost == 0 else {
            throw ValidationError("A worker crossed the cap of \(ProcessingSettings().cap).")
        }
    }

    private func make(
        _ name: String, _ chroma: InlineChroma, _ bytes: Int, by maker: InlinePictureMaker
    ) async throws {
        let before = ProcessTree.processorTime()
        let picture = try await maker.picture(
            of: "\(folder)/\(name)", atMost: bytes, chroma: chroma)
        let time = ProcessTree.processorTime() - before
        let stem = (name as NSString).deletingPathExtension
        try Data(picture.file).write(
            to: URL(fileURLWithPath: output)
                .appending(path: "\(stem)-\(chroma.rawValue)-\(bytes).avif"))
        let fields: [Any] = [
            name, chroma.rawValue, bytes, picture.bytes.count, picture.width, picture.height,
            (time * 100).rounded() / 100,
        ]
        print(fields.map { "\($0)" }.joined(separator: "\t"))
    }
}
