import AttachmentContainer
import Foundation

/// Writes AVI movies with one JPEG per frame (AVI RIFF File Reference, Microsoft).
enum MotionJPEG {
    static func bytes(_ frames: [Data], size: PixelSize, rate: Int) -> Data {
        let longest = frames.map(\.count).max() ?? 0
        // Microseconds per frame, bytes per second, padding, flags (has index), frames, streams.
        let main = Data.parts(
            .little(1_000_000 / rate), .little(longest * rate), .little(0), .little(0x10),
            .little(frames.count), .little(0), .little(1), .little(longest), .little(size.width),
            .little(size.height), Data(count: 16))
        // Flags, priority and delay; scale and rate; start and length; buffer, quality, sample
        // size.
        let stream = Data.parts(
            .name("vidsMJPG"), Data(count: 12), .little(1), .little(rate), .little(0),
            .little(frames.count), .little(longest), .little(-1), .little(0), Data(count: 4),
            .little(size.width, 2), .little(size.height, 2))
        // BITMAPINFOHEADER: length, size, one plane of 24 bits, compression.
        let format = Data.parts(
            .little(40), .little(size.width), .little(size.height), .little(1, 2), .little(24, 2),
            .name("MJPG"), .little(size.pixelCount * 3), Data(count: 16))
        let header = Data.parts(
            .chunk("avih", main),
            .list("strl", .parts(.chunk("strh", stream), .chunk("strf", format))))
        var (pictures, index) = (Data(), Data())
        for frame in frames {
            // Key frames, with offsets from the list's name.
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
