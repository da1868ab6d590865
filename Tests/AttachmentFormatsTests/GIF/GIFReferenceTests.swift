import AttachmentFormats
import Foundation
import Randomness
import SampleMedia
import Testing

@Suite("GIF compared with libvips", .timeLimit(.minutes(2)))
struct GIFReferenceTests {
    @Test("Intact files of all kinds equal libvips, strictly and tolerantly")
    func undamaged() throws {
        let files = (0..<400).map { EncodedGIF.random(seed: $0).bytes }
        let answers = try LibvipsReference.answers(to: files)
        for (seed, (bytes, answer)) in zip(files, answers).enumerated() {
            guard case .picture(let layout, let expected) = answer else {
                Issue.record("libvips refuses file \(seed): \(answer)")
                continue
            }
            for isTolerant in [false, true] {
                let decoded = try DecodedGIF(bytes, isTolerant: isTolerant)
                #expect(decoded.difference(from: layout, expected) == .none, "file \(seed)")
            }
        }
    }

    @Test("A tolerant decode of damaged files has every pixel that libvips returns")
    func damaged() throws {
        var files: [[UInt8]] = []
        for seed in 0..<400 {
            var randomness = SplitMix64(seed: UInt64(seed) &+ 1000)
            var bytes = EncodedGIF.random(seed: seed).bytes
            if seed.isMultiple(of: 2) {
                bytes.removeLast(Int.random(in: 1..<bytes.count / 2, using: &randomness))
            } else {
                for _ in 0..<3 {
                    let place = Int.random(in: 0..<bytes.count, using: &randomness)
                    bytes[place] = UInt8.random(in: 0...255, using: &randomness)
                }
            }
            // Larger canvases take long and add nothing.
            if (try? SizeOfGIF(bytes)).map({ $0.pixels < 400_000 }) ?? true { files.append(bytes) }
        }
        var equal = 0
        for (bytes, answer) in zip(files, try LibvipsReference.answers(to: files)) {
            guard case .picture(let layout, let expected) = answer else { continue }
            do {
                let decoded = try DecodedGIF(bytes, isTolerant: true)
                let difference = decoded.difference(from: layout, expected)
                #expect(difference != .different)
                if difference == .none { equal += 1 }
            } catch {
                Issue.record("libvips decodes what is a fault here: \(error)")
            }
        }
        // Differences: libvips drops a last code that ends with its byte, and adds alpha for a
        // later frame where the first is opaque.
        #expect(equal > files.count / 2)
    }

    @Test(
        "Every file of the corpus equals libvips",
        .enabled(if: Corpus.isAvailable, "no corpus: set THIMBLE_CORPUS to its folder"))
    func corpus() throws {
        let files = try Corpus.files("gif").map { path in
            (path: path, bytes: [UInt8](try Data(contentsOf: URL(filePath: path))))
        }
        #expect(files.count >= 7)
        let answers = try LibvipsReference.answers(to: files.map(\.bytes))
        for (file, answer) in zip(files, answers) {
            guard case .picture(let layout, let expected) = answer else {
                Issue.record("libvips refuses \(file.path): \(answer)")
                continue
            }
            let decoded = try DecodedGIF(file.bytes, isTolerant: true)
            #expect(decoded.difference(from: layout, expected) == .none, "\(file.path)")
            if file.path.contains("truncated") {
                #expect(try DecodedGIF.fault(file.bytes)?.code == .truncated)
            } else {
                #expect(try DecodedGIF(file.bytes).pixels == decoded.pixels, "\(file.path)")
            }
        }
    }
}

/// Canvas size claimed by a file, without decoding.
private struct SizeOfGIF {
    let pixels: Int

    init(_ bytes: [UInt8]) throws {
        let file = try TemporaryBytes(bytes)
        let rows = try GIFRows(
            file.openFile, tolerating: .everything)
        pixels = rows.layout.width * rows.layout.height
    }
}
