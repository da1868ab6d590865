import AttachmentContainer
import Foundation

/// Makes a movie of JPEGs, each of which is a frame (AVI RIFF File Reference, Microsoft).
enum MotionJPEG {
    /// Puts JPEGs into an AVI.
    ///
    /// - Parameters:
    ///   - frames: JPEGs of one size.
    ///   - size: That size, in pixels.
    ///   - rate: Frames a second.
    /// - Returns: The file.
    static func bytes(_ frames: [Data], size: PixelSize, rate: Int) -> Data {
        let longest = frames.map(\.count).max() ?? 0
        // Microseconds a frame, rate of data, padding, flags (it has an index), frames, streams.
        let main = Data.parts(
            .little(1_000_000 / rate), .little(longest * rate), .little(0), .little(0x10),
            .little(frames.count), .little(0), .little(1), .little(longest), .little(size.width),
            .little(size.height), Data(count: 16))
        // Flags, priority and delay; scale and rate; start and length; buffer, quality, sample size.
        let stream = Data.parts(
            .name("vidsMJPG"), Data(count: 12), .little(1), .little(rate), .little(0),
            .little(frames.count), .little(longest), .little(-1), .little(0), Data(count: 4),
            .little(size.width, 2), .little(size.height, 2))
        // BITMAPINFOHEADER: its length, the size, one plane of 24 bits, the coding.
        let format = Data.parts(
            .little(40), .little(size.width), .little(size.height), .little(1, 2), .little(24, 2),
            .name("MJPG"), .little(size.pixelCount * 3), Data(count: 16))
        let header = Data.parts(
            .chunk("avih", main),
            .list("strl", .parts(.chunk("strh", stream), .chunk("strf", format))))
        var (pictures, index) = (Data(), Data())
        for frame in frames {
            // Key frames, counted from the name of their list.
            index += Data.parts(
                .name("00dc"), .little(0x10), .little(pictures.count + 4), .little(frame.count))
            pictures += Data.chunk("00dc", frame)
        }
        return .chunk(
            "RIFF",
            .parts(
                .name("AVI "), .list("hdrl", header), .list("movi", pictures),
                .chunk("idx1", index)))
    }
}
