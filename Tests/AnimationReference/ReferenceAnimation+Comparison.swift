import Foundation

extension ReferenceAnimation {
    /// Decodes animations with Pillow, which shares nothing with ours but, for WebP, the library.
    ///
    /// - Parameters:
    ///   - paths: The animations, whose names all differ.
    ///   - folder: Gets the decoded frames.
    /// - Returns: What Pillow shows of each.
    /// - Throws: When the script fails.
    package static func decoded(
        _ paths: [String], into folder: String
    ) throws -> [ReferenceAnimation] {
        try Script.output("decode_animations.py", [folder] + paths).split(separator: "\n")
            .compactMap { ReferenceAnimation($0, in: folder) }
    }

    /// Says how a GIF that was made of an animation plays otherwise than it.
    ///
    /// - Parameter reference: The animation.
    /// - Returns: The differences in words; none when it plays the same.
    /// - Throws: When the pixels of one cannot be read.
    package func differences(from reference: ReferenceAnimation) throws -> [String] {
        var differences: [String] = []
        if plays != reference.plays { differences.append("it plays \(plays) times") }
        // A GIF counts hundredths of a second.
        let (time, expectedTime) = (delays.reduce(0, +), reference.delays.reduce(0, +))
        if abs(time - expectedTime) > 10 { differences.append("it plays for \(time) ms") }
        // Frames that a GIF cannot show, of 11 milliseconds, are stood for by those before.
        guard !reference.delays.contains(where: { $0 < 20 }) else { return differences }
        guard frames == reference.frames else { return differences + ["it has \(frames) frames"] }
        let expected = try reference.pixels().map { $0 >> 24 < 128 ? 0 : $0 | 0xFF00_0000 }
        let shown = try pixels()
        guard shown.count == expected.count else { return differences + ["it has another size"] }
        if !zip(shown, expected).allSatisfy({ ($0 >> 24 == 0) == ($1 >> 24 == 0) }) {
            differences.append("other pixels are blank")
        }
        // A few hundred colours for as many random ones as there are pixels; films are smooth, and
        // of all colours at once.
        let isNoise = Int(reference.description.prefix { $0 != "." }) != nil
        let likeness = decibels(shown, expected)
        if likeness <= (isNoise ? 22 : 28) { differences.append("\(likeness) dB of likeness") }
        return differences
    }
}

/// The peak signal-to-noise ratio of the colours of pixels that are not blank, in decibels.
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
