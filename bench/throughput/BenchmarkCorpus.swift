import BenchmarkMeasuring
import Foundation

/// JPEGs like a phone's, cut from available photographs.
///
/// Baseline, 4:2:0, landscape 4:3, sizes evenly spread from 3 to 12 megapixels, qualities from 85
/// to 92.
struct BenchmarkCorpus: Sendable {
    /// Contains only the pictures.
    let folder: URL
    /// Smallest first.
    let files: [BenchmarkPicture]

    /// Finds or creates the pictures.
    init(count: Int, photographs: [URL], cache: URL) throws {
        let folder = cache.appendingPathComponent("pictures-\(count)", isDirectory: true)
        files = (0..<count).map { BenchmarkPicture(index: $0, of: count, in: folder) }
        self.folder = folder
        guard !files.allSatisfy({ FileManager.default.fileExists(atPath: $0.url.path) }) else {
            return
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sources = try Self.usable(photographs)
        guard !sources.isEmpty else {
            throw BenchmarkError(
                "no photograph of at least a megapixel in "
                    + photographs.map(\.path).joined(separator: ", ")
                    + "; name a folder of photographs with --photographs")
        }
        for (index, picture) in files.enumerated() {
            try picture.make(from: sources[index % sources.count])
        }
    }

    /// Intact, opaque 8-bit RGB pictures of 1 to 50 megapixels.
    ///
    /// Smaller ones would be enlarged and lose detail; larger ones are typically stress tests.
    private static func usable(_ folders: [URL]) throws -> [URL] {
        var found: [URL] = []
        for folder in folders {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
                let path = folder.appendingPathComponent(name).path
                guard kinds.contains((name as NSString).pathExtension.lowercased()),
                    let header = try? ChildProcess("vipsheader", path).run(),
                    let facts = header.firstMatch(of: /: (\d+)x(\d+) uchar, 3 bands, srgb/),
                    let width = Int(facts.1), let height = Int(facts.2),
                    1_000_000...50_000_000 ~= width * height,
                    (try? ChildProcess("vips", "avg", path + "[fail-on=warning]").run())
                        != nil
                else { continue }
                found.append(URL(fileURLWithPath: path))
            }
        }
        return found
    }

    private static let kinds: Set = ["jpg", "jpeg", "png", "webp", "heic", "avif", "tif", "tiff"]
}

/// A picture of the corpus.
struct BenchmarkPicture: Sendable {
    let url: URL
    /// In pixels.
    let width: Int
    private let quality: Int

    /// Range of widths.
    ///
    /// Widths are multiples of 16 and heights of 12, as on phones, so that both sides can be halved
    /// on loading.
    private static let widths = (smallest: 2048, largest: 4032)

    /// Chooses size and quality by the picture's index.
    init(index: Int, of count: Int, in folder: URL) {
        let share = Double(index) / Double(count - 1)
        let range = Double(Self.widths.largest - Self.widths.smallest)
        width = Self.widths.smallest + 16 * Int((share * range / 16).rounded())
        quality = 85 + Int((share * 7).rounded())
        let number = String(index + 1)
        url = folder.appendingPathComponent(
            String(repeating: "0", count: 3 - number.count) + "\(number)-\(width).jpg")
    }

    /// Cuts the picture from the centre of a photograph.
    func make(from photograph: URL) throws {
        try ChildProcess(
            "vipsthumbnail", photograph.path, "--size", "\(width)x\(width * 3 / 4)",
            "--smartcrop", "centre",
            "--output", "\(url.path)[Q=\(quality),subsample_mode=on,strip]"
        ).run()
    }

    /// Numerator of libjpeg-turbo's smallest scale M/8 that is at least as wide as the target (its
    /// `usage.txt`, `-scale`).
    func decodingScale(for target: Int) -> Int {
        (1...8).first { width * $0 >= target * 8 } ?? 8
    }
}
