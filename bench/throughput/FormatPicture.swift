import BenchmarkMeasuring
import Foundation

/// A picture of 12 megapixels from the folder of `bench/corpus/make_corpus.py`.
struct FormatPicture {
    /// Name in the table.
    let name: String
    let file: String
    /// True if the expanded rendition has alpha, and is a PNG therefore.
    var hasAlpha = false
    /// True if the picture belongs to the bound of 0.8 of libvips' processor time.
    var isBounded = true

    static let all = [
        FormatPicture(name: "JPEG, baseline", file: "jpeg-baseline-12mp.jpg"),
        FormatPicture(name: "JPEG, progressive", file: "jpeg-progressive-12mp.jpg"),
        FormatPicture(name: "JPEG, orientation 6", file: "jpeg-orientation-6-12mp.jpg"),
        FormatPicture(name: "JPEG, CMYK", file: "jpeg-cmyk-12mp.jpg"),
        FormatPicture(name: "JPEG, Display P3", file: "jpeg-display-p3-12mp.jpg", isBounded: false),
        FormatPicture(
            name: "HEIC, tiles as of phones", file: "heic-grid-12mp.heic", isBounded: false),
        FormatPicture(name: "HEIC, one picture", file: "heic-single-12mp.heic", isBounded: false),
        FormatPicture(name: "AVIF", file: "avif-12mp.avif"),
        FormatPicture(name: "WebP, lossless", file: "webp-lossless-12mp.webp"),
        FormatPicture(name: "WebP, lossy", file: "webp-lossy-12mp.webp"),
        FormatPicture(name: "WebP, alpha", file: "webp-alpha-12mp.webp", hasAlpha: true),
        FormatPicture(name: "PNG", file: "png-rgb-12mp.png"),
        FormatPicture(name: "PNG, Adam7", file: "png-adam7-12mp.png"),
        FormatPicture(name: "PNG, palette", file: "png-palette-12mp.png"),
        FormatPicture(name: "PNG, 16 bits", file: "png-16-bit-12mp.png"),
        FormatPicture(name: "PNG, alpha", file: "png-rgba-12mp.png", hasAlpha: true),
        FormatPicture(name: "GIF", file: "gif-12mp.gif"),
    ]

    /// False for HEIC, because the packages of libvips on PyPI have no decoder of HEVC.
    var isReadByLibrary: Bool { !file.hasSuffix(".heic") }

    /// Extension of the expanded rendition.
    var outputExtension: String { hasAlpha ? "png" : "jpg" }

    /// Writes copies with different digests, so that none is recognised as already processed.
    ///
    /// Decoders ignore the bytes at the end: a `free` box in HEIF (ISO/IEC 14496-12, 8.1.2), digits
    /// elsewhere.
    func makeCopies(_ count: Int, of corpus: URL, in folder: URL) throws -> [URL] {
        let picture = corpus.appending(path: file)
        guard let original = try? Data(contentsOf: picture) else {
            throw BenchmarkError("no \(picture.path): run make bench-corpus")
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try (1...count).map { number in
            let digits = Data(String(1000 + number).utf8)
            let isHEIF = ["heic", "avif"].contains(picture.pathExtension)
            let box = isHEIF ? Data([0, 0, 0, 12]) + Data("free".utf8) : Data()
            let copy = folder.appending(path: "\(number)-\(file)")
            try (original + box + digits).write(to: copy)
            return copy
        }
    }
}
