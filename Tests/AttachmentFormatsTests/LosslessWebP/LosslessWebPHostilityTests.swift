import AttachmentFormats
import Foundation
import Randomness
import Testing

@Suite("Hostile WebP", .timeLimit(.minutes(2)))
struct LosslessWebPHostilityTests {
    /// Files with all transforms, groups, caches and pixel layouts.
    private static let files: [[UInt8]] = (0..<6).map { index in
        var recipe = StreamWriter.Recipe(width: 7 + index, height: 6)
        recipe.transforms = [[0, 1, 2], [3], [3, 0, 2], [1, 0], [2], []][index]
        recipe.colours = [256, 3, 17, 2, 2, 2][index]
        recipe.hasGroups = index % 2 == 0
        recipe.cacheBits = [0, 4, 1, 11, 0, 6][index]
        recipe.isOpaque = index == 4
        recipe.blockBits = 2 + index % 3
        let picture = WebPFileWriter.chunk("VP8L", StreamWriter.picture(recipe, seed: index))
        return WebPFileWriter.file(picture)
    }

    /// True if a file decodes completely; every fault must be typed.
    @discardableResult
    private func isRead(_ file: [UInt8], isTolerant: Bool) throws -> Bool {
        let held = try TemporaryBytes(file)
        do throws(DecodingFault) {
            let rows = try LosslessWebPRows(
                held.openFile, isTolerant: isTolerant)
            // A flipped size may announce a large image; a few rows are enough.
            let row = UnsafeMutableRawBufferPointer.allocate(
                byteCount: rows.layout.rowBytes, alignment: 1)
            defer { row.deallocate() }
            for _ in 0..<min(rows.layout.height, 20) { try rows.readRow(into: row) }
            return true
        } catch {
            #expect(error.offset <= file.count, "\(error)")
            return false
        }
    }

    @Test("Truncation at any byte is a fault, or a partly blank image in tolerant mode")
    func truncation() throws {
        for file in Self.files {
            var pictures = 0
            for length in 0..<file.count - 1 {
                let cut = Array(file.prefix(length))
                // The last byte may be padding.
                if length < file.count - 2 { #expect(try !isRead(cut, isTolerant: false)) }
                pictures += try isRead(cut, isTolerant: true) ? 1 : 0
            }
            #expect(pictures > 0)
        }
    }

    @Test("Rows before the damage are exact, and zeros follow")
    func blanks() throws {
        var recipe = StreamWriter.Recipe(width: 40, height: 40, transforms: [0, 2])
        recipe.copies = 0
        let file = WebPFileWriter.file(
            WebPFileWriter.chunk("VP8L", StreamWriter.picture(recipe, seed: 1)))
        let whole = try WebPSamples(lossless: file)
        let cut = try WebPSamples(
            lossless: Array(file.prefix(file.count * 3 / 4)), isTolerant: true)
        let same = zip(whole.values, cut.values).prefix { $0 == $1 }.count / 160
        #expect((10..<35).contains(same))
        #expect(cut.values.dropFirst((same + 1) * 160).allSatisfy { $0 == 0 })
    }

    @Test("Any flipped byte is a fault or an image")
    func flips() throws {
        for (number, file) in Self.files.enumerated() {
            var dice = SplitMix64(seed: UInt64(number))
            let isTolerant = number % 2 == 0
            for place in 0..<file.count {
                var changed = file
                changed[place] ^= UInt8(1 << dice.roll(0...7))
                try isRead(changed, isTolerant: isTolerant)
            }
            for _ in 0..<60 {
                var changed = file
                for _ in 0..<dice.roll(2...20) {
                    changed[dice.roll(12...file.count - 1)] = UInt8(dice.roll(0...255))
                }
                try isRead(changed, isTolerant: isTolerant)
            }
        }
    }

    @Test("Extreme lengths are faults or images")
    func lengths() throws {
        for file in Self.files {
            for place in [4, 16] {
                for value in [0, 1, 7, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF] {
                    var changed = file
                    changed.replaceSubrange(
                        place..<place + 4, with: WebPFileWriter.number(value, 4))
                    try isRead(changed, isTolerant: false)
                    try isRead(changed, isTolerant: true)
                }
            }
        }
    }

    @Test("Alpha planes with flipped bytes are faults or planes")
    func alpha() throws {
        // Start of a 23 × 13 key frame (RFC 6386, section 9.1); its colours are not decoded.
        let frame: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 23, 0, 13, 0]
        var recipe = StreamWriter.Recipe(width: 23, height: 13, transforms: [0])
        recipe.isGrey = true
        for compression in 0...1 {
            let data =
                compression == 1
                ? StreamWriter.plane(recipe, seed: 1) : [UInt8](repeating: 9, count: 23 * 13)
            let file = WebPFileWriter.file(
                WebPFileWriter.features(0x10, width: 23, height: 13),
                WebPFileWriter.chunk("ALPH", [UInt8(12 | compression)] + data),
                WebPFileWriter.chunk("VP8 ", frame))
            _ = try WebPSamples(alphaOf: file)
            for place in file.indices {
                for bit in [0, 3, 6] {
                    var changed = file
                    changed[place] ^= UInt8(1 << bit)
                    do { _ = try WebPSamples(alphaOf: changed) } catch is DecodingFault {}
                }
            }
        }
    }
}
