import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentFormats
@testable import AttachmentPipeline
@testable import AttachmentVips

/// Every known message of libtiff, by a file that causes it.
@Suite("Messages of libtiff", .timeLimit(.minutes(2)))
struct TIFFMessageTests {
    struct Case: CustomTestStringConvertible, Sendable {
        /// Module and first words of the message, as in the table.
        let message: String
        let name: String
        let intact: @Sendable () throws -> WrittenTIFF
        let change: @Sendable (inout WrittenTIFF) throws -> Void
        /// Nil for a message that loses no pixel.
        var code: AttachmentError.Code?
        var note: HarmlessFault?

        var testDescription: String { "\(message), \(name)" }
    }

    @Test(
        "A message that loses no pixel is a note, and others are errors unless tolerated",
        arguments: Self.cases, [ProcessingSettings.EngineChoice.automatic, .libvips])
    func message(sample: Case, engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            var tiff = try sample.intact()
            try tiff.bytes.write(to: fixture.url("intact.tif"))
            try sample.change(&tiff)
            try tiff.bytes.write(to: fixture.url("fault.tif"))
            let intact = try await fixture.process("intact.tif", identifier: "intact") {
                ($0.engine, $0.quality) = (engine, 95)
            }.manifest
            #expect(intact.notes == [])
            let expected = try fixture.picture(.expanded, of: intact)
            let tolerant = try await fixture.process("fault.tif", identifier: "tolerant") {
                ($0.engine, $0.quality, $0.toleratesTruncation) = (engine, 95, true)
            }.manifest
            let found = try fixture.picture(.expanded, of: tolerant)
            #expect(found.size == expected.size)
            // The first rows are intact in every file.
            for place in [(0, 0), (40, 2), (60, 1)] {
                let pair = try zip(found.pixel(place.0, place.1), expected.pixel(place.0, place.1))
                #expect(pair.allSatisfy { abs($0 - $1) <= 8 }, "\(place)")
            }
            guard let note = sample.note else {
                let error = try await fixture.refuse("fault.tif") { $0.engine = engine }
                #expect(error?.code == sample.code, "\(String(describing: error))")
                #expect(tolerant.notes == ["the file is damaged: missing parts are blank"])
                return
            }
            #expect(tolerant.notes == [note.rawValue])
            #expect(try found.largestDifference(from: expected) == 0)
        }
    }

    @Test("Every known message has a file, and unknown ones are damage")
    func completeness() {
        let keys = TIFFMessage.known.map(Self.key)
        #expect(Set(keys).subtracting(["warning : "]) == Set(Self.cases.map(\.message)))
        #expect(Set(keys).count == keys.count)
        for isError in [false, true] {
            #expect(
                TIFFMessage.loss(isError: isError, module: "FutureDecode", text: "new") == .pixels)
        }
        #expect(
            TIFFMessage.loss(isError: false, module: "TIFFReadDirectoryCheckOrder", text: "new")
                == .nothing(.directory))
    }

    @Test("A file that ends within its strips or tiles is truncated", arguments: [false, true])
    func cut(isJPEG: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let whole = try (isJPEG ? Self.jpeg(rows: 16) : Self.grey).bytes
            for percent in [30, 60, 95] {
                try whole.prefix(whole.count * percent / 100).write(to: fixture.url("cut.tif"))
                let error = try await fixture.refuse("cut.tif")
                #expect(error?.code == .truncated)
                let manifest = try await fixture.process("cut.tif", identifier: "\(percent)") {
                    $0.toleratesTruncation = true
                }.manifest
                #expect(manifest.notes == ["the file is damaged: missing parts are blank"])
            }
        }
    }

    private static func key(_ message: TIFFMessage) -> String {
        "\(message.isError ? "error" : "warning") \(message.module): \(message.words)"
    }
}

extension TIFFMessageTests {
    private static let size = PixelSize(width: 320, height: 240)
    private static let flat = PixelSize(width: 64, height: 48)

    static let cases: [Case] = jpegCases + faxCases + packCases + otherCases

