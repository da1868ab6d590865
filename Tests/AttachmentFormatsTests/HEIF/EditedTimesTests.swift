import AttachmentModel
import Testing

@testable import AttachmentFormats

@Suite("Edit lists of image sequences", .timeLimit(.minutes(1)))
struct EditedTimesTests {
    /// A list of parts with 64-bit fields, or with 32-bit ones.
    private func makeTimes(
        _ parts: [(duration: UInt64, start: Int64)], timescale: Int = 1000,
        movieTimescale: Int = 1000, isWide: Bool = true
    ) throws -> EditedTimes {
        func field(_ value: UInt64) -> [UInt8] {
            (0..<(isWide ? 8 : 4)).reversed().map {
                UInt8(truncatingIfNeeded: value >> UInt64(8 * $0))
            }
        }
        var bytes: [UInt8] = [isWide ? 1 : 0, 0, 0, 0, 0, 0, 0, UInt8(parts.count)]
        for part in parts {
            bytes += field(part.duration) + field(UInt64(bitPattern: part.start)) + [0, 1, 0, 0]
        }
        let file = try TemporaryBytes(bytes)
        return try EditedTimes(
            Cursor(BoundedReader(file.openFile), from: 0), timescale: timescale,
            movieTimescale: movieTimescale)
    }

    @Test(
        "The end is in the movie's ticks, after a start in the track's", arguments: [false, true])
    func end(isWide: Bool) throws {
        let times = try makeTimes(
            [(5, -1), (100, 30)], timescale: 3000, movieTimescale: 1000, isWide: isWide)
        #expect(times.start == 30 && times.end == 330)
        #expect(times.shown(0..<30) == nil)
        #expect(times.shown(0..<60) == 30)
        #expect(times.shown(300..<400) == 30)
        #expect(times.shown(330..<400) == nil)
    }

    @Test("A frame that only rounding would show is not shown, but a short one is")
    func rounding() throws {
        // Of 15,360 ticks a second, 51 ms are 783.
        let times = try makeTimes([(51, 0)], timescale: 15_360)
        #expect(times.end == 783)
        #expect(times.shown(768..<1280) == nil)
        #expect(times.shown(767..<1280) == 16)
        #expect(times.shown(770..<780) == 10)
    }

    @Test("Lists of several parts, and of no duration, have no end")
    func noEnd() throws {
        for parts in [[(10, 5), (10, 20)], [(10, 0), (10, -1), (10, 20)], [(0, 0)]]
            as [[(UInt64, Int64)]]
        {
            let times = try makeTimes(parts)
            #expect(times.start == 0 && times.end == nil)
            #expect(times.shown(1_000_000..<1_000_010) == 10)
        }
    }

    @Test("Absurd times overflow nothing")
    func absurd() throws {
        for (duration, start) in [(.max, .max), (1, .max), (.max, 0), (1 << 62, 1 << 62)]
            as [(UInt64, Int64)]
        {
            for movieTimescale in [0, 1, 1000, Int(UInt32.max)] {
                let times = try makeTimes(
                    [(duration, start)], timescale: Int(UInt32.max),
                    movieTimescale: movieTimescale)
                for frame in [-5..<5, 0..<0, 0..<Int.max / 2] {
                    #expect(times.shown(frame).map { $0 >= 0 } ?? true)
                }
            }
        }
    }
}
