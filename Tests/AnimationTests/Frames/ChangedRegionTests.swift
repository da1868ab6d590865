import AttachmentFormats
import Testing

@Suite("Changed regions") struct ChangedRegionTests {
    private static func point(_ x: Int, _ y: Int) -> PixelRect {
        PixelRect(left: x, top: y, right: x + 1, bottom: y + 1)
    }

    @Test("Distant corners stay two points, and neighbours merge into one rectangle")
    func corners() {
        let corners = ChangedRegion(Self.point(0, 0), Self.point(5999, 6599))
        #expect(corners.rects.map(\.area) == [1, 1])
        #expect(corners.contains(x: 5999, y: 6599) && !corners.contains(x: 3000, y: 3000))
        var region = ChangedRegion(Self.point(0, 0), Self.point(1, 0), .empty)
        #expect(region.rects == [PixelRect(width: 2, height: 1)])
        region.formUnion(ChangedRegion(PixelRect(width: 9, height: 9)))
        #expect(region.rects == [PixelRect(width: 9, height: 9)])
        region.insert(Self.point(4, 4))
        #expect(region.rects == [PixelRect(width: 9, height: 9)])
        #expect(ChangedRegion().isEmpty && ChangedRegion(.empty).isEmpty)
    }

    @Test("Many points are all covered by few rectangles")
    func many() {
        var region = ChangedRegion()
        let points = (0..<1000).map { (x: $0 * 7919 % 4001, y: $0 * 104_729 % 3989) }
        for point in points { region.insert(Self.point(point.x, point.y)) }
        #expect(region.rects.count == ChangedRegion.mostRects)
        for point in points { #expect(region.contains(x: point.x, y: point.y)) }
    }

    @Test("A removed frame and a distant next one stay separate")
    func disposal() throws {
        let frames: [UInt8] = [0, 63, 0, 63].flatMap { place in
            [0x21, 0xF9, 4, 2 << 2, 10, 0, 0, 0, 0x2C, place, 0, place, 0, 1, 0, 1, 0, 0]
                + [2, 2, 0x44, 1, 0]
        }
        let bytes =
            Array("GIF89a".utf8) + [64, 0, 64, 0, 0x80, 0, 0, 255, 0, 0, 0, 255, 0] + frames
            + [0x3B]
        try OpenAnimation.bytes(bytes, .gif, isTolerant: false) { file in
            let frames = try file.frames(in: OpenAnimation.space)
            var areas: [Int] = []
            while try frames.next() != nil {
                areas.append(try frames.draw().rects.map(\.area).reduce(0, +))
            }
            #expect(areas == [1, 2, 2, 2])
            #expect(try DrawnAnimation(file).unannounced == nil)
        }
    }
}
