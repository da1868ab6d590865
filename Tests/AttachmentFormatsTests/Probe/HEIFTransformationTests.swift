import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Testing

@Suite("HEIF transformations") struct HEIFTransformationTests {
    /// A 3x2 picture with distinct pixels.
    private static let picture = Grid(rows: [[1, 2, 3], [4, 5, 6]])

    @Test("Rotations and mirrors in any order reduce to one of the eight Exif orientations")
    func composition() throws {
        let steps: [(box: [UInt8], apply: (Grid) -> Grid)] = [
            (SampleHEIF.rotation(0), { $0 }), (SampleHEIF.rotation(1), \.counterClockwise),
            (SampleHEIF.rotation(2), \.counterClockwise.counterClockwise),
            (SampleHEIF.rotation(3), \.clockwise), (SampleHEIF.mirror(0), \.topToBottom),
            (SampleHEIF.mirror(1), \.leftToRight),
        ]
        var found: Set<Orientation> = []
        for first in steps {
            for second in steps {
                let header = try probe(transformed([first.box, second.box]))
                let expected = second.apply(first.apply(Self.picture))
                #expect(Self.picture.upright(header.orientation) == expected)
                #expect(header.storedSize == PixelSize(width: 40, height: 30))
                found.insert(header.orientation)
            }
        }
        #expect(found == Set(Orientation.allCases))
    }

    @Test("The clean aperture is the stored size, rounded to whole pixels")
    func cleanAperture() throws {
        let cropped = try probe(transformed([SampleHEIF.cleanAperture(32, 20)]))
        #expect(cropped.storedSize == PixelSize(width: 32, height: 20))
        let halves = try probe(transformed([SampleHEIF.cleanAperture(65, 41, over: 2)]))
        #expect(halves.storedSize == PixelSize(width: 33, height: 21))
        #expect(halves.codedSize == PixelSize(width: 40, height: 30))
        let quarters = try probe(transformed([SampleHEIF.cleanAperture(129, 83, over: 4)]))
        #expect(quarters.storedSize == PixelSize(width: 32, height: 21))
    }

    @Test("A clean aperture after a rotation refers to rotated sides")
    func apertureBehindTurn() throws {
        let aperture = SampleHEIF.cleanAperture(20, 32)
        let header = try probe(transformed([SampleHEIF.rotation(1), aperture]))
        #expect(header.storedSize == PixelSize(width: 32, height: 20))
        #expect(header.uprightSize == PixelSize(width: 20, height: 32))
    }

    @Test("An empty, invalid or too large aperture is refused")
    func badAperture() {
        for (aperture, code) in [
            (SampleHEIF.cleanAperture(0, 20), .dimensions),
            (SampleHEIF.cleanAperture(32, 20, over: 0), .corrupt),
            (SampleHEIF.cleanAperture(41, 20), .unsupported),
        ] as [([UInt8], AttachmentError.Code)] {
            #expect(refusal(of: transformed([aperture]))?.code == code)
        }
    }

    private func transformed(_ boxes: [[UInt8]]) -> [UInt8] {
        SampleHEIF(
            items: [SampleHEIF.Item(properties: Array(1...boxes.count + 2))],
            properties: [SampleHEIF.hevc(), SampleHEIF.size(40, 30)] + boxes
        ).bytes
    }
}

/// Rows of pixels, for rotating and mirroring.
private struct Grid: Equatable {
    var rows: [[Int]]

    var leftToRight: Grid { Grid(rows: rows.map { $0.reversed() }) }
    var topToBottom: Grid { Grid(rows: rows.reversed()) }
    var transposed: Grid {
        Grid(rows: (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column] } })
    }
    var clockwise: Grid { topToBottom.transposed }
    var counterClockwise: Grid { leftToRight.transposed }

    /// The eight orientations as described in Exif 2.32.
    func upright(_ orientation: Orientation) -> Grid {
        switch orientation {
        case .upright: self
        case .mirrored: leftToRight
        case .rotated180: leftToRight.topToBottom
        case .flipped: topToBottom
        case .transposed: transposed
        case .rotated90: clockwise
        case .transversed: transposed.leftToRight.topToBottom
        case .rotated270: counterClockwise
        }
    }
}
