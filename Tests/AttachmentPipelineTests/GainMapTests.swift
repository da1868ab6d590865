import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import SampleMedia
import Testing

@Suite("Pictures with gain maps", .timeLimit(.minutes(2)))
struct GainMapTests {
    private static let kinds: [(GainMapJPEG.Description, GainMapKind)] = [
        (.ultraHDR, .ultraHDR), (.iso, .iso), (.both, .iso), (.apple, .apple),
    ]
    private static let engines = [ProcessingSettings.EngineChoice.automatic, .libvips]

    @Test("A JPEG has the renditions of its base picture, and a note", arguments: engines)
    func jpeg(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let base = try Self.write(PixelSize(width: 900, height: 600), in: fixture)
            let plain = try await fixture.process("base.jpg", identifier: "plain") {
                ($0.engine, $0.width, $0.scale) = (engine, 400, 1)
            }.manifest
            for (description, kind) in Self.kinds {
                try Data(Self.file(description, base, in: fixture).bytes)
                    .write(to: fixture.url("hdr.jpg"))
                let manifest = try await fixture.process("hdr.jpg", identifier: "\(description)") {
                    ($0.engine, $0.width, $0.scale) = (engine, 400, 1)
                }.manifest
                #expect(manifest.notes == [kind.droppedNote] + plain.notes)
                #expect(kind.droppedNote.hasPrefix("gain map dropped"))
                try fixture.expectSameRenditions(manifest, plain)
            }
        }
    }

    @Test("A JPEG that is ready for display, or only has to be turned, is published without it")
    func copied() async throws {
        try await ProcessorFixture.with { fixture in
            let upright = try Self.write(PixelSize(width: 320, height: 208), in: fixture)
            let turned = Data(upright).withOrientation(6)
            for (base, note) in [
                (upright, "kept without its metadata"), ([UInt8](turned), "turned without loss"),
            ] {
                try Data(base).write(to: fixture.url("base.jpg"))
                let plain = try await fixture.process("base.jpg", identifier: "plain").manifest
                for (description, kind) in Self.kinds {
                    let file = try Self.file(description, base, in: fixture)
                    try Data(file.bytes).write(to: fixture.url("hdr.jpg"))
                    let manifest = try await fixture.process("hdr.jpg").manifest
                    #expect(manifest.notes == [kind.droppedNote, note])
                    #expect(
                        try fixture.bytes(.expanded, of: manifest)
                            == fixture.bytes(.expanded, of: plain))
                }
            }
        }
    }

    @Test("A forged claim of a gain map changes neither picture nor notes", arguments: engines)
    func forged(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let base = try Self.write(PixelSize(width: 900, height: 600), in: fixture)
            var manifests: [Manifest] = []
            for (number, gainMap) in [.zeros(2), .zeros(5_000), base].enumerated() {
                var file = GainMapJPEG(.none, of: base, gainMap: gainMap)
                if number == 0 { file.letters = "xxx" }
                try Data(file.bytes).write(to: fixture.url("\(number).jpg"))
                let done = try await fixture.process("\(number).jpg", identifier: "\(number)") {
                    ($0.engine, $0.width, $0.scale) = (engine, 400, 1)
                }
                manifests.append(done.manifest)
            }
            for manifest in manifests {
                #expect(manifest.notes == [])
                try fixture.expectSameRenditions(manifest, manifests[0])
            }
        }
    }

    @Test(
        "A picture like a phone's, with far more than 16 item references, has its grid's renditions",
        arguments: ["0180-clap8.heic", "0070-cicp1_13_0lim.avif"], engines)
    func manyReferences(name: String, engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let piece = try Self.piece(name)
            let size = PixelSize(width: 6 * piece.width - 9, height: 8 * piece.height - 5)
            let plain = HEIFWriter.mosaic([piece], columns: 6, rows: 8, size.width, size.height)
            let phone = Self.phonePicture(plain, piece, size)
            #expect(phone.references.count > 16 && phone.references.contains { $0.to.count > 16 })
            try Data(plain.bytes).write(to: fixture.url("plain.heic"))
            try Data(phone.bytes).write(to: fixture.url("phone.heic"))

            let header = try Probe().picture(at: fixture.url("phone.heic").path)
            #expect(header.gainMap == .iso && header.coding.name == "grid" && !header.hasAlpha)
            #expect(header.storedSize == size && header.hasMetadata)
            #expect(header.preview?.size == PixelSize(width: piece.width, height: piece.height))

            let change = { @Sendable (settings: inout ProcessingSettings) in
                (settings.engine, settings.width, settings.scale) = (engine, 200, 1)
            }
            let expected = try await fixture.process("plain.heic", identifier: "plain", change)
            let done = try await fixture.process("phone.heic", change)
            #expect(
                done.manifest.notes == [GainMapKind.iso.droppedNote] + expected.manifest.notes)
            try fixture.expectSameRenditions(done.manifest, expected.manifest)
        }
    }

    @Test(
        "Of a picture derived from base and gain map the base is shown",
        arguments: ["0180-clap8.heic", "0070-cicp1_13_0lim.avif"], engines)
    func primaryToneMap(name: String, engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let piece = try Self.piece(name)
            let plain = HEIFWriter.single(piece, [HEIFWriter.turn(1)])
            var derived = plain
            derived.addToneMap(7, piece, piece.width, piece.height)
            derived.primary = 7
            try Data(plain.bytes).write(to: fixture.url("plain.heic"))
            try Data(derived.bytes).write(to: fixture.url("derived.heic"))
            let expected = try await fixture.process("plain.heic", identifier: "plain") {
                $0.engine = engine
            }
            let done = try await fixture.process("derived.heic") { $0.engine = engine }
            #expect(done.manifest.notes.first == GainMapKind.iso.droppedNote)
            try fixture.expectSameRenditions(done.manifest, expected.manifest)
        }
    }

    /// Writes a gradient as `base.jpg`, without metadata.
    private static func write(
        _ size: PixelSize, in fixture: ProcessorFixture
    ) throws -> [UInt8] {
        try VipsFixture.gradient(size).write(
            to: fixture.url("base.jpg"), with: "jpegsave_target", ["strip": .bool(true)])
        return try [UInt8](Data(contentsOf: fixture.url("base.jpg")))
    }

    /// A gain map of another picture, a quarter as wide.
    private static func file(
        _ description: GainMapJPEG.Description, _ base: [UInt8], in fixture: ProcessorFixture
    ) throws -> GainMapJPEG {
        let map = fixture.url("map.jpg")
        try VipsFixture.gradient(PixelSize(width: 150, height: 225)).write(
            to: map, with: "jpegsave_target", ["strip": .bool(true)])
        return GainMapJPEG(
            description, of: base, gainMap: try [UInt8](Data(contentsOf: map)))
    }

    private static func piece(_ name: String) throws -> CodedPiece {
        let bytes = try Data(contentsOf: ForeignFile.heif(name))
        return try #require(CodedPiece(onlyPictureOf: [UInt8](bytes)))
    }

    /// A grid with thumbnail, Exif, XMP of each auxiliary picture, mattes and two gain maps.
    private static func phonePicture(
        _ grid: HEIFWriter, _ piece: CodedPiece, _ size: PixelSize
    ) -> HEIFWriter {
        var writer = grid
        let tiles = grid.items.map(\.identifier)
        writer.items.append(piece.item(100))
        writer.references.append(("thmb", 100, [1]))
        writer.items.append(
            HEIFWriter.Item(identifier: 101, type: "Exif", bytes: .zeros(4) + .ascii("II*\0")))
        writer.references.append(("cdsc", 101, tiles))
        let mattes = ["hairmatte", "skinmatte", "teethmatte", "glassesmatte", "skymatte"]
        for index in 0..<20 {
            let matte = mattes[index % mattes.count]
            writer.addAuxiliary(
                110 + index, piece, type: "urn:com:apple:photo:2019:aux:semantic\(matte)")
            writer.items.append(HEIFWriter.Item(identifier: 150 + index, type: "mime"))
            writer.references.append(("cdsc", 150 + index, [110 + index]))
        }
        writer.addAuxiliary(200, piece, type: "urn:com:apple:photo:2020:aux:hdrgainmap")
        writer.addToneMap(210, piece, size.width, size.height)
        return writer
    }
}

extension ProcessorFixture {
    fileprivate func expectSameRenditions(_ manifest: Manifest, _ other: Manifest) throws {
        #expect(manifest.engine == other.engine && manifest.rung == other.rung)
        for role in [RenditionRole.expanded, .banner] {
            #expect(try bytes(role, of: manifest) == bytes(role, of: other), "\(role)")
        }
        #expect(manifest.placeholder == other.placeholder)
    }
}
