import AttachmentFormats
import Foundation
import SampleMedia
import Testing

@Suite("HEIF rows equal libheif's picture", .timeLimit(.minutes(2)))
struct HEIFExactnessTests {
    private static let pieces = Result { try CodedPiece.code(recipes) }
    private static let hevc = (0..<6).map { CodedPiece.Recipe(seed: $0) }
    private static let av1 = (0..<4).map { CodedPiece.Recipe(isAV1: true, height: 56, seed: $0) }
    private static let odd = CodedPiece.Recipe(isAV1: true, width: 71, height: 53)
    private static let full = CodedPiece.Recipe(isAV1: true, width: 70, height: 51, chroma: "444")
    private static let deep = CodedPiece.Recipe(isAV1: true, height: 56, bits: 10)
    private static let grey = CodedPiece.Recipe(isAV1: true, height: 56, chroma: "mono", seed: 7)
    private static let oddGrey = CodedPiece.Recipe(
        isAV1: true, width: 71, height: 53, chroma: "mono", seed: 3)
    private static let neutral = CodedPiece.Recipe(seed: 4, isNeutral: true)
    private static let otherNeutral = CodedPiece.Recipe(seed: 5, isNeutral: true)
    private static let recipes =
        hevc + av1 + [odd, full, deep, grey, oddGrey, neutral, otherNeutral]

    private static func piece(_ recipe: CodedPiece.Recipe) throws -> CodedPiece {
        try #require(try pieces.get()[recipe])
    }

    private static func pieces(_ recipes: [CodedPiece.Recipe]) throws -> [CodedPiece] {
        try recipes.map(piece)
    }

    /// Rotations, mirrors and crops in many orders.
    private static let transformations: [[[UInt8]]] = {
        var found: [[[UInt8]]] = []
        for quarters in UInt8(0)..<4 {
            for mirror in [[], [HEIFWriter.mirror(0)], [HEIFWriter.mirror(1)]] {
                let turn = quarters == 0 ? [] : [HEIFWriter.turn(quarters)]
                found.append(turn + mirror)
                found.append(mirror + turn)
                found.append([HEIFWriter.aperture(80, 60, 4, -4)] + turn + mirror)
                found.append(turn + [HEIFWriter.aperture(74, 58, 3, 5)] + mirror)
                found.append(mirror + turn + [HEIFWriter.aperture(90, 100, -6, 6)])
            }
        }
        return found
    }()

    @Test("Grids and single pictures, in every rotation, mirroring and crop")
    func transformed() throws {
        let hevc = try Self.pieces(Self.hevc)
        let av1 = try Self.pieces(Self.av1)
        var writers: [HEIFWriter] = []
        for more in Self.transformations {
            writers.append(.mosaic(hevc, columns: 3, rows: 2, 150, 100, more))
            writers.append(.mosaic(av1, columns: 2, rows: 2, 101, 91, more))
            writers.append(.single(hevc[0], more))
            writers.append(.single(try Self.piece(Self.odd), more))
            writers.append(.single(try Self.piece(Self.full), more))
            writers.append(.single(try Self.piece(Self.grey), more))
            // libheif 1.15 does not mirror more than 8 bits.
            guard !more.contains(where: { Array($0[4..<8]) == Array("imir".utf8) }) else {
                continue
            }
            writers.append(.single(try Self.piece(Self.deep), more))
        }
        try Self.compare(writers, atLeast: 300)
    }

