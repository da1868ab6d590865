import ArgumentParser
import AttachmentModel
import CJPEG
import CSimilarity
import Foundation

/// Writes a picture as the engine of rows encodes it, 4:2:0.
struct Encode: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Encode a PPM as JPEG.")

    @Argument(help: "A binary PPM.") var picture: String
    @Argument(help: "The JPEG to write.") var output: String
    @Option(help: "From 1 to 100.") var quality = 80
    @Option(
        help: "default or best.",
        transform: { text in
            guard let effort = ProcessingSettings.Effort(rawValue: text) else {
                throw ValidationError("the effort is default or best")
            }
            return effort
        }) var effort = ProcessingSettings.Effort.standard

    func run() throws {
        let file = try EncodedFile(PixelFile(picture), quality: quality, effort: effort)
        try Data(file.bytes).write(to: URL(fileURLWithPath: output))
    }
}

/// Prints the SSIMULACRA2 score that the product gives a picture.
struct Score: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Score a PPM against another.")

    @Argument(help: "The original.") var original: String
    @Argument(help: "The picture to score.") var distorted: String

    func run() throws {
        let (one, other) = (try PixelFile(original), try PixelFile(distorted))
        guard one.width == other.width, one.height == other.height,
            let similarity = thimble_similarity_new(
                CInt(one.width), CInt(one.height), THIMBLE_SIMILARITY_BEST)
        else { throw ValidationError("the pictures cannot be compared") }
        defer { thimble_similarity_free(similarity) }
        for y in 0..<one.height {
            one.withRow(y) { first in
                other.withRow(y) { thimble_similarity_push(similarity, first, $0) }
            }
        }
        print(thimble_similarity_score(similarity))
    }
}

/// Prints the processor time and memory of encoding planes, and libjpeg's time for them.
struct Cost: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measure the cost of encoding.")

    @Argument(help: "A binary PPM.") var picture: String
    @Option(help: "From 1 to 100.") var quality = 80
    @Option(help: "Interleaved rounds.") var rounds = 15

    /// Medians in milliseconds, and bytes that the encoder allocates.
    private struct Figures: Encodable {
        let library: String
        let libjpeg: Double
        let standard: Double
        let best: Double
        let bestMemory: Int
    }

    func run() throws {
        let planes = Planes(try PixelFile(picture))
        defer { planes.deallocate() }
        var (libjpeg, standard, best): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<max(1, rounds) {
            libjpeg.append(try Self.milliseconds { _ = try LibraryFile(planes, quality: quality) })
            standard.append(try Self.milliseconds { try encode(planes, .standard) })
            best.append(try Self.milliseconds { try encode(planes, .best) })
        }
        let figures = Figures(
            library: "libjpeg-turbo \(String(cString: thimble_jpeg_version()))",
            libjpeg: libjpeg.median, standard: standard.median, best: best.median,
            bestMemory: try EncodedFile.memory(planes, quality: quality, effort: .best))
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }

    private func encode(_ planes: Planes, _ effort: ProcessingSettings.Effort) throws {
        _ = try EncodedFile(planes, quality: quality, effort: effort)
    }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = processorTime
        try body()
        return Double(processorTime - start) / 1e6
    }

    /// Nanoseconds of this process, user and system.
    private static var processorTime: Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return 1_000_000_000 * time.tv_sec + time.tv_nsec
    }
}

extension [Double] {
    /// The middle value; the array is not empty.
    fileprivate var median: Double { sorted()[count / 2] }
}
