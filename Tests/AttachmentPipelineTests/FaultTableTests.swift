import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentFormats
@testable import AttachmentPipeline
@testable import AttachmentVips

/// Faults of PNG and WebP by files that have them, and the page that lists all.
@Suite("Tables of faults", .timeLimit(.minutes(2)))
struct FaultTableTests {
    private static let size = PixelSize(width: 320, height: 240)

    @Test("A fault of a PNG is a note, or an error unless tolerated", arguments: PNGFault.allCases)
    func png(fault: PNGFault) async throws {
        try await ProcessorFixture.with { fixture in
            let whole = try Self.png(of: fault)
            try whole.write(to: fixture.url("whole.png"))
            try Self.damaged(whole, fault).write(to: fixture.url("fault.png"))
            let kept = try await fixture.process("whole.png", identifier: "whole").manifest
            let expected = try fixture.picture(.expanded, of: kept)
            let tolerant = try await fixture.process("fault.png", identifier: "tolerant") {
                $0.toleratesTruncation = true
            }.manifest
            let found = try fixture.picture(.expanded, of: tolerant)
            #expect(found.size == expected.size)
            #expect(
                try zip(found.pixel(2, 2), expected.pixel(2, 2)).allSatisfy { abs($0 - $1) <= 8 })
            let library = try await fixture.refuse("fault.png") { $0.engine = .libvips }
            if case .nothing(let note) = fault.loss {
                #expect(tolerant.notes == [note.rawValue])
                #expect(try found.largestDifference(from: expected) <= 8)
                #expect(library == nil)
            } else {
                let error = try await fixture.refuse("fault.png")
                #expect(error?.code.rawValue == fault.loss.code?.rawValue)
                #expect(tolerant.notes == ["the file is damaged: missing parts are blank"])
                // libvips does not tell damage from an early end.
                #expect(library?.code == .corrupt || library?.code == .truncated)
            }
        }
    }

    @Test("Truncated data of a lossy WebP are an error unless tolerated", arguments: [50, 80, 97])
    func webpEnd(percent: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let whole = try Self.webp
            // The chunk of the picture, with a length that fits.
            var cut = Array(whole.prefix(20 + (whole.count - 20) * percent / 200 * 2))
            cut.replaceSubrange(4..<8, with: Self.little(cut.count - 8))
            cut.replaceSubrange(16..<20, with: Self.little(cut.count - 20))
            try whole.write(to: fixture.url("whole.webp"))
            try Data(cut).write(to: fixture.url("cut.webp"))
            let intact = try await fixture.process("whole.webp", identifier: "whole").manifest
            for engine in [ProcessingSettings.EngineChoice.automatic, .libvips] {
                let error = try await fixture.refuse("cut.webp") { $0.engine = engine }
                #expect(error?.code == .truncated)
                let manifest = try await fixture.process("cut.webp", identifier: "tolerant") {
                    ($0.engine, $0.toleratesTruncation) = (engine, true)
                }.manifest
                #expect(manifest.notes.first == "the file is damaged: missing parts are blank")
                let (found, expected) = (
                    try fixture.picture(.expanded, of: manifest),
                    try fixture.picture(.expanded, of: intact)
                )
                #expect(
                    try zip(found.pixel(9, 9), expected.pixel(9, 9)).allSatisfy {
                        abs($0 - $1) <= 12
                    })
            }
        }
    }

    @Test("A lossy WebP without a decodable frame is an error, tolerated or not")
    func webpFrame() async throws {
        try await ProcessorFixture.with { fixture in
            // The frame tag's bits of version, and of being shown (RFC 6386, section 9.1).
            for (set, clear) in [(0b1110, 0), (0, 0b1_0000)] as [(UInt8, UInt8)] {
                var bytes = try Self.webp
                bytes[20] = (bytes[20] | set) & ~clear
                try bytes.write(to: fixture.url("frame.webp"))
                for isTolerant in [false, true] {
                    let error = try await fixture.refuse("frame.webp") {
                        $0.toleratesTruncation = isTolerant
                    }
                    #expect(error?.code == .corrupt, "\(String(describing: error))")
                }
            }
        }
    }

    @Test("The page lists the tables of the code")
    func page() throws {
        let page = try String(
            contentsOf: ProcessorFixture.images.deletingLastPathComponent().appending(
                path: "Sources/Attachments/Pipeline/AttachmentPipeline.docc/FaultsAndWarnings.md"),
            encoding: .utf8)
        let messages = TIFFMessage.known.map { message in
            let name =
                switch (message.module.isEmpty, message.words.isEmpty) {
                case (true, true): message.isError ? "other errors" : "other warnings"
                case (true, false): "error: \(message.words)"
                case (false, true): "`\(message.module)`: other warnings"
                case (false, false): "`\(message.module)`: \(message.words)"
                }
            return Self.row(name, message.loss)
        }
        let tables = [
            PNGFault.allCases.map { Self.row($0.rawValue, $0.loss) }, messages,
            WebPStatus.known.map { Self.row("`\($0.name)`", $0.loss) },
        ]
        for table in tables {
            #expect(page.contains(table.joined()), "\(table.joined())")
        }
    }

    private static func row(_ name: String, _ loss: FaultLoss) -> String {
        let (lost, result) =
            switch loss {
            case .nothing: ("nothing", "note")
            case .rest: ("the rest", "`truncated`")
            case .pixels: ("pixels", "`corrupt`")
            case .picture: ("the picture", "`unsupported`")
            }
        return "| \(name) | \(lost) | \(result) |\n"
    }

    private static var webp: Data {
        get throws {
            try TemporaryFolder.with { folder in
                let file = folder.appending(path: "whole.webp")
                try VipsFixture.gradient(size).write(
                    to: file, with: "webpsave_target", ["strip": .bool(true), "Q": .int(90)])
                let bytes = try Data(contentsOf: file)
                // The picture's chunk alone: libvips writes an extended header before it.
                let start = try #require(bytes.range(of: Data("VP8 ".utf8))).lowerBound
                let length = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
                let chunk = bytes[start..<start + 8 + length]
                return Data("RIFF".utf8) + little(chunk.count + 4) + Data("WEBP".utf8) + chunk
            }
        }
    }

    private static func little(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func png(of fault: PNGFault) throws -> Data {
        guard fault != .filter else { return written(rows, 64, 48) }
        return try TemporaryFolder.with { folder in
            let file = folder.appending(path: "whole.png")
            try VipsFixture.gradient(size).write(
                to: file, with: "pngsave_target", ["strip": .bool(true)])
            let bytes = try Data(contentsOf: file)
            // One chunk of image data.
            let data = chunks(of: bytes).filter { $0.type == "IDAT" }.flatMap(\.data)
            return bytes.prefix(33) + Data.pngChunk("IDAT", Array(data))
                + Data.pngChunk("IEND", [])
        }
    }

    /// 48 rows of 64 grey pixels, each with its filter type.
    private static let rows: [UInt8] = (0..<48).flatMap { y -> [UInt8] in
        [0] + (0..<64).map { x -> UInt8 in UInt8(x * 3 + y) }
    }

    private static func written(_ rows: [UInt8], _ width: UInt8, _ height: UInt8) -> Data {
        var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        png += Data.pngChunk("IHDR", [0, 0, 0, width, 0, 0, 0, height, 8, 0, 0, 0, 0])
        png += Data.pngChunk("IDAT", [UInt8].zlib(storing: rows))
        return png + Data.pngChunk("IEND", [])
    }

    private static func damaged(_ whole: Data, _ fault: PNGFault) -> Data {
        // Between the header and IEND is one chunk.
        var data = Array(whole[41..<whole.count - 16])
        var end = Data.pngChunk("IEND", [])
        switch fault {
        case .ancillaryChecksum:
            var chunk = Data.pngChunk("gAMA", [0, 0, 0x40, 0])
            chunk[chunk.count - 1] ^= 1
            return whole.prefix(33) + chunk + whole.dropFirst(33)
        case .missingEnd: end = Data()
        case .streamEnd: data[data.count - 1] ^= 1
        case .dataEnd: data = Array(data.prefix(data.count / 2))
        case .criticalChecksum:
            var bytes = whole
            bytes[32] ^= 1
            return bytes
        case .dataChecksum:
            var bytes = whole
            bytes[whole.count - 13] ^= 1
            return bytes
        case .stream:
            let middle = data.count / 2
            data.replaceSubrange(middle..<middle + 60, with: Array(repeating: 0xFF, count: 60))
        case .filter:
            var rows = rows
            rows[30 * 65] = 9
            return written(rows, 64, 48)
        }
        return whole.prefix(33) + Data.pngChunk("IDAT", data) + end
    }

    private static func chunks(of png: Data) -> [(type: String, data: Data)] {
        var chunks: [(String, Data)] = []
        var start = 8
        while start + 12 <= png.count {
            let length = png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: png[start + 4..<start + 8], as: UTF8.self)
            chunks.append((type, png[start + 8..<start + 8 + length]))
            start += length + 12
        }
        return chunks
    }
}