    @Test("Alpha planes, turned with their picture")
    func alpha() throws {
        let (hevc, av1) = (try Self.pieces(Self.hevc), try Self.pieces(Self.av1))
        let (grey, odd) = (try Self.piece(Self.grey), try Self.piece(Self.oddGrey))
        let planes = try Self.pieces([Self.neutral, Self.otherNeutral])
        for isPremultiplied in [false, true] {
            var writers: [HEIFWriter] = []
            for more in Self.transformations {
                var single = HEIFWriter.single(av1[0], more)
                single.addAlpha(grey, more, isPremultiplied: isPremultiplied)
                var mixed = HEIFWriter.single(try Self.piece(Self.odd), more)
                mixed.addAlpha(odd, more, isPremultiplied: isPremultiplied)
                var grid = HEIFWriter.mosaic(hevc, columns: 2, rows: 2, 120, 90, more)
                grid.addMosaic(
                    100, planes, columns: 2, rows: 2, 120, 90, [HEIFWriter.alpha] + more
                )
                grid.linkAlpha(100, isPremultiplied: isPremultiplied)
                writers += [single, mixed, grid]
            }
            try Self.compare(writers, atLeast: 100)
        }
    }

    @Test("Every kind of item location, colours, profiles and identifiers")
    func tables() throws {
        let hevc = try Self.pieces(Self.hevc)
        var writers: [HEIFWriter] = []
        for version in 0...2 {
            for width in [4, 8] {
                for base in [0, 40] {
                    for place in [HEIFWriter.Place.file, .pieces(3), .itemData] {
                        var writer = HEIFWriter.mosaic(hevc, columns: 2, rows: 1, 128, 64)
                        (writer.locationVersion, writer.locationWidth) = (version, width)
                        writer.base = base
                        if version == 0, case .itemData = place { continue }
                        for index in writer.items.indices { writer.items[index].place = place }
                        writers.append(writer)
                    }
                }
            }
        }
        let profile = HEIFWriter.profile((0..<700).map { UInt8(truncatingIfNeeded: $0) })
        let bt601 = HEIFWriter.colours(1, 13, 6, isFull: false)
        let bt709 = HEIFWriter.colours(1, 13, 1, isFull: true)
        writers.append(.single(hevc[0], [profile]))
        writers.append(.single(hevc[0], [bt601]))
        writers.append(.single(hevc[0], [bt709]))
        writers.append(.mosaic(hevc, columns: 2, rows: 2, 128, 128, [profile]))
        var tiles = HEIFWriter.mosaic(hevc, columns: 2, rows: 2, 128, 128, [bt709])
        for index in 1...4 { tiles.items[index].properties += [bt601, profile] }
        writers.append(tiles)
        var identity = HEIFWriter.single(hevc[1], [HEIFWriter.turn(1)])
        identity.items[0].identifier = 2
        identity.items.append(
            HEIFWriter.Item(
                identifier: 1, type: "iden",
                properties: [HEIFWriter.size(64, 64), HEIFWriter.mirror(1)]))
        identity.references = [("dimg", 1, [2])]
        writers.append(identity)
        for (columns, rows) in [(1, 1), (1, 4), (4, 1), (3, 3)] {
            writers.append(
                .mosaic(hevc, columns: columns, rows: rows, columns * 64 - 5, rows * 64 - 9))
        }
        try Self.compare(writers, atLeast: 30)
    }

    /// Decodes files with both and compares every sample.
    private static func compare(
        _ writers: [HEIFWriter], atLeast: Int
    ) throws {
        let folder = try TemporaryFolder()
        let paths = writers.indices.map { folder.path + "/\($0).heic" }
        for (path, writer) in zip(paths, writers) {
            try Data(writer.bytes).write(to: URL(filePath: path))
        }
        let scratch = ScratchSpace(folder: folder.path, ceiling: 16 << 20)
        var compared = 0
        for (index, reference) in try LibheifReference.decode(paths).enumerated() {
            guard let reference else {
                Issue.record("libheif refuses file \(index)")
                continue
            }
            let sample = try HEIFSample(paths[index], scratch: scratch)
            let difference = sample.difference(from: reference)
            #expect(difference == nil, "file \(index): \(difference ?? "")")
            #expect((sample.profile ?? []) == reference.profile)
            let written = try HEIFSample(paths[index], scratch: scratch, directBytes: 0)
            #expect(written.rows == sample.rows, "file \(index) by a scratch file")
            compared += 1
        }
        #expect(compared >= atLeast)
    }
}
