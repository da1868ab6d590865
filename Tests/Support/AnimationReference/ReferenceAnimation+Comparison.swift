import Foundation

extension ReferenceAnimation {
    /// Decodes animations with Pillow, which shares only libwebp with Thimble's decoders.
    ///
    /// File names must be unique; the decoded frames are written to `folder`.
    package static func decoded(
        _ paths: [String], into folder: String
    ) throws -> [ReferenceAnimation] {
        try Script.output("decode_animations.py", [folder] + paths).split(separator: "\n")
            .compactMap { ReferenceAnimation($0, in: folder) }
    }

    /// Lists the differences in playback between this GIF and its source animation.
    package func differences(from reference: ReferenceAnimation) throws -> [String] {
        var differences: [String] = []
        if plays != reference.plays { differences.append("it plays \(plays) times") }
        // A GIF counts hundredths of a second.
        let (time, expectedTime) = (delays.reduce(0, +), reference.delays.reduce(0, +))
        if abs(time - expectedTime) > 10 { differences.append("it plays for \(time) ms") }
        // A GIF cannot show frames of 11 milliseconds; preceding frames cover them.
        guard !reference.delays.contains(where: { $0 < 20 }) else { return differences }
        guard frames == reference.frames else { return differences + ["it has \(frames) frames"] }
        let expected = try reference.pixels().map { $0 >> 24 < 128 ? 0 : $0 | 0xFF00_0000 }
        let shown = try pixels()
        guard shown.count == expected.count else { return differences + ["it has another size"] }
        if !zip(shown, expected).allSatisfy({ ($0 >> 24 == 0) == ($1 >> 24 == 0) }) {
            differences.append("other pixels are blank")
        }
        // Random pixels have too many colours for a palette. Films are smooth but use all colours
        // at once.
        let isNoise = Int(reference.description.prefix { $0 != "." }) != nil
        let psnr = decibels(shown, expected)
        if psnr <= (isNoise ? 22 : 28) { differences.append("its PSNR is \(psnr) dB") }
        return differences
    }
}

/// Peak signal-to-noise ratio in decibels over pixels that are visible in both.
package func decibels(_ left: some Sequence<UInt32>, _ right: some Sequence<UInt32>) -> Double {
    var (sum, count) = (0.0, 0)
    for (left, right) in zip(left, right) where left >> 24 != 0 && right >> 24 != 0 {
        for shift: UInt32 in [0, 8, 16] {
            let difference = Double(left >> shift & 255) - Double(right >> shift & 255)
            sum += difference * difference
            count += 1
        }
    }
    return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(count) / sum)
}
