import AttachmentFormats
import Foundation
import Testing

@Suite("Container of lossless WebP", .timeLimit(.minutes(1)))
struct LosslessWebPContainerTests {
    private static let opaque = StreamWriter.Recipe(
        width: 9, height: 7, transforms: [0], isOpaque: true)
    private static let transparent = StreamWriter.Recipe(width: 9, height: 7, transforms: [0])

    private func rows(_ file: [UInt8], isTolerant: Bool = false) throws -> LosslessWebPRows {
        let held = try TemporaryBytes(file)
        let rows = try LosslessWebPRows(
            held.openFile, isTolerant: isTolerant)
        withExtendedLifetime(held) {}
        return rows
    }

    /// The fault of opening a file; nil if it succeeds.
    private func fault(_ file: [UInt8], isTolerant: Bool = false) -> DecodingFault.Code? {
        do {
            _ = try rows(file, isTolerant: isTolerant)
            return nil
        } catch { return (error as? DecodingFault)?.code }
    }

    @Test("The extended header decides about alpha, otherwise the image")
    func alpha() throws {
        for (recipe, simple) in [(Self.opaque, 3), (Self.transparent, 4)] {
            let picture = WebPFileWriter.chunk("VP8L", StreamWriter.picture(recipe, seed: 3))
            #expect(try rows(WebPFileWriter.file(picture)).layout.bands == simple)
            for (flags, bands) in [(UInt8(0), 3), (0x10, 4)] {
                let file = WebPFileWriter.file(
                    WebPFileWriter.features(flags, width: 9, height: 7), picture)
                #expect(try rows(file).layout.bands == bands)
                let tools = try WebPTools()
                try tools.write(file, to: "a.webp")
                try tools.run(["dwebp -quiet a.webp -\(bands == 3 ? "ppm" : "pam") -o a.out"])
                let reference = try WebPSamples(netpbm: tools.read("a.out"))
                let difference = try WebPSamples(lossless: file).difference(from: reference)
                #expect(difference == nil)
            }
        }
    }

    @Test("The profile is read if the header announces it, before or after the image")
    func profile() throws {
        let picture = WebPFileWriter.chunk("VP8L", StreamWriter.picture(Self.opaque, seed: 1))
        let bytes = (0..<5001).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let profile = WebPFileWriter.chunk("ICCP", bytes)
        let said = WebPFileWriter.features(0x20, width: 9, height: 7)
        let exif = WebPFileWriter.chunk("EXIF", [1, 2, 3])
        #expect(try rows(WebPFileWriter.file(said, profile, picture, exif)).profile == bytes)
        #expect(try rows(WebPFileWriter.file(said, exif, picture, profile)).profile == bytes)
        #expect(try rows(WebPFileWriter.file(said, picture)).profile == nil)
        let silent = WebPFileWriter.features(0, width: 9, height: 7)
        #expect(try rows(WebPFileWriter.file(silent, profile, picture)).profile == nil)
        #expect(try rows(WebPFileWriter.file(picture)).profile == nil)
    }

    @Test("Animations and lossy images are unsupported, and a size mismatch is corrupt")
    func refusals() throws {
        let picture = WebPFileWriter.chunk("VP8L", StreamWriter.picture(Self.opaque, seed: 1))
        let moving = WebPFileWriter.features(0x02, width: 9, height: 7)
        #expect(fault(WebPFileWriter.file(moving, picture)) == .unsupported)
        #expect(fault(WebPFileWriter.file(WebPFileWriter.chunk("VP8 ", [1, 2]))) == .unsupported)
        let larger = WebPFileWriter.features(0, width: 10, height: 7)
        #expect(fault(WebPFileWriter.file(larger, picture)) == .corrupt)
        #expect(fault(Array("GIF89a".utf8) + picture) == .corrupt)
        #expect(fault(WebPFileWriter.file(WebPFileWriter.chunk("EXIF", []))) == .truncated)
        let many = (0..<5000).flatMap { _ in WebPFileWriter.chunk("JUNK", []) }
        #expect(fault(WebPFileWriter.file(moving.map { $0 == 2 ? 0 : $0 }, many)) == .limit)
    }

    @Test("A chunk beyond the stated file size is corrupt, or read in tolerant mode")
    func claims() throws {
        var file = WebPFileWriter.file(
            WebPFileWriter.chunk("VP8L", StreamWriter.picture(Self.opaque, seed: 1)))
        let whole = try WebPSamples(lossless: file)
        file[4] -= 20
        #expect(fault(file) == .corrupt)
        #expect(try WebPSamples(lossless: file, isTolerant: true) == whole)
    }

    @Test("Blocks smaller than any encoder's exceed a ceiling")
    func ceilings() throws {
        var writer = BitWriter()
        writer.put(0x2F, 8)
        writer.put(16383, 14)
        writer.put(16383, 14)
        writer.put(0, 4)
        writer.put(0b001, 3)
        writer.put(0, 3)
        let file = WebPFileWriter.file(
            WebPFileWriter.chunk("VP8L", writer.finished() + [UInt8](repeating: 0, count: 99)))
        #expect(fault(file) == .limit)
    }

    @Test("Varying alpha is ignored if the header says opaque")
    func hiddenAlpha() throws {
        var data = StreamWriter.picture(Self.transparent, seed: 5)
        data[4] &= 0xEF
        #expect(fault(WebPFileWriter.file(WebPFileWriter.chunk("VP8L", data))) == nil)
    }

    @Test("No rows follow the last")
    func end() throws {
        let file = WebPFileWriter.file(
            WebPFileWriter.chunk("VP8L", StreamWriter.picture(Self.opaque, seed: 1)))
        let held = try TemporaryBytes(file)
        let rows = try LosslessWebPRows(
            held.openFile, isTolerant: true)
        _ = try WebPSamples(rows)
        #expect(throws: DecodingFault.self) { try WebPSamples(rows) }
    }
}
