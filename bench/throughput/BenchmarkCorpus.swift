import BenchmarkMeasuring
import Foundation

/// JPEGs such as phones make, cut from the photographs at hand: baseline, 4:2:0, landscape 4:3,
/// sizes evenly spread from 3 to 12 megapixels, qualities from 85 to 92.
struct BenchmarkCorpus: Sendable {
    /// The folder that holds nothing but the pictures.
    let folder: URL
    /// The pictures, smallest first.
    let files: [BenchmarkPicture]

    /// Finds the pictures, or makes them.
    ///
    /// - Parameters:
    ///   - count: How many, at least two.
    ///   - photographs: Folders of pictures to cut from.
    ///   - cache: Where the pictures are kept between runs.
    /// - Throws: `BenchmarkError` when the folders hold no photograph that can be used.
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

    /// The sound, opaque, 8-bit RGB pictures of some folders, of 1 to 50 megapixels: smaller ones
    /// would have to be enlarged until no detail is left, larger ones are made to burden decoders.
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

    /// The extensions of still pictures.
    private static let kinds: Set = ["jpg", "jpeg", "png", "webp", "heic", "avif", "tif", "tiff"]
}

/// One picture of the benchmark's corpus.
struct BenchmarkPicture: Sendable {
    /// Where it is.
    let url: URL
    /// Its width in pixels.
    let width: Int
    private let quality: Int

    /// The smallest and the largest width.
    ///
    /// These and all between are multiples of 16, and the heights of 12, as phones' are: both
    /// sides can be halved on loading.
    private static let widths = (smallest: 2048, largest: 4032)

    /// Chooses the size and the quality of one picture among many.
    ///
    /// - Parameters:
    ///   - index: Its place, from 0.
    ///   - count: How many there are, at least two.
    ///   - folder: Where they are.
    init(index: Int, of count: Int, in folder: URL) {
        let share = Double(index) / Double(count - 1)
        let range = Double(Self.widths.largest - Self.widths.smallest)
        width = Self.widths.smallest + 16 * Int((share * range / 16).rounded())
        quality = 85 + Int((share * 7).rounded())
        let number = String(index + 1)
        url = folder.appendingPathComponent(
            String(repeating: "0", count: 3 - number.count) + "\(number)-\(width).jpg")
    }

    /// Cuts the picture out of a photograph's middle.
    ///
    /// - Parameter photograph: A picture that libvips can read.
    /// - Throws: `BenchmarkError` when it cannot.
    func make(from photograph: URL) throws {
        try ChildProcess(
            "vipsthumbnail", photograph.path, "--size", "\(width)x\(width * 3 / 4)",
            "--smartcrop", "centre",
            "--output", "\(url.path)[Q=\(quality),subsample_mode=on,strip]"
        ).run()
    }

    /// The numerator of the smallest scale M/8 at which libjpeg-turbo decodes the picture at
    /// least as wide as wanted (its `usage.txt`, `-scale`).
    ///
    /// - Parameter target: The width wanted, in pixels; not above the picture's.
    /// - Returns: M, from 1 to 8.
    func decodingScale(for target: Int) -> Int {
        (1...8).first { width * $0 >= target * 8 } ?? 8
    }
}
