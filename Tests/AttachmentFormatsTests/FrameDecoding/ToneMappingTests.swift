@testable import AttachmentFormats
import Foundation
import Testing

@Suite("Tone mapping", .timeLimit(.minutes(1)))
struct ToneMappingTests {
    /// A grey ramp, coded losslessly: green, blue and red are equal.
    private static let piece = Result { () throws -> FramePiece in
        let recipe = FrameRecipe(width: 1023, height: 2, chroma: "444", bits: 10, isNoise: false)
        return try #require(try FramePiece.code([recipe])[recipe])
    }

    private static func decode(
        transfer: Int, primaries: Int = 9, hasProfile: Bool = false
    ) throws -> DecodedFrame {
        try piece.get().decode(
            CodedColours(primaries: primaries, transfer: transfer, matrix: 0, isFullRange: true),
            hasProfile: hasProfile)
    }

    /// Green codes and their converted values, for the first row.
    private static func greens(of frame: DecodedFrame) throws -> [(code: Int, green: Int)] {
        let plain = try decode(transfer: 13).rows
        let mapped = frame.rows
        return (0..<1023).map { x in
            let code = Int(plain[6 * x + 2]) | Int(plain[6 * x + 3]) << 8
            return (code >> 6, Int(mapped[3 * x + 1]))
        }
    }

    @Test("PQ and HLG become 8-bit sRGB, unless there is a profile or another transfer function")
    func flags() throws {
        for transfer in [16, 18] {
            let frame = try Self.decode(transfer: transfer)
            #expect(frame.isToneMapped)
            #expect(frame.bytesPerSample == 1)
            #expect(frame.bitDepth == 10)
            let profiled = try Self.decode(transfer: transfer, hasProfile: true)
            #expect(!profiled.isToneMapped)
            #expect(profiled.bytesPerSample == 2)
        }
        #expect(try !Self.decode(transfer: 13).isToneMapped)
    }

    @Test("Light below the knee keeps its ratio to reference white", arguments: [16, 18])
    func belowKnee(transfer: Int) throws {
        // With sRGB primaries, red, green and blue are independent. Rows of a plane differ by 7
        // codes, so grey is only approximate.
        let frame = try Self.decode(transfer: transfer, primaries: 1)
        var compared = 0
        for (code, green) in try Self.greens(of: frame) {
            let light = Self.light(code, transfer)
            guard light < 0.5 else { continue }
            let srgb =
                light <= 0.0031308 ? 12.92 * light : 1.055 * Foundation.pow(light, 1 / 2.4) - 0.055
            #expect(abs(srgb * 255 - Double(green)) <= (transfer == 16 ? 0.6 : 2))
            compared += 1
        }
        #expect(compared > 300)
    }

    /// Light of a grey pixel relative to a reference white of 203 cd/m² (BT.2100, tables 4 and 5).
    private static func light(_ code: Int, _ transfer: Int) -> Double {
        let signal = Double(code) / 1023
        if transfer == 16 {
            let power = Foundation.pow(signal, 4096.0 / 2523 / 128)
            let ratio =
                max(power - 3424.0 / 4096, 0)
                / (2413.0 / 4096 * 32 - 2392.0 / 4096 * 32 * power)
            return Foundation.pow(ratio, 16384.0 / 2610) * 10000 / 203
        }
        let a = 0.17883277
        let scene =
            signal <= 0.5
            ? signal * signal / 3
            : (Foundation.exp((signal - 0.5 + a * Foundation.log(4 * a)) / a) + 1 - 4 * a) / 12
        return Foundation.pow(scene, 1.2) * 1000 / 203
    }

    @Test("Tone mapping is monotonic, and the peak of 1000 cd/m² is white")
    func monotonic() throws {
        for transfer in [16, 18] {
            let greens = try Self.greens(of: try Self.decode(transfer: transfer))
                .sorted { $0.code < $1.code }
            for (lower, higher) in zip(greens, greens.dropFirst()) {
                #expect(higher.green >= lower.green - 1)
            }
            #expect(greens.first?.green ?? 255 <= 1)
            #expect(greens.last?.green ?? 0 >= 254)
        }
    }
}
