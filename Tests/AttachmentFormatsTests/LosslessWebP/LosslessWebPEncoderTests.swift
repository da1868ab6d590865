import Foundation
import Testing

@Suite("Lossless WebP from libwebp's encoder", .timeLimit(.minutes(2)))
struct LosslessWebPEncoderTests {
    static let sizes = [(1, 1), (2, 1), (1, 7), (3, 5), (13, 17), (31, 29), (67, 61), (101, 3)]

    /// Encodes images and compares the decoded rows with dwebp's.
    private func compare(_ pictures: [(picture: WebPSamples, options: String)]) throws {
        let tools = try WebPTools()
        for (index, picture) in pictures.enumerated() {
            try tools.write(picture.picture.netpbm, to: "\(index).pam")
        }
        try tools.run(
            pictures.enumerated().map { index, picture in
                let file = "\(index).webp"
                // cwebp omits alpha if all pixels are opaque.
                return """
                    cwebp -quiet -lossless \(picture.options) \(index).pam -o \(file)
                    dwebp -quiet \(file) -pam -o \(index).rgba
                    dwebp -quiet \(file) -ppm -o \(index).rgb
                    """
            })
        for (index, picture) in pictures.enumerated() {
            let file = try tools.read("\(index).webp")
            let rows = try WebPSamples(lossless: file)
            let reference = try WebPSamples(
                netpbm: tools.read(rows.bands == 4 ? "\(index).rgba" : "\(index).rgb"))
            let difference = rows.difference(from: reference)
            #expect(difference == nil, "\(picture.options), picture \(index)")
            // Bit 28 of the header is the alpha flag (RFC 9649, section 3.4).
            let data = try #require(WebPFileWriter.data("VP8L", of: file))
            #expect(rows.bands == (data[4] >> 4 & 1 == 1 ? 4 : 3))
        }
    }

    @Test("Every method is exact, with and without alpha", arguments: 0...6)
    func methods(method: Int) throws {
        var pictures: [(picture: WebPSamples, options: String)] = []
        for (number, kind) in WebPTestPicture.allCases.enumerated() {
            for bands in 3...4 {
                let (width, height) = Self.sizes[(number + method + bands) % Self.sizes.count]
                pictures.append(
                    (
                        kind.samples(
                            width: width, height: height, bands: bands, seed: number + 10 * method),
                        "-m \(method) -q \([0, 25, 75, 100][(number + bands) % 4])"
                    ))
            }
        }
        try compare(pictures)
    }

    @Test("Every effort is exact, including near-lossless modes")
    func options() throws {
        let options =
            (0...9).map { "-z \($0)" } + ["-exact", "-near_lossless 40", "-near_lossless 0 -m 6"]
        var pictures: [(picture: WebPSamples, options: String)] = []
        for (number, option) in options.enumerated() {
            for kind in [WebPTestPicture.photograph, .drawing, .palette] {
                pictures.append(
                    (kind.samples(width: 61, height: 43, bands: 4, seed: number), option))
            }
        }
        try compare(pictures)
    }

    @Test("Every size from 1 × 1 is exact")
    func everySize() throws {
        var pictures: [(picture: WebPSamples, options: String)] = []
        for width in 1...9 {
            for height in 1...5 {
                let kind = WebPTestPicture.allCases[
                    (width + height) % WebPTestPicture.allCases.count]
                pictures.append(
                    (
                        kind.samples(
                            width: width, height: height, bands: 3 + width % 2, seed: width), "-m 4"
                    ))
            }
        }
        try compare(pictures)
    }
}