    private static let jpegCases: [Case] = {
        var cases: [Case] = []
        // One strip decoded by rows, strips decoded at once, and tiles.
        for rows in [240, 16, 0] {
            let name = rows == 0 ? "tiles" : "strips of \(rows) rows"
            cases += [
                Case(
                    message: "warning JPEGLib: Premature end of JPEG file", name: name,
                    intact: { try jpeg(rows: rows) },
                    change: { tiff in
                        let middle = tiff.pieces.count / 2
                        tiff.counts = tiff.pieces.map(\.count)
                        tiff.counts?[middle] = tiff.pieces[middle].count * 8 / 10
                    }, code: .truncated),
                Case(
                    message:
                        "warning JPEGLib: Corrupt JPEG data: premature end of data segment",
                    name: name, intact: { try jpeg(rows: rows) },
                    change: { tiff in
                        let middle = tiff.pieces.count / 2
                        let end = tiff.pieces[middle].count * 8 / 10
                        tiff.pieces[middle].replaceSubrange(end..<end + 2, with: [0xFF, 0xD9])
                    }, code: .truncated),
                Case(
                    message: "warning JPEGPreDecode: Improper JPEG strip/tile size", name: name,
                    intact: { try jpeg(rows: rows) },
                    change: { tiff in
                        // A JPEG of half as many rows as the piece.
                        let last = tiff.pieces.count - 1
                        let (width, height) = rows == 0 ? (64, 64) : (size.width, rows)
                        tiff.pieces[last] = try coded(
                            VipsFixture.gradient(size).applying(
                                "extract_area",
                                [
                                    "left": .int(0), "top": .int(0), "width": .int(width),
                                    "height": .int(height / 2),
                                ], input: "input"))
                    }, code: .truncated),
            ]
        }
        cases += [
            Case(
                message: "warning JPEGLib: ", name: "version of JFIF",
                intact: { try jpeg(rows: 240) },
                change: { tiff in
                    // APP0 of version 3 (ITU-T T.871, 10.1), after SOI.
                    let segment =
                        [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [3, 0, 0, 0, 1, 0, 1, 0, 0]
                    tiff.pieces[0].insert(contentsOf: segment, at: 2)
                }, code: .corrupt),
            Case(
                message: "warning JPEGPreDecode: JPEG strip size exceeds", name: "last strip",
                intact: { try jpeg(rows: 240) },
                change: { tiff in
                    // The picture ends 16 rows before its JPEG does; so does the expected one.
                    let taller = VipsFixture.gradient(size)
                    tiff.pieces[0] = try coded(
                        taller.applying(
                            "embed",
                            [
                                "x": .int(0), "y": .int(0), "width": .int(size.width),
                                "height": .int(size.height + 16), "extend": .name("copy"),
                            ]))
                }, note: .surplusPixels),
            Case(
                message: "warning JPEGFixupTagsSubsampling: Auto-corrected", name: "4:4:4",
                intact: { try jpeg(rows: 240) },
                // The default is 4:2:0.
                change: { $0.tags[530] = nil }, note: .directory),
        ]
        return cases
    }()

    /// Rows of white, in codes of T.4: 64 and 0 (compression 2 of TIFF 6.0).
    private static let fax = WrittenTIFF(
        width: flat.width, height: flat.height, samples: 1, bits: 1, photometric: 0,
        compression: 2,
        pieces: [(0..<flat.height).flatMap { _ in [0b1101_1001, 0b1010_1000] as [UInt8] }])

    private static let faxCases = [
        Case(
            message: "warning Fax: Premature EOF", name: "short strip", intact: { fax },
            change: { $0.counts = [2 * 30] }, code: .truncated),
        Case(
            message: "warning Fax: ", name: "line of 128 pixels", intact: { fax },
            // The code of 128 in place of 64.
            change: { $0.pieces[0].replaceSubrange(60..<62, with: [0b1001_0001, 0b1010_1000]) },
            code: .corrupt),
    ]

    /// Levels of grey, uncompressed in strips of 8 rows.
    private static let grey = WrittenTIFF(
        width: flat.width, height: flat.height, samples: 1, photometric: 1, rowsPerStrip: 8,
        pieces: stride(from: 0, to: flat.height, by: 8).map { levels($0..<$0 + 8) })

    private static func levels(_ rows: Range<Int>) -> [UInt8] {
        rows.flatMap { y in (0..<flat.width).map { UInt8(3 * $0 + y) } }
    }

    /// A literal run for each row of 64 bytes (TIFF 6.0, section 9).
    private static let packed = WrittenTIFF(
        width: flat.width, height: flat.height, samples: 1, photometric: 1, compression: 32773,
        pieces: [(0..<flat.height).flatMap { [63] + levels($0..<$0 + 1) }])

    private static let packCases = [
        Case(
            message: "warning PackBitsDecode: Terminating", name: "run beyond the strip",
            intact: { packed }, change: { $0.counts = [30 * 65 + 20] }, code: .truncated),
        Case(
            message: "error : Not enough data", name: "missing runs", intact: { packed },
            change: { $0.counts = [30 * 65] }, code: .truncated),
        Case(
            message: "warning PackBitsDecode: Discarding", name: "surplus bytes",
            intact: { packed },
            change: { tiff in
                // The last row, in a run of twice its length.
                tiff.pieces[0][47 * 65] = 127
                tiff.pieces[0] += Array(repeating: 9, count: 64)
            }, note: .surplusPixels),
    ]

    private static func lzw(isOld: Bool) -> WrittenTIFF {
        WrittenTIFF(
            width: flat.width, height: flat.height, samples: 1, photometric: 1, compression: 5,
            pieces: [codes(levels(0..<flat.height), isOld: isOld)])
    }

    private static let otherCases = [
        Case(
            message: "warning LZWPreDecode: Old-style LZW codes", name: "reversed bits",
            intact: { lzw(isOld: false) }, change: { $0 = lzw(isOld: true) }, note: .oldLZW),
        Case(
            message: "error LZWDecode: LZWDecode: Strip", name: "short strip",
            intact: { lzw(isOld: false) },
            change: { tiff in tiff.counts = [tiff.pieces[0].count * 6 / 10] }, code: .truncated),
        Case(
            message: "warning TIFFReadDirectory: ", name: "a strip of no bytes",
            intact: {
                WrittenTIFF(
                    width: flat.width, height: flat.height, samples: 1, photometric: 1,
                    pieces: [levels(0..<flat.height)])
            }, change: { $0.counts = [0] }, note: .directory),
        Case(
            message: "warning TIFFFetch: ", name: "two fill orders", intact: { grey },
            change: { $0.tags[266] = [1, 1] }, note: .directory),
        Case(
            message: "error : ", name: "garbage in place of deflated bytes",
            intact: {
                var tiff = grey
                tiff.tags[259] = [8]
                tiff.pieces = tiff.pieces.map { .zlib(storing: $0) }
                return tiff
            },
            change: { tiff in tiff.pieces[3] = tiff.pieces[3].map { _ in 0xA5 } },
            code: .corrupt),
    ]

    /// JPEG strips of so many rows, or tiles of 64 × 64 for 0.
    private static func jpeg(rows: Int) throws -> WrittenTIFF {
        let picture = VipsFixture.gradient(size)
        let (width, height) = rows == 0 ? (64, 64) : (size.width, rows)
        // Tiles overhang the picture.
        let padded = try picture.applying(
            "embed",
            [
                "x": .int(0), "y": .int(0), "width": .int(size.width),
                "height": .int((size.height + height - 1) / height * height),
                "extend": .name("copy"),
            ]
        ).inMemory()
        var pieces: [[UInt8]] = []
        for top in stride(from: 0, to: size.height, by: height) {
            for left in stride(from: 0, to: size.width, by: width) {
                pieces.append(
                    try coded(
                        padded.applying(
                            "extract_area",
                            [
                                "left": .int(left), "top": .int(top), "width": .int(width),
                                "height": .int(height),
                            ], input: "input")))
            }
        }
        var tiff = WrittenTIFF(
            width: size.width, height: size.height, samples: 3, photometric: 6, compression: 7,
            rowsPerStrip: height, pieces: pieces)
        tiff.tags[530] = [1, 1]
        if rows == 0 { tiff.setTiles(width: 64, height: 64) }
        return tiff
    }

    private static func coded(_ image: VipsImage) throws -> [UInt8] {
        try TemporaryFolder.with { folder in
            let file = folder.appending(path: "piece.jpg")
            try image.write(
                to: file, with: "jpegsave_target",
                ["Q": .int(90), "subsample_mode": .name("off"), "strip": .bool(true)])
            return Array(try Data(contentsOf: file))
        }
    }

    /// LZW codes of 9 bits, cleared before they grow (TIFF 6.0, section 13); the old ones begin with the
    /// lowest bit.
    private static func codes(_ bytes: [UInt8], isOld: Bool) -> [UInt8] {
        var codes: [Int] = []
        for start in stride(from: 0, to: bytes.count, by: 200) {
            codes += [256] + bytes[start..<min(start + 200, bytes.count)].map(Int.init)
        }
        var bits = (codes + [257]).flatMap { code in
            (0..<9).map { code >> (isOld ? $0 : 8 - $0) & 1 }
        }
        bits += Array(repeating: 0, count: -bits.count & 7)
        return stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(0) { $0 | UInt8(bits[start + $1]) << UInt8(isOld ? $1 : 7 - $1) }
        }
    }
}
