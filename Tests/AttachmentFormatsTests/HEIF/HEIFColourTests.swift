@testable import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@Suite("Colours of HEIF and AVIF", .timeLimit(.minutes(1)))
struct HEIFColourTests {
    @Test(
        "YCgCo-Re and YCgCo-Ro restore every bit of RGB",
        arguments: [(matrix: 16, bits: 10), (16, 12), (17, 10), (17, 12)])
    func reversible(matrix: Int, bits: Int) throws {
        let depth = bits - (matrix == 16 ? 2 : 1)
        let peak = 1 << depth - 1
        var pixels = (0..<8).map { corner in (0..<3).map { corner >> $0 & 1 == 0 ? 0 : peak } }
        for index in 0..<504 { pixels.append([7, 11, 13].map { index * $0 * 31 % (peak + 1) }) }
        let neutral = 1 << (bits - 1)
        // H.273 of 2024: the forward transform by lifting.
        let codes = pixels.map { pixel in
            let co = pixel[0] - pixel[2]
            let base = pixel[2] + (co >> 1)
            let cg = pixel[1] - base
            return [base + (cg >> 1), neutral + cg, neutral + co]
        }
        let folder = try TemporaryFolder()
        let (source, coded) = (folder.path + "/in.y4m", folder.path + "/in.avif")
        var bytes = Array("YUV4MPEG2 W32 H16 F1:1 Ip A1:1 C444p\(bits) XCOLORRANGE=FULL\n".utf8)
        bytes += Array("FRAME\n".utf8)
        for plane in 0..<3 {
            bytes += codes.flatMap { [UInt8($0[plane] & 255), UInt8($0[plane] >> 8)] }
        }
        try Data(bytes).write(to: URL(filePath: source))
        try Tool.run(
            "avifenc", "-s", "10", "-j", "1", "--min", "0", "--max", "0", "-r", "full", "--cicp",
            "1/13/\(matrix)", source, coded)
        let sample = try HEIFSample(
            coded, scratch: ScratchSpace(folder: folder.path, ceiling: 4 << 20))
        try #require(sample.layout.bytesPerSample == 2)
        let decoded = sample.rows.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt16.self).map { Int($0) >> (16 - depth) }
        }
        #expect(decoded == pixels.flatMap(\.self))
    }

    @Test(
        "A matrix that is not implemented is refused by name",
        arguments: [
            (3, "reserved"), (11, "SMPTE ST 2085"), (14, "ICtCp"), (15, "IPT-C2"), (18, "reserved"),
        ], [false, true])
    func unsupported(matrix: (code: Int, name: String), isAV1: Bool) throws {
        let recipes = ["420", "mono"].map { CodedPiece.Recipe(isAV1: isAV1, chroma: $0) }
        let pieces = try CodedPiece.code(isAV1 ? recipes : [recipes[0]])
        func picture(_ recipe: CodedPiece.Recipe) throws -> HEIFPicture {
            let piece = try #require(pieces[recipe])
            let writer = HEIFWriter.single(
                piece, [HEIFWriter.colours(1, 13, matrix.code, isFull: true)])
            let file = try TemporaryBytes(writer.bytes)
            return try withExtendedLifetime(file) { try HEIFPicture(in: file.openFile) }
        }
        let fault = #expect(throws: HeaderFault.self) { try picture(recipes[0]) }
        #expect("\(try #require(fault))".contains("\(matrix.code) (\(matrix.name))"))
        // Monochrome needs no matrix.
        if isAV1 { _ = try picture(recipes[1]) }
    }

    @Test(
        "Luma of linear light gives the coded colours",
        arguments: [(matrix: 10, primaries: 9), (13, 9), (13, 12)],
        [(transfer: 14, range: "FULL"), (15, "LIMITED"), (8, "FULL"), (13, "LIMITED")])
    func constantLuminance(
        matrix: (code: Int, primaries: Int), coding: (transfer: Int, range: String)
    ) throws {
        let signal = Self.signal(transfer: coding.transfer)
        // BT.2020, table 4; of P3 the second row of its matrix to XYZ.
        let (kr, kb) = matrix.primaries == 9 ? (0.2627, 0.0593) : (0.2289746, 0.0792869)
        let pixels = (0..<64 * 64).map { index in
            [7, 11, 13].map { 0.02 + 0.98 * Double(index * $0 % 97) / 96 }
        }
        let isFull = coding.range == "FULL"
        let codes = pixels.map { light -> [Int] in
            let luma = signal(kr * light[0] + (1 - kr - kb) * light[1] + kb * light[2])
            // H.273, MatrixCoefficients 10 and 13.
            let difference = { (colour: Double, weight: Double) in
                let difference = signal(colour) - luma
                return difference < 0
                    ? difference / (2 * signal(1 - weight))
                    : difference / (2 * (1 - signal(weight)))
            }
            let (blue, red) = (difference(light[2], kb), difference(light[0], kr))
            return isFull
                ? [luma * 4095, 2048 + blue * 4095, 2048 + red * 4095].map { Int($0.rounded()) }
                : [256 + luma * 3504, 2048 + blue * 3584, 2048 + red * 3584]
                    .map { Int($0.rounded()) }
        }
        let folder = try TemporaryFolder()
        let piece = try Self.piece(of: codes, range: coding.range, in: folder)
        let path = folder.path + "/whole.avif"
        let writer = HEIFWriter.single(
            piece,
            [HEIFWriter.colours(matrix.primaries, coding.transfer, matrix.code, isFull: isFull)])
        try Data(writer.bytes).write(to: URL(filePath: path))
        let sample = try HEIFSample(
            path, scratch: ScratchSpace(folder: folder.path, ceiling: 4 << 20))
        try #require(sample.layout.bytesPerSample == 2)
        let decoded = sample.rows.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt16.self).map { Double($0 >> 4) / 4095 }
        }
        let errors = zip(decoded, pixels.flatMap(\.self).map(signal)).map { abs($0 - $1) }
        // Half a step of each of three codes, which green has times 4.5 in the dark.
        #expect(try #require(errors.max()) < 5.0 / 4095)
    }

    /// H.273, table 3.
    private static func signal(transfer: Int) -> (Double) -> Double {
        { light in
            switch transfer {
            case 8: light
            case 13: light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            default: light < 0.0181 ? 4.5 * light : 1.0993 * pow(light, 0.45) - 0.0993
            }
        }
    }

    /// A lossless AV1 frame of 64 × 64 pixels of three 12-bit codes.
    private static func piece(
        of codes: [[Int]], range: String, in folder: TemporaryFolder
    ) throws -> CodedPiece {
        let (source, target) = (folder.path + "/in.y4m", folder.path + "/in.avif")
        var bytes = Array(
            "YUV4MPEG2 W64 H64 F1:1 Ip A1:1 C444p12 XCOLORRANGE=\(range)\nFRAME\n".utf8)
        for plane in 0..<3 {
            bytes += codes.flatMap { [UInt8($0[plane] & 255), UInt8($0[plane] >> 8)] }
        }
        try Data(bytes).write(to: URL(filePath: source))
        try Tool.run(
            "avifenc", "-s", "10", "-j", "1", "--min", "0", "--max", "0", "--cicp", "9/14/9",
            source,
            target)
        return try CodedPiece(onlyTileOf: target, width: 64, height: 64)
    }

    @Test("An alpha plane of limited range is expanded to full range", arguments: [8, 10])
    func limitedAlpha(bits: Int) throws {
        let folder = try TemporaryFolder()
        let codes = (0..<64 * 64).map { (($0 % 64 * 4 + $0 / 64) % 256) << (bits - 8) }
        func coded(_ name: String, _ range: String) throws -> CodedPiece {
            let (source, target) = (folder.path + "/\(name).y4m", folder.path + "/\(name).avif")
            let format = "444" + (bits > 8 ? "p\(bits)" : "")
            var bytes = Array(
                "YUV4MPEG2 W64 H64 F1:1 Ip A1:1 C\(format) XCOLORRANGE=\(range)\nFRAME\n".utf8)
            for code in codes + codes + codes {
                bytes += bits > 8 ? [UInt8(code & 255), UInt8(code >> 8)] : [UInt8(code)]
            }
            try Data(bytes).write(to: URL(filePath: source))
            try Tool.run(
                "avifenc", "-s", "10", "-j", "1", "--min", "0", "--max", "0", source, target)
            return try CodedPiece(onlyTileOf: target, width: 64, height: 64)
        }
        var writer = HEIFWriter.single(try coded("colour", "FULL"))
        writer.addAlpha(try coded("alpha", "LIMITED"))
        let path = folder.path + "/whole.avif"
        try Data(writer.bytes).write(to: URL(filePath: path))
        let sample = try HEIFSample(
            path, scratch: ScratchSpace(folder: folder.path, ceiling: 4 << 20))
        try #require(sample.layout.bands == 4)
        let alphas = sample.rows.withUnsafeBytes { bytes -> [Int] in
            bits == 8
                ? stride(from: 3, to: bytes.count, by: 4).map { Int(bytes[$0]) }
                : bytes.bindMemory(to: UInt16.self).enumerated()
                    .filter { $0.offset % 4 == 3 }.map { Int($0.element) >> (16 - bits) }
        }
        // H.273, equation 30 solved for the sample.
        let (step, peak) = (1 << (bits - 8), 1 << bits - 1)
        let expected = codes.map { code in
            min(
                max((Double((code - 16 * step) * peak) / Double(219 * step)).rounded(), 0),
                Double(peak))
        }
        try #require(alphas.count == expected.count)
        #expect(zip(alphas, expected).allSatisfy { abs(Double($0) - $1) <= (bits == 8 ? 0 : 1) })
        #expect(alphas.min() == 0)
        #expect(alphas.max() == peak)
    }
}

extension CodedPiece {
    /// The coded frame of an AVIF file of one tile.
    fileprivate init(onlyTileOf path: String, width: Int, height: Int) throws {
        let file = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let copy = try TemporaryBytes(file)
        let picture = try withExtendedLifetime(copy) { try HEIFPicture(in: copy.openFile) }
        let tile = try #require(picture.first.colour.tiles.first)
        self.init(
            isAV1: true, configuration: Array(file[tile.configuration]),
            bytes: tile.extents.flatMap { file[$0] }, width: width, height: height)
    }
}
